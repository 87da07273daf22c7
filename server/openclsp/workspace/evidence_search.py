"""Incremental search in documents that are being edited for evidence of the configuration.

The evidence is constructs that require a newer language version, and branches in C++ that are selected because
a macro is undefined.
"""

from __future__ import annotations

from dataclasses import field, replace
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from openclsp.dataclass import dataclass
from openclsp.source import document_preprocessing
from openclsp.source.build_configuration import (
    BuildConfiguration,
    derive_preprocessor_options,
    load_forced_includes,
)
from openclsp.source.document import Document, DocumentName
from openclsp.source.hidden_names import included_names
from openclsp.source.include_cache import IncludeCache
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.text import Edit, Text, difference
from openclsp.workspace.assumed_macros import (
    AssumedMacro,
    AssumedMacroSearch,
    Definitions,
    HostBranch,
    HostBranchFinder,
    may_have_host_code,
)
from openclsp.workspace.evidence_scanner import (
    EvidenceMarks,
    EvidenceScan,
    rescan_for_evidence,
    scan_for_evidence,
)
from openclsp.workspace.include_loader import IncludeLoader
from openclsp.workspace.language_evidence import LanguageEvidence, select_language_evidence

IncludeNames: TypeAlias = tuple[tuple[str, bool], ...]
"""Names of included headers, each with whether it is in angle brackets."""
MAXIMUM_DOCUMENTS = 100
"""Maximum number of included documents of one unit that are searched."""


class TextEvidence(NamedTuple):
    """The language version and the macros that the texts of a program require."""

    version: LanguageEvidence | None = None
    macros: tuple[AssumedMacro, ...] = ()


NO_EVIDENCE: Final = TextEvidence()


class _CachedSearch(NamedTuple):
    """The most recent search in a document: its inputs and its result.

    - `marks`, `host_marks`: for each document, the candidates for evidence of the version, and whether its text
      may contain C++.
    - `trials`: the preprocessed unit for each set of assumed macros that was tried.
    - `branches`: the branches in another language of each preprocessed document.
    - `preprocessed`: the unit in which evidence of the version was searched; None if there is no candidate.
    """

    document: Document
    configuration: BuildConfiguration
    with_version: bool
    includes: IncludeNames
    included: tuple[Document, ...]
    loader_key: object
    marks: dict[DocumentName, tuple[Document, EvidenceMarks]]
    host_marks: dict[DocumentName, tuple[Document, bool]]
    cache: IncludeCache
    trials: dict[Definitions, Preprocessed]
    branches: dict[Preprocessed, tuple[HostBranch, ...]]
    preprocessed: Preprocessed | None
    scans: dict[Preprocessed, EvidenceScan]
    evidence: TextEvidence


@dataclass(slots=True)
class EvidenceSearch:
    """Searches for evidence of the configuration and caches the last search per document. Not thread-safe.

    `shared_cache`: a cache of preprocessed included documents that is shared with other searches, if any.
    """

    shared_cache: IncludeCache | None = None
    _cached_searches: dict[DocumentName, _CachedSearch] = field(default_factory=dict)

    def find_evidence(
        self,
        document: Document,
        configuration: BuildConfiguration,
        loader: IncludeLoader,
        loader_key: object = None,
        *,
        with_version: bool = True,
    ) -> TextEvidence:
        """Finds evidence in the document and its includes, under this configuration.

        Evidence of the language version is searched only if `with_version` is true.

        `loader_key` identifies everything that determines the loader's results: as long as it compares equal,
        includes are not loaded again. If it is None, they are loaded in every call. For an unchanged document
        the last result is returned. After an edit, only the lines around it are scanned; if there are
        candidates for evidence, the document is also preprocessed incrementally.
        """
        cached = self._cached_searches.get(document.name)
        if cached is not None and (cached.configuration, cached.with_version) != (
            configuration,
            with_version,
        ):
            cached = None
        includes = _update_include_names(document, cached)
        if (
            cached is not None
            and loader_key is not None
            and cached.loader_key == loader_key
            and cached.includes == includes
        ):
            included, same = cached.included, True
        else:
            included = _load_included_documents(document, includes, loader)
            same = cached is not None and _have_same_texts(cached.included, included)
        if cached is not None and same and cached.document.text.data == document.text.data:
            self._cached_searches[document.name] = cached._replace(loader_key=loader_key)
            return cached.evidence
        documents = (document, *included)
        known = {} if cached is None else cached.marks
        marks = {
            each.name: (each, _find_marks(each, known.get(each.name))) for each in documents if with_version
        }
        known_host_marks = {} if cached is None else cached.host_marks
        host_marks = {
            each.name: (each, _find_host_mark(each, known_host_marks.get(each.name))) for each in documents
        }
        cache = self.shared_cache
        if cache is None:
            cache = IncludeCache() if cached is None else cached.cache
        trials: dict[Definitions, Preprocessed] = {}

        def preprocess(assumed: Definitions) -> Preprocessed:
            if assumed not in trials:
                trials[assumed] = _preprocess_incrementally(
                    None if cached is None else cached.trials.get(assumed),
                    document,
                    replace(configuration, defines=(*assumed, *configuration.defines)),
                    loader,
                    cache,
                    headers_changed=not same,
                )
            return trials[assumed]

        # The preprocessor runs only if some raw text has a mark, so that most edits cost a scan of a few
        # lines.
        macros: tuple[AssumedMacro, ...] = ()
        finder = HostBranchFinder() if cached is None else HostBranchFinder(cached.branches)
        if any(mark for _, mark in host_marks.values()):
            texts = [each.text.data for each in documents]
            undefined = frozenset(configuration.undefines)
            macros = AssumedMacroSearch(preprocess, undefined, texts, finder).find_macros()
        found = None
        scans: dict[Preprocessed, EvidenceScan] = {}
        version = None
        if any(any(each) for _, each in marks.values()):
            before = None if cached is None else cached.preprocessed
            found = preprocess(tuple((macro.name, macro.value) for macro in macros))
            scans = _scan_documents(found, before, {} if cached is None else cached.scans)
            every = [(part, scans[part]) for part in found.with_included()]
            version = select_language_evidence(found, every, blocks=configuration.dialect.blocks_enabled)
        evidence = TextEvidence(version, macros)
        self._cached_searches[document.name] = _CachedSearch(
            document,
            configuration,
            with_version,
            includes,
            included,
            loader_key,
            marks,
            host_marks,
            cache,
            trials,
            finder.found,
            found,
            scans,
            evidence,
        )
        return evidence

    def forget_document(self, name: DocumentName) -> None:
        """Drops the cached search of a closed document."""
        self._cached_searches.pop(name, None)


