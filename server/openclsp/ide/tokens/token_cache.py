"""The cache of the semantic tokens of a document, by groups of items.

The tokens of a group are relative to the start of the group. After an edit, only the groups that were edited
or whose meanings changed are recomputed, and the response contains the delta to the previous one.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import field
from itertools import count
from typing import cast

from openclsp.dataclass import dataclass
from openclsp.ide.tokens.token_blocks import (
    TokenBlock,
    TokenInputs,
    compute_macro_meanings,
    compute_token_block,
    find_logical_line_start,
)
from openclsp.ide.tokens.token_deltas import (
    MAXIMUM_EARLIER_RESPONSES,
    EarlierResponse,
    TokenDelta,
    TokenResponses,
    find_changed_runs,
    replace_numbers,
)
from openclsp.language.spaces import Space
from openclsp.semantics.database.derived_queries import TOKEN_MEANINGS
from openclsp.semantics.database.query_database import Query
from openclsp.semantics.database.unit_inputs import CONTENT
from openclsp.semantics.facts.entities import ItemKey
from openclsp.semantics.flow.flow_queries import POINTS_TO
from openclsp.semantics.flow.transfers import NAMED, SPACE_OF_BIT, UNKNOWN
from openclsp.semantics.items.item import Item, ItemGroup
from openclsp.semantics.items.unit_part import UnitPart
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.typing.token_meanings import SPACES, word_meanings
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.row_map import BLANK, RowMap
from openclsp.source.shared_ends import shared_ends
from openclsp.source.text import Encoding, Text, difference
from openclsp.source.touched_rows import is_spliced


@dataclass(frozen=True, slots=True)
class SemanticTokensResult:
    """All tokens of a document in the encoding of LSP, with five numbers for each token.

    `deltas` contains the changes since the response that the client has; None if that is not remembered.
    """

    identity: str
    numbers: array[int]
    deltas: tuple[TokenDelta, ...] | None = None


_identities = count(1)


def make_identity() -> str:
    """Creates a new identity for a response."""
    return str(next(_identities))


def _meanings(unit: TranslationUnit, key: ItemKey) -> array[int]:
    if not unit.database.read(CONTENT, key):
        return array("H")
    kept = unit.database.get(TOKEN_MEANINGS, key)
    inferred = [
        (token_index, SPACE_OF_BIT[bits & NAMED])
        for held in unit.database.read(POINTS_TO, key).functions
        for token_index, bits in held.names
        if bits & NAMED in SPACE_OF_BIT and not bits & UNKNOWN
        # A request for some lines does not wait for the flow analysis, so the flow may be that of an earlier
        # text, whose tokens have other indices.
        if token_index < len(kept) and kept[token_index] & SPACES[Space.GENERIC]
    ]
    if inferred:
        kept = kept[:]
        for token_index, space in inferred:
            kept[token_index] |= SPACES[space]
    return kept


FLOW_TOKEN_MEANINGS: Query[ItemKey, array[int]] = Query("flow token meanings", _meanings, array("H"))
"""The meanings of an item's tokens, including results of the flow analysis.

