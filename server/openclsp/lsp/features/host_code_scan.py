"""Scans the host code of a project in the background."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from openclsp.lsp.features.diagnostics import request_refresh, update_diagnostics
from openclsp.lsp.session.analysis_thread import DroppedJob
from openclsp.lsp.session.open_documents import OpenDocument

if TYPE_CHECKING:
    from openclsp.lsp.language_server import OpenclServer
    from openclsp.lsp.session.analysis_session import AnalysisSession
    from openclsp.lsp.session.cancellation import CancellationCheck
    from openclsp.lsp.session.snapshot import Snapshot

_FIRST_SLICE_SECONDS: Final = 0.03
"""The seconds of the first slice; a request at the cursor may have to wait that long."""


async def scan_host_code(ls: OpenclServer, document: OpenDocument) -> None:
    """Scans the host code of the document's project in time slices, between which other jobs can run.

    Several tasks may wait for one scan. The task whose slice completes it updates the open documents whose
    options or headers may have changed.
    """
    seconds = _FIRST_SLICE_SECONDS
    names: frozenset[str] | DroppedJob | None = None
    while names is None:
        names = await ls.run_on_session(partial(_scan_slice, document, seconds))
        # Slices grow, so that a step which cannot be interrupted and resumed finishes eventually.
        seconds *= 1.25
    if isinstance(names, DroppedJob):
        return
    affected = tuple(each for each in ls.open_documents if each.name in names)
    if affected:
        update_diagnostics(ls, *affected)
        request_refresh(ls)


def _scan_slice(
    document: OpenDocument,
    seconds: float,
    session: AnalysisSession,
    snapshot: Snapshot,
    _check: CancellationCheck,
) -> frozenset[str] | None:
    return session.scan_host_code(document, snapshot, seconds)
