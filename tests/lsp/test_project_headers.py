"""In the editor, headers of the project are found once the project has been scanned."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from lsprotocol import types
from openclsp.lsp.session.analysis_session import AnalysisSession
from openclsp.lsp.session.open_documents import OpenDocuments
from openclsp.lsp.session.snapshot import Snapshot
from openclsp.semantics.translation_unit import TranslationUnit

TEXT = '#include "cl/real.h"\nkernel void k(global real *p) { local real *q = p; }\n'


def test_a_header_is_found_without_a_new_unit(tmp_path: Path) -> None:
    (tmp_path / "openclsp.toml").write_text("")
    (tmp_path / "lib" / "cl").mkdir(parents=True)
    header = tmp_path / "lib" / "cl" / "real.h"
    header.write_text("typedef float real;\n")
    (tmp_path / "src").mkdir()
    kernel = tmp_path / "src" / "k.cl"
    kernel.write_text(TEXT)
    documents, session = OpenDocuments(), AnalysisSession()
    documents.open(types.TextDocumentItem(kernel.as_uri(), "opencl", 1, TEXT))
    disk = 0

    def world() -> Snapshot:
        return replace(Snapshot(), documents=documents.all_by_name(), disk_revision=disk, host_revision=disk)

    def analysed() -> TranslationUnit:
        document = documents.get_by_uri(kernel.as_uri())
        assert document is not None
        found = session.analyse(document, world(), lambda: None)
        assert found is not None
        return found.unit

    def look_over() -> frozenset[str] | None:
        document = documents.get_by_uri(kernel.as_uri())
        assert document is not None
        return session.scan_host_code(document, world(), 10)

    first = analysed()
    assert first.preprocessed.unknown_includes == ("cl/real.h",)
    assert look_over() == {str(kernel)}
    second = analysed()
    assert second is first
    assert second.preprocessed.unknown_includes == ()
    assert look_over() == frozenset()
    header.unlink()
    disk = 1
    assert look_over() == {str(kernel)}
    assert analysed().preprocessed.unknown_includes == ("cl/real.h",)
