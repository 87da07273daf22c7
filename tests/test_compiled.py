"""The compiled package gives the answers of the interpreted one. Skipped where it is not compiled."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import openclsp
import pytest

ROOT = Path(__file__).parent.parent
INSTALLED = Path(openclsp.__file__).parent

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("openclsp_compiled__mypyc") is None,
    reason="openclsp is installed as plain Python (pip install -e), not compiled",
)


@pytest.fixture(scope="session")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The installed package without its compiled modules; the grammar is kept."""
    folder = tmp_path_factory.mktemp("plain")

    def compiled(_folder: str, names: list[str]) -> list[str]:
        return [each for each in names if each.endswith((".so", ".pyd")) and not each.startswith("_grammar")]

    shutil.copytree(INSTALLED, folder / "openclsp", ignore=compiled)
    return folder


def _told(arguments: list[str], path: Path | None, cwd: Path) -> tuple[int, str, str]:
    environment = {**os.environ, "PYTHONPATH": str(path) if path else "", "NO_COLOR": "1"}
    command = [sys.executable, "-m", "openclsp", *arguments]
    made = subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    return made.returncode, made.stdout, made.stderr


def test_the_modules_are_compiled() -> None:
    for line in (ROOT / "server" / "building" / "modules.txt").read_text(encoding="utf-8").splitlines():
        pattern = line.partition("#")[0].strip()
        for source in INSTALLED.glob(pattern) if pattern else ():
            if source.name != "__init__.py":
                name = ".".join(("openclsp", *source.relative_to(INSTALLED).with_suffix("").parts))
                spec = importlib.util.find_spec(name)
                assert spec is not None and spec.origin is not None
                assert not spec.origin.endswith(".py"), name


@pytest.mark.parametrize(("standard", "output"), [("CL1.2", "json"), ("CL2.0", "text")])
def test_the_answers_are_those_of_plain_python(plain: Path, standard: str, output: str) -> None:
    arguments = ["check", "--std", standard, "--format", output, "tests/kernels"]
    compiled = _told(arguments, None, ROOT)
    assert compiled == _told(arguments, plain, ROOT)
    assert compiled[0] == 1 and "pointer-conversion" in compiled[1]


def test_texts_of_a_few_characters_are_analysed_as_in_plain_python(plain: Path, tmp_path: Path) -> None:
    texts = ("^", "^int a;\n", "(", ")", "", "\n", "#", "\\", '"', "*/", "/*", "=", ";")
    files = [tmp_path / f"k{number}.cl" for number in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text)
    # Each is named: `check .` leaves out files that do not look like OpenCL C.
    command = ["check", "--format", "json", *(file.name for file in files)]
    compiled = _told(command, None, tmp_path)
    assert compiled == _told(command, plain, tmp_path)
    assert {each["path"] for each in json.loads(compiled[1])["files"]} == {file.name for file in files}


# Plain Python would raise RecursionError; compiled code has no such limit, and an overflow ends the process.
DEEP = {
    "parentheses": ("int f(void) { return ", "(", "1", ")", "; }"),
    "open parentheses": ("int f(void) { return ", "(", "", "", ""),
    "blocks": ("void f(void) {", "{", "", "}", "}"),
    "subscripts": ("void f(int *p) { p", "[p", "", "]", "; }"),
    "casts": ("void f(int *p) { p = ", "(global int *)", "p", "", "; }"),
    "operators": ("int f(void) { return 1", " + 1", "", "", "; }"),
    "conditions": ("int f(void) { return ", "1 ? 1 : ", "1", "", "; }"),
    "statements": ("void f(void) { ", "if (1) ", ";", "", " }"),
    "pointers": ("void f(int ", "*", "p", "", ") { }"),
    "declarators": ("int ", "(", "x", ")", ";"),
    "initialisers": ("int a[1] = ", "{", "1", "}", ";"),
    "structs": ("struct a { ", "struct { ", "int a; ", "} a; ", "};"),
    "calls": ("int f(int x) { return ", "f(", "1", ")", "; }"),
    "directives": ("", "#if 1\n", "", "#endif\n", ""),
    "conditions of directives": ("#if ", "(", "1", ")", "\nint x;\n#endif\n"),
    "macro calls": ("#define F(x) x\nint x = ", "F(", "1", ")", ";"),
}


@pytest.mark.parametrize("parts", DEEP.values(), ids=DEEP)
def test_no_nesting_overflows_the_stack(parts: tuple[str, str, str, str, str], tmp_path: Path) -> None:
    before, opening, middle, closing, after = parts
    path = tmp_path / "deep.cl"
    path.write_text(before + 30_000 * opening + middle + 30_000 * closing + after + "\n", encoding="utf-8")
    code, _, errors = _told(["check", "--no-fixes", str(path)], None, tmp_path)
    assert code in (0, 1), errors


def test_a_case_that_falls_through_before_a_barrier(tmp_path: Path) -> None:
    # mypyc takes an attribute for None after `= None`, also where a method has assigned it
    kernel = tmp_path / "switch.cl"
    kernel.write_text(
        "kernel void k(global int *g, int n, local int *t) {\n"
        "    switch (n) { case 0: t[0] = 1; case 1: t[1] = 2; break; }\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n    g[0] = t[0];\n}\n"
    )
    code, output, _ = _told(["check", str(kernel)], None, ROOT)
    assert code == 0, output
