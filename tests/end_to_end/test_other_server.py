"""Settings that leave requests to another language server so that results are not shown twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from openclsp.lsp.session.feature_groups import FEATURE_GROUPS, GROUP_OF_METHOD

from .conftest import Start
from .editor import Buffer

HEADER = "void f(global int *⟪p⟫) {\n    local int *q = ⟪p⟫;\n}\n"
KERNEL = '#include "f.h"\nkernel void k(global int *⟪p⟫) {\n    f(p);\n}\n'


async def answered(buffer: Buffer) -> set[str]:
    """The feature groups for which a request gets an answer."""
    client, document = buffer.editor.client, types.TextDocumentIdentifier(buffer.uri)
    return {
        group
        for group, found in {
            "hover": await buffer.hover(buffer.spans[0][0]),
            "tokens": await client.text_document_semantic_tokens_full_async(
                types.SemanticTokensParams(document)
            ),
            "symbols": await client.text_document_document_symbol_async(types.DocumentSymbolParams(document)),
            "folding": await client.text_document_folding_range_async(types.FoldingRangeParams(document)),
            "completion": await client.text_document_completion_async(
                types.CompletionParams(document, types.Position(1, 0))
            ),
        }.items()
        if found is not None
    }


EVERYTHING = {"hover", "tokens", "symbols", "folding", "completion"}


@pytest.mark.parametrize(
    ("settings", "in_header", "in_kernel"),
    [
        ({}, EVERYTHING, EVERYTHING),
        ({"leaveToOtherServer": ["hover", "tokens"]}, EVERYTHING - {"hover", "tokens"}, EVERYTHING),
        ({"leaveToOtherServer": list(FEATURE_GROUPS), "otherServerIn": "all"}, set(), set()),
    ],
)
async def test_groups_of_requests_are_left_to_the_other_server(
    start: Start, tmp_path: Path, settings: dict[str, Any], in_header: set[str], in_kernel: set[str]
) -> None:
    (tmp_path / "k.cl").write_text(KERNEL.replace("⟪", "").replace("⟫", ""))
    editor = await start(configuration={"openclsp": settings})
    header = await editor.open((tmp_path / "f.h").as_uri(), HEADER, "cpp")
    # what no other server says stays
    await header.comes_to([("pointer-conversion", "p")])
    assert await answered(header) == in_header
    kernel = await editor.open_kernel(KERNEL, "k.cl")
    assert await answered(kernel) == in_kernel
    assert editor.messages() == []


def test_every_left_request_is_one_of_the_protocol() -> None:
    assert GROUP_OF_METHOD.keys() <= set(types.METHOD_TO_TYPES)


def test_the_extension_offers_every_group() -> None:
    package = Path(__file__).parents[2] / "editors" / "vscode" / "package.json"
    properties = json.loads(package.read_text())["contributes"]["configuration"]["properties"]
    assert properties["openclsp.leaveToOtherServer"]["items"]["enum"] == list(FEATURE_GROUPS)
