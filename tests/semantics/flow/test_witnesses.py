"""The witness of a space that a pointer holds: the shortest chain from an object, each step with its line."""

from __future__ import annotations

from openclsp.ide.flow.pointer_flow import compute_flow_at

from ..units import ROOT, unit_of


def chains(source: str, at: str) -> dict[str, list[str]]:
    """The chain of each space of the pointer whose name follows the text `at`; each step as `line: what`."""
    flow = compute_flow_at(unit_of(source.encode()), ROOT, source.index(at) + len(at))
    assert flow is not None
    assert [each.space for each in flow.witnesses] == list(flow.spaces)
    return {
        each.space.word: [f"{step.line}: {step.description}" for step in each.steps]
        for each in flow.witnesses
    }


def test_through_calls_and_variables() -> None:
    source = """\
int *same(int *p) { return p; }
int use(int *p) {
    int *q = p;
    return *q;
}
kernel void k(global int *g, local int *l) {
    int *a = same(l);
    use(a); use(g);
}
"""
    assert chains(source, "return *") == {
        "global": [
            "6: kernel parameter `g`",
            "8: argument of `use`",
            "2: parameter `p`",
            "3: `q`",
        ],
        "local": [
            "6: kernel parameter `l`",
            "7: returned by `same`",
            "7: `a`",
            "8: argument of `use`",
            "2: parameter `p`",
            "3: `q`",
        ],
    }


def test_the_witness_is_the_shortest_chain() -> None:
    source = """\
int use(int *p) { return *p; }
int longer(int *p) { return use(p); }
kernel void k(global int *g) { longer(g); use(g); }
"""
    assert chains(source, "return *") == {
        "global": ["3: kernel parameter `g`", "3: argument of `use`", "1: parameter `p`"]
    }


def test_through_memory() -> None:
    source = """\
struct S { int *p; };
void put(struct S *s, int *v) { s->p = v; }
kernel void k(local int *l) {
    int x;
    struct S s = {&x};
    put(&s, l);
    *s.p = 1;
}
"""
    found = chains(source, "*s.")
    assert found["private"] == ["4: `x` is in private memory", "5: stored in `s`"]
    assert found["local"] == [
        "3: kernel parameter `l`",
        "6: argument of `put`",
        "2: parameter `v`",
        "2: stored in `s->p`",
    ]


def test_a_member_whose_object_callers_pass() -> None:
    source = """\
struct S { int *a; };
int **inner(struct S *s) { return &s->a; }
kernel void k(void) {
    struct S s;
    int **q = inner(&s);
    int *r = (int *)q;
}
"""
    (chain,) = chains(source, "(int *)").values()
    assert chain[0] == "4: `s` is in private memory"


def test_local_memory_for_an_enqueued_block() -> None:
    source = """\
kernel void k(queue_t q, ndrange_t n) {
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, n, ^(local void *m) {
        void *v = m;
    }, 16);
}
"""
    (chain,) = chains(source, "        void *").values()
    assert chain[0] == "2: local memory that `enqueue_kernel` provides"
