;;; opencl-mode.el --- Major mode for OpenCL C, with the language server openclsp -*- lexical-binding: t -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: languages
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; A mode derived by CC Mode from C: qualifiers and built-in types of OpenCL C are keywords, so declarations such as
;; `global float4 *values' are recognised.  The file registers openclsp with eglot and with lsp-mode:
;;
;;     (add-to-list 'load-path "/path/to/openclsp/editors/emacs")
;;     (require 'opencl-mode)
;;     (add-hook 'opencl-mode-hook #'eglot-ensure)     ; or #'lsp-deferred

;;; Code:

(require 'cc-mode)
;; The macros that define a derived language are needed in the uncompiled file too.
(require 'cc-langs)
(require 'cc-fonts)

(defgroup opencl nil
  "Kernels in OpenCL C."
  :group 'languages)

(defcustom opencl-server-command '("openclsp" "server")
  "The language server and its arguments."
  :type '(repeat string)
  ;; A file of a repository must not choose a program.
  :risky t)

(eval-and-compile
  (c-add-language 'opencl-mode 'c-mode)

  (defun opencl--with-underscores (names)
    "Return NAMES and each of them with two leading underscores."
    (append names (mapcar (lambda (name) (concat "__" name)) names)))

  (defun opencl--vectors (names)
    "Return the vector types of the scalar types NAMES."
    (apply #'append
           (mapcar (lambda (name) (mapcar (lambda (size) (concat name size)) '("2" "3" "4" "8" "16"))) names)))

  (defconst opencl--scalars '("char" "uchar" "short" "ushort" "int" "uint" "long" "ulong" "half" "float" "double")
    "Scalar types of which there are vectors.")

  (defconst opencl--images
    (mapcar (lambda (name) (concat "image" name "_t"))
            '("1d" "1d_array" "1d_buffer" "2d" "2d_array" "2d_depth" "2d_array_depth" "2d_msaa" "2d_array_msaa"
              "2d_msaa_depth" "2d_array_msaa_depth" "3d"))))

(c-lang-defconst c-primitive-type-kwds
  opencl (append '("bool" "uchar" "ushort" "uint" "ulong" "half" "size_t" "ptrdiff_t" "intptr_t" "uintptr_t"
                   "event_t" "sampler_t" "queue_t" "clk_event_t" "ndrange_t" "reserve_id_t" "cl_mem_fence_flags")
                 opencl--images
                 (opencl--vectors opencl--scalars)
                 (c-lang-const c-primitive-type-kwds)))

(c-lang-defconst c-type-modifier-prefix-kwds
  opencl (append (opencl--with-underscores
                  '("global" "local" "constant" "private" "generic" "read_only" "write_only" "read_write" "pipe"))
                 (c-lang-const c-type-modifier-prefix-kwds)))

(c-lang-defconst c-modifier-kwds
  opencl (append (opencl--with-underscores '("kernel")) (c-lang-const c-modifier-kwds)))

(defconst opencl-font-lock-keywords-1 (c-lang-const c-matchers-1 opencl)
  "Minimal highlighting of OpenCL C.")

(defconst opencl-font-lock-keywords-2 (c-lang-const c-matchers-2 opencl)
  "Normal highlighting of OpenCL C.")

(defconst opencl-font-lock-keywords-3 (c-lang-const c-matchers-3 opencl)
  "Accurate highlighting of OpenCL C.")

(defvar opencl-font-lock-keywords opencl-font-lock-keywords-3
  "Highlighting of OpenCL C, as CC Mode looks it up.")

(defvar opencl-mode-syntax-table (funcall (c-lang-const c-make-mode-syntax-table opencl))
  "Syntax table of `opencl-mode'.")

(defvar opencl-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map c-mode-base-map)
    map)
  "Keys of `opencl-mode'.")

;;;###autoload
(define-derived-mode opencl-mode prog-mode "OpenCL C"
  "Major mode for kernels in OpenCL C."
  :after-hook (c-update-modeline)
  (c-initialize-cc-mode t)
  (c-init-language-vars opencl-mode)
  (c-common-init 'opencl-mode)
  (setq-local comment-start "// " comment-end "")
  (cc-imenu-init cc-imenu-c-generic-expression)
  (c-run-mode-hooks 'c-mode-common-hook))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.\\(?:cl\\|clh\\|ocl\\|opencl\\|clc\\|cl\\.h\\)\\'" . opencl-mode))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               (cons '(opencl-mode :language-id "opencl") (lambda (&rest _) opencl-server-command))))

(defvar lsp-language-id-configuration)
(declare-function make-lsp-client "lsp-mode")
(declare-function lsp-activate-on "lsp-mode")
(declare-function lsp-register-client "lsp-mode")
(declare-function lsp-stdio-connection "lsp-mode")
(with-eval-after-load 'lsp-mode
  (add-to-list 'lsp-language-id-configuration '(opencl-mode . "opencl"))
  (lsp-register-client
   (make-lsp-client :new-connection (lsp-stdio-connection (lambda () opencl-server-command))
                    :activation-fn (lsp-activate-on "opencl")
                    :server-id 'openclsp)))

(provide 'opencl-mode)
;;; opencl-mode.el ends here
