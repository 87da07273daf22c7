"""Runs Emacs with lsp-mode and the configuration of docs/editors/emacs.md: the error, the hover, a fix,
a definition and a rename.

    python -m tests.editors.emacs_lsp_mode FOLDER…

Each FOLDER holds a package: lsp-mode and what it needs (dash.el, f.el, ht.el, hydra for lv, markdown-mode, s.el, spinner.el). Needs Emacs and
`openclsp` on the PATH. Prints what was shown; the exit status is 1 if one of these was missing.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "editors" / "emacs.md"
KERNEL = "kernel void k(global int *g) {\n    local int *l = g;\n}\n"
FIXED = KERNEL.replace("local int *l", "global int *l")

DRIVE = """
(setq lsp-auto-guess-root t lsp-warn-no-matched-clients nil lsp-enable-file-watchers nil lsp-log-io nil
      lsp-auto-execute-action t lsp-diagnostics-provider :flymake lsp-session-file (expand-file-name "session")
      lsp-enable-snippet nil)
(require 'lsp-mode)
(load (expand-file-name "init.el"))
(remove-hook 'opencl-mode-hook #'lsp-deferred)
(remove-hook 'opencl-mode-hook #'eglot-ensure)
(find-file "k.cl")
(lsp-workspace-folders-add default-directory)
(lsp)
(defun until (condition)
  (let ((end (+ (float-time) 20)))
    (while (and (not (funcall condition)) (< (float-time) end)) (accept-process-output nil 0.1))))
(until (lambda () (lsp-workspaces)))
(until (lambda () (> (hash-table-count (lsp-diagnostics)) 0)))
(defvar messages nil)
(maphash (lambda (_ all) (dolist (each all) (push (lsp:diagnostic-message each) messages))) (lsp-diagnostics))
(goto-char (point-min)) (search-forward "= g") (backward-char)
(defvar hover (lsp-request "textDocument/hover" (lsp--text-document-position-params)))
(defvar actions (append (lsp-code-actions-at-point) nil))
(defvar titles (mapcar #'lsp:code-action-title actions))
(lsp-execute-code-action (car actions))
(until (lambda () (string-match-p "global int \\\\*l" (buffer-string))))
(defvar text (buffer-string))
(goto-char (point-min)) (search-forward "= g") (backward-char)
(lsp-find-definition)
(defvar line (line-number-at-pos))
(lsp-rename "given")
(princ (json-encode (list :line line :renamed (buffer-string) :mode major-mode :found (vconcat messages) :hover (format "%S" hover) :titles (vconcat titles)
                          :text text)))
(kill-emacs 0)
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs Emacs and prints what it showed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("packages", type=Path, nargs="+", metavar="FOLDER")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first_block = re.findall(r"```elisp\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[0]
        init = first_block.replace("/path/to/openclsp", str(PAGE.parents[2]))
        (folder / "init.el").write_text(init, encoding="utf-8")
        (folder / "k.cl").write_text(KERNEL, encoding="utf-8")
        (folder / "drive.el").write_text(DRIVE, encoding="utf-8")
        paths = [option for each in options.packages for option in ("-L", str(each.resolve()))]
        command = ["emacs", "-Q", "--batch", *paths, "-l", "drive.el"]
        environment = {**os.environ, "HOME": name}
        ran = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
        )
    if "{" not in ran.stdout:
        print(ran.stderr[-3000:])
        return 1
    seen = json.loads(ran.stdout[ran.stdout.index("{") :])
    found = {
        "error": any("disjoint" in each for each in seen["found"]),
        "hover": "global int *" in seen["hover"],
        "fix": seen["text"] == FIXED,
        "definition": seen["line"] == 1,
        "rename": seen["renamed"] == FIXED.replace("g)", "given)").replace("g;", "given;"),
    }
    print("lsp-mode: " + ", ".join(f"{what} {'yes' if shown else 'NO'}" for what, shown in found.items()))
    if not all(found.values()):
        print(json.dumps(seen, indent=1), ran.stderr[-2000:])
    return 0 if all(found.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
