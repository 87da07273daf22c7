"""Every block of host code on every page has exactly the marked diagnostics."""

from __future__ import annotations

import pytest
from openclsp.host_code.host_language import HostLanguage
from openclsp.ide.host_contract.host_contract import HostContracts
from openclsp.source.document import Document

from .marked_page import HostBlock, marked_rules

LANGUAGES = {"c": HostLanguage.C, "cpp": HostLanguage.CPP, "python": HostLanguage.PYTHON}
BLOCKS = [
    pytest.param(block, id=f"{page.code}-{block.language}-{block.line}")
    for page in marked_rules()
    for block in page.host_blocks
]


@pytest.mark.parametrize("block", BLOCKS)
def test_a_block_of_host_code_has_exactly_the_marked_diagnostics(block: HostBlock) -> None:
    host = Document.of(f"/nowhere/example.{block.language}", block.text.encode())
    found = HostContracts().check(host, LANGUAGES[block.language]).diagnostics
    reported = [
        (host.text.line_of(each.location.start), each.severity.value, each.code, each.message)
        for each in found
    ]
    assert sorted(each[:3] for each in reported) == sorted(
        (mark.line, mark.severity, mark.code) for mark in block.marks
    ), reported
