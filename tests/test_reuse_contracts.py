"""The stages of an analysis: the update of a result after an edit equals the full result for the edited text.

`STAGES` has a row for each stage (ARCHITECTURE.md, "Reuse"). All see the same random edits of the sample kernels.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from openclsp.rules.runner import fact_judgement
from openclsp.semantics.facts.entities import ItemKey
from openclsp.semantics.items.unit_part import UnitPart
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.typing import item_typing
from openclsp.semantics.typing.incremental_typing import LOGGED_NODES
from openclsp.semantics.typing.item_typing import exports_of
from openclsp.semantics.typing.typing_context import StatementMark, TypingContext
from openclsp.source import document_preprocessing
from openclsp.source.document import Document
from openclsp.source.include_cache import IncludeCache
from openclsp.source.options import PreprocessorOptions
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.text import Edit

from .semantics.units import ROOT, Headers, unit_of

SAMPLES = Path(__file__).parent / "kernels"
HEADERS = Headers({path.name: path.read_bytes() for path in SAMPLES.glob("*/*.clh")})
MACROS = b"""\
#define N 4
#define TWICE(x) ((x) * N)
#if N > 3
typedef struct { float a[3]; global int *b; } foo_t;
#else
typedef float foo_t;
#endif
struct node { int value; };
/* } */ constant int tab[] = {1, 2, 3};
local int *helper(global int *p, int q) { return p; }
kernel void k(global foo_t *g, private int *n) {
    local int *l = (local int *)g;
    const int size = N;
    float total = TWICE(0.5f), parts[3];
    for (int i = 0; i < size; i++) { total += tab[i]; if (i) l = helper(g->b, TWICE(i)); }
    switch (size) { case N: *l = 1; break; default: total = missing(l, N); }
    g[0].a[size - 2] = total;
    n = l + (int)total; half h = total;
}
// {
int last;
"""
KERNELS = [
    MACROS,
    *((SAMPLES / name).read_bytes() for name in ("faulty/histogram.cl", "faulty/particles.cl")),
]
WORDS = [
    "int",
    "float",
    "half",
    "global",
    "const",
    "N",
    "TWICE",
    "0",
    "7",
    "2.0f",
    "i",
    "l",
    "g",
    "size",
    "total",
    "undeclared",
]
PIECES = (
    ["*", "&", "+", " = ", ",", "{", "}", "(", ")", ";", " ", "\n", "/*", "*/", "//", "\n#define N 3\n", "\n#if 0\n"]
    + ["\n#endif\n", "float total = 1;", "N", " half ", "\nvoid g(int z) {", "struct Q {", "= {", "int q = 1;"]
)  # fmt: skip


def edits_of(data: bytes, chance: random.Random) -> Iterator[Edit]:
    """Edits of a text, each to be applied to the result of the one before.

    The first one changes a number, in `MACROS` that of a macro. Most replace a word by another one, and most are undone
    at once, so that most texts stay nearly correct.
    """
    number = re.search(rb"[0-9]+", data)
    assert number is not None
    yield Edit(number.start(), number.end(), b"77")
    data = data[: number.start()] + b"77" + data[number.end() :]
    for _ in range(16):
        begin = end = chance.randrange(len(data))
        piece = chance.choice(PIECES).encode()
        if chance.random() < 0.7:
            word = chance.choice(list(re.finditer(rb"\w+", data)))
            begin, end, piece = word.start(), word.end(), chance.choice(WORDS).encode()
        yield Edit(begin, end, piece)
        if chance.random() < 0.7:
            yield Edit(begin, begin + len(piece), data[begin:end])
        else:
            data = data[:begin] + piece + data[end:]


# ---- preprocess ----

OPTIONS = PreprocessorOptions({"__OPENCL_VERSION__": "200"})


def preprocess(data: bytes) -> Preprocessed:
    return document_preprocessing.full(Document.of(ROOT, data), OPTIONS, HEADERS)


def about_preprocessed(found: Preprocessed) -> object:
    source_map = found.source_map
    places = [source_map.written(start, start + 3) for start in range(0, len(found.text), 5)]
    return (
        found.text,
        found.problems,
        found.inactive,
        found.pragmas,
        found.guesses,
        [(each.offset, each.start, each.end, each.preprocessed.text) for each in found.includes],
        {name: (macro.text, found.definition(macro)) for name, macro in found.macros.items()},
        [(each.document, each.start, each.end) for each in places],
    )


def follow_preprocessing(texts: list[tuple[Edit, bytes]], data: bytes) -> Iterator[Step]:
    previous, cache = preprocess(data), IncludeCache()
    for edit, after in texts:
        document = Document.of(ROOT, after)
        update = document_preprocessing.update(previous, document, edit, OPTIONS, HEADERS, cache)
        previous = update.result
        yield Step(about_preprocessed(previous), about_preprocessed(preprocess(after)), update.partial)


# ---- parse ----


def about_unit_part(part: UnitPart) -> object:
    found: list[object] = [len(part.over_limit)]
    for group in part.groups:
        found.append((group.start, group.text, group.has_error, group.bound))
        for item in group.items:
            table = part.table_of(item)
            columns = (
                table.kind,
                table.field,
                table.first,
                table.last,
                table.skip,
                table.tokens,
                table.missing,
            )
            digests = item.digest, item.structural_digest, item.head_digest, item.numbers
            places = item.start, item.length, item.token_index_starts, item.token_index_ends
            found.append((places, item.names, digests, item.summary, columns))
    return found


def follow_parsing(texts: list[tuple[Edit, bytes]], data: bytes) -> Iterator[Step]:
    previous, cache = preprocess(data), IncludeCache()
    part = UnitPart.full(previous, checks_bodies=True)
    for edit, after in texts:
        document = Document.of(ROOT, after)
        preprocessing = document_preprocessing.update(previous, document, edit, OPTIONS, HEADERS, cache)
        previous = preprocessing.result
        update = part.update(previous, preprocessing.edits)
        part = update.result
        whole = UnitPart.full(preprocess(after), checks_bodies=True)
        reused = 0 < update.last - update.first < len(part.groups)
        yield Step(about_unit_part(part), about_unit_part(whole), reused)


# ---- type, judge ----


def typed(unit: TranslationUnit, key: ItemKey) -> TypingContext:
    table = unit.table(key)
    logged = len(table.kind) >= LOGGED_NODES
    return item_typing.full(
        table, key, unit.dialect, unit.names(key), trace=True, deferring=True, logged=logged
    )


def about_typing(ctx: TypingContext) -> object:
    names = ("facts", "deferred", "entities", "trace", "half_values", "next_number", "unknown_names", "slots")
    found = {name: getattr(ctx, name) for name in names}
    if ctx.log is not None:
        # a compiled class has no `__slots__`
        fields = [name for name in dir(StatementMark) if not name.startswith("_")]
        found["marks"] = [[getattr(mark, name) for name in fields] for mark in ctx.log.marks]
        found["log"] = ctx.log.bindings, ctx.log.faults, ctx.log.end
    return {**found, "exports": exports_of(ctx)}


def edited_item(before: TranslationUnit, unit: TranslationUnit) -> ItemKey | None:
    """The only item that differs between two states of a unit; None if more than its content differs."""
    if [item.key for item in before.items] != [item.key for item in unit.items]:
        return None
    differing = [item.key for item in unit.items if before.by_key[item.key].digest != item.digest]
    return differing[0] if len(differing) == 1 else None


def typed_again(
    texts: list[tuple[Edit, bytes]], data: bytes
) -> Iterator[tuple[TranslationUnit, ItemKey, TypingContext, item_typing.TypingUpdate]]:
    """The unit and its edited item after each edit of one item, the item's result before the edit, and the update.

    While edits are in the same item, each update takes the result of the update before it.
    """
    chained: tuple[TranslationUnit, ItemKey, TypingContext] | None = None
    for before, unit, key in edited_items(texts, data):
        earlier = typed(before, key)
        if chained is not None and chained[:2] == (before, key):
            earlier = chained[2]
        update = item_typing.update(earlier, unit.table(key), unit.names(key))
        chained = unit, key, update.result
        yield unit, key, earlier, update


def follow_typing(texts: list[tuple[Edit, bytes]], data: bytes) -> Iterator[Step]:
    for unit, key, _, update in typed_again(texts, data):
        yield Step(about_typing(update.result), about_typing(typed(unit, key)), update.partial)


def follow_judging(texts: list[tuple[Edit, bytes]], data: bytes) -> Iterator[Step]:
    chained: tuple[TypingContext, fact_judgement.JudgedFacts] | None = None
    for unit, key, earlier, typing in typed_again(texts, data):
        previous = fact_judgement.full(unit, key, earlier.facts, kept=True)
        if chained is not None and chained[0] is earlier:
            previous = chained[1]
        facts = typing.result.facts
        known = {id(fact) for fact in earlier.facts}
        update = fact_judgement.update(previous, unit, key, facts)
        chained = typing.result, update
        whole = fact_judgement.full(unit, key, typed(unit, key).facts)
        yield Step(update, whole, any(id(fact) in known for fact in facts))


def edited_items(
    texts: list[tuple[Edit, bytes]], data: bytes
) -> Iterator[tuple[TranslationUnit, TranslationUnit, ItemKey]]:
    """Two states of a unit before and after an edit of one item, with that item."""
    before = unit_of(data, headers=HEADERS)
    for _, after in texts:
        unit = unit_of(after, headers=HEADERS)
        key = edited_item(before, unit)
        if key is not None:
            yield before, unit, key
        before = unit


@dataclass(frozen=True)
class Step:
    """The results after one edit. `reused` is whether the update took anything from the previous result."""

    updated: object
    whole: object
    reused: bool


STAGES: dict[str, Callable[[list[tuple[Edit, bytes]], bytes], Iterator[Step]]] = {
    "preprocess": follow_preprocessing,
    "parse": follow_parsing,
    "type": follow_typing,
    "judge": follow_judging,
}


@pytest.mark.parametrize("stage", STAGES)
def test_an_update_equals_the_full_result(stage: str) -> None:
    chance = random.Random(17)
    steps = reused = 0
    for data in KERNELS:
        texts, text = [], data
        for edit in edits_of(data, chance):
            text = text[: edit.start] + edit.new + text[edit.old_end :]
            texts.append((edit, text))
        for step in STAGES[stage](texts, data):
            assert step.updated == step.whole
            steps, reused = steps + 1, reused + step.reused
    assert reused >= 10, f"{reused} of {steps} updates reused anything"


def test_a_kept_finding_is_dropped_when_its_entity_becomes_invalid() -> None:
    """The edits leave the conversion as it is, so that its finding is known from the state before."""
    statements = b"    out[0] += out[1] * 2;\n" * LOGGED_NODES
    data = (
        b"constant int c = 1;\nkernel void k(global int *out) {\n%s    global int *p = &c;\n    *p = 1;\n}\n"
        % statements
    )
    before = unit_of(data)
    unit = unit_of(data.replace(b"c = 1;", b"c;").replace(b"*p = 1;", b"*p = 2;"))
    key = unit.items[-1].key
    earlier = typed(before, key)
    previous = fact_judgement.full(before, key, earlier.facts, kept=True)
    facts = item_typing.update(earlier, unit.table(key), unit.names(key)).result.facts
    update = fact_judgement.update(previous, unit, key, facts)
    assert "pointer-conversion" in [finding.code for finding in previous.findings]
    assert update == fact_judgement.full(unit, key, typed(unit, key).facts)
    assert "pointer-conversion" not in [finding.code for finding in update.findings]
