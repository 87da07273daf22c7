"""The unit of a document that is no program of its own: that of a kernel which includes it."""

from __future__ import annotations

from collections.abc import Callable

from openclsp.source.document import Document
from openclsp.source.preprocessor import preprocess
from openclsp.workspace.configuration import preprocessor_options
from openclsp.workspace.files import Documents, FileProblem
from openclsp.workspace.includers import Includers
from openclsp.workspace.units import PlannedUnit


def unit_through_includer(
    subject: Document,
    includers: Includers,
    plan: Callable[[Document], PlannedUnit],
    documents: Documents,
) -> tuple[PlannedUnit, Document] | None:
    """The unit of the first kernel that really includes `subject`, and that kernel's document; None where the subject is
    a program of its own, or none of those reaches it that seem to. `plan` gives the unit of a kernel."""
    for includer in includers.of(subject.name, subject.text.data):
        root = documents.read(includer.path)
        if isinstance(root, FileProblem):
            continue
        planned = plan(root)
        if not planned.cpp_for_opencl and reaches(planned, root, subject, documents):
            return planned, root
    return None


def reaches(planned: PlannedUnit, root: Document, subject: Document, documents: Documents) -> bool:
    """Whether the unit of `root` includes the document, as its conditions stand."""
    loader = planned.loader(documents)
    forced = tuple(each for each in loader.forced() if isinstance(each, Document))
    options = preprocessor_options(planned.unit.configuration)
    return subject.name in preprocess(root, options, loader, forced=forced).documents()
