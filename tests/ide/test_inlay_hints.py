"""Inlay hints: `‹generic› int *p`."""

from __future__ import annotations

from dataclasses import replace

import pytest
from openclsp.ide.inlay_hints import InlayHint, InlayHintSetting, compute_inlay_hints, create_hint_edit
from openclsp.language.spaces import Space
from openclsp.semantics.translation_unit import TranslationUnit

from ..semantics.units import ROOT, edited, unit_of


def _all(unit: TranslationUnit) -> list[InlayHint]:
    return compute_inlay_hints(unit, ROOT, 0, len(unit.document.text.data), InlayHintSetting.ALL)


def with_hints(program: str, dialect: str) -> str:
    """The program with every hint in its place."""
    data = program.encode()
    for hint in reversed(_all(unit_of(data, dialect))):
        at = hint.location.start
        data = data[:at] + f"‹{hint.label}› ".encode() + data[at:]
    return data.decode()


@pytest.mark.parametrize(
    ("program", "in_1_2", "in_2_0"),
    [
        ("int *f(int *p);", "‹private› int *f(‹private› int *p);", "‹generic› int *f(‹generic› int *p);"),
        ("void f(int p[4]);", "void f(‹private› int p[4]);", "void f(‹private› int p[4]);"),
        ("void f(global int *p);", "void f(global int *p);", "void f(global int *p);"),
        ("struct S { int *p; };", "struct S { ‹private› int *p; };", "struct S { ‹generic› int *p; };"),
        (
            "void f(void) { const int **p; }",
            "void f(void) { ‹private› const int *‹private› *p; }",
            "void f(void) { ‹generic› const int *‹generic› *p; }",
        ),
        # a qualifier before `int` would speak of both
        (
            "void f(void) { int x, *p; }",
            "void f(void) { ‹private› int x, *p; }",
            "void f(void) { int x, *p; }",
        ),
        ("typedef int *t; void f(t p);", "typedef ‹private› int *t; void f(t p);", None),
        ("#define D(n) int *n\nvoid f(D(p));", "#define D(n) int *n\nvoid f(D(p));", None),
        ("#define I int\nvoid f(I *p);", "#define I int\nvoid f(I *p);", None),
        ("void f(unknown *p);", "void f(unknown *p);", "void f(unknown *p);"),
    ],
)
def test_what_an_unqualified_pointee_gets(program: str, in_1_2: str, in_2_0: str | None) -> None:
    assert with_hints(program, "CL1.2") == in_1_2
    if in_2_0 is not None:
        assert with_hints(program, "CL2.0") == in_2_0


def test_a_hint_is_written_as_the_document_spells_its_qualifiers() -> None:
    unit = unit_of(b"__kernel void k(__global int *g) { int *p = g; }")
    assert [edit.text for hint in _all(unit) if (edit := create_hint_edit(unit, hint))] == ["__global "]


def test_what_a_hint_says_can_be_written() -> None:
    unit = unit_of(b"int *f(int *p);\nkernel void k(global int *g) { int *q = g; int *r = f(q); }\n")
    hints = _all(unit)
    assert [hint.label for hint in hints] == ["generic", "generic", "global", "generic"]
    # `q` goes to where any generic pointer may go
    assert all(create_hint_edit(unit, hint) for hint in hints)


def test_what_would_make_a_fault_is_not_written() -> None:
    unit = unit_of(b"void f(int *q) { }\nvoid g(local int *p) { f(p); }\n")
    (hint,) = _all(unit)
    wrong = replace(hint, space=Space.GLOBAL)
    assert create_hint_edit(unit, hint)
    assert not create_hint_edit(unit, wrong)


def test_only_what_is_asked_for() -> None:
    program = b"void f(int *p);\nvoid g(int *q);\n"
    unit = unit_of(program)
    second = program.index(b"void g")
    assert [
        hint.location.start
        for hint in compute_inlay_hints(unit, ROOT, second, len(program), InlayHintSetting.ALL)
    ] == [program.index(b"int *q")]
    assert compute_inlay_hints(unit, ROOT, 0, len(program), InlayHintSetting.OFF) == []
    assert compute_inlay_hints(unit, "/elsewhere.h", 0, 10, InlayHintSetting.ALL) == []


FLOWING = """\
int sum(int *p) { return *p; }
int both(int *p) { return *p; }
int *pick(global int *a, local int *b, int n) { int *r = n ? a : b; return r; }
kernel void k(global int *g, local int *l, int **unknown) {
    int *v = g, **w = &v;
    int *q = g; q = l;
    int *z = 0;
    sum(g); both(g); both(l);
}
"""


def test_what_the_flow_of_spaces_adds() -> None:
    unit = unit_of(FLOWING.encode())
    data = FLOWING.encode()
    for hint in reversed(compute_inlay_hints(unit, ROOT, 0, len(data), InlayHintSetting.INFERRED)):
        at = hint.location.start
        written = "" if create_hint_edit(unit, hint) else "!"
        data = data[:at] + f"‹{hint.label}{written}› ".encode() + data[at:]
    lines = data.decode().split("\n")
    assert lines[0] == "int sum(‹global› int *p) { return *p; }"
    assert lines[1] == "int both(‹generic {global, local}› int *p) { return *p; }"
    assert lines[2].startswith(
        "‹generic {global, local}› int *pick(global int *a, local int *b, int n) { ‹generic {g"
    )
    # one qualifier would speak of both
    assert lines[4] == "    int *v = g, *‹private› *w = &v;"
    assert lines[5] == "    ‹generic {global, local}› int *q = g; q = l;"
    # null is no space
    assert lines[6] == "    int *z = 0;"


def test_nothing_is_inferred_without_a_generic_address_space() -> None:
    unit = unit_of(FLOWING.encode(), "CL1.2")
    assert compute_inlay_hints(unit, ROOT, 0, len(FLOWING), InlayHintSetting.INFERRED) == []


def test_an_edit_elsewhere_changes_what_is_inferred() -> None:
    unit = unit_of(FLOWING.encode())

    def first() -> str:
        return compute_inlay_hints(unit, ROOT, 0, 30, InlayHintSetting.INFERRED)[0].label

    assert first() == "global"
    edited(unit, FLOWING.replace("sum(g);", "sum(g); sum(l);").encode())
    assert first() == "generic {global, local}"
