"""After any edits, a unit gives the answers of a fresh analysis."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openclsp.semantics.database.query_database import QueryDatabase

from .units import Headers, answers, edited, unit_of

BASE = b"""\
#define SPACE global
#define LOAD(p, i) ((p)[(i)])
#include "types.h"
typedef struct { float a[3]; SPACE int *b; } foo_t;
constant int tab[] = {1, 2, 3};
local int *helper(SPACE int *p, int q[4]) { return p; }
kernel void k(global int *restrict g, int n) {
    local int *l = (local int *)g;
    helper(g + 1, 0);
    foo_t f = {{1, 2, 3}, g};
    f.b = l;
    tab[0] = LOAD(g, n);
    char *s = "abc";
    if (g == l) return;
}
int *addr(int *p) { return p + 1; }
enum E { ONE = 1, TWO };
struct N { struct N *next; int v[TWO]; };
void walk(struct N *n, vec_t v) {
    n->next->v[0] = ONE;
    for (int i = 0; i < 3; i++) { local int bad; }
    addr(n->v);
}
"""
HEADERS = Headers({"types.h": b"typedef float4 vec_t;\nvoid walk(struct N *n, vec_t v);\n"})

PIECES = [
    *(
        piece.encode()
        for piece in [
            "{",
            "}",
            "(",
            ")",
            ";",
            "*",
            ",",
            "[2]",
            "=",
            "a",
            "x",
            "/*",
            "*/",
            "//",
            '"',
            "'",
            "\\",
            "#",
        ]
    ),
    *(
        b"global ",
        b"local ",
        b"int ",
        b"const ",
        b"kernel ",
        b"return p;",
        b"helper",
        b"tab",
        b"foo_t ",
        b"\n",
    ),
    *(b"#define A 1\n", b"\n#if 0\n", b"\n#endif\n", b"\n#define SPACE local\n", b"\n#undef LOAD\n"),
    b"void walk(int a) { }\n",
]

insertion = st.tuples(st.just("insert"), st.floats(0, 1), st.sampled_from(PIECES))
deletion = st.tuples(st.just("delete"), st.floats(0, 1), st.integers(1, 120))
moving = st.tuples(st.just("move"), st.floats(0, 1), st.tuples(st.floats(0, 1), st.integers(1, 200)))
undoing = st.tuples(st.just("undo"), st.just(0.0), st.just(0))
edits = st.lists(st.one_of(insertion, deletion, moving, undoing), min_size=1, max_size=8)

STEPS = int(os.environ.get("OPENCLSP_EDITS", "30"))


def applied(text: bytes, edit: tuple[str, float, object], history: list[bytes]) -> bytes:
    kind, where, what = edit
    at = int(where * len(text))
    if kind == "insert" and isinstance(what, bytes):
        return text[:at] + what + text[at:]
    if kind == "delete" and isinstance(what, int):
        return text[:at] + text[at + what :]
    if kind == "move" and isinstance(what, tuple):
        piece = text[at : at + what[1]]
        to = int(what[0] * len(text))
        return text[:to] + piece + text[to:]
    return history[-2] if len(history) > 1 else text


@settings(max_examples=STEPS, deadline=None, suppress_health_check=list(HealthCheck))
@given(edits)
def test_incremental_answers_equal_fresh_ones(steps: list[tuple[str, float, object]]) -> None:
    unit = unit_of(BASE, headers=HEADERS)
    answers(unit)
    history = [BASE]
    for step in steps:
        history.append(applied(history[-1], step, history))
        edited(unit, history[-1])
        assert answers(unit) == answers(unit_of(history[-1], headers=HEADERS))


def test_code_hidden_by_a_comment_comes_back_with_another_end() -> None:
    start = b"void a() { }\n"
    rest = b"".join(b"void f%d() { a(); }\n" % number for number in range(8)) + b"int last() { { return 1; }"
    unit = unit_of(start + rest)
    groups = len(list(unit.items))
    edited(unit, start + b"/*" + rest)
    assert len(unit.items) < groups
    # The last function ended with the text, though in a brace, and goes on now.
    text = start + b"/**/" + rest + b" return a; }\nint more;\n"
    edited(unit, text)
    assert [item.name for item in unit.items] == [item.name for item in unit_of(text).items]
    assert answers(unit) == answers(unit_of(text))


def test_an_edit_that_ends_where_an_item_begins() -> None:
    text = b"int *f(global int *g) { return g; }\n"
    unit = unit_of(text, "CL1.2")
    edited(unit, b"global " + text)
    assert answers(unit) == answers(unit_of(b"global " + text, "CL1.2"))


def test_a_tried_edit_is_undone_completely() -> None:
    unit = unit_of(BASE, headers=HEADERS)
    before = answers(unit)
    with unit.with_edits(
        {unit.document.name: unit.document.text.replace(0, 0, b"typedef local int *foo_t;\n")}
    ):
        during = answers(unit)
    assert during != before
    assert answers(unit) == before
    assert isinstance(unit.database, QueryDatabase)


def test_functions_that_call_each_other_before_a_barrier() -> None:
    text = b"""\
