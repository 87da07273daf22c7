"""The fragments of a unit: the root document's, and those of included headers.

Only headers included between top-level items have a fragment.
"""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.semantics.items.fragment import Fragment
from openclsp.semantics.items.item import Item
from openclsp.source.checkpoint import Checkpoint, no_checkpoint
from openclsp.source.chunks import signatures
from openclsp.source.document import DocumentName
from openclsp.source.incremental_preprocessing import ExpandedEdit
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.text import difference


class Fragments:
    """The fragments of a unit, kept in step with its preprocessed documents.

    `main` is that of the root document; `subject` is the document that the unit is analysed for. If
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
    ) -> None:
        self._subject, self._declared = subject, declared
        apart = declared and subject != preprocessed.document.name and not self._holds_subject(preprocessed)
        text = signatures(preprocessed.text) if apart else None
        self.main = Fragment(preprocessed, main=True, text=text, checkpoint=checkpoint)
        self._headers: dict[Preprocessed, Fragment] = {}
        self._outdated: list[Fragment] = []

    def every(self) -> Iterator[Fragment]:
        """The root document's fragment, followed by those of headers included between its items."""
        yield self.main
        yield from self._headers.values()

    def close(self) -> None:
        """Frees the groups and their items."""
        for fragment in {self.main, *self._headers.values(), *self._outdated}:
            fragment.close()

    def items(self) -> list[Item]:
        """All items in source order; updates the headers' fragments to the root's preprocessed text."""
        root = self.main.preprocessed
        headers: dict[Preprocessed, Fragment] = {}
        if self._subject != root.document.name:
            self.main.main = self._holds_subject(root)
        current = set(root.units())
        self._outdated = [
            fragment for preprocessed, fragment in self._headers.items() if preprocessed not in current
        ]
        items = list(self._flattened(self.main, headers))
        self._headers = headers
        return items

    def _flattened(self, fragment: Fragment, headers: dict[Preprocessed, Fragment]) -> Iterator[Item]:
        """The items of a fragment, with those of headers at their #include."""
        inclusions = iter(fragment.preprocessed.includes)
        following = next(inclusions, None)
        for group in fragment.groups:
            if following is None or following.offset >= group.end:
                yield from group.items
                continue
            for item in group.items:
                while following is not None and following.offset <= item.start:
                    yield from self._header(following.unit, headers)
                    following = next(inclusions, None)
                yield item
        while following is not None:
            yield from self._header(following.unit, headers)
            following = next(inclusions, None)

    def _header(self, preprocessed: Preprocessed, headers: dict[Preprocessed, Fragment]) -> Iterator[Item]:
        fragment = headers.get(preprocessed)
        if fragment is not None:
            # the same result is included twice (same text under the same macros): each copy needs items of
            # its own
            fragment = self._header_fragment(preprocessed)
        else:
            fragment = self._headers.get(preprocessed) or self._header_fragment(preprocessed)
            headers[preprocessed] = fragment
        yield from self._flattened(fragment, headers)

    def _holds_subject(self, preprocessed: Preprocessed) -> bool:
        """Whether the subject is included within an item of the document."""
        return preprocessed.trace.splices and self._subject in preprocessed.spliced()

    def _header_fragment(self, preprocessed: Preprocessed) -> Fragment:
        """The fragment of a header: its earlier state updated, or a new one."""
        name = preprocessed.document.name
        main = self._holds_subject(preprocessed) or name == self._subject
        fragment = next((each for each in self._outdated if each.preprocessed.document.name == name), None)
        if fragment is None:
            apart = self._declared and not main
            return Fragment(preprocessed, main=main, text=signatures(preprocessed.text) if apart else None)
        self._outdated.remove(fragment)
        changed = difference(fragment.preprocessed.text, preprocessed.text)
        if changed is not None:
            fragment.update(preprocessed, (ExpandedEdit(*changed),))
        fragment.preprocessed, fragment.main = preprocessed, main
        return fragment
