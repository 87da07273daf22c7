"""Closing a document frees its memory at once, without a search for reference cycles."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator

import pytest
from openclsp.ide.hover.hover import compute_hover
from openclsp.lsp.session.analysis_session import AnalysisSession
from openclsp.lsp.session.client_capabilities import ClientCapabilities
from openclsp.lsp.session.diagnostics_cache import document_diagnostics
from openclsp.lsp.session.open_documents import OpenDocument
from openclsp.lsp.session.snapshot import Snapshot
from openclsp.rules.finding import Severity
from openclsp.source.text import Text

KERNEL = """
#define SCALE{n}(x) ((x) * {n}.0f)
struct pair{n} {{ float first; global float *second; }};
static float helper{n}(global float *in, local float *tile, int i)
{{
  struct pair{n} pair = {{ in[i], in }};
  local float *wrong = in;
  return SCALE{n}(pair.first) + tile[i] + unknown_name{n};
}}
kernel void run{n}(global float *data, local float *tile)
{{
  int i = get_global_id(0);
  float *generic_pointer = data + i;
  data[i] = helper{n}(data, tile, i) + *generic_pointer;
}}
"""

HEAVY = {
    "openclsp.semantics.database.query_node.QueryNode",
    "openclsp.semantics.facts.entities.Place",
    "openclsp.source.preprocessed.Preprocessed",
    "openclsp.source.source_map.SourceMap",
}

NAMES = tuple(f"/nowhere/kernel{number}.cl" for number in range(6))


def _no_check() -> None:
    pass


def _open(name: str, version: int) -> OpenDocument:
    number = NAMES.index(name)
    text = "".join(KERNEL.format(n=f"{number}_{each}") for each in range(6))
    return OpenDocument("file://" + name, name, "opencl", version, Text.of(text.encode()), version)


def _analyse(session: AnalysisSession, document: OpenDocument, snapshot: Snapshot) -> None:
    """Computes all results that an editor requests when it opens a document."""
    analysed = session.analyse(document, snapshot, _no_check)
    assert analysed is not None
    found = document_diagnostics(analysed, ClientCapabilities())
    assert any(each.severity is Severity.ERROR for each in found)
    at = document.text.data.index(b"generic_pointer") + 1
    assert compute_hover(analysed.unit, document.name, at) is not None


def _ours() -> Counter[str]:
    """The live objects of the package's classes."""
    kinds = (type(each) for each in gc.get_objects())
    return Counter(f"{kind.__module__}.{kind.__qualname__}" for kind in kinds if _is_ours(kind))


def _is_ours(kind: type) -> bool:
    return isinstance(kind.__module__, str) and kind.__module__.startswith("openclsp.")


@pytest.fixture
def no_collection() -> Iterator[None]:
    # The objects of other tests are neither counted nor traversed.
    gc.collect()
    gc.freeze()
    gc.disable()
    yield
    gc.enable()
    gc.unfreeze()


def _visit_all(session: AnalysisSession, opening: int) -> None:
    """Opens all documents, edits each, and closes them."""
    opened = {name: _open(name, opening) for name in NAMES}
    snapshot = Snapshot(documents=opened)
    for document in opened.values():
        _analyse(session, document, snapshot)
    for name, document in opened.items():
        text = document.text.replace(0, 0, b"// a line more\n")
        opened[name] = OpenDocument(document.uri, name, "opencl", 2, text, opening)
    snapshot = Snapshot(documents=opened)
    for document in opened.values():
        _analyse(session, document, snapshot)
    for name in NAMES:
        session.drop_document(name)


def test_closed_documents_leave_nothing(no_collection: None) -> None:
    session = AnalysisSession()
    _visit_all(session, 1)
    before = _ours()
    for opening in range(2, 5):
        _visit_all(session, opening)
    more = _ours() - before
    # Objects replaced by an edit are few, and the next collection frees them.
    assert not HEAVY & set(more)
    assert more.total() < 500
    gc.collect()
    assert _ours() - before == Counter()


def test_the_memory_of_an_open_document_would_be_noticed(no_collection: None) -> None:
    session = AnalysisSession()
    before = _ours()
    document = _open(NAMES[0], 1)
    _analyse(session, document, Snapshot(documents={NAMES[0]: document}))
    more = _ours() - before
    assert more["openclsp.semantics.database.query_node.QueryNode"] > 60
    assert set(more) >= HEAVY


def test_a_document_opened_again_gives_its_last_analysis_back(no_collection: None) -> None:
    session = AnalysisSession()
    counts = []
    for opening in range(1, 6):
        document = _open(NAMES[0], opening)
        _analyse(session, document, Snapshot(documents={NAMES[0]: document}))
        counts.append(_ours()["openclsp.semantics.database.query_node.QueryNode"])
    assert len(set(counts)) == 1
