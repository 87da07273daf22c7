"""Analyses a header or fragment through the unit of a program that includes it."""

from __future__ import annotations

from collections.abc import Callable

from openclsp.dataclass import dataclass
from openclsp.source.document import Document
from openclsp.source.include_cache import IncludeCache
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.preprocessor import preprocess
from openclsp.workspace.configuration import preprocessor_options
from openclsp.workspace.files import Documents, FileProblem
from openclsp.workspace.includers import Includer, Includers
from openclsp.workspace.read_permission import ReadPermission
from openclsp.workspace.units import PlannedUnit


@dataclass(frozen=True, slots=True)
class Through:
    """The unit through which a subject is analysed.

    `root` is the program's document; `cache` holds the preprocessed headers.
    """

    planned: PlannedUnit
    root: Document
    includer: Includer
    cache: IncludeCache


def unit_through_includer(
    subject: Document,
    includers: Includers,
    plan: Callable[[Document], PlannedUnit],
    documents: Documents,
    include_cache: Callable[[Document], IncludeCache] = lambda root: IncludeCache(),
) -> Through | None:
    """Returns the unit of the first candidate that really includes `subject`.

    The result is None if the subject is a program itself or no candidate reaches it. `plan` returns the unit
    of a program, `include_cache` the headers that planning it preprocessed.
    """
    for includer in includers.of(subject.name, subject.text.data):
        through, found = unit_through(includer, includers.permission, plan, documents, include_cache)
        if found is not None and subject.name in found.documents():
            return through
    return None


def unit_through(
    includer: Includer,
    permission: ReadPermission,
    plan: Callable[[Document], PlannedUnit],
    documents: Documents,
    include_cache: Callable[[Document], IncludeCache] = lambda root: IncludeCache(),
) -> tuple[Through | None, Preprocessed | None]:
    """The unit of one kernel, and the kernel preprocessed.

    Neither if the kernel cannot be read; C++ for OpenCL is not preprocessed.
    """
    root = includer.document(documents, permission)
    if isinstance(root, FileProblem):
        return None, None
    through = Through(plan(root), root, includer, include_cache(root))
    if through.planned.cpp_for_opencl:
        return through, None
    loader = through.planned.loader(documents)
    forced = tuple(each for each in loader.forced() if isinstance(each, Document))
    options = preprocessor_options(through.planned.unit.configuration)
    return through, preprocess(root, options, loader, through.cache, forced)
