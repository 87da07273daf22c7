"""Fragments: one document's expanded text each, cut into groups of items, one group for each chunk of the text.

A unit has one for the main document and one for each header between its top-level items. Trees are not kept: what is asked
later parses a chunk again.
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
"""Groups so far from an edit may end elsewhere after it."""
_MAXIMUM_DROPPED = 2 << 20
"""Bytes of text of the chunks that are kept though they are gone."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """Of a fragment's groups, those from `first` to `last` (exclusive) are new; `gone` are the items that were in the
    place of theirs."""

    first: int
    last: int
    gone: list[Item]


class _Part(NamedTuple):
    """An item of a chunk with its names alike: its kind, where it is, and its table."""

    kind: int
    start: int
    end: int
    table: Table


class _Edited(NamedTuple):
    """A chunk that is one item: its text, what was parsed of it with its names alike, and its table."""

    text: bytes
    parsed: Parsed
    table: Table


class Fragment:
    """One document's expanded text and its groups in order. `main` tells the root document's."""

    def __init__(
        self,
        preprocessed: Preprocessed,
        *,
        main: bool,
        text: bytes | None = None,
        checkpoint: Checkpoint = no_checkpoint,
    ) -> None:
        """`text` stands for the expanded text where only a part of that is wanted: see `chunks.signatures`."""
        self.preprocessed = preprocessed
        self._text = preprocessed.text if text is None else text
        self.declared = text is not None
        """Whether its functions are only declared: then nothing is judged in it"""
        self.main = main
        """Whether the bodies of its functions are looked at, as those of the root document are"""
        self.groups: list[Group] = []
        self.size = len(preprocessed.text)
        self.bounded: list[Group] = []
        """Those that have no items because of a bound"""
        self._hanging = 0
        """The number of the first group that moves with the text's end"""
        self.doubtful: tuple[Preprocessed, list[Group], frozenset[Group]] | None = None
        """What was found last by `guesses.doubtful_groups`, and of what"""
        self._parsed: tuple[bytes, Alike, Tree] = (b"", alike(b""), parse(b""))
        self._edited: _Edited | None = None
        """The chunk that an edit made last"""
        self._braces = Braces(b"")
        """Those of the chunk that was edited last"""
        self._dropped: dict[bytes, Group] = {}
        self._following: dict[bytes, bytes] = {}
        """Of the chunks that went last, that which followed another, if it ends by itself"""
        groups: list[Group] = []
        self._cut(groups, 0, ExpandedEdit(0, 0, 0), deque(), 0, {}, checkpoint)
        self.groups, self._hanging = groups, len(groups)
        self.bounded = [each for each in groups if each.bound is not None]

    def close(self) -> None:
        """Let go of the groups and their items, which know each other and the fragment: see `Engine.close`."""
        for group in self.groups:
            group.items = []
        self.groups = []
        self.bounded = []
        self.doubtful = None
        self._dropped.clear()
        self._following.clear()
        # groups that edits have replaced, and not yet found to be garbage, know the fragment as well
        del self.preprocessed, self._text, self._parsed, self._edited

    def update(self, preprocessed: Preprocessed, edits: Sequence[ExpandedEdit]) -> Replaced:
        """Take the next state of the document. For each edit chunks are found anew from the one before it (whose end may
        depend on what follows) up to where a chunk behind it ends as it did; what has the same text keeps its items."""
        self.preprocessed, self._text = preprocessed, preprocessed.text
        if not edits:
            return Replaced(0, 0, [])
        groups = self.groups
        if groups and _is_beyond(len(groups) - 1, groups[-1].start):
            return self._cut_anew(groups)
        known: dict[bytes, Group] = {}
        first = at = self._begin(edits[0].start, 0)
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
        """Find all chunks anew, where that hangs on how many there are before; what has the same text keeps its items."""
        gone = [item for group in self.groups for item in group.items]
        now: list[Group] = []
        self._cut(
            now, len(self.groups), ExpandedEdit(0, 0, 0), deque(), 0, {each.text: each for each in known}
        )
        self.groups, self.size, self._hanging = now, len(self.preprocessed.text), len(now)
        self.bounded = [each for each in now if each.bound is not None]
        return Replaced(0, len(now), gone)

    def _holding(self, place: int, at: int) -> int:
        """The number of the group that holds a byte, from number `at` on; that of the last one behind the text."""
        return bisect_right(self.groups, place, lo=at, key=_start) - 1

    def _begin(self, place: int, at: int) -> int:
        """The number of the first group, from number `at` on, that an edit at a byte may change: the one before that which holds
        it may end before what follows it."""
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
        """Make groups after those in `made`, in the place of those from number `behind` on, until a chunk that ends behind
        the edit, and behind each of the pending ones that it reaches, ends where a group begins. The number of this group,
        and by how much it has moved."""
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
        """The end of the chunk that begins at `start`, behind that text."""
        text = self._text
        following = self._following.get(previous)
        if following is not None and text.startswith(following, start):
            return start + len(following)
        return chunk_end(text, start)

    def _end_of_edited(
        self, number: int, edit: ExpandedEdit, pending: Sequence[ExpandedEdit], start: int, shift: int
    ) -> int:
        """The end of the chunk that begins at `start`, in the place of a group that has moved by `shift`, if that is found by what
        stands around the edit within it; else -1."""
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
        """The groups that stand in the place of those, by number, of which the edits change numbers alone, far from all
        others that they change."""
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
            # one that begins inside of what the edit before took out begins nowhere now
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
        """Keep groups that went without others in their place: a comment or a branch that swallows them is often undone."""
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
        text = self._text[start:end]
        group = known.pop(text, None) or self._dropped.pop(text, None)
        if group is not None and (group.bound is Bound.REST) is (beyond and not text.isspace()):
            group.put(start)
            return group
        group = Group(self, text, foreign=evidence_of_another_language(text))
        group.put(start)
        # a line's end behind the last declaration is nothing that is left out
        beyond = beyond and not text.isspace()
        if beyond or len(text) > MAXIMUM_CHUNK:
            group.bound = Bound.REST if beyond else Bound.CHUNK
            return group
        names = as_declaration(alike(quiet_head(text)))
        edited, before = self._edited, None
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
            # where the parser finds no end of an error, that is all that there is
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
        """The table of an item."""
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
    """The tree of a chunk, by its text with its names alike. Where that is faulty, calls whose arguments follow no grammar are
    read without these."""
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
    """Whether a document is cut no further at the chunk of a number that begins at a byte."""
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
    """The number of the first group from number `behind` on that begins at `before` or later; those passed over are known."""
    while behind < len(groups) and groups[behind].start < before:
        known[groups[behind].text] = groups[behind]
        behind += 1
    return behind
