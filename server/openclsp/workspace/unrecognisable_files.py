"""Selects the files of a project that are not analysed, because nothing shows that they are OpenCL C."""

from __future__ import annotations

from collections.abc import Callable, Container

from openclsp.source.document import Document, DocumentName
from openclsp.source.foreign_beginnings import foreign_beginning
from openclsp.source.unrecognisable_text import is_unrecognisable
from openclsp.workspace.include_graph import IncludeGraph


def is_unrecognisable_in_project(
    document: Document, graph: Callable[[], IncludeGraph], built: Callable[[], Container[DocumentName]]
) -> bool:
    """Whether neither the text of a document nor its project shows that the document is OpenCL C.

    A text whose beginning shows its language is not unrecognisable, because a diagnostic names the language.

    - `graph`: returns the include graph of the project, in which a kernel may include the document
    - `built`: returns the names of the files that host code builds
    """
    data = document.text.data
    if not is_unrecognisable(data) or foreign_beginning(data) is not None:
        return False
    return not graph().candidate_programs(document.name, data) and document.name not in built()
