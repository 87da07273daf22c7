"""What built-in functions copy: packets of pipes, work-group copies, exchanged integers, `memcpy`."""

from __future__ import annotations

import pytest
from openclsp.semantics.database.derived_queries import FLOW
from openclsp.semantics.flow.flow_queries import solution

from ..units import edited, unit_of
from .marks import wrong_marks

SOURCES = {
    "packets of a pipe": """\
struct S { int *a; int *b; };
kernel void writer(global int *g, local int *l, write_only pipe struct S o) {
    struct S s = {g, l};
    write_pipe(o, &s);
}
kernel void reader(read_only pipe struct S i) {
    struct S s;
    read_pipe(i, &s);
    *s.a = 1;
//     ^ global
    *s.b = 1;
//     ^ local
}
""",
    "packets that another program writes": """\
struct S { int *a; };
kernel void reader(read_only pipe struct S i) {
    struct S s;
    read_pipe(i, &s);
    *s.a = 1;
//     ^ unknown
}
""",
    "reserved packets, and integers in a pipe": """\
kernel void k(read_only pipe ulong i, write_only pipe ulong o, local int *l) {
    ulong n = (ulong)l, m;
    reserve_id_t r = reserve_write_pipe(o, 1);
    write_pipe(o, r, 0, &n);
    read_pipe(i, &m);
    int *p = (int *)m;
    *p = 1;
//   ^ local
}
""",
    "exchanged integers": """\
kernel void k(global int *g, local int *l, private int *x) {
    local atomic_uintptr_t w;
    atomic_init(&w, (uintptr_t)l);
    int *p = (int *)atomic_exchange(&w, (uintptr_t)g);
    *p = 1;
//   ^ global, local
    local ulong v;
    int *q = (int *)atom_xchg(&v, (ulong)g);
    *q = 1;
//   ^ global
    uintptr_t expected;
    atomic_compare_exchange_strong(&w, &expected, (uintptr_t)l);
    q = (int *)expected;
    *q = 1;
//   ^ global, local
}
""",
    "what a compare-and-exchange compares with is not stored": """\
kernel void k(global int *g, local int *l) {
    local ulong v;
    atom_xchg(&v, (ulong)g);
    int *p = (int *)atom_cmpxchg(&v, (ulong)l, 0ul);
    *p = 1;
//   ^ global or null
}
""",
    "selected integers": """\
kernel void k(global int *g, local int *l, ulong n) {
    int *p = (int *)select((ulong)g, (ulong)l, n);
    *p = 1;
//   ^ global, local
}
""",
    "memcpy to plain data and back": """\
struct S { int *a; int *b; };
kernel void k(global int *g, local int *l) {
    struct S s = {g, l}, t;
    ulong words[2];
    __builtin_memcpy(words, &s, sizeof s);
    __builtin_memcpy(&t, words, sizeof t);
    *t.a = 1;
//     ^ global, local
}
""",
}


@pytest.mark.parametrize("name", SOURCES)
def test_built_in_copies(name: str) -> None:
    assert wrong_marks(SOURCES[name]) == []


def test_the_last_write_to_a_pipe_is_removed() -> None:
    """What is read from it is unknown then, as in a fresh solution."""
    text = SOURCES["packets of a pipe"]
    unit = unit_of(text.encode())
    assert solution(unit, FLOW).pipes.types == {"struct S"}
    edited(unit, text.replace("    write_pipe(o, &s);\n", "").encode())
    assert solution(unit, FLOW).pipes.types == frozenset()
