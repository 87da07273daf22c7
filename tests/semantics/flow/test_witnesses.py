"""The witness of a space that a pointer holds: the shortest chain from an object, each step with its line."""

from __future__ import annotations

from openclsp.ide.flow.pointer_flow import MAXIMUM_CHAINS, compute_flow_at

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
        "6: address of `s` passed to `put`",
        "2: parameter `v`",
        "2: stored in `s->p`",
    ]


def test_a_store_and_its_value_belong_to_one_call() -> None:
    """The call for the other object passes the same address space, and is nearer."""
    source = """\
struct S { int *p; };
void put(struct S *s, int *v) { s->p = v; }
void set(struct S *s, int *v) { put(s, v); }
kernel void k(local int *l, local int *m) {
    struct S first, second;
    put(&second, m);
    set(&first, l);
    *first.p = 1;
}
"""
    assert chains(source, "*first.")["local"] == [
        "4: kernel parameter `l`",
        "7: argument of `set`",
        "7: address of `first` passed to `set`",
        "3: parameter `v`",
        "3: argument of `put`",
        "3: address passed to `put`",
        "2: parameter `v`",
        "2: stored in `s->p`",
    ]


def test_the_address_of_a_store_of_the_functions_own_value() -> None:
    source = """\
struct S { int *p; };
global int shared;
void put(struct S *s) { s->p = &shared; }
kernel void k(void) {
    struct S s;
    put(&s);
    *s.p = 1;
}
"""
    assert chains(source, "*s.")["global"] == [
        "2: `shared` is in global memory",
        "6: address of `s` passed to `put`",
        "3: stored in `s->p`",
    ]


def test_what_a_call_returns_is_not_that_of_another_call() -> None:
    source = """\
struct S { int *p; };
int *get(struct S *s) { return s->p; }
kernel void k(local int *l, local int *m) {
    struct S first = {l}, second = {m};
    int *a = get(&first);
    int *b = get(&second);
    *b = *a;
}
"""
    assert chains(source, "    *")["local"] == [
        "3: kernel parameter `m`",
        "4: stored in `second`",
        "6: returned by `get`",
        "6: `b`",
    ]


def test_every_chain() -> None:
    source = """\
int use(int *p) { return *p; }
int longer(int *p) { return use(p); }
kernel void k(global int *g) { longer(g); use(g); use(g + 1); }
"""
    flow = compute_flow_at(unit_of(source.encode()), ROOT, source.index("*p;") + 1, every_chain=True)
    assert flow is not None and not flow.more_chains
    assert [[step.description for step in each.steps] for each in flow.witnesses] == [
        ["kernel parameter `g`", "argument of `use`", "parameter `p`"],
        ["kernel parameter `g`", "argument of `use`", "parameter `p`"],
        [
            "kernel parameter `g`",
            "argument of `longer`",
            "parameter `p`",
            "argument of `use`",
            "parameter `p`",
        ],
    ]
    assert len({each.steps[1].location for each in flow.witnesses}) == 3


def test_the_number_of_chains_is_bounded() -> None:
    """Each of 30 assignments has two sources: 2**30 ways."""
    ways = "".join(f"    p = n % {at + 2} ? p + 1 : q; q = n % {at + 40} ? q : p;\n" for at in range(15))
    source = f"kernel void k(global int *g, int n) {{\n    int *p = g, *q = g;\n{ways}    *p = 1;\n}}\n"
    flow = compute_flow_at(unit_of(source.encode()), ROOT, source.index("*p = 1") + 1, every_chain=True)
    assert flow is not None and flow.more_chains
    assert 1 < len(flow.witnesses) <= MAXIMUM_CHAINS


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
