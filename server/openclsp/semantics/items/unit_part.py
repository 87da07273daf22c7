"""A part of a unit: the expanded text of one of its documents, divided into groups of items.

There is one group per chunk of the text. A unit has one part for the root document and one for each
header included between top-level items. Only the tree of the last edited chunk is kept (`ChunkParser`):
later requests parse other chunks again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Sequence
from itertools import pairwise

from openclsp.dataclass import dataclass
from openclsp.semantics.items.changed_numbers import groups_with_changed_numbers
from openclsp.semantics.items.chunk_parser import ChunkParser
from openclsp.semantics.items.item import ExpandedDocument, Item, ItemGroup
from openclsp.semantics.items.number_edits import made_by_macros
from openclsp.semantics.items.parsed_groups import ParsedGroups
from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.limits import (
    MAXIMUM_CHUNK,
    MAXIMUM_CHUNKS,
    MAXIMUM_TEXT,
    Limit,
)
from openclsp.source.checkpoint import Checkpoint, no_checkpoint
from openclsp.source.chunks import FunctionBraces, chunk_end, is_self_delimiting
from openclsp.source.incremental_preprocessing import ExpandedEdit
from openclsp.source.other_languages import evidence_of_another_language
from openclsp.source.preprocessed import Preprocessed

_MINIMUM_LOST = 4
_MAXIMUM_DROPPED = 2 << 20
"""The limit for the text of removed chunks kept for undo, in bytes."""


@dataclass(frozen=True, slots=True, eq=False)
class UnitPartUpdate:
    """An updated part. Groups `first` to `last` (exclusive) are new; they replace the items `removed`."""

    result: UnitPart
    first: int
    last: int
    removed: list[Item]


class UnitPart(ExpandedDocument):
    """The expanded text of one document and its items, grouped by chunk in source order.

    `full` creates a part, and `update` updates a part after an edit. An updated part has the same items as a
    new part of the edited text (`tests/test_reuse_contracts.py`).
    """

    def __init__(
        self,
        preprocessed: Preprocessed,
        *,
        checks_bodies: bool,
        text: bytes | None = None,
        tracks_numbers: bool = True,
    ) -> None:
        """Makes a part without groups; the parameters have the same meaning as for `full`."""
        super().__init__(preprocessed, checks_bodies=checks_bodies, declared=text is not None)
        self._text = preprocessed.text if text is None else text
        self.groups: list[ItemGroup] = []
        self.over_limit: list[ItemGroup] = []
        """Groups without items because of a limit."""
        self._first_anchored_to_end = 0
        """The index of the first group positioned from the end of the text."""
        self.damaged: tuple[Preprocessed, list[ItemGroup], frozenset[ItemGroup]] | None = None
        """Cached result of `guessed_conditions.damaged_groups`, with its inputs."""
        self._tracks_numbers = tracks_numbers
        self._parser = ChunkParser()
        self._equal: ParsedGroups | None = None
        """The groups to copy for chunks with an equal text, while `full` cuts the text."""
        self._edits: Sequence[ExpandedEdit] = ()
        """The edits of the last update."""
        self._braces = FunctionBraces(b"")
        """The braces of the most recently edited chunk."""
        # groups removed by an edit that hid them (an opened comment, `#if 0`), for when it is undone
        self._dropped: dict[bytes, ItemGroup] = {}
        self._following: dict[bytes, bytes] = {}
        """Maps the text of a removed chunk to its successor's.

        Only successors whose end does not depend on what follows are included.
        """

    def copy(self) -> UnitPart:
        """Returns a copy of this part, with copies of its groups and items, to be used in another unit."""
        made = UnitPart(
            self.preprocessed, checks_bodies=self.checks_bodies, tracks_numbers=self._tracks_numbers
        )
        made._set_groups([each.copy(made) for each in self.groups])
        return made

    def _set_groups(self, groups: list[ItemGroup]) -> None:
        """Replaces all groups. The new groups must be anchored to the start of the text."""
        self.groups, self._first_anchored_to_end = groups, len(groups)
        self.over_limit = [each for each in groups if each.bound is not None]

    def close(self) -> None:
        """Breaks the reference cycles between groups, items and the part: see `QueryDatabase.close`."""
        for group in self.groups:
            group.items = []
        self.groups = []
        self.over_limit = []
        self.damaged = None
        self._dropped.clear()
        self._following.clear()
        # replaced groups that are not yet collected still refer to the part
        super().close()
        del self._text, self._parser

    @classmethod
    def full(
        cls,
        preprocessed: Preprocessed,
        *,
        checks_bodies: bool,
        text: bytes | None = None,
        checkpoint: Checkpoint = no_checkpoint,
        equal: ParsedGroups | None = None,
        tracks_numbers: bool = True,
    ) -> UnitPart:
        """Cuts a document's expanded text into chunks, parses them, and returns the part.

        - `checks_bodies`: whether function bodies in the document are checked.
        - `text`: a text of declarations only (see `chunks.signatures`), which replaces the expanded text.
        - `equal`: groups to reuse, by chunk. A chunk with a group gets copies of its items; the group of any
          other chunk is added.
        - `tracks_numbers`: whether `Item.numbers` records the number literals that come from macros. This
          makes edits of these macros cheap, but costs 4% of the time of a run over many files.
        """
        made = UnitPart(preprocessed, checks_bodies=checks_bodies, text=text, tracks_numbers=tracks_numbers)
        made._equal = equal
        groups: list[ItemGroup] = []
        made._cut_chunks(groups, 0, ExpandedEdit(0, 0, 0), deque(), 0, {}, checkpoint)
        made._parser.forget_shapes()
        made._equal = None
        made._set_groups(groups)
        return made

    def update(self, preprocessed: Preprocessed, edits: Sequence[ExpandedEdit]) -> UnitPartUpdate:
        """Updates the part to the next state of the document, and replaces the affected chunks.

        Cutting starts at the edited chunk, or at the chunk before it if the end of that chunk may depend on
        what follows. It stops as soon as a new chunk ends where an old chunk begins. A new chunk with the
        text of an old one keeps its items.
        """
        self.preprocessed, self._text, self._edits = preprocessed, preprocessed.text, edits
        if not edits:
            return UnitPartUpdate(self, 0, 0, [])
        groups = self.groups
        if groups and _is_beyond(len(groups) - 1, groups[-1].start):
            return self._recut_all(groups)
        old_by_text: dict[bytes, ItemGroup] = {}
        first = index = self._first_affected_group(edits[0].start, 0)
        # groups before the edit store their offset from the start of the text, those after it from its end, so
        # that neither move; only groups between the previous edit and this one are converted
        for group in groups[self._first_anchored_to_end : first]:
            group.anchor_to_start(group.start)
        for group in groups[first : self._first_anchored_to_end]:
            group.anchor_to_end()
        new_groups = groups[:first]
        shift = 0
        pending = deque(edits)
        renumbered = groups_with_changed_numbers(groups, self._text, edits)
        while pending:
            edit = pending.popleft()
            # an edit of numbers alone replaces one group, without looking for its end and without parsing
            affected = self._group_index(edit.start, index)
            replacement = renumbered.get(affected)
            if replacement is not None and affected >= index:
                for group in groups[index:affected]:
                    group.anchor_to_start(group.start + shift)
                group = groups[affected]
                replacement.anchor_to_start(group.start + shift)
                new_groups += groups[index:affected]
                new_groups.append(replacement)
                index, shift = affected + 1, shift + len(replacement.text) - len(group.text)
                while pending and pending[0].start < group.end:
                    pending.popleft()
                continue
            affected = self._first_affected_group(edit.start, index)
            for group in groups[index:affected]:
                group.anchor_to_start(group.start + shift)
            new_groups += groups[index:affected]
            index, shift = self._cut_chunks(new_groups, affected, edit, pending, shift, old_by_text)
        removed = [item for group in groups[first:index] for item in group.items]
        last = self._first_anchored_to_end = len(new_groups)
        new_groups += groups[index:]
        if new_groups and _is_beyond(len(new_groups) - 1, new_groups[-1].start):
            return self._recut_all([*groups, *new_groups])
        if self.over_limit:
            replaced = set(groups[first:index])
            self.over_limit = [each for each in self.over_limit if each not in replaced]
        self.over_limit += [each for each in new_groups[first:last] if each.bound is not None]
        self._keep_removed(old_by_text, lost=len(groups) - len(new_groups))
        self.groups, self.size = new_groups, len(preprocessed.text)
        return UnitPartUpdate(self, first, last, removed)

    def _recut_all(self, known: Sequence[ItemGroup]) -> UnitPartUpdate:
        """Cuts the whole text again; a chunk with the text of a group in `known` gets the group's items.

        This is necessary if the limit on the number or the total size of chunks is reached.
        """
        removed = [item for group in self.groups for item in group.items]
        new_groups: list[ItemGroup] = []
        by_text = {each.text: each for each in known}
        self._cut_chunks(new_groups, len(self.groups), ExpandedEdit(0, 0, 0), deque(), 0, by_text)
        self._set_groups(new_groups)
        self.size = len(self.preprocessed.text)
        return UnitPartUpdate(self, 0, len(new_groups), removed)

    def _group_index(self, place: int, at: int) -> int:
        """Returns the index of the group that contains byte `place`; the search begins at index `at`.

        If the byte is beyond the end of the text, returns the index of the last group.
        """
        return bisect_right(self.groups, place, lo=at, key=_start) - 1

    def _first_affected_group(self, place: int, at: int) -> int:
        """Returns the index of the first group, at least `at`, that an edit at byte `place` may change.

        This is the group that contains the byte. It is the group before that if the end of the earlier group
        may depend on the text after it.
        """
        number = self._group_index(place, at)
        if number > at and not is_self_delimiting(self.groups[number - 1].text):
            number -= 1
        return max(number, at)

    def _cut_chunks(
        self,
        new_groups: list[ItemGroup],
        old_index: int,
        edit: ExpandedEdit,
        pending: deque[ExpandedEdit],
        shift: int,
        old_by_text: dict[bytes, ItemGroup],
        checkpoint: Checkpoint = no_checkpoint,
    ) -> tuple[int, int]:
        """Cuts the text after the groups `new_groups` into new groups, and appends these to `new_groups`.

        The new groups replace the old ones from index `old_index` on. Cutting covers `edit`, and each of the
        later edits `pending` that lies in a new chunk. It then stops as soon as a new chunk ends where an old
        group starts. Returns the index of this old group (one past the last if there is none), and the number
        of bytes by which it has moved.

        - `shift`: the number of bytes by which earlier edits have moved the text.
        - `old_by_text`: old groups to reuse, by text.
        """
        groups, text = self.groups, self._text
        end = new_groups[-1].end if new_groups else 0
        edited_end = self._end_of_edited(old_index, edit, pending, end, shift)
        minimum_end, shift = edit.new_end + shift, shift + edit.new_end - edit.old_end
        old_index = _skip_groups(groups, old_index, edit.old_end, old_by_text)
        while end < len(text):
            start, is_beyond = end, _is_beyond(len(new_groups), end)
            if is_beyond:
                end = len(text)
            elif edited_end < 0:
                end = self._chunk_end(end, new_groups[-1].text if new_groups else b"")
            else:
                end, edited_end = edited_end, -1
            checkpoint()
            new_groups.append(self._make_group(start, end, old_by_text, beyond=is_beyond))
            while pending and pending[0].start + shift < end:
                edit = pending.popleft()
                minimum_end, shift = edit.new_end + shift, shift + edit.new_end - edit.old_end
                old_index = _skip_groups(groups, old_index, edit.old_end, old_by_text)
            old_index = _skip_groups(groups, old_index, end - shift, old_by_text)
            if end >= minimum_end and old_index < len(groups) and groups[old_index].start + shift == end:
                return old_index, shift
        pending.clear()
        return _skip_groups(groups, old_index, groups[-1].end + 1 if groups else 0, old_by_text), shift

    def _chunk_end(self, start: int, previous: bytes) -> int:
        """Returns the end of the chunk at byte `start`; `previous` is the text of the chunk before it."""
        text = self._text
        following = self._following.get(previous)
        if following is not None and text.startswith(following, start):
            return start + len(following)
        return chunk_end(text, start)

    def _end_of_edited(
        self, number: int, edit: ExpandedEdit, pending: Sequence[ExpandedEdit], start: int, shift: int
    ) -> int:
        """Returns the end of an edited chunk; -1 if the braces around the edit do not determine it.

        The chunk begins at `start` and replaces the group with the index `number`, which has moved by `shift`
        bytes. `pending` are the later edits.
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
            self._braces = FunctionBraces(group.text)
        first, last = edit.start - begin, edit.old_end - begin
        return self._braces.end_after(self._text, start, first, last, last + edit.new_end - edit.old_end)

    def _keep_removed(self, known: dict[bytes, ItemGroup], lost: int) -> None:
        """Stores the removed groups `known` for reuse, because edits that hide code are often undone.

        Does nothing if the number of groups has decreased (by `lost`) only a little.
        """
        if lost < _MINIMUM_LOST:
            return
        dropped = self._dropped
        dropped.update(known)
        self._following = {
            chunk: following for chunk, following in pairwise(known) if is_self_delimiting(following)
        }
        size = sum(map(len, dropped))
        while size > _MAXIMUM_DROPPED:
            oldest = next(iter(dropped))
            del dropped[oldest]
            size -= len(oldest)

    def _make_group(self, start: int, end: int, known: dict[bytes, ItemGroup], *, beyond: bool) -> ItemGroup:
        """Returns the group of the chunk from byte `start` to byte `end`.

        An old group with the same text is reused, from `known` or from those that earlier edits removed;
        otherwise the chunk is parsed. `beyond` means that the chunk exceeds a limit and is not parsed.
        """
        text = self._text[start:end]
        group = known.pop(text, None)
        if group is not None and not _is_kept(group, start, self._edits):
            # It stands for another part of the text now. The keys of new items are reported as changed, so that
            # no consumer takes the items for those at the old place.
            group = group.copy(self)
        group = group or self._dropped.pop(text, None)
        if group is not None and (group.bound is Limit.REST) is (beyond and not text.isspace()):
            group.anchor_to_start(start)
            return group
        expanded = made_by_macros(self.preprocessed.source_map, start, end) if self._tracks_numbers else ()
        if self._equal is not None and not beyond:
            equal = self._equal.find(text, expanded)
            if equal is not None:
                group = equal.copy(self)
                group.anchor_to_start(start)
                return group
        group = ItemGroup(self, text, foreign=evidence_of_another_language(text))
        group.anchor_to_start(start)
        # a line end after the last declaration does not count as omitted code
        beyond = beyond and not text.isspace()
        if beyond or len(text) > MAXIMUM_CHUNK:
            group.bound = Limit.REST if beyond else Limit.CHUNK
            return group
        self._parser.parse(group, expanded, known, keep=bool(self.groups))
        if self._equal is not None:
            self._equal.add(group, expanded)
        return group

    def table_of(self, item: Item) -> Table:
        """Returns the table of an item; parses the item's chunk again if the table has been freed."""
        return item.table if item.table is not None else self._parser.table_of(item)


def _is_beyond(number: int, start: int) -> bool:
    """Whether chunk `number`, at byte `start`, exceeds the limits of a document."""
    return number >= MAXIMUM_CHUNKS or start >= MAXIMUM_TEXT


def _is_kept(group: ItemGroup, start: int, edits: Sequence[ExpandedEdit]) -> bool:
    """Whether the text of an old group begins at byte `start` after the edits."""
    expected = group.start
    for edit in edits:
        if group.end <= edit.start:
            break
        if group.start < edit.old_end:
            return False
        expected += edit.new_end - edit.old_end
    return start == expected


def _start(group: ItemGroup) -> int:
    return group.start


def _skip_groups(groups: list[ItemGroup], behind: int, before: int, known: dict[bytes, ItemGroup]) -> int:
    """Skips the groups from index `behind` on that begin before byte `before`, and adds them to `known`.

    Returns the index of the next group.
    """
    while behind < len(groups) and groups[behind].start < before:
        known[groups[behind].text] = groups[behind]
        behind += 1
    return behind
