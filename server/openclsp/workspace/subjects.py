"""The unit of a document that is no program of its own: that of a kernel which includes it."""

from __future__ import annotations

from collections.abc import Callable

from openclsp.dataclass import dataclass
from openclsp.source.document import Document
from openclsp.source.include_cache import IncludeCache
from openclsp.source.preprocessor import preprocess
from openclsp.workspace.configuration import preprocessor_options
from openclsp.workspace.files import Documents, FileProblem
from openclsp.workspace.includers import Includer, Includers
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
    include_cache: Callable[[Document], IncludeCache] = lambda root: IncludeCache(),
) -> Through | None:
    """The unit of the first kernel that really includes `subject`; None where the subject is a program of its own, or none
    of those reaches it that seem to. `plan` gives the unit of a kernel, `include_cache` the documents that this preprocessed."""
    for includer in includers.of(subject.name, subject.text.data):
        root = includer.document(documents, includers.permission)
        if isinstance(root, FileProblem):
            continue
        through = Through(plan(root), root, includer, include_cache(root))
        if not through.planned.cpp_for_opencl and _reaches(through, subject, documents):
            return through
    return None


def _reaches(through: Through, subject: Document, documents: Documents) -> bool:
    """Whether the kernel includes the document, as its conditions stand."""
    loader = through.planned.loader(documents)
    forced = tuple(each for each in loader.forced() if isinstance(each, Document))
    options = preprocessor_options(through.planned.unit.configuration)
    found = preprocess(through.root, options, loader, through.cache, forced)
    return subject.name in found.documents()
