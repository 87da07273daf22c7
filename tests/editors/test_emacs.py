"""Emacs with eglot and the configuration of docs/editors/emacs.md: the error, the hover and a fix.

Needs Emacs with eglot (Debian: `apt-get install emacs-nox elpa-eglot`).
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
KERNEL = "kernel void k(global int *g) {\n    local int *l = g;\n}\n"

DRIVE = """
(setq eglot-autoreconnect nil eglot-sync-connect 20)
(dolist (folder (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa/*")) (add-to-list 'load-path folder))
(require 'eglot)
(load (expand-file-name "init.el"))
(setq eglot-server-programs
      (mapcar (lambda (each)
                (if (equal (cdr each) '("openclsp" "server")) (cons (car each) (split-string (getenv "SERVER") "\\t")) each))
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
(defvar actions (jsonrpc-request
                 (eglot--current-server-or-lose) :textDocument/codeAction
                 (list :textDocument (eglot--TextDocumentIdentifier)
                       :range (list :start (eglot--pos-to-lsp-position) :end (eglot--pos-to-lsp-position))
                       :context (list :diagnostics []))))
(princ (json-encode (list :mode mode :found (vconcat found) :hover (format "%S" hover)
                          :titles (vconcat (mapcar (lambda (each) (plist-get each :title)) actions)))))
"""


def test_the_configuration_of_the_page_works(tmp_path: Path) -> None:
    emacs = shutil.which("emacs")
    if emacs is None:
        pytest.skip("no emacs on the PATH")
    page = (ROOT / "docs" / "editors" / "emacs.md").read_text(encoding="utf-8")
    (tmp_path / "init.el").write_text(re.findall(r"```elisp\n(.*?)```", page, re.DOTALL)[0])
    (tmp_path / "k.cl").write_text(KERNEL)
    (tmp_path / "drive.el").write_text(DRIVE)
    (tmp_path / ".git").mkdir()
    server = "\t".join((sys.executable, "-m", "openclsp", "server"))
    ran = subprocess.run(
        [emacs, "-Q", "--batch", "-l", "drive.el"],
        cwd=tmp_path,
        env={"SERVER": server, "HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-1500:]
    seen = json.loads(ran.stdout)
    assert seen["mode"] == "opencl-mode"
    assert any("pointer-conversion" in each or "disjoint" in each for each in seen["found"])
    assert "global int *" in seen["hover"]
    assert any("global" in each for each in seen["titles"])
