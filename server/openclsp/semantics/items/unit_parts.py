"""The parts of a unit: one for the root document, and one for each header that it includes between items."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from openclsp.semantics.items.item import Item
from openclsp.semantics.items.item_list import order_of
from openclsp.semantics.items.parsed_groups import ParsedGroups
from openclsp.semantics.items.unit_part import UnitPart, UnitPartUpdate
from openclsp.source.checkpoint import Checkpoint, no_checkpoint
from openclsp.source.chunks import signatures
from openclsp.source.document import DocumentName
from openclsp.source.incremental_preprocessing import ExpandedEdit
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.text import difference


class UnitParts:
    """The parts of a unit, updated together with its preprocessed documents.

    `root` is the part of the root document; `subject` is the document for which the unit is analysed. If
    `declared` is true, functions of other documents are reduced to declarations; such a unit must not be
    updated.
    """

    def __init__(
        self,
        preprocessed: Preprocessed,
        subject: DocumentName,
        checkpoint: Checkpoint = no_checkpoint,
        *,
        declared: bool = False,
        tracks_numbers: bool = True,
        root: UnitPart | None = None,
    ) -> None:
        """Creates the part of the root document, or takes over `root`.

        `tracks_numbers` has the same meaning as for `UnitPart.full`.
        """
        self._subject, self._declared = subject, declared
        analysed = self._is_analysed(preprocessed)
        text = signatures(preprocessed.text) if declared and not analysed else None
        self.tracks_numbers = tracks_numbers
        self._equal = ParsedGroups()
        """The groups of new parts, until `items` has created all of them, or longer: see `replace_root`.

        A header that is included under many macros has chunks that do not depend on them: of 1,264 chunks of
        gromacs' kernels, 229 differ.
        """
        self.root = root or UnitPart.full(
            preprocessed,
            checks_bodies=analysed,
            text=text,
            checkpoint=checkpoint,
            equal=self._equal,
            tracks_numbers=tracks_numbers,
        )
        self._headers: dict[Preprocessed, UnitPart] = {}
        self._outdated: list[UnitPart] = []
        self._replaced: UnitPart | None = None
        """The part of the previous root document"""

    def replace_root(self, preprocessed: Preprocessed, parsed: ParsedGroups | None = None) -> None:
        """Replaces the root document; the new one is also the document that is analysed.

        The parts of headers that both root documents include are kept. Other headers reuse the groups in
        `parsed`, to which their new groups are added. When nothing refers to the items of the dropped
        parts any more, the caller must call `close_replaced`.
        """
        if parsed is not None:
            self._equal = parsed
        self._subject = preprocessed.document.name
        self._replaced = self.root
        self.root = UnitPart.full(preprocessed, checks_bodies=True, tracks_numbers=self.tracks_numbers)

    def close_replaced(self) -> None:
        """Frees the parts that `replace_root` has dropped.

        Without this, they would stay in memory until the cyclic garbage collector runs. In a run of the
        command line over large kernels, this would add 0.6 MB per file.
        """
        if self._replaced is not None:
            self._replaced.close()
        for part in self._outdated:
            part.close()
        self._replaced, self._outdated = None, []

    def copy(self) -> UnitParts:
        """Returns copies of the parts, with copies of their items, for another unit."""
        made = UnitParts(
            self.root.preprocessed,
            self._subject,
            tracks_numbers=self.tracks_numbers,
            root=self.root.copy(),
        )
        made._headers = {preprocessed: each.copy() for preprocessed, each in self._headers.items()}
        return made

    def every(self) -> Iterator[UnitPart]:
        """Yields the root document's part, then those of the headers included between its items."""
        yield self.root
        yield from self._headers.values()

    def items_by_part(self) -> Iterator[Item]:
        """Yields the items of each part once.

        Two inclusions of a header with the same result share one part.
        """
        for part in self.every():
            for group in part.groups:
                yield from group.items

    def close(self) -> None:
        """Frees the groups and their items."""
        for part in {self.root, *self._headers.values(), *self._outdated}:
            part.close()

    def items(self) -> list[Item]:
        """Returns all items in source order, after updating the headers' parts to the present
        preprocessed text.
        """
        root = self.root.preprocessed
        headers: dict[Preprocessed, UnitPart] = {}
        if self.root.checks_bodies != self._is_analysed(root):
            # Other findings of its items are now reported, so that each item must count as changed.
            self.root = UnitPart.full(
                root, checks_bodies=not self.root.checks_bodies, tracks_numbers=self.tracks_numbers
            )
        current = set(root.with_included())
        self._outdated = [part for preprocessed, part in self._headers.items() if preprocessed not in current]
        items = list(self._iter_items(self.root, headers))
        self._headers = headers
        self._equal.trim()
        return items

    def replaced_range(
        self, items: list[Item], before: Preprocessed, replaced: UnitPartUpdate
    ) -> tuple[int, int, list[Item]] | None:
        """Returns the index range of the unit's `items` that the update replaces, and the new items.

        `before` is the root document before the update. Returns None if headers have changed, if the range
        contains an include directive, or if the root document begins or ceases to include the analysed
        document within an item. The caller must then build the list of items again.
        """
        # the neighbours that have items bound the range; an inclusion between them would put a header's items
        # into it, so the caller rebuilds the list
        root, groups = self.root.preprocessed, self.root.groups
        now = root.includes
        if (
            self.root.checks_bodies != self._is_analysed(root)
            or len(now) != len(before.includes)
            or any(
                old.preprocessed is not new.preprocessed
                for old, new in zip(before.includes, now, strict=True)
            )
        ):
            return None
        if replaced.first == replaced.last and not replaced.removed:
            same = [each.offset for each in now] == [each.offset for each in before.includes]
            return (0, 0, []) if same else None
        following = replaced.last
        while following < len(groups) and not groups[following].items:
            following += 1
        preceding = replaced.first - 1
        while preceding >= 0 and not groups[preceding].items:
            preceding -= 1
        if now:
            start = groups[preceding].items[-1].start if preceding >= 0 else -1
            end = groups[following].items[0].start if following < len(groups) else len(root.text)
            if any(start < inclusion.offset <= end for inclusion in now):
                return None
        first = 0
        if replaced.removed:
            first = bisect_left(items, replaced.removed[0].order, key=order_of)
        elif preceding >= 0:
            first = bisect_right(items, groups[preceding].items[-1].order, key=order_of)
        elif now and following < len(groups):
            first = bisect_left(items, groups[following].items[0].order, key=order_of)
        added = [item for group in groups[replaced.first : replaced.last] for item in group.items]
        return first, first + len(replaced.removed), added

    def _iter_items(self, part: UnitPart, headers: dict[Preprocessed, UnitPart]) -> Iterator[Item]:
        """Yields the items of a part; the items of a header appear where it is included."""
        inclusions = iter(part.preprocessed.includes)
        following = next(inclusions, None)
        for group in part.groups:
            if following is None or following.offset >= group.end:
                yield from group.items
                continue
            for item in group.items:
                while following is not None and following.offset <= item.start:
                    yield from self._header_items(following.preprocessed, headers)
                    following = next(inclusions, None)
                yield item
        while following is not None:
            yield from self._header_items(following.preprocessed, headers)
            following = next(inclusions, None)

    def _header_items(
        self, preprocessed: Preprocessed, headers: dict[Preprocessed, UnitPart]
    ) -> Iterator[Item]:
        part = headers.get(preprocessed)
        if part is not None and preprocessed.text.strip():
            # the same result is included twice (same text under the same macros): each copy needs items of
            # its own
            part = self._header_part(preprocessed)
        elif part is None:
            # a header that its guard empties has no items, and is often included again
            part = self._headers.get(preprocessed) or self._header_part(preprocessed)
            headers[preprocessed] = part
        yield from self._iter_items(part, headers)

    def _is_analysed(self, preprocessed: Preprocessed) -> bool:
        """Whether a document is the analysed one (`subject`), or includes it within an item."""
        if preprocessed.document.name == self._subject:
            return True
        return preprocessed.trace.splices and self._subject in preprocessed.spliced()

    def _header_part(self, preprocessed: Preprocessed) -> UnitPart:
        """Returns the part of a header: the previous one, updated, or a new one."""
        name = preprocessed.document.name
        checks_bodies = self._is_analysed(preprocessed)
        earlier = (each for each in self._outdated if each.preprocessed.document.name == name)
        part = next((each for each in earlier if each.checks_bodies == checks_bodies), None)
        if part is None:
            reduced = self._declared and not checks_bodies
            text = signatures(preprocessed.text) if reduced else None
            return UnitPart.full(
                preprocessed,
                checks_bodies=checks_bodies,
                text=text,
                equal=self._equal,
                tracks_numbers=self.tracks_numbers,
            )
        self._outdated.remove(part)
        changed = difference(part.preprocessed.text, preprocessed.text)
        if changed is not None:
            part.update(preprocessed, (ExpandedEdit(*changed),))
        part.preprocessed = preprocessed
        return part