void b(local int *p, int n);
void a(local int *p, int n) { p[0] = n; if (n) b(p, n - 1); }
void b(local int *p, int n) { p[1] = n; a(p, n); }
kernel void k(local int *p, int n) { a(p, n); barrier(CLK_GLOBAL_MEM_FENCE); p[2] = n; }
"""
    unit = unit_of(text, "CL1.2")
    first = answers(unit)
    for old, new in ((b"n - 1", b"n - 2"), (b"= n; a(", b"= 4; a("), (b"*p, int n);", b"*p, int m);")):
        text = text.replace(old, new)
        edited(unit, text)
        assert answers(unit) == answers(unit_of(text, "CL1.2"))
    assert len(first) > 1


UNCERTAIN = b"""\
#include "missing.h"
#if KIND == KIND_A
typedef global int *ptr_t;
#define SPACE global
void take(ptr_t p);
#else
typedef local int *ptr_t;
#define SPACE local
#endif
struct S {
#ifdef WIDE
    local int *m;
#else
    global int *m;
#endif
};
#ifndef WIDTH
#define WIDTH 8
#endif
kernel void k(global int *g, local int *l, global struct S *s) {
    SPACE int *a = g;
#if WIDTH > 4
    ptr_t q = g;
#endif
    l = q; g = s->m; take(l);
    l = g;
}
"""
UNCERTAIN_PIECES = (
    *PIECES,
    *(b"#if A\n", b"\n#else\n", b"\n#undef SPACE\n", b'#include "missing.h"\n', b"#define KIND 1\n"),
)
uncertain_edits = st.lists(
    st.one_of(
        st.tuples(st.just("insert"), st.floats(0, 1), st.sampled_from(UNCERTAIN_PIECES)),
        deletion,
        moving,
        undoing,
    ),
    min_size=1,
    max_size=8,
)


@settings(max_examples=STEPS, deadline=None, suppress_health_check=list(HealthCheck))
@given(uncertain_edits)
def test_uncertainty_from_a_missing_header_equals_that_of_a_fresh_unit(
    steps: list[tuple[str, float, object]],
) -> None:
    unit = unit_of(UNCERTAIN)
    answers(unit)
    history = [UNCERTAIN]
    for step in steps:
        history.append(applied(history[-1], step, history))
        edited(unit, history[-1])
        assert answers(unit) == answers(unit_of(history[-1]))


def test_an_include_within_an_item_makes_the_functions_of_the_includer_analysed() -> None:
    """If a header opens braces that the root document closes, headers with unbalanced braces are part of its items.

    The unit is analysed for such a header. The functions of the root document are then analysed, too.
    """
    kernel = b"kernel void k(global int *p) { local int *q = p; }\n"
    root = b'#include "edited.h"\n#include "open.h"\n  }\n}\n' + kernel
    closed = (
        b"int f(int n) {\n  if (n > 0) {\n    if (n > 1) {\n      return 1;\n    }\n  }\n  return 0;\n}\n"
    )
    opened = closed.replace(b"  }\n  return 0;\n}", b"/*\n  }\n  return 0;\n}*/")
    headers = Headers({"open.h": closed, "edited.h": b"}\n"})
    unit = unit_of(root, "CL1.2", headers, subject="/edited.h")
    before = answers(unit)
    for text in (opened, closed, opened):
        headers.texts["open.h"] = text
        unit.update(unit.document)
        expected = answers(unit_of(root, "CL1.2", headers, subject="/edited.h"))
        assert answers(unit) == expected
        assert (expected == before) == (text == closed)


def test_an_edit_in_a_comment_that_begins_after_an_endif() -> None:
    text = b"#if 0\n#endif/*\n"
    unit = unit_of(text)
    edited(unit, text + b"int a")
    assert unit.preprocessed.text == unit_of(text + b"int a").preprocessed.text
