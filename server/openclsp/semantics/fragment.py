"""Fragments: the expanded text of one document, divided into groups of items.

There is one group per chunk of the text. A unit has one fragment for the root document and one for each
header included between top-level items. Trees are not kept: later requests parse a chunk again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from tree_sitter import Node, Tree

from openclsp.dataclass import dataclass
from openclsp.semantics.bounds import MAXIMUM_CHUNK, MAXIMUM_CHUNKS, MAXIMUM_TEXT, Bound
from openclsp.semantics.items import Group, Item, item_of, with_other_numbers
from openclsp.semantics.renumbering import made_by_macros
from openclsp.semantics.table import Parsed, Table, build_table, located
from openclsp.source.alike import Alike, alike, as_declaration
from openclsp.source.checkpoint import Checkpoint, no_checkpoint
from openclsp.source.chunks import Braces, chunk_end, ends_by_itself
from openclsp.source.incremental import ExpandedEdit
from openclsp.source.macro_calls import quiet_calls, quiet_head
from openclsp.source.other_languages import evidence_of_another_language
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.tree import COMMENT, ERROR, TOKEN, kind_of, parse

_FEW = 4
_NEAR = 3
"""The number of chunks near an edit whose ends may change with it."""
_MAXIMUM_DROPPED = 2 << 20
"""The limit for the text of removed chunks kept for undo, in bytes."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """The effect of an update: new groups and removed items.

    Groups `first` to `last` (exclusive) are new; the items `gone` were in their place.
    """

    first: int
    last: int
    gone: list[Item]


class _Part(NamedTuple):
    """An item of a normalised chunk (`source.alike`): its node kind, byte range and table."""

    kind: int
    start: int
    end: int
    table: Table


class _Edited(NamedTuple):
    """The most recently edited chunk, if it is one item: its text, its normalised parse and its table."""

    text: bytes
    parsed: Parsed
    table: Table


class Fragment:
    """The expanded text of one document and its groups in source order."""

    def __init__(
        self,
        preprocessed: Preprocessed,
        *,
        main: bool,
        text: bytes | None = None,
        checkpoint: Checkpoint = no_checkpoint,
    ) -> None:
        """Cuts and parses the text.

        `text` replaces the expanded text with a reduced one: see `chunks.signatures`.
        """
        self.preprocessed = preprocessed
        self._text = preprocessed.text if text is None else text
        self.declared = text is not None
        """Whether its functions are reduced to declarations; then nothing in it is checked."""
        self.main = main
        """Whether its function bodies are checked, as those of the root document are."""
        self.groups: list[Group] = []
        self.size = len(preprocessed.text)
        self.bounded: list[Group] = []
        """Groups without items because of a limit."""
        self._hanging = 0
        """The index of the first group positioned from the end of the text."""
        self.doubtful: tuple[Preprocessed, list[Group], frozenset[Group]] | None = None
        """Cached result of `guesses.doubtful_groups`, with its inputs."""
        self._parsed: tuple[bytes, Alike, Tree] = (b"", alike(b""), parse(b""))
        self._edited: _Edited | None = None
        """The chunk produced by the last edit."""
        self._braces = Braces(b"")
        """The braces of the most recently edited chunk."""
        # groups removed by an edit that hid them (an opened comment, `#if 0`), for when it is undone
        self._dropped: dict[bytes, Group] = {}
        self._following: dict[bytes, bytes] = {}
        """Maps the text of a removed chunk to its successor's.

        Only successors whose end does not depend on what follows are included.
        """
        groups: list[Group] = []
        self._cut(groups, 0, ExpandedEdit(0, 0, 0), deque(), 0, {}, checkpoint)
        self.groups, self._hanging = groups, len(groups)
        self.bounded = [each for each in groups if each.bound is not None]

    def close(self) -> None:
        """Breaks the reference cycles between groups, items and the fragment: see `Engine.close`."""
        for group in self.groups:
            group.items = []
        self.groups = []
        self.bounded = []
        self.doubtful = None
        self._dropped.clear()
        self._following.clear()
        # replaced groups that are not yet collected still refer to the fragment
        del self.preprocessed, self._text, self._parsed, self._edited

    def update(self, preprocessed: Preprocessed, edits: Sequence[ExpandedEdit]) -> Replaced:
        """Takes the next state of the document and replaces the affected chunks.

        Rescanning starts at the chunk before the edit, whose end may depend on what follows it, and stops at
        the first old chunk after the edit whose end is unchanged. A chunk with the text of an old one keeps
        its items.
        """
        self.preprocessed, self._text = preprocessed, preprocessed.text
        if not edits:
            return Replaced(0, 0, [])
        groups = self.groups
        if groups and _is_beyond(len(groups) - 1, groups[-1].start):
            return self._cut_anew(groups)
        known: dict[bytes, Group] = {}
        first = at = self._begin(edits[0].start, 0)
        # groups before the edit store their offset from the start of the text, those after it from its end, so
        # that neither move; only groups between the previous edit and this one are converted
        for group in groups[self._hanging : first]:
            group.put(group.start)
        for group in groups[first : self._hanging]:
            group.hang()
        now = groups[:first]
        shift = 0
        pending = deque(edits)
        others = self._with_other_numbers(edits)
        while pending:
            edit = pending.popleft()
            # an edit of numbers alone replaces one group, without looking for its end and without parsing
            begin = self._holding(edit.start, at)
            other = others.get(begin)
            if other is not None and begin >= at:
                for group in groups[at:begin]:
                    group.put(group.start + shift)
                group = groups[begin]
                other.put(group.start + shift)
                now += groups[at:begin]
                now.append(other)
                at, shift = begin + 1, shift + len(other.text) - len(group.text)
                while pending and pending[0].start < group.end:
                    pending.popleft()
                continue
            begin = self._begin(edit.start, at)
            for group in groups[at:begin]:
                group.put(group.start + shift)
            now += groups[at:begin]
            at, shift = self._cut(now, begin, edit, pending, shift, known)
        gone = [item for group in groups[first:at] for item in group.items]
        last = self._hanging = len(now)
        now += groups[at:]
        if now and _is_beyond(len(now) - 1, now[-1].start):
            return self._cut_anew([*groups, *now])
        if self.bounded:
            replaced = set(groups[first:at])
            self.bounded = [each for each in self.bounded if each not in replaced]
        self.bounded += [each for each in now[first:last] if each.bound is not None]
        self._keep(known, lost=len(groups) - len(now))
        self.groups, self.size = now, len(preprocessed.text)
        return Replaced(first, last, gone)

    def _cut_anew(self, known: Sequence[Group]) -> Replaced:
        """Cuts the whole text again; chunks with the text of old ones keep their items.

        Needed if a limit that depends on the number of chunks before applies.
        """
        gone = [item for group in self.groups for item in group.items]
        now: list[Group] = []
        self._cut(
            now, len(self.groups), ExpandedEdit(0, 0, 0), deque(), 0, {each.text: each for each in known}
        )
        self.groups, self.size, self._hanging = now, len(self.preprocessed.text), len(now)
        self.bounded = [each for each in now if each.bound is not None]
        return Replaced(0, len(now), gone)

    def _holding(self, place: int, at: int) -> int:
        """The index of the group that holds byte `place`; the search begins at index `at`.

        Beyond the end of the text, it is that of the last group.
        """
        return bisect_right(self.groups, place, lo=at, key=_start) - 1

    def _begin(self, place: int, at: int) -> int:
        """The index of the first group that an edit at byte `place` may change.

        It is at least `at`. The group before the one that holds the byte is included if its end may depend on
        what follows.
        """
        number = self._holding(place, at)
        if number > at and not ends_by_itself(self.groups[number - 1].text):
            number -= 1
        return max(number, at)

    def _cut(
        self,
        made: list[Group],
        behind: int,
        edit: ExpandedEdit,
        pending: deque[ExpandedEdit],
        shift: int,
        known: dict[bytes, Group],
        checkpoint: Checkpoint = no_checkpoint,
    ) -> tuple[int, int]:
        """Appends new groups to `made`, replacing the old ones from index `behind` on.

        Stops when a new chunk that ends after the edit, and after each pending edit that it reaches, ends
        at the start of an old group. Returns the index of that group and the number of bytes by which it has
        moved.
        """
        groups, text = self.groups, self._text
        end = made[-1].end if made else 0
        edited = self._end_of_edited(behind, edit, pending, end, shift)
        least, shift = edit.new_end + shift, shift + edit.new_end - edit.old_end
        behind = _drop(groups, behind, edit.old_end, known)
        while end < len(text):
            start, beyond = end, _is_beyond(len(made), end)
            if beyond:
                end = len(text)
            elif edited < 0:
                end = self._end(end, made[-1].text if made else b"")
            else:
                end, edited = edited, -1
            checkpoint()
            made.append(self._group(start, end, known, beyond=beyond))
            while pending and pending[0].start + shift < end:
                edit = pending.popleft()
                least, shift = edit.new_end + shift, shift + edit.new_end - edit.old_end
                behind = _drop(groups, behind, edit.old_end, known)
            behind = _drop(groups, behind, end - shift, known)
            if end >= least and behind < len(groups) and groups[behind].start + shift == end:
                return behind, shift
        pending.clear()
        return _drop(groups, behind, groups[-1].end + 1 if groups else 0, known), shift

    def _end(self, start: int, previous: bytes) -> int:
        """The end of the chunk at byte `start`, after one with the text `previous`."""
        text = self._text
        following = self._following.get(previous)
        if following is not None and text.startswith(following, start):
            return start + len(following)
        return chunk_end(text, start)

    def _end_of_edited(
        self, number: int, edit: ExpandedEdit, pending: Sequence[ExpandedEdit], start: int, shift: int
    ) -> int:
        """The end of an edited chunk, derived from the braces around the edit; -1 if that is not possible.

        The chunk begins at `start` and replaces group `number`, which has moved by `shift` bytes.
        """
        if number >= len(self.groups):
            return -1
        group = self.groups[number]
        begin = group.start
        if (
            begin + shift != start
            or not begin < edit.start <= edit.old_end < group.end
            or (pending and pending[0].start <= group.end)
        ):
            return -1
        if self._braces.text != group.text:
            self._braces = Braces(group.text)
        first, last = edit.start - begin, edit.old_end - begin
        return self._braces.end_after(self._text, start, first, last, last + edit.new_end - edit.old_end)

    def _with_other_numbers(self, edits: Sequence[ExpandedEdit]) -> dict[int, Group]:
        """Groups, by index, to replace those in which only number literals change.

        Groups near any other edit are excluded, since that edit may change where they end.
        """
        groups, text = self.groups, self._text
        found: dict[int, Group] = {}
        others: list[tuple[int, int]] = []
        shift = before = 0
        pending = deque(edits)
        while pending:
            edit = pending.popleft()
            number = bisect_right(groups, edit.start, key=_start) - 1
            group = groups[number] if number >= 0 else None
            start, last, by = edit.start, edit.old_end, edit.new_end - edit.old_end
            while pending and group is not None and pending[0].start < group.end:
                edit = pending.popleft()
                last, by = edit.old_end, by + edit.new_end - edit.old_end
            other = None
            # a group that begins inside the previous edit's deleted range no longer exists
            if group is not None and before <= group.start and last < group.end:
                begin = group.start + shift
                other = with_other_numbers(group, text[begin : begin + len(group.text) + by], start, last)
            if other is None:
                others.append((number, bisect_right(groups, last, key=_start) - 1))
            else:
                found[number] = other
            before, shift = last, shift + by
        return {
            number: group
            for number, group in found.items()
            if not any(first - _NEAR <= number <= last + _NEAR for first, last in others)
        }

    def _keep(self, known: dict[bytes, Group], lost: int) -> None:
        """Keeps groups removed without replacement: edits that hide code are often undone."""
        if lost < _FEW:
            return
        dropped = self._dropped
        dropped.update(known)
        self._following = {
            chunk: following for chunk, following in pairwise(known) if ends_by_itself(following)
        }
        size = sum(map(len, dropped))
        while size > _MAXIMUM_DROPPED:
            oldest = next(iter(dropped))
            del dropped[oldest]
            size -= len(oldest)

    def _group(self, start: int, end: int, known: dict[bytes, Group], *, beyond: bool) -> Group:
        """The group of the chunk between two bytes: reused if an old one has its text, else parsed."""
        text = self._text[start:end]
        group = known.pop(text, None) or self._dropped.pop(text, None)
        if group is not None and (group.bound is Bound.REST) is (beyond and not text.isspace()):
            group.put(start)
            return group
        group = Group(self, text, foreign=evidence_of_another_language(text))
        group.put(start)
        # a line end after the last declaration does not count as omitted code
        beyond = beyond and not text.isspace()
        if beyond or len(text) > MAXIMUM_CHUNK:
            group.bound = Bound.REST if beyond else Bound.CHUNK
            return group
        names = as_declaration(alike(quiet_head(text)))
        edited, before = self._edited, None
        # after an edit within a name the normalised text is the same, and so are tree and table
        if edited is not None and edited.parsed.text == names.text:
            before = edited.parsed
            found = [_Part(before.kind, before.base, before.end, before.table)]
            group.faulty = before.tree.root_node.has_error
        else:
            names, tree = _parsed(text, names)
            if edited is not None and edited.text in known:
                before = edited.parsed
            found = []
            root = tree.root_node
            # if the parser cannot resynchronise, the root itself is the ERROR node
            for node in (root,) if kind_of(root) == ERROR else root.children:
                if kind_of(node) in (COMMENT, TOKEN):
                    continue
                pending = [node]
                while pending:
                    inner = pending.pop()
                    table = build_table(inner, names.text, tree, before)
                    found.append(_Part(kind_of(inner), inner.start_byte, inner.end_byte, table))
                    pending.extend(reversed(table.nested))
                    table.nested = []
            before = Parsed(names.text, tree, inner, table) if len(found) == 1 else None
            group.faulty = tree.root_node.has_error
        expanded = () if group.faulty else made_by_macros(self.preprocessed.source_map, start, end)
        for part in found:
            table = located(part.table, part.start, names, text)
            if table.leaves:
                first, last = names.real(part.start), names.real(part.end)
                group.items.append(item_of(group, part.kind, first, last, table, expanded))
        if before is not None and self.groups:
            self._edited = _Edited(text, before, table)
        return group

    def table_of(self, item: Item) -> Table:
        """The table of an item; parses its chunk again if the table is no longer kept."""
        if item.table is not None:
            return item.table
        text, edited = item.group.text, self._edited
        if edited is not None and edited.text is text:
            return edited.table
        if self._parsed[0] is not text:
            # of several items in one chunk the next ones find the tree
            self._parsed = text, *_parsed(text, as_declaration(alike(quiet_head(text))))
        _, names, tree = self._parsed
        node: Node | None = tree.root_node.descendant_for_byte_range(
            names.offset(item.offset), names.offset(item.offset + item.length)
        )
        while node is not None and kind_of(node) != item.kind:
            node = node.parent
        while node is not None and node.parent is not None and _is_same(node, node.parent):
            node = node.parent
        assert node is not None, "an item's chunk parses as it did when the item was cut"
        return located(build_table(node, names.text), node.start_byte, names, text)


def _parsed(text: bytes, names: Alike) -> tuple[Alike, Tree]:
    """Parses a chunk in normalised form (see `source.alike`).

    If there are errors, macro calls whose arguments follow no grammar are blanked, and the chunk is parsed
    again.
    """
    tree = parse(names.text)
    if not tree.root_node.has_error:
        return names, tree
    head = quiet_head(text)
    quiet = quiet_calls(head)
    if quiet == head:
        return names, tree
    names = alike(quiet)
    return names, parse(names.text)


def _is_beyond(number: int, start: int) -> bool:
    """Whether chunk `number`, at byte `start`, exceeds the limits of a document."""
    return number >= MAXIMUM_CHUNKS or start >= MAXIMUM_TEXT


def _is_same(inner: Node, outer: Node) -> bool:
    return (
        kind_of(inner) == kind_of(outer)
        and inner.start_byte == outer.start_byte
        and inner.end_byte == outer.end_byte
    )


def _start(group: Group) -> int:
    return group.start


def _drop(groups: list[Group], behind: int, before: int, known: dict[bytes, Group]) -> int:
    """Skips groups from index `behind` on that begin before byte `before`.

    Adds them to `known`, and returns the index of the next one.
    """
    while behind < len(groups) and groups[behind].start < before:
        known[groups[behind].text] = groups[behind]
        behind += 1
    return behind
