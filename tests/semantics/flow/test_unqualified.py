"""The spaces that would reach a pointer that is private only because it has no qualifier."""

from __future__ import annotations

import pytest
from openclsp.language.spaces import Space
from openclsp.semantics.facts.entities import EntityKind, EntityRef, Origin
from openclsp.semantics.flow.default_private import ReachingSpaces, default_private_solution, find_reaching
from openclsp.semantics.translation_unit import TranslationUnit

from ..units import edited, unit_of


def reached(unit: TranslationUnit, name: str) -> ReachingSpaces | None:
    """The spaces that would reach the pointer of that name, which is declared once, or is a function's result."""
    kinds = EntityKind.VARIABLE, EntityKind.PARAMETER, EntityKind.MEMBER, EntityKind.FUNCTION
    for item in unit.items:
        for number, entity in unit.typed(item.key, bodies=True).entities.items():
            if entity.name == name and entity.kind in kinds:
                pointee = Origin(EntityRef(item.key, number), 1)
                return find_reaching(unit, default_private_solution(unit, (pointee,)), pointee)
    raise AssertionError(f"nothing is called {name}")


def said(source: str, name: str, dialect: str = "CL1.2") -> str:
    """Describes `reached` in words: `global, local or unknown`; `not told` if the space is written or nothing reaches it."""
    found = reached(unit_of(source.encode(), dialect), name)
    if found is None:
        return "not told"
    words = [", ".join(space.word for space in found.spaces)] if found.spaces else []
    words += [word for word, holds in (("null", found.null), ("unknown", found.unknown)) if holds]
    assert [each.space for each in found.chains] == list(found.spaces)
    return " or ".join(words) or "nothing"


CALLERS = """\
int sum(int *p, int n) { int *q = p + n; return q[0]; }
int twice(int *a) { return sum(a, 2); }
int named(private int *w) { return *w; }
int nobody(int *u) { return sum(u, 1); }
kernel void k(global int *g, local int *l, constant int *c, int n) {
    sum(g, n);
    twice(l);
    named(g);
    int own[4];
    int *v = own;
    if (n) v = c;
    int *none;
}
"""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("p", "global, local"),
        ("q", "global, local"),
        ("a", "local"),
        ("w", "not told"),
        ("u", "unknown"),
        ("v", "private, constant"),
        ("none", "not told"),
    ],
)
def test_parameters_and_variables(name: str, expected: str) -> None:
    assert said(CALLERS, name) == expected


MEMORY = """\
struct S { int *m; struct { int *inner; } s; int n; };
struct T { int *m2; };
union U { int *u; int n; };
int *pick(global int *g, local int *l, int n);
void fill(struct S *s, local int *l) { s->m = l; }
kernel void k(global int *g, local int *l, int n) {
    struct S s;
    struct T t;
    s.m = g;
    fill(&s, l);
    s.s.inner = g;
    t.m2 = l;
    int *taken = g;
    int **h = &taken;
    *h = l;
    int *many[2] = { g, 0 };
    pick(g, l, n);
}
int *pick(global int *g, local int *l, int n) { if (n) return g; return l; }
"""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("m", "global, local"),
        ("inner", "global"),
        ("m2", "local"),
        ("taken", "global, local"),
        ("many", "global or null"),
        ("pick", "global, local"),
        ("u", "not told"),
    ],
)
def test_memory_and_results(name: str, expected: str) -> None:
    assert said(MEMORY, name) == expected


@pytest.mark.parametrize(
    ("shared", "expected"),
    [("int *m; int n;", "global, local"), ("struct S m; int n;", "global, local or unknown")],
    ids=["another m", "a struct that has it"],
)
def test_a_member_may_lie_in_a_union_of_another_struct(shared: str, expected: str) -> None:
    other = f"struct V {{ union {{ {shared} }} u; }};\nkernel void other() {{ struct V v, w = v; }}\n"
    assert said(MEMORY + other, "m") == expected


def test_a_prototype_means_the_definition() -> None:
    source = "void f(int *p);\nkernel void k(global int *g) { f(g); }\nvoid f(int *q) { *q = 1; }\n"
    assert said(source, "p") == said(source, "q") == "global"


def test_a_typedef_without_a_space() -> None:
    source = """\
typedef int *plain;
typedef local int *named;
void f(plain p, named n) { }
kernel void k(global int *g, local int *l) { f(g, l); }
"""
    assert said(source, "p") == "global"
    assert reached(unit_of(source.encode(), "CL1.2"), "n") is None


def test_what_is_not_known_is_said() -> None:
    source = """\
void f(int *p) { *p = 1; }
kernel void k(global int *g) { f(g); f(elsewhere(g)); }
"""
    assert said(source, "p") == "global or unknown"