def _preprocess_incrementally(
    before: Preprocessed | None,
    document: Document,
    configuration: BuildConfiguration,
    loader: IncludeLoader,
    cache: IncludeCache,
    *,
    headers_changed: bool,
) -> Preprocessed:
    options = derive_preprocessor_options(configuration)
    forced = load_forced_includes(configuration, document.name, loader)
    if before is None:
        return document_preprocessing.full(document, options, loader, cache, forced)
    data = document.text.data
    span = difference(before.document.text.data, data)
    edit = None if span is None else Edit(span[0], span[1], data[span[0] : span[2]])
    changed = headers_changed or edit is None
    return document_preprocessing.update(
        before, document, edit, options, loader, cache, forced, headers_changed=changed
    ).result


def _scan_documents(
    found: Preprocessed, before: Preprocessed | None, known: dict[Preprocessed, EvidenceScan]
) -> dict[Preprocessed, EvidenceScan]:
    """Returns the scan of each document of the unit `found`.

    Reuses the scans in `known`, which contains the scan of each document of the earlier state `before`.
    """
    earlier = {} if before is None else {part.document.name: part for part in before.with_included()}
    scans: dict[Preprocessed, EvidenceScan] = {}
    for part in found.with_included():
        old = earlier.get(part.document.name)
        if part in known:
            scans[part] = known[part]
        elif old is not None:
            scans[part] = rescan_for_evidence(known[old], old, part)
        else:
            scans[part] = scan_for_evidence(part.text)
    return scans


def _find_marks(document: Document, known: tuple[Document, EvidenceMarks] | None) -> EvidenceMarks:
    if known is None:
        return _find_marks_in_text(document.text.data)
    before, marks = known
    if before is document:
        return marks
    edit = difference(before.text.data, document.text.data)
    return marks if edit is None else marks.update_after_edit(document.text, edit)


def _find_host_mark(document: Document, known: tuple[Document, bool] | None) -> bool:
    """Whether a document may contain C++; after an edit, only its lines are searched if possible."""
    if known is None:
        return _find_host_mark_in_text(document.text.data)
    before, mark = known
    edit = None if before is document else difference(before.text.data, document.text.data)
    if edit is None:
        return mark
    if mark and may_have_host_code(_edited_lines(before.text, edit[0], edit[1])):
        return may_have_host_code(document.text.data)
    return mark or may_have_host_code(_edited_lines(document.text, edit[0], edit[2]))


_find_host_mark_in_text = lru_cache(maxsize=128)(may_have_host_code)
# Several roots include the same headers.
_find_marks_in_text = lru_cache(maxsize=128)(EvidenceMarks.find_in_text)


def _update_include_names(document: Document, cached: _CachedSearch | None) -> IncludeNames:
    """Returns the document's #include names; reuses the earlier result if no edited line has an #include."""
    data = document.text.data
    if cached is None:
        return _extract_include_names(data)
    old = cached.document.text
    edit = difference(old.data, data)
    if edit is None or not (
        _has_include(old, edit[0], edit[1]) or _has_include(document.text, edit[0], edit[2])
    ):
        return cached.includes
    return _extract_include_names(data)


def _has_include(text: Text, start: int, end: int) -> bool:
    """Whether any line in the byte range may contain an #include."""
    lines = _edited_lines(text, start, end)
    return b"include" in lines or b"import" in lines


def _edited_lines(text: Text, start: int, end: int) -> bytes:
    """Returns the lines that a byte range touches."""
    return text.data[text.line_start(text.line_of(start)) : text.line_start(text.line_of(end) + 1)]


def _load_included_documents(
    document: Document, includes: IncludeNames, loader: IncludeLoader
) -> tuple[Document, ...]:
    """Returns all documents that #include directives may reach, active or not, and those of `-include`."""
    found = [document, *(each for each in loader.forced_includes() if isinstance(each, Document))]
    names = {each.name for each in found}
    for each in found:
        for name, angled in includes if each is document else _extract_include_names(each.text.data):
            included = loader.load(name, angled, each.name) if len(found) <= MAXIMUM_DOCUMENTS else None
            if isinstance(included, Document) and included.name not in names:
                names.add(included.name)
                found.append(included)
    return tuple(found[1:])


@lru_cache(maxsize=128)
def _extract_include_names(data: bytes) -> IncludeNames:
    return tuple(included_names(data)) if b"include" in data or b"import" in data else ()


def _have_same_texts(old: tuple[Document, ...], new: tuple[Document, ...]) -> bool:
    return len(old) == len(new) and all(
        a.name == b.name and a.text.data == b.text.data for a, b in zip(old, new, strict=True)
    )
