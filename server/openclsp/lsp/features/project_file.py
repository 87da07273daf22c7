"""Diagnostics, completion and hovers in an open `openclsp.toml`.

The request handlers call these functions if the document is an `openclsp.toml`. Such a document has no
analysis, because it is not OpenCL C. The answers depend on its text and on the names of the project's files.
"""

from __future__ import annotations

import os.path
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from pygls.exceptions import JsonRpcContentModified

from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.positions import offset_at, range_numbers
from openclsp.lsp.session.analysis_thread import DroppedJob, JobPriority
from openclsp.lsp.session.cancellation import CancellationCheck
from openclsp.lsp.session.open_documents import OpenDocument
from openclsp.lsp.uris import is_file_name
from openclsp.project.file_system import LOCAL_FILE_SYSTEM

if TYPE_CHECKING:
    from lsprotocol import types

    from openclsp.ide.completion.completion_list import CompletionList
    from openclsp.lsp.session.client_diagnostics import ClientDiagnostic

T = TypeVar("T")

_FILE_NAME = "openclsp.toml"


def open_project_file(ls: OpenclServer, uri: str) -> OpenDocument | None:
    """Returns the open document with this URI if it is the `openclsp.toml` of a project; otherwise None."""
    document = ls.open_documents.get_by_uri(uri)
    return document if document is not None and is_project_file(document.name) else None


def is_project_file(name: str) -> bool:
    """Whether a document is the `openclsp.toml` of a project.

    The user's own `openclsp.toml`, which has other keys, does not count.
    """
    if os.path.basename(name) != _FILE_NAME or not is_file_name(name):
        return False
    from openclsp.workspace.user_configuration import user_configuration_path

    return name != user_configuration_path()


async def answer_about_project_file(
    ls: OpenclServer, document: OpenDocument, work: Callable[[OpenDocument], T]
) -> T:
    """Runs `work` on the analysis thread, and returns its result.

    Raises JsonRpcContentModified if the document changes meanwhile.
    """
    answer = await ls.analysis_thread.run(lambda _check: work(document), JobPriority.CURSOR, document.name)
    if isinstance(answer, DroppedJob):
        raise JsonRpcContentModified
    return answer


def project_file_diagnostics(
    ls: OpenclServer, document: OpenDocument, check: CancellationCheck
) -> list[ClientDiagnostic]:
    """Returns the diagnostics of an open `openclsp.toml`. Runs on the analysis thread."""
    from openclsp.ide.diagnostics.severity_settings import UNNECESSARY
    from openclsp.ide.project_file.project_file_diagnostics import (
        CODE,
        PatternTargets,
        compute_project_file_diagnostics,
    )
    from openclsp.lsp.session.client_diagnostics import SOURCE, ClientDiagnostic
    from openclsp.lsp.session.code_pages import page_uri

    client = ls.client_features
    host = ls.analysis_session().host_project_of(document, ls.snapshot)
    targets = None
    if host is not None and not host.scan.reached_limit:
        permission = host.scan.permission

        def exists(path: str) -> bool:
            return LOCAL_FILE_SYSTEM.locate(path, permission) is not None and bool(
                LOCAL_FILE_SYSTEM.kind(path)
            )

        targets = PatternTargets([each.path for each in host.scan.files], exists, check)
    page = page_uri(CODE, client)
    return [
        ClientDiagnostic(
            each.start,
            each.end,
            range_numbers(document.text, each.start, each.end, client.encoding),
            each.severity,
            CODE,
            SOURCE,
            each.message,
            tag=client.supported_tag(UNNECESSARY if each.is_unnecessary else 0),
            page_uri=page,
        )
        for each in compute_project_file_diagnostics(document.name, document.text, targets)
    ]


def project_file_completions(
    ls: OpenclServer, document: OpenDocument, position: types.Position
) -> tuple[CompletionList, int]:
    """Returns the completions in an open `openclsp.toml`, and the byte offset of the position."""
    from openclsp.ide.project_file.project_file_completion import complete_project_file

    offset = offset_at(document.text, position, ls.client_features.encoding)
    return complete_project_file(document.text, offset), offset


def project_file_hover(
    ls: OpenclServer, document: OpenDocument, position: types.Position
) -> types.Hover | None:
    """Returns the hover at a position of an open `openclsp.toml`; None if there is none."""
    from lsprotocol import types

    from openclsp.ide.project_file.project_file_hover import hover_project_file
    from openclsp.lsp.positions import range_between

    text, client = document.text, ls.client_features
    found = hover_project_file(text, offset_at(text, position, client.encoding))
    if found is None:
        return None
    if client.supports_markdown:
        kind, value = types.MarkupKind.Markdown, "\n\n".join((f"**{found.key}**", *found.paragraphs))
    else:
        kind = types.MarkupKind.PlainText
        value = "\n\n".join((found.key, *found.paragraphs)).replace("`", "")
    return types.Hover(
        types.MarkupContent(kind, value), range_between(text, found.start, found.end, client.encoding)
    )
