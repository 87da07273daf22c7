"""Which open documents a scan of the project's host code affects."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from lsprotocol import types
from openclsp.lsp.session.analysis_session import AnalysisSession
from openclsp.lsp.session.open_documents import OpenDocuments
from openclsp.lsp.session.snapshot import Snapshot


def test_a_new_file_affects_only_the_project_file(tmp_path: Path) -> None:
    """A file that is no header and builds no kernel may still match a pattern of `openclsp.toml`."""
    documents, session = OpenDocuments(), AnalysisSession()
    for name in ("openclsp.toml", "kernel.cl"):
        (tmp_path / name).write_text("")
        documents.open(types.TextDocumentItem((tmp_path / name).as_uri(), "", 1, ""))
    kernel = documents.get_by_uri((tmp_path / "kernel.cl").as_uri())
    assert kernel is not None
    snapshot = replace(Snapshot(), documents=documents.all_by_name())
    assert session.scan_host_code(kernel, snapshot, 10) == {
        str(tmp_path / "openclsp.toml"),
        str(tmp_path / "kernel.cl"),
    }
    snapshot = replace(snapshot, host_revision=1)
    assert session.scan_host_code(kernel, snapshot, 10) == frozenset()
    (tmp_path / "host.py").write_text("print()\n")
    snapshot = replace(snapshot, host_revision=2)
    assert session.scan_host_code(kernel, snapshot, 10) == {str(tmp_path / "openclsp.toml")}
