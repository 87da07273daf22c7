"""Analyses a header or fragment through the unit of a program that includes it."""

from __future__ import annotations

from collections.abc import Callable

from openclsp.dataclass import dataclass
from openclsp.project.file_system import DocumentStore, FileProblem
from openclsp.project.read_permission import ReadPermission
from openclsp.source.build_configuration import derive_preprocessor_options
from openclsp.source.document import Document
from openclsp.source.include_cache import IncludeCache
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.preprocessor import preprocess
from openclsp.workspace.include_graph import IncludeGraph, IncludingProgram
from openclsp.workspace.units import PlannedUnit


@dataclass(frozen=True, slots=True)
class IncluderUnit:
    """The unit through which a subject is analysed.

    `root` is the program's document; `cache` holds the preprocessed headers.
    """

    planned_unit: PlannedUnit
    root: Document
    includer: IncludingProgram
    cache: IncludeCache


def find_includer_unit(
    subject: Document,
    includers: IncludeGraph,
    plan: Callable[[Document], PlannedUnit],
    documents: DocumentStore,
    include_cache: IncludeCache | None = None,
) -> IncluderUnit | None:
    """Returns the unit of the first candidate that really includes `subject`.

    The result is None if the subject is a program itself or no candidate reaches it. `plan` returns the unit
    of a program, `include_cache` holds included documents that were preprocessed before.
    """
    for includer in includers.candidate_programs(subject.name, subject.text.data):
        includer_unit, found = unit_through(includer, includers.permission, plan, documents, include_cache)
        if found is not None and subject.name in found.documents():
            return includer_unit
    return None


def unit_through(
    includer: IncludingProgram,
    permission: ReadPermission,
    plan: Callable[[Document], PlannedUnit],
    documents: DocumentStore,
    include_cache: IncludeCache | None = None,
) -> tuple[IncluderUnit | None, Preprocessed | None]:
    """Returns the unit of an including program, and its preprocessed text.

    Both are None if the program cannot be read; C++ for OpenCL is not preprocessed.
    """
    root = includer.load_document(documents, permission)
    if isinstance(root, FileProblem):
        return None, None
    cache = IncludeCache() if include_cache is None else include_cache
    includer_unit = IncluderUnit(plan(root), root, includer, cache)
    if includer_unit.planned_unit.cpp_for_opencl:
        return includer_unit, None
    loader = includer_unit.planned_unit.make_include_loader(documents)
    forced = tuple(each for each in loader.forced_includes() if isinstance(each, Document))
    options = derive_preprocessor_options(includer_unit.planned_unit.unit_config.configuration)
    return includer_unit, preprocess(root, options, loader, includer_unit.cache, forced)
