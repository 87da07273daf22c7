"""The search for evidence of the language version, in documents that are edited while it goes on."""

from __future__ import annotations

from dataclasses import field
from functools import lru_cache

from openclsp.dataclass import dataclass
from openclsp.source.document import Document, DocumentName
from openclsp.source.hidden_names import included_names
from openclsp.source.include_cache import IncludeCache
from openclsp.source.incremental import repreprocess
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.preprocessor import preprocess
from openclsp.source.text import Edit, difference
from openclsp.workspace.configuration import BuildConfiguration, preprocessor_options
from openclsp.workspace.language_evidence import Evidence, language_evidence, may_show
from openclsp.workspace.loader import IncludeLoader

MAXIMUM_DOCUMENTS = 100
"""Included documents of one unit that are looked at."""


@dataclass(slots=True)
class _Kept:
    """The last search in a document, for what it was made and what it came to.

    `preprocessed` is there if some text held what can be evidence.
    """

    document: Document
    configuration: BuildConfiguration
    included: tuple[Document, ...]
    cache: IncludeCache
    preprocessed: Preprocessed | None
    evidence: Evidence | None


@dataclass(slots=True)
class EvidenceSearch:
    """Keeps the last search of each document. Not safe for several threads."""

    _kept: dict[DocumentName, _Kept] = field(default_factory=dict)

    def find(
        self, document: Document, configuration: BuildConfiguration, loader: IncludeLoader
    ) -> Evidence | None:
        """The evidence in the document and what it includes, as they are in this configuration.

        An unchanged document costs nothing, a change of one without candidates a search for words, and another one
        what `repreprocess` costs.
        """
        included = _included(document, loader)
        kept = self._kept.get(document.name)
        if kept is not None and (kept.configuration != configuration or not _same(kept.included, included)):
            kept = None
        if kept is not None and kept.document.text.data == document.text.data:
            return kept.evidence
        cache = IncludeCache() if kept is None else kept.cache
        found = None
        if any(may_show(each.text.data) for each in (document, *included)):
            found = _preprocessed(kept, document, configuration, loader, cache)
        evidence = None if found is None else language_evidence(found)
        self._kept[document.name] = _Kept(document, configuration, included, cache, found, evidence)
        return evidence

    def drop(self, name: DocumentName) -> None:
        """The document is closed."""
        self._kept.pop(name, None)


def _preprocessed(
    kept: _Kept | None,
    document: Document,
    configuration: BuildConfiguration,
    loader: IncludeLoader,
    cache: IncludeCache,
) -> Preprocessed:
    options = preprocessor_options(configuration)
    forced = tuple(each for each in loader.forced() if isinstance(each, Document))
    before = None if kept is None else kept.preprocessed
    data = document.text.data
    span = None if before is None else difference(before.document.text.data, data)
    if before is None or span is None:
        return preprocess(document, options, loader, cache, forced)
    start, old_end, new_end = span
    edit = Edit(start, old_end, data[start:new_end])
    return repreprocess(before, document, edit, options, loader, cache, forced).unit


def _included(document: Document, loader: IncludeLoader) -> tuple[Document, ...]:
    """Every document that the text's #include directives can lead to, active or not, and those of `-include`."""
    found = [document, *(each for each in loader.forced() if isinstance(each, Document))]
    names = {each.name for each in found}
    for each in found:
        for name, angled in _includes(each.text.data):
            included = loader.load(name, angled, each.name) if len(found) <= MAXIMUM_DOCUMENTS else None
            if isinstance(included, Document) and included.name not in names:
                names.add(included.name)
                found.append(included)
    return tuple(found[1:])


@lru_cache(maxsize=64)
def _includes(data: bytes) -> tuple[tuple[str, bool], ...]:
    return tuple(included_names(data)) if b"include" in data or b"import" in data else ()


def _same(old: tuple[Document, ...], new: tuple[Document, ...]) -> bool:
    return len(old) == len(new) and all(
        a.name == b.name and a.text.data == b.text.data for a, b in zip(old, new, strict=True)
    )
