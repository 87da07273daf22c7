"""The effects of a fix on other programs in the same host file, for open documents."""

from __future__ import annotations

from openclsp.ide.fixes.host_effects import HostEffects
from openclsp.project.file_system import DocumentStore, FileProblem
from openclsp.project.read_permission import ReadPermission
from openclsp.source.document import Document, DocumentName


def make_host_effects(documents: DocumentStore, permission: ReadPermission) -> HostEffects:
    """Returns an object that reads host files as the editor shows them.

    It checks no calls of kernels: the server reports these when the fix is applied.
    """

    def read(name: DocumentName) -> Document | None:
        found = documents.read(name, permission)
        return None if isinstance(found, FileProblem) else found

    return HostEffects(read)
