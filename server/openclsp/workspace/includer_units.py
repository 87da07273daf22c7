"""Analyses a header or fragment through the unit of a program that includes it."""

from __future__ import annotations

from collections.abc import Callable

from openclsp.dataclass import dataclass
from openclsp.project.file_system import DocumentStore, FileProblem
from openclsp.project.read_permission import ReadPermission
from openclsp.source import document_preprocessing
from openclsp.source.build_configuration import derive_preprocessor_options, load_forced_includes
from openclsp.source.document import Document, DocumentName
from openclsp.source.include_cache import IncludeCache, root_key
from openclsp.source.inclusions import may_include, preprocess_directives
from openclsp.source.options import ForcedInclude, PreprocessorOptions
from openclsp.source.preprocessed import Preprocessed
from openclsp.workspace.include_graph import IncludeGraph, IncludingProgram
from openclsp.workspace.include_loader import IncludeLoader
from openclsp.workspace.units import PlannedUnit


@dataclass(frozen=True, slots=True)
class IncluderUnit:
    """The unit of a program through which an included document is analysed.

    `root` is the program's document; `cache` holds the preprocessed headers.
    """

    planned_unit: PlannedUnit
    root: Document
    includer: IncludingProgram
    cache: IncludeCache


@dataclass(frozen=True, slots=True)
class IncluderSearch:
    """The result of searching the unit through which a document is analysed.

    - `certain`: the unit of the first candidate that includes the document; None if the document is a program
      itself or no candidate includes it.
    - `possible`: if there is no certain unit, the unit of the first candidate that may include the document in
      another build, or beyond a limit of the preprocessor.
    """

    certain: IncluderUnit | None = None
    possible: IncluderUnit | None = None


def find_includer_unit(
    subject: Document,
    graph: IncludeGraph,
    plan: Callable[[Document], PlannedUnit],
    documents: DocumentStore,
    include_cache: IncludeCache | None = None,
) -> IncluderSearch:
    """Searches the unit of a program that includes `subject`.

    `plan` returns the unit of a program. `include_cache` holds included documents that were preprocessed
    before.
    """
    cache = IncludeCache() if include_cache is None else include_cache
    possible: IncluderUnit | None = None
    for includer in graph.candidate_programs(subject.name, subject.text.data):
        through = _plan_unit(includer, graph.permission, plan, documents, cache)
        found = None if through is None else _preprocess_includer(through, documents, subject.name)
        if through is None or found is None:
            continue
        if subject.name in found.documents():
            return IncluderSearch(through)
        if possible is None and found.may_include_more:
            possible = through
    return IncluderSearch(None, possible)


def unit_through(
    includer: IncludingProgram,
    permission: ReadPermission,
    plan: Callable[[Document], PlannedUnit],
    documents: DocumentStore,
    include_cache: IncludeCache | None = None,
) -> tuple[IncluderUnit | None, Preprocessed | None]:
    """Returns the unit of an including program, and its preprocessed text.

    `plan` returns the unit of a program. Both results are None if the program cannot be read. For C++ for
    OpenCL, the text is None, because it is not preprocessed.
    """
    cache = IncludeCache() if include_cache is None else include_cache
    through = _plan_unit(includer, permission, plan, documents, cache)
    return (None, None) if through is None else (through, _preprocess(through, documents))


def _plan_unit(
    includer: IncludingProgram,
    permission: ReadPermission,
    plan: Callable[[Document], PlannedUnit],
    documents: DocumentStore,
    cache: IncludeCache,
) -> IncluderUnit | None:
    root = includer.load_document(documents, permission)
    return None if isinstance(root, FileProblem) else IncluderUnit(plan(root), root, includer, cache)


def _preprocess(through: IncluderUnit, documents: DocumentStore) -> Preprocessed | None:
    if through.planned_unit.cpp_for_opencl:
        return None
    options, loader, forced = _inputs(through, documents)
    return document_preprocessing.full(through.root, options, loader, through.cache, forced)


def _preprocess_includer(
    through: IncluderUnit, documents: DocumentStore, wanted: DocumentName
) -> Preprocessed | None:
    """Returns the preprocessed text of a candidate, or only its directives if they do not include `wanted`."""
    if through.planned_unit.cpp_for_opencl:
        return None
    options, loader, forced = _inputs(through, documents)
    # The search for the language version has preprocessed the candidate if a text contains evidence.
    known = through.cache.find_root(root_key(through.root, options, forced), loader)
    if known is not None:
        return known
    # Most candidates include the subject under a condition that is false, which their directives alone
    # show. Preprocessing 8 candidates with 2.7 MB of headers took 9 s.
    directives = preprocess_directives(through.root, options, loader, through.cache.inclusions(), forced)
    if not may_include(directives, wanted):
        return directives
    return document_preprocessing.full(through.root, options, loader, through.cache, forced)


def _inputs(
    through: IncluderUnit, documents: DocumentStore
) -> tuple[PreprocessorOptions, IncludeLoader, tuple[ForcedInclude, ...]]:
    """Returns the unit's options for the preprocessor, its loader, and its `-include` documents."""
    loader = through.planned_unit.make_include_loader(documents)
    configuration = through.planned_unit.unit_config.configuration
    forced = load_forced_includes(configuration, through.root.name, loader)
    options = derive_preprocessor_options(configuration)
    return options, loader, forced
