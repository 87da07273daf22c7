"""Returned addresses of local variables over long or cyclic chains of calls: the analysis terminates."""

from __future__ import annotations

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics

from ..units import unit_of

LIST = """\
struct node { struct node *next; int *value; };
int *same(int *p) { return p; }
struct node *last(struct node *n) { while (n->next) n = n->next; return n; }
struct node *linked(struct node *a, struct node *b) { a->next = b; b->next = a; return linked(a->next, b); }
"""
NESTED = "same(" * 200 + "&own" + ")" * 200
STRUCTS = (
    "struct s { int *a[4]; int *p; };\nstruct s f0(struct s *x, struct s *y) { return *x; }\n"
    + "".join(
        f"struct s f{n}(struct s *x, struct s *y) {{ struct s z = *x; z.p = y->p; x->p = z.a[1]; "
        f"*x = f{n - 1}(y, x); *y = f{n - 1}(x, &z); return f{n - 1}(x, y); }}\n"
        for n in range(1, 40)
    )
)


def returned(source: str) -> list[str]:
    """The messages about returned addresses in the function `own`."""
    kernel = "kernel void k(int n) { struct node n0; own(n); last(&n0); linked(&n0, &n0); }\n"
    unit = unit_of((LIST + source + kernel).encode(), "CL2.0")
    return [each.message for each in compute_diagnostics(unit) if each.code == "returned-address"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("int *own(int n) { int *p = &n; while (n--) p = same(p); return p; }", 2),
        ("struct node *own(int n) { struct node a = { 0, &n }; return last(&a); }", 1),
        ("struct node *own(int n) { struct node a, b; return linked(&a, &b); }", 0),
        (f"int *own(int n) {{ int own; return {NESTED}; }}", 0),
        (f"{STRUCTS}struct s own(int n) {{ struct s a, b; a.p = &n; return f39(&a, &b); }}", 0),
    ],
    ids=["a loop of calls", "a list", "a recursion", "calls in calls", "structs that go through many"],
)
def test_it_ends(body: str, expected: int) -> None:
    assert len(returned(body + "\n")) == expected


@pytest.mark.parametrize("depth", [1, 7, 8, 30])
def test_what_a_deep_chain_of_calls_stores_is_not_passed_over(depth: int) -> None:
    calls = "".join(f"void s{n}(int **p, int *v) {{ s{n - 1}(p, v); }}\n" for n in range(1, depth + 1))
    stores = "int *other(int n);\nvoid s0(int **p, int *v) { *p = v; }\n" + calls
    body = f"int *own(int n) {{ int *q = &n; s{depth}(&q, other(n)); return q; }}\n"
    assert returned(stores + body) == []
