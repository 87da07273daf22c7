"""Refactorings that change an address space, with everything that follows from it."""

from __future__ import annotations

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.refactorings.space_changes import compute_space_changes
from openclsp.rules.finding import Severity

from ..semantics.units import ROOT, Headers, unit_of


def changed(marked: str, dialect: str = "CL1.2") -> dict[str, str]:
    """The text after each change that is offered at the mark `|`, by the title's address space."""
    data = marked.encode()
    offset = data.index(b"|")
    unit = unit_of(data.replace(b"|", b"", 1), dialect)
    found = {}
    for each in compute_space_changes(unit, ROOT, offset).offered:
        text = unit.document.text.data
        for edit in reversed(each.edits):
            text = text[: edit.location.start] + edit.text.encode() + text[edit.location.end :]
        space = next(word for word in ("global", "local", "constant", "private") if f"`{word}`" in each.title)
        found[space] = text.decode()
        after = unit_of(text, dialect)
        assert not [each for each in compute_diagnostics(after) if each.severity is Severity.ERROR]
    return found


CHAIN = """\
float inner(global float *w) { return w[0]; }
float sum(global float *v);
float sum(global float *v) { global float *q = v; return inner(q); }
kernel void k(global float *a, global float *b) { a[0] = sum(b); }
"""


@pytest.mark.parametrize("at", ["*v);", "*v) {"])
def test_a_parameter_changes_with_callers_and_callees(at: str) -> None:
    found = changed(CHAIN.replace(at, f"*|{at[1:]}"))
    assert found.keys() == {"local", "constant"}
    assert found["local"] == CHAIN.replace("global", "local").replace("local float *a", "global float *a")


@pytest.mark.parametrize(
    ("marked", "dialect", "expected"),
    [
        (
            "global int *|pick(global int *a) { return a; }\nkernel void k(global int *a) { global int *p = pick(a); *p = 1; }\n",
            "CL1.2",
            {"local": "local int *pick(local int *a) { return a; }\nkernel void k(local int *a) { local int *p = pick(a); *p = 1; }\n"},
        ),
        (
            "global float |t[2] = {1, 2};\nfloat f(global float *p) { return p[0]; }\nkernel void k(global float *a) { a[0] = f(t); }\n",
            "CL2.0",
            {"constant": "constant float t[2] = {1, 2};\nfloat f(constant float *p) { return p[0]; }\nkernel void k(global float *a) { a[0] = f(t); }\n"},
        ),
        (
            "kernel void k(global float *a) { local float |t[4]; local float *p = t; p[0] = a[0]; }\n",
            "CL1.2",
            {"private": "kernel void k(global float *a) { private float t[4]; private float *p = t; p[0] = a[0]; }\n"},
        ),
        # a macro spells the qualifier: its use is replaced, by the macro for the other space if there is one
        (
            "#define AS_GLOBAL global\n#define AS_LOCAL local\nvoid f(AS_GLOBAL float *|p) { p[0] = 1; }\n",
            "CL1.2",
            {
                "local": "#define AS_GLOBAL global\n#define AS_LOCAL local\nvoid f(AS_LOCAL float *p) { p[0] = 1; }\n",
                "private": "#define AS_GLOBAL global\n#define AS_LOCAL local\nvoid f(private float *p) { p[0] = 1; }\n",
            },
        ),
        (
            "#define SPACE global volatile\nvoid f(SPACE float *|p) { p[0] = 1; }\n",
            "CL1.2",
            {
                "local": "#define SPACE global volatile\nvoid f(local volatile float *p) { p[0] = 1; }\n",
                "private": "#define SPACE global volatile\nvoid f(private volatile float *p) { p[0] = 1; }\n",
            },
        ),
        # a cast in a macro's body follows, but not one that other code needs
        (
            "#define SET(p) (*(global int *)(p) = 1)\nkernel void k(global int *|a) { SET(a); }\n",
            "CL1.2",
            {"local": "#define SET(p) (*(local int *)(p) = 1)\nkernel void k(local int *a) { SET(a); }\n"},
        ),
        (
            "#define AS global\n#define SET(p) (*(AS int *)(p) = 1)\nkernel void k(global int *|a) { SET(a); }\n",
            "CL1.2",
            {},
        ),
        # the typedef has the qualifier
        (
            "typedef global int word;\nvoid f(word *|p) { *p = 1; }\n",
            "CL1.2",
            {
                "local": "typedef local int word;\nvoid f(word *p) { *p = 1; }\n",
                "private": "typedef private int word;\nvoid f(word *p) { *p = 1; }\n",
            },
        ),
        # an unknown macro may name an address space
        ("void f(SPACE float *|p) { p[0] = 1; }\n", "CL1.2", {}),
        # a plain parameter has no other space; a member is another's
        ("void f(int |n) { n = 1; }\n", "CL1.2", {}),
        ("struct S { global int *|m; };\n", "CL1.2", {}),
        # another caller cannot follow
        (
            "constant int c[1] = {0};\nint f(constant int *|p) { return *p; }\nkernel void k(global int *a) { a[0] = f(c); }\n",
            "CL1.2",
            {},
        ),
    ],
)  # fmt: skip
def test_what_is_offered(marked: str, dialect: str, expected: dict[str, str]) -> None:
    assert changed(marked, dialect) == expected


def test_the_title_names_kernels_whose_arguments_change() -> None:
    text = "kernel void k(global int *a) { a[0] = 1; }\n"
    (found,) = compute_space_changes(unit_of(text.encode()), ROOT, text.index("a)")).offered
    assert (
        found.title == "Make `a` point to `local` memory (the host must set the arguments of `k` accordingly)"
    )


def test_a_function_of_a_header_changes_there() -> None:
    headers = Headers({"f.h": b"float f(global float *p) { return p[0]; }\n"})
    text = '#include "f.h"\nkernel void k(global float *a, global float *b) { b[0] = f(a); }\n'
    found = compute_space_changes(unit_of(text.encode(), headers=headers), ROOT, text.index("a,")).offered
    edits = {(each.location.document, each.text.strip()) for fix in found for each in fix.edits}
    assert ("/f.h", "local") in edits and (ROOT, "local") in edits


@pytest.mark.parametrize(
    "marked",
    [
        "kernel void k(glo|bal int *a, int n) { a[n] = 1; }\n",
        "kernel void k(global i|nt *a, int n) { a[n] = 1; }\n",
        "kernel void k(global int *a, int n) { |a[n] = 1; }\n",
    ],
)
def test_a_declaration_is_changed_from_its_type_and_from_its_uses(marked: str) -> None:
    expected = "kernel void k(local int *a, int n) { a[n] = 1; }\n"
    assert changed(marked) == {"local": expected}


@pytest.mark.parametrize(
    ("marked", "reason"),
    [
        (
            "void f(SPACE float *|p) { p[0] = 1; }\n",
            "`SPACE` before the type is unknown and may name an address space",
        ),
        (
            "constant int c[1] = {0};\nint f(constant int *|p) { return *p; }\nint g(void) { return f(c); }\n",
            "what depends on `p` is valid for no other address space",
        ),
        ("void f(int |n) { n = 1; }\n", ""),
    ],
)
def test_the_reason_why_nothing_is_offered(marked: str, reason: str) -> None:
    data = marked.encode()
    found = compute_space_changes(unit_of(data.replace(b"|", b""), "CL1.2"), ROOT, data.index(b"|"))
    assert (found.offered, found.refusal) == ((), reason)
