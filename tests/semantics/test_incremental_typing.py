"""Retyping only the edited part of a function equals typing the whole function."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.typing import item_typing
from openclsp.semantics.typing.incremental_typing import retype_statement
from openclsp.semantics.typing.item_typing import TypedHead, exports_of
from openclsp.semantics.typing.typing_context import StatementMark, TypingContext, TypingLog

from .units import unit_of

PROGRAM = b"""\
typedef struct { half h; global int *to; int n; } record;
constant float weights[2] = { 1, 0.5f };
float scale(global const float *p, int i);
kernel void run(global record *out, global float *in, int count) {
    int a = 1, b[4];
    const int size = 3;
    float total = 0.0f;
    half kept;
    @
    for (int i = 0; i < count; i++) {
        global float *row = in + i;
        total += scale(row, i) * weights[i & 1];
        if (total > 1) { b[size] = i; total = row[a]; } else b[0] = (int)total + a;
    }
    switch (a) { case 1: b[1] = 2; break; default: a = ({ int c = a; c + 1; }); }
    out->to = (global int *)in;
    missing(a, b);
    vstore_half(total, 0, &out->h);
    out[size].n = sizeof(b) + count;
}
"""


def typed(unit: TranslationUnit) -> TypingContext:
    """The context of the last item, typed as a whole."""
    key = unit.items[-1].key
    return item_typing.full(
        unit.table(key), key, unit.dialect, unit.names(key), trace=True, deferring=True, logged=True
    )


def again(before: TypingContext, unit: TranslationUnit) -> TypingContext | None:
    """The context of the last item, typed incrementally if it has changed."""
    key = unit.items[-1].key
    return retype_statement(before, unit.table(key), unit.names(key))


def around(unit: TranslationUnit) -> list[tuple[object, bytes]]:
    """The keys and digests of the other items."""
    return [(item.key, item.digest) for item in unit.items[:-1]]


def state(ctx: TypingContext) -> dict[str, object]:
    """Everything that typing an item produces, with the order of lists."""
    names = ("facts", "deferred", "unknown_names", "next_number", "records", "depth", "blocks", "frames")
    found: dict[str, object] = {name: getattr(ctx, name) for name in names}
    for name in ("entities", "trace", "half_values", "slots", "local_members", "block_literals"):
        found[name] = list(getattr(ctx, name).items())
    log = ctx.log
    assert isinstance(log, TypingLog)
    # a compiled class has descriptors and no `__slots__`
    fields = [name for name in dir(StatementMark) if not name.startswith("_")]
    assert "facts_end" in fields
    marks = [{name: getattr(mark, name) for name in fields} for mark in log.marks]
    return {**found, "exports": exports_of(ctx), "log": (log.bindings, log.faults, log.end, marks)}


def after(text: bytes, old: str, new: str) -> bytes:
    assert text.count(old.encode()) == 1
    return text.replace(old.encode(), new.encode())


@pytest.mark.parametrize("dialect", ["CL1.0", "CL1.2", "CL2.0"])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("total = 0.0f", "total = 0.05f"),
        ("i < count", "a < count"),
        ("row = in + i", "rov = in + i"),
        ("@", "unknown = 1;"),
        ("row[a]", "rov[a]"),
        ("row[a]", "b[a]"),
        ("int c = a", "int c = b"),
        ("case 1:", "case 2:"),
        ("b[0] = (int)", "b[1] = (uint)"),
        ("missing(", "missed("),
        ("half kept", "half lost"),
    ],
)
def test_one_statement_is_typed_again(old: str, new: str, dialect: str) -> None:
    known = PROGRAM if old == "@" else after(PROGRAM, "@", "")
    if old == "@":
        known, old = after(known, "@", "known = 1;"), "known = 1;"
    if old.startswith("row ="):
        known = after(after(known, "scale(row", "scale(in"), "row[a]", "in[a]")
    before = typed(unit_of(known, dialect))
    unit = unit_of(after(known, old, new), dialect)
    found = again(before, unit)
    assert found is not None
    assert state(found) == state(typed(unit))


def test_typing_in_two_steps_with_a_log_gives_the_result_of_one() -> None:
    unit = unit_of(after(PROGRAM, "@", "").replace(b"vstore_half(total, 0, &out->h);", b""))
    key = unit.items[-1].key
    head = TypedHead(unit.table(key), key, unit.dialect, unit.names(key), logged=True)
    assert state(head.finish()) == state(typed(unit))


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("size = 3", "size = 4", "its value is used behind it"),
        ("int a = 1, b[4]", "int a = 1, b[5]", "its type is used behind it"),
        ("float total", "int total", "its type is used behind it"),
        ("half kept", "struct kept", "a tag is declared"),
        ("int count", "int counts", "the head is another one"),
        ("missing(a, b);", "missing(a, b)", "another fault of syntax"),
        ("missing(a, b);", "a = 1; missing(a, b);", "other leaves"),
    ],
)
def test_the_whole_function_is_typed_again(old: str, new: str, why: str) -> None:
    known = after(PROGRAM, "@", "")
    before = typed(unit_of(known))
    assert again(before, unit_of(after(known, old, new))) is None, why


WORDS = [
    "a",
    "b",
    "x",
    "int",
    "float",
    "total",
    "1",
    "2.0f",
    "h",
    "half",
    "row",
    "i",
    "+",
    "-",
    "=",
    "&",
    ";",
    "*",
]
edits = st.lists(
    st.tuples(st.integers(0, 10_000), st.sampled_from(WORDS), st.sampled_from((0, 0, 0, 1, 2))),
    min_size=1,
    max_size=12,
)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    edits, st.sampled_from(("", "float v = 1.0f;", "float v", "v = size;", "struct { int x; } s;", "f(a)"))
)
def test_random_edits_give_the_result_of_typing_the_whole_function(
    steps: list[tuple[int, str, int]], inserted: str
) -> None:
    text = after(PROGRAM, "@", inserted)
    head = text.index(b"{", text.index(b"kernel")) + 1
    unit = unit_of(text)
    last, others = typed(unit), around(unit)
    for at, word, how in steps:
        words = text[head:].split(b" ")
        number = at % len(words)
        words[number : number + 1] = [[word.encode()], [words[number], word.encode()], []][how]
        text = text[:head] + b" ".join(words)
        unit = unit_of(text)
        whole = typed(unit)
        found = again(last, unit) if around(unit) == others and whole.item == last.item else None
        if found is not None:
            assert state(found) == state(whole)
        last, others = whole if found is None else found, around(unit)
