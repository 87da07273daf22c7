"""Adding a rule means adding its two files: nothing else of the package changes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import openclsp

ROOT = Path(__file__).parents[2]
PACKAGE = Path(openclsp.__file__).parent
NAME = "one_letter_name"
MODULE = '''\
"""A variable with the name `l`, which looks like a number."""

from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.declarations import Declaration


def check(fact, dialect):
    if fact.entity.name == "l":
        yield Finding("one-letter-name", Severity.ERROR, "`l` looks like 1", fact.entity.place)


RULES = (Rule("one-letter-name", Declaration, check, reads=("entity.name",), invalidates=True),)
'''
PAGE = """\
# one-letter-name: A variable named `l`

- Severity: error
- Dialects: all
- Clause: OpenCL C 6.1
- clang: none
"""
# In all that other rules read, the two variables are equal. A conversion of the invalid one is not reported.
FIRST = "void f(void) {\n    local int *k = 0;\n    private int *p = k;\n}\n"
EDITED = """
import json
from tests.lsp.test_diagnostics_cache import EditedSession, published
texts = json.loads({texts!r})
editor, found = EditedSession(texts[0]), []
for text in (*texts[1:], texts[0]):
    found.append(sorted(each["code"] for each in published(editor)))
    editor.edit(0, 10_000, text)
found.append(sorted(each["code"] for each in published(editor)))
print(json.dumps(found))
"""


def _with_rule(folder: Path) -> dict[str, str]:
    """Makes a copy of the package to which two files are added, and the environment of a process that imports it."""
    package = folder / "openclsp"
    package.mkdir()
    (package / "rules").mkdir()
    (package / "rules" / "book").mkdir()
    for inside in (Path(), Path("rules"), Path("rules", "book")):
        for each in (PACKAGE / inside).iterdir():
            if not (package / inside / each.name).exists() and each.name != "__pycache__":
                (package / inside / each.name).symlink_to(each)
    book = package / "rules" / "book"
    (book / f"{NAME}.py").write_text(MODULE, encoding="utf-8")
    (book / f"{NAME}.md").write_text(PAGE, encoding="utf-8")
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for fence, file in (("````", "many_parameters.md"), ("```", "many_parameters.py")):
        found = re.search(
            rf"^   {fence}(?:markdown|python)\n(.*?)^   {fence}$", contributing, re.DOTALL | re.MULTILINE
        )
        assert found is not None, file
        (book / file).write_text(re.sub("^   ", "", found[1], flags=re.MULTILINE), encoding="utf-8")
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(folder), str(ROOT)))}


def _run(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )


def test_two_files_are_a_rule_for_the_command_line_the_server_and_their_caches(tmp_path: Path) -> None:
    environment = _with_rule(tmp_path)
    faulty = FIRST.replace("k", "l")
    kernel = tmp_path / "k.cl"
    parameters = ", ".join(f"int a{number}" for number in range(17))
    kernel.write_text(
        f"{FIRST}{faulty.replace(' f', ' g')}kernel void h({parameters}) {{ }}\n", encoding="utf-8"
    )
    checked = _run(environment, "-m", "openclsp", "check", "--format", "json", str(kernel))
    (file,) = json.loads(checked.stdout)["files"]
    codes = [(each["range"]["start"]["line"], each["code"]) for each in file["diagnostics"]]
    assert codes == [(3, "pointer-conversion"), (6, "one-letter-name"), (9, "many-parameters")], checked
    assert checked.returncode == 1
    explained = _run(environment, "-m", "openclsp", "explain", "one-letter-name")
    assert "A variable named" in explained.stdout, explained
    edited = _run(environment, "-c", EDITED.format(texts=json.dumps([FIRST, faulty, FIRST, faulty])))
    assert edited.returncode == 0, edited.stderr
    silent, reported = ["pointer-conversion"], ["one-letter-name"]
    assert json.loads(edited.stdout) == [silent, reported, silent, reported, silent]
