"""Emacs with eglot and the configurations of docs/editors/emacs.md: colours, the error, the hover and a fix.

Needs Emacs with eglot (Debian: `apt-get install emacs-nox elpa-eglot`).
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
EMACS = ROOT / "editors" / "emacs"
KERNEL = "kernel void k(global int *g) {\n    local int *l = g;\n}\n"
FIXED = KERNEL.replace("local int *l", "global int *l")

DRIVE = """
(setq eglot-autoreconnect nil eglot-sync-connect 20 eglot-confirm-server-initiated-edits nil)
(dolist (folder (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa/*")) (add-to-list 'load-path folder))
(require 'eglot)
(load (expand-file-name "init.el"))
(defvar server (split-string (getenv "SERVER") "\\t"))
(setq opencl-server-command server)
(setq eglot-server-programs
      (mapcar (lambda (each) (if (equal (cdr each) '("openclsp" "server")) (cons (car each) server) each))
              eglot-server-programs))
(remove-hook 'opencl-mode-hook #'eglot-ensure)
(find-file "k.cl")
(defvar mode major-mode)
(apply #'eglot (eglot--guess-contact))
(let ((end (+ (float-time) 30)))
  (while (and (not (flymake-diagnostics)) (< (float-time) end))
    (flymake-start) (accept-process-output nil 0.2)))
(defvar found (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))
(goto-char (point-min)) (search-forward "= g") (backward-char)
(defvar hover (jsonrpc-request (eglot--current-server-or-lose) :textDocument/hover
                               (eglot--TextDocumentPositionParams)))
;; As if the command came from the keyboard: eglot opens a menu otherwise.
(setq last-nonmenu-event t)
(defvar titles nil)
(cl-letf (((symbol-function 'completing-read)
           (lambda (_ items &rest _) (setq titles (mapcar #'car items)) (car titles))))
  (eglot-code-actions (point) nil nil t))
(princ (json-encode (list :mode mode :found (vconcat found) :hover (format "%S" hover)
                          :titles (vconcat titles) :text (buffer-string))))
"""

NAVIGATE = """
(require 'json)
(require 'imenu)
(setq eglot-autoreconnect nil eglot-sync-connect 20 eglot-confirm-server-initiated-edits nil)
(dolist (folder (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa/*")) (add-to-list 'load-path folder))
(require 'eglot)
(load (expand-file-name "init.el"))
(setq opencl-server-command (split-string (getenv "SERVER") "\\t"))
(remove-hook 'opencl-mode-hook #'eglot-ensure)
(find-file "k.cl")
(apply #'eglot (eglot--guess-contact))
(goto-char (point-max)) (search-backward "sum")
(defvar found (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot)))
(defvar line (xref-location-line (xref-item-location (car found))))
(eglot-rename "first")
(defvar outline (mapcar #'car (funcall imenu-create-index-function)))
(goto-char (point-min)) (search-forward "any = ") (forward-char 4)
(defvar names (let ((completion (eglot-completion-at-point))) (all-completions "" (nth 2 completion))))
(princ (json-encode (list :line line :text (buffer-string) :outline outline
                          :names (vconcat (mapcar #'substring-no-properties names)))))
"""

COLOURED = """\
__kernel void scale(global float4 *restrict values, read_only image2d_t picture, const int n) {
local half tile[16];
if (n > 2)
tile[0] = values[n].x; // done
}
"""
INDENTED = """\
__kernel void scale(global float4 *restrict values, read_only image2d_t picture, const int n) {
    local half tile[16];
    if (n > 2)
        tile[0] = values[n].x; // done
}
"""
FACES = {
    "__kernel": "keyword",
    "scale": "function-name",
    "global": "keyword",
    "float4": "type",
    "restrict": "keyword",
    "values": "variable-name",
    "read_only": "keyword",
    "image2d_t": "type",
    "picture": "variable-name",
    "local": "keyword",
    "half": "type",
    "tile": "variable-name",
    "done": "comment",
}

FONTIFY = """
(require 'opencl-mode)
(require 'json)
(setq-default indent-tabs-mode nil)
(setq c-basic-offset 4 c-default-style "linux")
(find-file "k.cl")
(font-lock-ensure)
(defvar faces
  (mapcar (lambda (word)
            (goto-char (point-min)) (search-forward word)
            (cons word (format "%s" (get-text-property (match-beginning 0) 'face))))
          (split-string (getenv "WORDS"))))
(indent-region (point-min) (point-max))
(princ (json-encode (list :faces faces :text (buffer-string))))
"""


def emacs(folder: Path, *options: str, **environment: str) -> str:
    """Runs Emacs in a folder; returns what it printed."""
    program = shutil.which("emacs")
    if program is None:
        pytest.skip("no emacs on the PATH")
    ran = subprocess.run(
        [program, "-Q", "--batch", *options],
        cwd=folder,
        env={"HOME": str(folder), "PATH": "/usr/bin:/bin", **environment},
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-1500:]
    return ran.stdout


def configurations() -> tuple[str, str]:
    """Returns the two configurations of the page: with the file of the repository, and without it."""
    page = (ROOT / "docs" / "editors" / "emacs.md").read_text(encoding="utf-8")
    with_file, without_file = (
        block for block in re.findall(r"```elisp\n(.*?)```", page, re.DOTALL) if "eglot-ensure" in block
    )
    assert "/path/to/openclsp/editors/emacs" in with_file
    return with_file.replace("/path/to/openclsp/editors/emacs", str(EMACS)), without_file


@pytest.mark.parametrize("number", [0, 1], ids=["with opencl-mode.el", "without it"])
def test_the_configurations_of_the_page_work(tmp_path: Path, number: int) -> None:
    (tmp_path / "init.el").write_text(configurations()[number])
    (tmp_path / "k.cl").write_text(KERNEL)
    (tmp_path / "drive.el").write_text(DRIVE)
    (tmp_path / ".git").mkdir()
    server = "\t".join((sys.executable, "-m", "openclsp", "server"))
    seen = json.loads(emacs(tmp_path, "-l", "drive.el", SERVER=server))
    assert seen["mode"] == "opencl-mode"
    assert any("pointer-conversion" in each or "disjoint" in each for each in seen["found"])
    assert "global int *" in seen["hover"]
    assert any("global" in each for each in seen["titles"])
    assert seen["text"] == FIXED


def test_definition_rename_outline_and_completion(tmp_path: Path) -> None:
    (tmp_path / "init.el").write_text(configurations()[0])
    kernel = (
        "int sum(int *values) { return values[0]; }\n"
        "kernel void k(global int *samples, local int *tile) {\n"
        "    int *any = samples;\n"
        "    tile[0] = sum(samples) + *any;\n"
        "}\n"
    )
    (tmp_path / "k.cl").write_text(kernel)
    (tmp_path / "compile_flags.txt").write_text("-cl-std=CL2.0\n")
    (tmp_path / "navigate.el").write_text(NAVIGATE)
    (tmp_path / ".git").mkdir()
    server = "\t".join((sys.executable, "-m", "openclsp", "server"))
    seen = json.loads(emacs(tmp_path, "-l", "navigate.el", SERVER=server))
    assert seen["line"] == 1
    assert seen["text"] == kernel.replace("sum(", "first(")
    assert "samples" in seen["names"]
    assert seen["outline"]


def test_the_mode_colours_and_indents(tmp_path: Path) -> None:
    (tmp_path / "k.cl").write_text(COLOURED)
    (tmp_path / "fontify.el").write_text(FONTIFY)
    seen: dict[str, Any] = json.loads(
        emacs(tmp_path, "-L", str(EMACS), "-l", "fontify.el", WORDS=" ".join(FACES))
    )
    assert seen["faces"] == {word: f"font-lock-{face}-face" for word, face in FACES.items()}
    assert seen["text"] == INDENTED


def test_the_mode_compiles_without_a_warning(tmp_path: Path) -> None:
    shutil.copy(EMACS / "opencl-mode.el", tmp_path)
    emacs(
        tmp_path,
        *("--eval", "(setq byte-compile-error-on-warn t)"),
        *("-f", "batch-byte-compile", "opencl-mode.el"),
    )
    assert (tmp_path / "opencl-mode.elc").exists()


@pytest.mark.parametrize("ending", ["cl", "clh", "ocl", "opencl", "clc", "cl.h"])
def test_the_mode_is_that_of_every_ending(tmp_path: Path, ending: str) -> None:
    (tmp_path / f"k.{ending}").write_text("")
    script = f'(progn (find-file "k.{ending}") (princ major-mode))'
    assert emacs(tmp_path, "-L", str(EMACS), "-l", "opencl-mode.el", "--eval", script) == "opencl-mode"


def test_a_repository_cannot_name_the_server(tmp_path: Path) -> None:
    (tmp_path / ".dir-locals.el").write_text('((nil . ((opencl-server-command . ("./evil")))))')
    (tmp_path / "k.cl").write_text(KERNEL)
    script = '(progn (setq enable-local-variables :safe) (find-file "k.cl") (princ opencl-server-command))'
    printed = emacs(tmp_path, "-L", str(EMACS), "-l", "opencl-mode.el", "--eval", script)
    assert printed == "(openclsp server)"
    risky = "(princ (risky-local-variable-p (quote opencl-server-command)))"
    assert emacs(tmp_path, "-L", str(EMACS), "-l", "opencl-mode.el", "--eval", risky) == "t"
