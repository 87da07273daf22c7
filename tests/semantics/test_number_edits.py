"""Edits of a number in a macro: which items are analysed again, with the answers of a fresh analysis."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.rules.runner.item_findings import BODY_FINDINGS
from openclsp.semantics.database.derived_queries import FLOW, PROGRAM, TOKEN_MEANINGS
from openclsp.semantics.database.typed_body import PASS
from openclsp.semantics.facts.entities import ItemKey
from openclsp.semantics.items.number_classes import number_class
from openclsp.semantics.translation_unit import TranslationUnit

from .units import answers, edited, unit_of

KERNEL = b"""\
#define N 3
#define F 1.5f
#define TWICE(x) ((x) * 2)
#define MASK 15

float scaled(global const float *p, int i) { return p[i * N] * F; }
void looped(local int *l, int n) { for (int i = 0; i < n / N; i++) l[i] += N; }
int masked(global int *g) { return (int)(long)g & MASK; }
void sized(void) { float tile[N]; tile[0] = F; }
int chosen(int i) { switch (i) { case N: return 1; default: return N; } }
void called(global float *g) { scaled(g, N); vload4(N, g); }
void fenced(void) { barrier(N); }
void cleared(void) { int *p = (N - 3); }
void none(void) { int *p = N; }
kernel void run(global float *out) { local float l[4]; l[get_local_id(0) + TWICE(N)] = max(out[N], F); looped(0, N); }
"""


def named(name: str) -> ItemKey:
    return "function_definition", name, 0


def typed_again(before: bytes, after: bytes) -> set[str]:
    """The functions that are typed again if the first text becomes the second."""
    unit = unit_of(before)
    compute_diagnostics(unit)
    passes = {key: unit.database.get(PASS, key) for key in unit.by_key}
    edited(unit, after)
    assert answers(unit) == answers(unit_of(after))
    return {key[1] for key, made in passes.items() if unit.database.get(PASS, key) is not made}


@pytest.mark.parametrize("value", [b"4", b"7", b"333", b"0x1F"])
def test_a_changed_value_invalidates_only_its_readers(value: bytes) -> None:
    changed = KERNEL.replace(b"#define N 3", b"#define N " + value)
    assert typed_again(KERNEL, changed) == {"sized", "chosen", "fenced", "cleared"}


def test_the_value_of_a_floating_number_has_no_reader() -> None:
    assert typed_again(KERNEL, KERNEL.replace(b"1.5f", b"0.25f")) == set()


def test_a_mask_of_an_address_is_read() -> None:
    assert typed_again(KERNEL, KERNEL.replace(b"MASK 15", b"MASK 31")) == set()
    assert "masked" in typed_again(KERNEL, KERNEL.replace(b"MASK 15", b"MASK 0xffffffff"))


@pytest.mark.parametrize("value", [b"0", b"3.0f", b"3u", b"3L", b"5000", b"(1 + 2)", b"n", b"-3"])
def test_a_value_of_another_class_invalidates_all_its_items(value: bytes) -> None:
    changed = KERNEL.replace(b"#define N 3", b"#define N " + value)
    assert {"scaled", "looped", "chosen", "called", "run"} <= typed_again(KERNEL, changed)


def test_nothing_is_parsed_again_if_only_numbers_change() -> None:
    unit = unit_of(KERNEL)
    compute_diagnostics(unit)
    summaries = {key: item.summary for key, item in unit.by_key.items()}
    edited(unit, KERNEL.replace(b"#define N 3", b"#define N 47"))
    assert all(item.summary is summaries[key] for key, item in unit.by_key.items())


def test_a_number_and_another_thing_in_one_edit() -> None:
    changed = KERNEL.replace(b"#define N 3", b"#define N 4").replace(b"int i) { switch", b"int k) { switch")
    assert "scaled" not in typed_again(KERNEL, changed)


VALUES = st.sampled_from(
    [
        b"1",
        b"3",
        b"4",
        b"12",
        b"4095",
        b"4096",
        b"0",
        b"-1",
        b"3u",
        b"8L",
        b"1.5f",
        b"2.5",
        b"0x10",
        b"",
        b"p",
    ]
)


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(st.tuples(st.sampled_from([b"N", b"F", b"MASK"]), VALUES, st.booleans()), min_size=1, max_size=5)
)
def test_incremental_answers_equal_fresh_ones(steps: list[tuple[bytes, bytes, bool]]) -> None:
    unit = unit_of(KERNEL)
    answers(unit)
    text = KERNEL
    for name, value, moves in steps:
        lines = [
            b"#define %s %s" % (name, value) if line.startswith(b"#define %s " % name) else line
            for line in text.split(b"\n")
        ]
        text = b"\n".join([b"", *lines] if moves else lines)
        edited(unit, text)
        assert answers(unit) == answers(unit_of(text))


INTERCHANGEABLE = (
    (b"3", b"4"),
    (b"3", b"0x3"),
    (b"017", b"15"),
    (b"1.5f", b".5F"),
    (b"1e3", b"2."),
    (b"7UL", b"9ul"),
    (b"-1", b"-2"),
)
DISTINCT = (
    (b"0", b"1"),
    (b"3", b"3u"),
    (b"3", b"3l"),
    (b"3", b"-3"),
    (b"3", b"3."),
    (b"2147483647", b"2147483648"),
    (b"4095", b"4096"),
    (b"0x7fffffff", b"0x80000000"),
    (b"1.0f", b"1.0"),
    (b"1.0h", b"1.0"),
    (b"1.0", b"-1.0"),
)


@pytest.mark.parametrize(("one", "other"), INTERCHANGEABLE)
def test_numbers_that_differ_only_in_value_have_one_class(one: bytes, other: bytes) -> None:
    assert number_class(one) == number_class(other) is not None


@pytest.mark.parametrize(("one", "other"), DISTINCT)
def test_numbers_of_different_types_or_signs_have_different_classes(one: bytes, other: bytes) -> None:
    assert number_class(one) != number_class(other)


@pytest.mark.parametrize("text", [b"", b"x", b"3x", b"1..2", b"0x", b"3uu", b"1f", b"1.0q", b"'3'"])
def test_text_that_is_not_a_number_has_no_class(text: bytes) -> None:
    assert number_class(text) is None


CONTEXTS = b"""\
constant int fixed = 3;
void f(int i, global int *g, local float *l, float4 v, struct s *s) {
    int a = #, b[#], c = (int)#, d[] = { #, [#] = #, # };
    const int e = #;
    i = # + i * # - (# << i);
    i += # + #;
    g[i + #] = #;
    *(g + #) = -#;
    s->m[#] = g + #;
    struct { int *held[4]; } t[4]; t[#].held[#] = b + #;
    long kept = #; kept = (long)g + #; *(long *)t = #; t[0].held[0] = &b[#];
    if (i == # && g != 0) a = i ? # : #;
    while (#) break;
    if (# > #) return;
    for (int k = #; k < #; k += #) b[k % #] = (uchar)#;
    v = (float4)(#) + (float4)(#, i, #, a);
    f(#, g, l, v, s);
    i = min(#, i) + clamp(i, #, fixed + #);
    barrier(# | CLK_GLOBAL_MEM_FENCE);
    i = sizeof(int[#]) + sizeof(g[#]);
    i = ((long)g & #) != (i & # | #);
    local int *q = (local int *)((long)l & ~#);
    switch (i) { case # + #: i = #, a = #; }
    struct { int w : #; } h = { # };
    enum { A = # };
    i = ({ #; });
    i = !# || ~#;
    vstore4(v, #, l);
}
"""


def kept(unit: TranslationUnit, key: ItemKey) -> tuple[object, ...]:
    """All cached data of a typed function."""
    body = unit.database.get(BODY_FINDINGS, key)
    calls = [(call.name, call.function, call.place, call.whole) for call in body.calls]
    queries = (FLOW, PROGRAM, TOKEN_MEANINGS)
    return body._replace(calls=()), calls, [unit.database.get(query, key) for query in queries]


def statements() -> list[bytes]:
    first, *lines, last, _ = CONTEXTS.split(b"\n")[1:]
    return [b"\n".join((b"constant int fixed = 3;", first, line, last, b"")) for line in lines]


@pytest.mark.parametrize("statement", statements())
@pytest.mark.parametrize(
    "values",
    [(b"1", b"3", b"8", b"100", b"4095"), (b"-1", b"-5", b"-64"), (b"3u", b"255u"), (b"1.5f", b"3.25f")],
)
def test_a_number_without_readers_changes_nothing(statement: bytes, values: tuple[bytes, ...]) -> None:
    holes = statement.count(b"#")
    for number in range(holes):
        pieces = statement.split(b"#")
        left, right = b"3".join(pieces[: number + 1]), b"3".join(pieces[number + 1 :])
        texts = [b"#define N " + value + b"\n" + left + b"N" + right for value in values]
        unit = unit_of(texts[0])
        key = named("f")
        kept(unit, key)
        for text in texts[1:]:
            edited(unit, text)
            assert kept(unit, key) == kept(unit_of(text), key)


@pytest.mark.parametrize("word", [b"__device__", b"__host__"])
def test_evidence_of_another_language_survives_a_changed_number(word: bytes) -> None:
    kernel = b"kernel void k(global int *p) { p[0] = 1; }\n"
    text = b"#define N 10\n" + word + b" int f(int n) { return n + N; }\n" + kernel
    unit = unit_of(text)
    answers(unit)
    for old, new in ((b"10", b"12"), (b"kernel", b"static"), (b"12", b"13"), (b"static", b"kernel")):
        text = text.replace(old, new)
        edited(unit, text)
        assert answers(unit) == answers(unit_of(text))
