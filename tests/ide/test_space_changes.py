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
    for each in compute_space_changes(unit, ROOT, offset):
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
        # a macro spells the qualifier; a plain parameter has no other space; a member is another's
        ("#define SPACE global\nfloat f(SPACE float *|p) { return p[0]; }\n", "CL1.2", {}),
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
    (found,) = compute_space_changes(unit_of(text.encode()), ROOT, text.index("a)"))
    assert (
        found.title == "Make `a` point to `local` memory (the host must set the arguments of `k` accordingly)"
    )


def test_a_function_of_a_header_changes_there() -> None:
    headers = Headers({"f.h": b"float f(global float *p) { return p[0]; }\n"})
    text = '#include "f.h"\nkernel void k(global float *a, global float *b) { b[0] = f(a); }\n'
    found = compute_space_changes(unit_of(text.encode(), headers=headers), ROOT, text.index("a,"))
    edits = {(each.location.document, each.text.strip()) for fix in found for each in fix.edits}
    assert ("/f.h", "local") in edits and (ROOT, "local") in edits