def test_what_kernels_pass_counts() -> None:
    source = "void f(int *p) { *p = 1; }\nvoid unused(local int *l) { f(l); }\n"
    assert said(source, "p") == "local"
    assert said(source + "kernel void k(global int *g) { f(g); }\n", "p") == "global"


def test_the_chain_begins_at_the_object() -> None:
    source = """\
void inner(int *p) { *p = 1; }
void outer(int *o) { inner(o); }
kernel void k(global int *g) { outer(g); }
"""
    found = reached(unit_of(source.encode(), "CL1.2"), "p")
    assert found is not None
    (chain,) = found.chains
    assert (chain.function, chain.kernel) == ("k", True)
    assert [step.what for step in chain.steps] == [
        "kernel parameter `g`",
        "argument of `outer`",
        "parameter `o`",
        "argument of `inner`",
    ]


def test_it_follows_edits() -> None:
    unit = unit_of(b"", "CL1.2")
    texts = [
        "void f(int *p) { *p = 1; }\nkernel void k(global int *g) { f(g); }\n",
        "void f(int *p) { *p = 1; }\nkernel void k(local int *g) { f(g); }\n",
        (
            "void f(int *p) { *p = 1; }\nvoid h(int *q) { f(q); }\n"
            "kernel void k(local int *g, constant int *c) { h(g); f(c); }\n"
        ),
    ]
    expected = [["global"], ["local"], ["local", "constant"]]
    for text, spaces in zip(texts, expected, strict=True):
        edited(unit, text.encode())
        found = reached(unit, "p")
        assert found is not None
        assert [space.word for space in found.spaces] == spaces


ASIDE = """\
struct S { int *m; };
struct D { int n; };
uint hash(uint *w, struct D *d) { w[0] ^= d->n; return w[0]; }
int *same(int *a) { return a; }
void fill(struct S *s, int *a) { s->m = a; }
void put(int **h, int *a) { *h = a; }
void anything(void *v, int *a) { *(int **)v = a; }
kernel void k(global int *g, local int *l, constant int *c) {
    uint w[4];
    struct D d;
    hash(w, &d);
    struct S s;
    fill(&s, g);
    int *x = same(l);
    int *y = s.m;
    int *z = 0;
    put(&z, c);
}
"""


def test_the_first_of_several_objects_in_the_text_gives_the_chain() -> None:
    """A function that is inserted before another one is the first, as in a new unit."""
    kernel = """\
kernel void NAME(global int *g) {
    struct pair f = {g};
}
"""
    record = "struct pair { int *b; };\n"
    unit = unit_of((record + kernel.replace("NAME", "second")).encode(), "CL1.2")
    reached(unit, "b")
    edited(unit, (record + kernel.replace("NAME", "first") + kernel.replace("NAME", "second")).encode())
    found = reached(unit, "b")
    assert found is not None
    assert [each.function for each in found.chains] == ["first"]


def test_objects_of_an_earlier_text_do_not_count() -> None:
    text = """\
struct pair { union { int *b; float c; } u; };
kernel void k(global int *g) {
    struct pair f = {g};
    struct pair *p = &f;
}
"""
    unit = unit_of(text.encode(), "CL1.2")
    reached(unit, "b")
    edited(unit, text.replace("union { int *b; float c; } u;", "int *b;").encode())
    found = reached(unit, "b")
    assert found is not None
    assert (found.spaces, found.unknown) == ((Space.GLOBAL,), False)


@pytest.mark.parametrize(("name", "expected"), [("x", "local"), ("y", "global"), ("z", "constant or null")])
def test_functions_from_which_pointers_come_back_are_read(name: str, expected: str) -> None:
    assert said(ASIDE, name) == expected


def test_what_only_computes_is_not_read() -> None:
    hashes = "".join(f"uint hash{n}(uint *w) {{ return w[{n}]; }}\n" for n in range(20))
    calls = " ".join(f"hash{n}(w);" for n in range(20))
    source = hashes + "void use(int *p) { *p = 1; }\n"
    source += f"kernel void k(global int *g) {{ uint w[20]; {calls} use(g); }}\n"
    unit = unit_of(source.encode(), "CL1.2")
    item = next(item for item in unit.items if item.name == "use")
    pointee = Origin(EntityRef(item.key, 1), 1)
    found = find_reaching(unit, default_private_solution(unit, (pointee,)), pointee)
    assert found is not None
    assert [space.word for space in found.spaces] == ["global"]
    assert unit.database.computed["pass"] == 2
    # what is asked for next may need what was left aside
    other = Origin(EntityRef(next(item for item in unit.items if item.name == "hash3").key, 1), 1)
    assert find_reaching(unit, default_private_solution(unit, (other,)), other) is not None
    assert unit.database.computed["pass"] == 3
