"""Semantic tokens, inlay hints and document symbols through the protocol."""

from __future__ import annotations

import pytest
from lsprotocol import types

from ..ide.tokens import decoded
from .conftest import Start
from .editor import Buffer

KERNEL = """\
#define N 4
typedef struct { global float *rows; int count; } matrix;
// größer
float sum(float *values, int n) {
    return values[0] + n;
}
kernel void k(global float *g, local float *l, matrix m) {
    float own[N];
    l[0] = sum(g, N) + m.rows[0] + own[1];
}
"""


def identifier(buffer: Buffer) -> types.TextDocumentIdentifier:
    return types.TextDocumentIdentifier(buffer.uri)


def everything(buffer: Buffer) -> types.Range:
    return types.Range(types.Position(0, 0), types.Position(buffer.text.count("\n"), 0))


def read(buffer: Buffer, numbers: list[int]) -> list[tuple[str, str]]:
    """The text of each token with its type and modifiers."""
    lines = [line.encode("utf-16-le") for line in buffer.text.split("\n")]
    return [
        (lines[each.row][2 * each.column : 2 * (each.column + each.length)].decode("utf-16-le"), each.meaning)
        for each in decoded(numbers)
    ]


async def full(buffer: Buffer) -> types.SemanticTokens:
    found = await buffer.editor.client.text_document_semantic_tokens_full_async(
        types.SemanticTokensParams(identifier(buffer))
    )
    assert found is not None
    return found


async def test_tokens_of_a_kernel(start: Start) -> None:
    editor = await start()
    buffer = await editor.open_kernel(KERNEL)
    tokens = read(buffer, list((await full(buffer)).data))
    assert ("k", "function declaration definition kernel") in tokens
    assert ("g", "parameter declaration definition global") in tokens
    assert ("// größer", "comment") in tokens
    assert ("own", "variable private") in tokens
    assert ("rows", "property global") in tokens
    assert ("N", "macro") in tokens


async def test_a_client_that_applies_the_edits_has_the_tokens_of_the_text(start: Start) -> None:
    editor = await start()
    buffer = await editor.open_kernel(KERNEL)
    before = await full(buffer)
    numbers = list(before.data)
    identity = before.result_id
    for old, new in (
        ("values[0] + n", "values[0] + n + 1"),
        ("// größer", "// größer\n\n/* two\nlines */"),
        ("global float *rows", "local float *rows"),
        ("#define N 4", "#define N 4\n#define M 5"),
        ("kernel void k", "kernel /* c */ void k"),
    ):
        buffer.replace(old, new)
        assert identity is not None
        found = await editor.client.text_document_semantic_tokens_full_delta_async(
            types.SemanticTokensDeltaParams(identifier(buffer), identity)
        )
        assert isinstance(found, types.SemanticTokensDelta)
        for edit in sorted(found.edits, key=lambda each: each.start, reverse=True):
            numbers[edit.start : edit.start + edit.delete_count] = edit.data or []
        identity = found.result_id
    other = await editor.open_kernel(buffer.text, "other.cl")
    assert numbers == list((await full(other)).data)


async def test_an_unknown_result_is_answered_in_full(start: Start) -> None:
    editor = await start()
    buffer = await editor.open_kernel(KERNEL)
    whole = await full(buffer)
    found = await editor.client.text_document_semantic_tokens_full_delta_async(
        types.SemanticTokensDeltaParams(identifier(buffer), "of another server")
    )
    assert isinstance(found, types.SemanticTokens)
    assert found.data == whole.data


async def test_tokens_of_some_lines(start: Start) -> None:
    editor = await start()
    buffer = await editor.open_kernel(KERNEL)
    lines = types.Range(types.Position(3, 0), types.Position(4, 10))
    found = await editor.client.text_document_semantic_tokens_range_async(
        types.SemanticTokensRangeParams(identifier(buffer), lines)
    )
    assert found is not None
    texts = [text for text, _ in read(buffer, list(found.data))]
    assert texts == ["float", "sum", "float", "values", "int", "n", "return", "values", "0", "n"]


