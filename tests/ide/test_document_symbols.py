"""The outline of a document."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from openclsp.ide.document_symbols import DocumentSymbol, compute_document_symbols

from ..semantics.units import ROOT, Headers, edited, unit_of


def as_text(symbols: Iterable[DocumentSymbol]) -> list[object]:
    """Kind, name and detail of each, with what is below it."""
    return [
        (f"{each.kind.value} {each.name}: {each.detail}", as_text(each.children))
        if each.children
        else f"{each.kind.value} {each.name}: {each.detail}"
        for each in symbols
    ]


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("int *f(global int *g) { int x; return g; }", ["function f: generic int *(global int *)"]),
        ("__kernel void k(local float *l) { }", ["kernel k: kernel void (local float *)"]),
        ("void f(int);", ["function f: void (int)"]),
        ("constant int t[2] = {1, 2};", ["constant t: int[2]"]),
        ("global int a, *b;", ["variable a: int", "variable b: global int *"]),
        ("typedef local int *lp;", ["type lp: local int *"]),
        ("#define N 4\n#define F(x) x\n#undef N\n", ["macro F: "]),
        (
            "struct S { global int *p; int n; };",
            [("struct S: struct", ["member p: global int *", "member n: int"])],
        ),
        ("typedef struct { int n; } S;", [("struct S: struct", ["member n: int"])]),
        ("typedef struct S { int n; } S;", [("struct S: struct", ["member n: int"])]),
        (
            "typedef struct S { int n; } T;",
            [("struct S: struct", ["member n: int"]), "struct T: struct S"],
        ),
        ("enum E { ONE, TWO };", [("enum E: enum", ["enumerator ONE: ", "enumerator TWO: "])]),
        (
            "union { int n; } u;",
            [("struct (union): union", ["member n: int"]), "variable u: union (unnamed)"],
        ),
        ("#define DECL(n) global int n##_x;\nDECL(a)\n", ["macro DECL: ", "variable a_x: int"]),
        ("void f(void) { struct L { int m; } l; }", ["function f: void (void)"]),
    ],
)
def test_what_a_program_declares(program: str, expected: list[object]) -> None:
    assert as_text(compute_document_symbols(unit_of(program.encode()), ROOT)) == expected


def test_a_name_is_inside_of_what_belongs_to_it() -> None:
    program = b"#define DECL(n) global int n##_x;\nDECL(a)\nstruct S { int a; } s;\nvoid f(void) { }\n"

    def check(symbols: Iterable[DocumentSymbol]) -> None:
        for each in symbols:
            assert (
                each.full_range.start <= each.name_range.start <= each.name_range.end <= each.full_range.end
            )
            check(each.children)

    check(compute_document_symbols(unit_of(program), ROOT))


def test_headers_have_their_own_outline() -> None:
    unit = unit_of(b'#include "a.h"\nvoid f(t x) { }\n', headers=Headers({"a.h": b"typedef int t;\n"}))
    assert as_text(compute_document_symbols(unit, ROOT)) == ["function f: void (int)"]
    assert as_text(compute_document_symbols(unit, "/a.h")) == ["type t: int"]


def test_an_edit_makes_the_outline_of_one_item_anew() -> None:
    program = "".join(f"void f{number}(int *p) {{ }}\n" for number in range(50))
    unit = unit_of(program.encode())
    compute_document_symbols(unit, ROOT)
    before = unit.database.computed["item symbols"]
    edited(unit, program.replace("f7(int *p)", "f7(local int *p)").encode())
    assert "function f7: void (local int *)" in as_text(compute_document_symbols(unit, ROOT))
    assert unit.database.computed["item symbols"] == before + 1
