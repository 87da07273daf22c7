"""Nothing is imported, read or built before it is needed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys
read = []
sys.addaudithook(lambda event, arguments: read.append(str(arguments[0])) if event == "open" else None)
from openclsp.lsp.startup.deferred_types import import_deferred, pending_classes
import_deferred()
from openclsp.lsp.startup.server import create_server
server = create_server()
{then}
for name in sorted(sys.modules):
    print("module", name)
for path in read:
    print("read", path)
print("deferred", len(pending_classes()))
"""

ANALYSIS = """
from openclsp.lsp.session.client_capabilities import ClientCapabilities
from openclsp.lsp.session.open_documents import OpenDocument
from openclsp.lsp.session.diagnostics_cache import document_diagnostics
from openclsp.lsp.session.analysis_session import AnalysisSession
from openclsp.lsp.session.snapshot import Snapshot
from openclsp.source.text import Text
text = Text.of(b"kernel void k(global int *g) { local int *p = g; p[get_local_id(0)] = 1; }")
document = OpenDocument("file:///k.cl", "/nowhere/k.cl", "opencl", 1, text, 1)
session = AnalysisSession()
analysed = session.analyse(document, Snapshot(documents={document.name: document}), lambda: None)
assert [each.source.code for each in document_diagnostics(analysed, ClientCapabilities())] == ["pointer-conversion"]
"""

NEVER = {
    "click",
    "rich",
    "yaml",
    "pathspec",
    "unittest",
    "openclsp.cli.commands",
    "openclsp.ide.fixes.fixes",
    "openclsp.host_options.statement_interpreter",
    "openclsp.host_options.cmake_interpreter",
}
"""Modules that the first diagnostics of a kernel without a project do not need."""


def _lines(then: str) -> list[str]:
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(then=then)], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


def _lines_of_kind(lines: list[str], kind: str) -> set[str]:
    return {line.partition(" ")[2] for line in lines if line.startswith(kind + " ")}


def test_the_server_starts_without_the_analysis() -> None:
    modules = _lines_of_kind(_lines(""), "module")
    assert "openclsp.lsp.startup.server" in modules
    assert not modules & {
        *NEVER,
        "openclsp.semantics.translation_unit",
        "openclsp.rules.runner.rule_registry",
    }


@pytest.fixture(scope="module")
def first_answer() -> list[str]:
    return _lines(ANALYSIS)


def test_the_first_diagnostics_load_no_more_than_they_need(first_answer: list[str]) -> None:
    modules = _lines_of_kind(first_answer, "module")
    assert "openclsp.semantics.translation_unit" in modules
    assert not modules & NEVER


def test_the_first_diagnostics_read_the_pages_of_their_own_rules_only(first_answer: list[str]) -> None:
    read = _lines_of_kind(first_answer, "read")
    assert [Path(path).name for path in read if path.endswith(".md")] == ["pointer_conversion.md"]


def test_most_protocol_classes_are_never_completed(first_answer: list[str]) -> None:
    (deferred,) = _lines_of_kind(first_answer, "deferred")
    assert int(deferred) > 480