@pytest.mark.parametrize(("wanted", "expected"), [("off", []), ("inferred", ["global"]), ("all", ["global"])])
async def test_hints(start: Start, wanted: str, expected: list[str]) -> None:
    editor = await start(configuration={"openclsp": {"languageVersion": "CL2.0", "inlayHints": wanted}})
    buffer = await editor.open_kernel(KERNEL)
    params = types.InlayHintParams(identifier(buffer), everything(buffer))
    hints = await editor.client.text_document_inlay_hint_async(params)
    assert [hint.label for hint in hints or ()] == expected
    for hint in hints or ():
        resolved = await editor.client.inlay_hint_resolve_async(hint)
        assert resolved.text_edits is not None
        assert [edit.new_text for edit in resolved.text_edits] == ["global "]
        assert resolved.text_edits[0].range.start == hint.position


async def test_a_hint_setting_that_there_is_not(start: Start) -> None:
    editor = await start(configuration={"openclsp": {"inlayHints": "some"}})
    buffer = await editor.open_kernel(KERNEL)
    await full(buffer)
    assert [message for message in editor.messages() if "inlayHints" in message]


async def test_symbols(start: Start) -> None:
    editor = await start()
    buffer = await editor.open_kernel(KERNEL)
    found = await editor.client.text_document_document_symbol_async(
        types.DocumentSymbolParams(identifier(buffer))
    )
    assert found is not None
    nested = [each for each in found if isinstance(each, types.DocumentSymbol)]
    assert [each.name for each in nested] == ["N", "matrix", "sum", "k"]
    assert [each.name for each in nested[1].children or ()] == ["rows", "count"]
    assert nested[3].kind is types.SymbolKind.Function
    assert nested[3].detail == "kernel void (global float *, local float *, matrix)"


async def test_a_header_is_annotated_as_its_kernel_uses_it(start: Start) -> None:
    editor = await start()
    (editor.folder / "compile_flags.txt").write_text("-cl-std=CL2.0\n")
    (editor.folder / "k.cl").write_text(
        '#define SPACE global\n#include "helper.clh"\nkernel void k(global int *g) { sum(g, g); }\n'
    )
    source = "int sum(int *p, SPACE int *q) { return *p + *q; }\n"
    buffer = await editor.open_kernel(source, "helper.clh")

    # Other files may include it and call it with other pointers, so the address space of `p` is unknown.
    wanted = {
        ("p", "parameter declaration definition generic"),
        ("q", "parameter declaration definition global"),
        ("SPACE", "macro global"),
    }
    assert wanted <= set(read(buffer, list((await full(buffer)).data)))
    found = await editor.client.text_document_document_symbol_async(
        types.DocumentSymbolParams(identifier(buffer))
    )
    assert [each.name for each in found or ()] == ["sum"]


async def test_folding_and_selection_ranges_of_a_kernel(start: Start) -> None:
    editor = await start()
    buffer = await editor.open_kernel(KERNEL)
    client, document = editor.client, identifier(buffer)
    folds = await client.text_document_folding_range_async(types.FoldingRangeParams(document))
    assert folds is not None
    assert {each.start_line for each in folds} == {3, 6}
    assert {each.end_line for each in folds} <= {4, 5, 8, 9}
    found = await client.text_document_selection_range_async(
        types.SelectionRangeParams(document, [types.Position(8, 12), types.Position(99, 0)])
    )
    assert found is not None
    inner, past_end = found
    assert inner.range == types.Range(types.Position(8, 11), types.Position(8, 14))
    ranges, each = 0, inner.parent
    while each is not None:
        ranges, each = ranges + 1, each.parent
    assert ranges > 4
    assert past_end.range.end == types.Position(10, 0)


async def test_the_names_of_an_include_guard_are_linked(start: Start) -> None:
    editor = await start()
    buffer = await editor.open_kernel("#ifndef K_H\n#define K_H\n#endif // K_H\n")
    client, document = editor.client, identifier(buffer)
    found = await client.text_document_linked_editing_range_async(
        types.LinkedEditingRangeParams(document, types.Position(1, 9))
    )
    assert found is not None
    assert [(each.start.line, each.start.character) for each in found.ranges] == [(0, 8), (1, 8), (2, 10)]
    elsewhere = await client.text_document_linked_editing_range_async(
        types.LinkedEditingRangeParams(document, types.Position(1, 1))
    )
    assert elsewhere is None
