"""The unit of a document that is no program of its own: that of a kernel which includes it."""

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
    """The unit of a kernel that includes the subject, with the kernel's document, and the results of the documents that
    it includes."""

    planned: PlannedUnit
    root: Document
    includer: Includer
    cache: IncludeCache


def unit_through_includer(
    subject: Document,
    includers: Includers,
    plan: Callable[[Document], PlannedUnit],
    documents: Documents,
) -> Through | None:
    """The unit of the first kernel that really includes `subject`; None where the subject is a program of its own, or none
    of those reaches it that seem to. `plan` gives the unit of a kernel."""
    for includer in includers.of(subject.name, subject.text.data):
        through, found = unit_through(includer, includers.permission, plan, documents)
        if found is not None and subject.name in found.documents():
            return through
    return None


def unit_through(
    includer: Includer,
    permission: ReadPermission,
    plan: Callable[[Document], PlannedUnit],
    documents: Documents,
) -> tuple[Through | None, Preprocessed | None]:
    """The unit of one kernel, and the kernel preprocessed.

    Neither if the kernel cannot be read; C++ for OpenCL is not preprocessed.
    """
    root = includer.document(documents, permission)
    if isinstance(root, FileProblem):
        return None, None
    through = Through(plan(root), root, includer, IncludeCache())
    if through.planned.cpp_for_opencl:
        return through, None
    loader = through.planned.loader(documents)
    forced = tuple(each for each in loader.forced() if isinstance(each, Document))
    options = preprocessor_options(through.planned.unit.configuration)
    return through, preprocess(root, options, loader, through.cache, forced)