A generic pointer also has the address space that the flow analysis finds, if it is unique.
"""


@dataclass(slots=True)
class TokenCache:
    """The token cache of one document of a unit.

    - `blocks` contains the tokens of each group of items in `groups`; None for a group whose tokens must be
      recomputed.
    - `pending` contains the keys of the items whose blocks must be checked. It is one of the unit's
      `change_listeners`: items of equal kind and name are numbered, so an item that is added to a header can
      change the key of an item of this document.
    """

    document: str
    part: UnitPart
    encoding: Encoding
    preprocessed: Preprocessed
    macros: Mapping[bytes, int]
    groups: list[ItemGroup]
    blocks: list[TokenBlock | None]
    responses: TokenResponses = field(default_factory=TokenResponses)
    pending: set[ItemKey] = field(default_factory=set)

    def update(self, unit: TranslationUnit, part: UnitPart) -> None:
        """Updates the cache to the next state of the document; blocks that may have changed become None."""
        before, now = self.preprocessed, part.preprocessed
        suspects = unit.database.watch(FLOW_TOKEN_MEANINGS)
        self.pending |= suspects
        suspects.clear()
        # A header that was spliced into another part in between has a new part of the same text.
        if part is not self.part or now is not before:
            self.part = part
            self._splice_groups(part.groups)
        if now is before:
            return
        self.preprocessed = now
        changed = difference(before.code.text.data, now.code.text.data)
        if changed is not None:
            text, text_before = now.code.text, before.code.text
            last, last_before = text.line_of(changed[2]), text_before.line_of(changed[1])
            # the edit may have ended a logical line that went on below it
            below = max(
                _last_of_logical_line(text, last) - last,
                _last_of_logical_line(text_before, last_before) - last_before,
            )
            self._invalidate_lines(text.line_of(changed[0]), last + below)
        if now.source_map.history is not before.source_map.history:
            macros = compute_macro_meanings(now.source_map)
            both = self.macros.keys() | macros.keys()
            others = {name for name in both if self.macros.get(name) != macros.get(name)}
            self.macros = macros
            for index, group in enumerate(self.groups):
                block, rows = self.blocks[index], self._rows(group)
                # blocks with directives are recomputed as well: the directives may be inactive now
                if block is not None and (
                    rows != block.line_mapping
                    or BLANK in rows
                    or not others.isdisjoint(block.looked_up_names)
                ):
                    lines = now.source_map.lines
                    last = lines.find(max(group.end - 1, group.start))
                    self._invalidate_lines(
                        lines.find(group.start), _last_of_logical_line(now.source_map.document.text, last)
                    )

    def _splice_groups(self, now: list[ItemGroup]) -> None:
        before = self.groups
        front, back = shared_ends(before, now)
        gone, come = before[front : len(before) - back], now[front : len(now) - back]
        self.groups = now[:]
        if not gone and not come:
            return
        # A new group may equal an old one at another place with another column; its block is reused only if
        # the group starts on a line of its own.
        known = {
            group: block
            for group, block in zip(gone, self.blocks[front : len(before) - back], strict=True)
            if b"\n" in group.text[: len(group.text) - len(group.text.lstrip())]
        }
        self.blocks[front : len(before) - back] = [known.get(group) for group in come]
        for group in come:
            if group not in known:
                self._invalidate_dependents(group)

    def _index(self, group_start: int) -> int:
        return bisect_right(self.groups, group_start, key=_start) - 1

    def _rows(self, group: ItemGroup) -> tuple[RowMap | None, ...]:
        source_map = self.preprocessed.source_map
        lines = source_map.lines
        first, last = lines.find(group.start), lines.find(max(group.end - 1, group.start))
        rows = tuple(source_map.rows[first : last + 1])
        return rows if any(rows) else ()

    def _invalidate_lines(self, first: int, last: int) -> None:
        """Invalidates the blocks of the groups in the lines `first` to `last`.

        The earlier lines of the same logical line are included, because a logical line that macro expansion
        changes is read as a whole.
        """
        source_map = self.preprocessed.source_map
        lines, size = source_map.lines, len(self.preprocessed.text)
        text = source_map.document.text
        first = min(first, len(source_map.rows) - 1)
        while is_spliced(text, first):
            first -= 1
        first = find_logical_line_start(source_map.rows, first, text)
        start = lines.start(first) if first < lines.count else size
        end = lines.start(last + 1) if last + 1 < lines.count else size
        low, high = self._index(start) - 1, self._index(end) + 1
        for index in range(max(low, 0), min(high, len(self.blocks))):
            self.blocks[index] = None

    def _invalidate_dependents(self, group: ItemGroup) -> None:
        """Invalidates the blocks of other groups that depend on the meanings of this group's tokens.

        An expanded line that differs from its raw line belongs to the group that contains its first byte,
        which may be an earlier group. The later lines of a macro call belong to the groups that contain these
        lines, which may be later groups.
        """
        source_map = self.preprocessed.source_map
        lines, rows = source_map.lines, source_map.rows
        first, last = lines.find(group.start), lines.find(max(group.end - 1, group.start))
        if first < len(rows) and rows[first] is not None:
            begin = find_logical_line_start(rows, first, source_map.document.text)
            for index in range(max(self._index(lines.start(begin)), 0), self._index(lines.start(first)) + 1):
                self.blocks[index] = None
        row = last + 1
        while row < len(rows):
            mapped = rows[row]
            if mapped is None or not mapped.home:
                break
            self.blocks[self._index(lines.start(row))] = None
            row += 1

    def _check_pending(self, unit: TranslationUnit) -> None:
        """Invalidates the blocks of groups with an item in which the meaning of a token changed.

        Only the items in `pending` are checked, because the meanings in the others cannot have changed.
        """
        by_key = unit.by_key
        # An item is discarded only after its check: if a query is cancelled, the next call continues with
        # this item.
        while self.pending:
            key = next(iter(self.pending))
            item = by_key.get(key)
            if item is not None and item.group.part is self.part:
                index = self._index(item.group.start)
                while index >= 0 and self.groups[index] is not item.group:
                    index -= 1
                if index >= 0 and not self._is_current(unit, item, self.blocks[index]):
                    self.blocks[index] = None
                    self._invalidate_dependents(item.group)
            self.pending.discard(key)

    def _is_current(self, unit: TranslationUnit, item: Item, block: TokenBlock | None) -> bool:
        """Whether a block has the present meanings of an item's tokens.

        False if the block was invalidated. Its meanings are lost then, but other groups may have tokens with them.
        """
        if block is None:
            return False
        at = item.group.items.index(item)
        return at < len(block.meanings) and block.meanings[at] is unit.database.get(
            FLOW_TOKEN_MEANINGS, item.key
        )

    def _token_inputs(self, unit: TranslationUnit) -> TokenInputs:
        def meanings_of(item: Item) -> array[int]:
            return unit.database.get(FLOW_TOKEN_MEANINGS, item.key)

        return TokenInputs(self.part, meanings_of, word_meanings(unit.dialect), self.encoding, self.macros)

    def tokens_between(self, unit: TranslationUnit, first: int, last: int) -> list[int]:
        """Computes the tokens of the lines from `first` to `last` (inclusive).

        The first token is encoded relative to the start of the document, each other one relative to the token
        before it.
        """
        self._check_pending(unit)
        lines, size = self.preprocessed.source_map.lines, len(self.preprocessed.text)
        start = lines.start(first) if first < lines.count else size
        end = lines.start(last + 1) if last + 1 < lines.count else size
        found: list[int] = []
        row = column = 0
        inputs = self._token_inputs(unit)
        # one group more on both sides: a line that differs from its raw line is read by the group that starts
        # it
        for index in range(max(self._index(start) - 1, 0), min(self._index(end) + 1, len(self.blocks))):
            at, place = self._first_line(index), 0
            numbers = self._block(inputs, index).numbers
            for down, across, *rest in zip(*(numbers[part::5] for part in range(5)), strict=True):
                at, place = at + down, across if down else place + across
                if first <= at <= last:
                    found += (at - row, place - column if at == row else place, *rest)
                    row, column = at, place
        return found

    def respond(self, unit: TranslationUnit, since: str) -> SemanticTokensResult:
        """Returns all tokens, and the delta to the response that `since` identifies."""
        self._check_pending(unit)
        inputs = self._token_inputs(unit)
        while None in self.blocks:
            self._block(inputs, self.blocks.index(None))
        before = self.responses
        length, latest = len(before.numbers), since == before.identity
        splices = self._update_numbers(before)
        if splices or not before.identity:
            # Each remembered response shrinks its unchanged front and back by this change, so that a delta to
            # any of them can be computed without storing their numbers.
            front = min((each.start for each in splices), default=length)
            back = length - max((each.start + each.count for each in splices), default=length)
            for each in before.earlier.values():
                each.front, each.back = min(each.front, front), min(each.back, back)
            now = len(before.numbers)
            before.identity = make_identity()
            before.earlier[before.identity] = EarlierResponse(now, now, now)
            if len(before.earlier) > MAXIMUM_EARLIER_RESPONSES:
                del before.earlier[next(iter(before.earlier))]
        if latest and since:
            return SemanticTokensResult(before.identity, before.numbers, tuple(splices))
        past = before.earlier.get(since)
        return SemanticTokensResult(
            before.identity, before.numbers, past.delta_to(before.numbers) if past else None
        )

    def _update_numbers(self, before: TokenResponses) -> list[TokenDelta]:
        """Updates the previous response, which consists of encoded tokens, to the tokens of the current blocks.

        Returns the changes as deltas, the last one in the document first.
        """
        now = cast("list[TokenBlock]", self.blocks)
        splices: list[TokenDelta] = []
        for first, last, begin, end in find_changed_runs(before.blocks, now):
            counts = [len(block.numbers) for block in now[begin:end]]
            numbers = array("I")
            for index in range(begin, end):
                if now[index].numbers:
                    numbers += self._first_numbers(index)
                    numbers += now[index].numbers[2:]
            following = end
            while following < len(now) and not now[following].numbers:
                following += 1
            start = sum(before.counts[:first])
            stop = start + sum(before.counts[first:last])
            if following < len(now):
                # the first token after the run is encoded relative to the run's last token, so it changes as
                # well
                numbers += self._first_numbers(following)
                stop += 2
            before.counts[first:last] = counts
            splices += replace_numbers(before.numbers, start, stop, numbers)
        before.blocks = now[:]
        return splices

    def _first_numbers(self, index: int) -> array[int]:
        """Returns the first two numbers of a block: its first token's distance from the preceding token."""
        blocks = cast("list[TokenBlock]", self.blocks)
        row, column = self._first_line(index) + blocks[index].numbers[0], blocks[index].numbers[1]
        preceding = index - 1
        while preceding >= 0 and not blocks[preceding].numbers:
            preceding -= 1
        if preceding < 0:
            return array("I", (row, column))
        down = max(row - self._first_line(preceding) - blocks[preceding].last_line, 0)
        return array("I", (down, column if down else max(column - blocks[preceding].last_column, 0)))

    def _block(self, inputs: TokenInputs, index: int) -> TokenBlock:
        block = self.blocks[index]
        if block is None:
            block = self.blocks[index] = compute_token_block(inputs, self.groups[index])
        return block

    def _first_line(self, index: int) -> int:
        return self.preprocessed.source_map.lines.find(self.groups[index].start)


def _last_of_logical_line(text: Text, line: int) -> int:
    """Returns the last line of the logical line that contains `line`."""
    while line + 1 < text.line_count and is_spliced(text, line + 1):
        line += 1
    return line


def _start(group: ItemGroup) -> int:
    return group.start
