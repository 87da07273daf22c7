"""Declarations in other files of a project for the functions and variables of one file."""

from __future__ import annotations

from pathlib import Path

import pytest
from openclsp.project.project_scan import scan_project
from openclsp.source.other_files import DeclarationsElsewhere
from openclsp.workspace.declarations_elsewhere import extract_function_names
from openclsp.workspace.include_graph import IncludeGraph

DECLARED = {
    "a quotation mark as a character": (
        "char c = '\"'; extern int x; char d = '\"'; int f(void);",
        {"int", "x", "f"},
    ),
    "a string without an end": ('extern int x;\n#error "\nint f(void);', {"int", "x", "f"}),
    "a prototype": ("float sum(const float *p, int n);", {"sum"}),
    "several on a line": ("int a(void); int *b(int x);int c();", {"a", "b", "c"}),
    "over several lines": ("unsigned\n long\n  f\n (int *p,\n  int n)\n;", {"f"}),
    "attributes": ("__attribute__((overloadable, pure)) int f(int *p) __attribute__((noinline));", {"f"}),
    "words that macros make": ("API inline int f(int *p) NOEXCEPT;", {"f"}),
    "a parameter with parentheses": ("int f(int (*p)[4], void (^b)(int));", {"f"}),
    "within a function": ("void g(void) { int f(int *p); f(0); }", {"f"}),
    "behind a definition": ("void g(void) { }\nint f(int *p);", {"f"}),
    "calls": (
        "void g(int n) { f(n); return f(n); if (n) f(n); else f(n); int x = f(n); do f(n); while (n); }",
        set(),
    ),
    "a definition": ("int f(int *p) { return *p; }", set()),
    "a declaration before the definition": (
        "int f(int *p);\nint f(int *p) { return *p; }\nint g(int);",
        {"g"},
    ),
    "a definition under a condition": (
        "int f(int *p);\n#if A\n#if B\n#endif\nint f(int *p) { return *p; }\n#endif\n",
        {"f"},
    ),
    "a definition behind a condition": ("#if A\nint f(int *p);\n#endif\nint f(int *p) { return *p; }", set()),
    "in comments": ("// int f(int *p);\n/* int g(int *p);\n int h(void); */", set()),
    "in a macro": ("#define F(x) int f(int *p); \\\n int g(int *p);\nint h(int *p);", {"h"}),
    "in a string": ('constant char *s = "; int f(int *p);";', set()),
}


@pytest.mark.parametrize("name", DECLARED)
def test_functions_declared_without_a_body(name: str) -> None:
    text, expected = DECLARED[name]
    assert extract_function_names(text.encode()).external == expected


def test_extern_variables() -> None:
    names = extract_function_names(
        b"extern global int *a, *b[3];\nextern constant float c;\nglobal int d;\n"
    ).external
    assert {"a", "b", "c"} <= names and "d" not in names


def outside(folder: Path, files: dict[str, str], name: str) -> DeclarationsElsewhere:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    includers = IncludeGraph()
    includers.update(scan_project(str(folder)))
    return includers.declarations_elsewhere(str(folder / name))


def test_of_the_other_files_of_the_project(tmp_path: Path) -> None:
    files = {
        "a.cl": "int own(int *p); int f(int *p) { return *p; }\n",
        "b.cl": '#include "b.h"\nint f(int *p);\n',
        "b.h": "extern global int v;\nint g(int *p);\n",
        "host.h": "int host(int *p);\n",
    }
    found = outside(tmp_path, files, "a.cl")
    assert not found.is_included
    assert [name for name in ("own", "f", "g", "v", "host") if found.declares(name)] == ["f", "g", "v"]
    assert not outside(tmp_path, files, "b.cl").declares("f") and outside(tmp_path, files, "b.cl").declares(
        "own"
    )
    assert outside(tmp_path, files, "b.h").is_included


def test_a_name_that_several_files_declare(tmp_path: Path) -> None:
    files = {"a.cl": "int f(int *p);\n", "b.cl": "int f(int *p);\n"}
    assert outside(tmp_path, files, "a.cl").declares("f") and outside(tmp_path, files, "b.cl").declares("f")


@pytest.mark.parametrize(
    "text", ["int f(" * 20_000, "int " * 100_000, "\n" * 200_000, "; x" * 50_000, '"' * 99_999, "/*" * 99_999]
)
def test_no_text_takes_long(text: str) -> None:
    extract_function_names(text.encode())


def test_in_a_project_that_is_too_large_any_name_may_be_declared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("openclsp.workspace.include_graph.MAXIMUM_SCANNED_BYTES", 10)
    assert outside(tmp_path, {"a.cl": "int f(int *p) { return *p; }\n"}, "a.cl").declares("f")
