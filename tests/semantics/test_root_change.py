"""A unit that becomes that of another root document, or is forked for one, answers like a new unit."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics, unlimited_diagnostics
from openclsp.language.dialect import Dialect
from openclsp.project.option_layers import ConfigurationOrigins
from openclsp.semantics.items.parsed_groups import ParsedGroups
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.build_configuration import BuildConfiguration
from openclsp.source.document import Document
from openclsp.workspace.units import UnitConfig

from .units import Headers

HEADERS = Headers(
    {
        "types.h": b"""#pragma once
typedef global int *ptr_t;
struct node { SPACE int *next; ptr_t own; };
#ifdef WIDE
typedef long word_t;
#else
typedef int word_t;
#endif
#define STEP 3
""",
        "walk.h": b"""#include "types.h"
int *chosen(local int *a, int *b) { return b ? b : a; }
word_t walk(struct node *n, word_t w) { n->next = n->own; return *chosen(0, n->own) + w; }
void wait(local int *l) { l[0] = 1; barrier(CLK_GLOBAL_MEM_FENCE); l[1] = l[0]; }
int twice(int n);
""",
        "fault.h": b"""global float *kept(local float *x) { return x; }
int count(int n) { return n ? twice(n - 1) : STEP; }
#if UNKNOWN == STEP
void guessed(global int *g) { *g = 1; }
#endif
""",
        "plain.h": b"int *shared(int *p) { return p; }\nint helper(global int *g);\n",
    }
)
PIECES = (
    b'#include "types.h"\n',
    b'#include "walk.h"\n',
    b'#include "walk.h"\n',
    b'#include "fault.h"\n',
    b'#include "plain.h"\n',
    b'#include "missing.h"\n',
    b"#define SPACE local\n",
    b"\n\n#define SPACE local\n",
    b"#define SPACE global\n",
    b"#define SPACE\n",
    b"#define WIDE 1\n",
    b"#define STEP 4\n",
    b"#pragma OPENCL EXTENSION cl_khr_fp64 : disable\n",
    b"typedef float word_t;\n",
    b"int twice(int n) { return count(n) + helper(0); }\n",
    b"int helper(global int *g) { return *g; }\n",
    b"static int helper(int *g) { local int here[2]; return g[STEP] + here[0]; }\n",
    b"int *shared(int *p) { return p; }\n",
    b"kernel void k(global int *g, local int *l) { struct node n; n.own = g; walk(&n, 1); wait(l); kept(0); }\n",
    b"kernel void k(local int *l) { wait(l); int *p = shared(l); global int *q = p; *q = twice(1); }\n",
    b"kernel void k(global int *g) { local int t[4]; int *p = chosen(t, g); barrier(1); *p = helper(g); }\n",
    b"kernel void other(global int *g) { shared(g); double d = 1.0; guessed(g); }\n",
)
Root = tuple[str, tuple[tuple[str, str], ...], list[bytes]]
"""A root document: its name, the macros of the build options, and pieces of text."""
NAMES = ("/a.cl", "/b.cl", "/c.clh")
DEFINES = ((), (("WIDE", "1"),), (("SPACE", "local"), ("UNKNOWN", "3")), (("SPACE", "global"),))
ROOTS = st.lists(
    st.tuples(
        st.sampled_from(NAMES), st.sampled_from(DEFINES), st.lists(st.sampled_from(PIECES), max_size=9)
    ),
    min_size=2,
    max_size=5,
)


def target_of(
    name: str, dialect: str, others: tuple[str, ...] = (), defines: tuple[tuple[str, str], ...] = ()
) -> UnitConfig:
    return UnitConfig(
        name,
        BuildConfiguration(Dialect.of(dialect), defines),
        ConfigurationOrigins("chosen by the test"),
        other_dialects=tuple(map(Dialect.of, others)),
    )


def found_in(unit: TranslationUnit) -> list[tuple[object, ...]]:
    """Everything that the diagnostics show."""
    return [
        (each.code, each.severity, each.message, each.location, each.related)
        for each in unlimited_diagnostics(unit, header_bodies=True, tagged=True)
    ]


def assert_like_new_units(
    roots: list[Root], dialect: str, others: tuple[str, ...], maximum: int, *, tracks_numbers: bool
) -> None:
    unit, parsed = None, ParsedGroups(maximum)
    for name, defines, pieces in roots:
        target, document = target_of(name, dialect, others, defines), Document.of(name, b"".join(pieces))
        if unit is None:
            unit = TranslationUnit(target, document, HEADERS, tracks_numbers=tracks_numbers)
        else:
            unit.change_root(target, document, HEADERS, parsed)
        assert found_in(unit) == found_in(TranslationUnit(target, document, HEADERS))


@settings(max_examples=120, deadline=None)
@given(
    roots=ROOTS,
    dialect=st.sampled_from((("CL1.2", ()), ("CL2.0", ()), ("CL2.0", ("CL1.2",)))),
    maximum=st.sampled_from((0, 200, 100_000)),
    tracks_numbers=st.booleans(),
)
def test_any_sequence_of_roots(
    roots: list[Root], dialect: tuple[str, tuple[str, ...]], maximum: int, tracks_numbers: bool
) -> None:
    assert_like_new_units(roots, *dialect, maximum, tracks_numbers=tracks_numbers)


@pytest.mark.parametrize(("maximum", "kept"), [(0, False), (100_000, True)])
def test_a_header_of_an_earlier_root_is_not_parsed_again(maximum: int, kept: bool) -> None:
    texts = (b"", b'#include "plain.h"\n', b"int other;\n", b'#include "plain.h"\n')
    parsed = ParsedGroups(maximum)
    unit = TranslationUnit(target_of("/a.cl", "CL1.2"), Document.of("/a.cl", texts[0]), HEADERS)
    trees = []
    for text in texts[1:]:
        unit.change_root(target_of("/a.cl", "CL1.2"), Document.of("/a.cl", text), HEADERS, parsed)
        trees.append([item.table and item.table.kind for item in unit.items])
        found_in(unit)
        assert all(item.table is None for item in unit.items)
    assert len(trees[0]) == len(trees[2]) == 2
    assert all((first is third) is kept for first, third in zip(trees[0], trees[2], strict=True))


@settings(max_examples=25, deadline=None)
@given(roots=ROOTS, dialect=st.sampled_from((("CL1.2", ()), ("CL2.0", ()), ("CL2.0", ("CL1.2",)))))
def test_any_forks(roots: list[Root], dialect: tuple[str, tuple[str, ...]]) -> None:
    units: list[TranslationUnit] = []
    texts = [b"".join(pieces) for _, _, pieces in roots]
    for (name, defines, _), text in zip(roots, texts, strict=True):
        target, document = target_of(name, dialect[0], dialect[1], defines), Document.of(name, text)
        made = units[-1].fork(target, document, HEADERS) if units else None
        units.append(made or TranslationUnit(target, document, HEADERS))
        assert found_in(units[-1]) == found_in(TranslationUnit(target, document, HEADERS))
    # a fork and what it was made from are independent: each follows its own edits
    for unit, text in zip(units, texts, strict=True):
        unit.update(Document.of(unit.document.name, text + PIECES[-1]))
        assert found_in(unit) == found_in(TranslationUnit(unit.target, unit.document, HEADERS))
    while units:
        units.pop().close()
        for unit, text in zip(units, texts, strict=False):
            unit.update(Document.of(unit.document.name, text))
            assert found_in(unit) == found_in(TranslationUnit(unit.target, unit.document, HEADERS))


@pytest.mark.parametrize("dialect", ["CL1.2", "CL2.0"])
def test_a_fork_types_its_own_lines(dialect: str) -> None:
    header = Headers(
        {
            "many.h": b"typedef global int *ptr_t;\n"
            + b"int one(ptr_t p);\nint two(ptr_t p) { return *p; }\n" * 20
        }
    )
    texts = [b'#include "many.h"\nkernel void k%d(global int *g) { one(g); two(g); }\n' % n for n in (1, 2)]
    unit = TranslationUnit(target_of("/a.cl", dialect), Document.of("/a.cl", texts[0]), header)
    compute_diagnostics(unit)
    fork = unit.fork(target_of("/b.cl", dialect), Document.of("/b.cl", texts[1]), header)
    assert fork is not None
    compute_diagnostics(fork)
    assert 0 < fork.typed_tokens < unit.typed_tokens / 4


def test_a_unit_of_a_fragment_is_not_forked() -> None:
    """A fork analyses its root; a copy for a fragment has to analyse the fragment."""
    document = Document.of("/a.cl", b'#include "plain.h"\nkernel void k(global int *g) { helper(g); }\n')
    own = target_of("/a.cl", "CL1.2")
    of_fragment = replace(own, subject="/plain.h")
    whole, part = (TranslationUnit(target, document, HEADERS) for target in (own, of_fragment))
    assert whole.fork(of_fragment, document, HEADERS) is None
    assert part.fork(own, document, HEADERS) is None
    assert part.with_texts({}).subject == "/plain.h"
    assert whole.with_texts({}).subject == "/a.cl"


@pytest.mark.parametrize("dialect", ["CL1.2", "CL2.0"])
def test_a_shared_header_is_typed_once(dialect: str) -> None:
    texts = [
        b'#define SPACE global\n#include "walk.h"\nkernel void k%d(local int *l) { wait(l); }\n' % n
        for n in (1, 2)
    ]
    unit = TranslationUnit(target_of("/a.cl", dialect), Document.of("/a.cl", texts[0]), HEADERS)
    found_in(unit)
    before = unit.typed_tokens
    unit.change_root(target_of("/b.cl", dialect), Document.of("/b.cl", texts[1]), HEADERS)
    found_in(unit)
    own = unit.typed_tokens - before
    assert own < before / 4
