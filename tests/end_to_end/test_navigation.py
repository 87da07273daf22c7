"""Definitions, references, highlights and renaming through the protocol, on kernels with a header."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from .conftest import Start
from .editor import Buffer, Editor

HEADER = """\
#ifndef GRID_H
#define GRID_H
#define WIDTH 16
typedef struct { float x, y; } cell;
float area(cell c);
#endif
"""
KERNEL = """\
#include "grid.h"

float area(cell c) { return c.x * c.y; }

kernel void fill(global cell *cells, int n) {
    int i = get_global_id(0);
    cells[i].x = area(cells[i]) + WIDTH;
    i += n; // größer
    cells[i].y = i;
}
"""


async def open_kernel(start: Start) -> tuple[Editor, Buffer, Path]:
    editor = await start()
    header = editor.folder / "grid.h"
    header.write_text(HEADER, encoding="utf-8")
    return editor, await editor.open_kernel(KERNEL), header


def at(buffer: Buffer, text: str, within: str = "") -> types.Position:
    """The position of `text` after the first `within`; the lines before it are ASCII."""
    offset = buffer.text.index(text, buffer.text.index(within))
    line = buffer.text.count("\n", 0, offset)
    return types.Position(line, offset - (buffer.text.rfind("\n", 0, offset) + 1))


def params(buffer: Buffer, position: types.Position) -> types.TextDocumentPositionParams:
    return types.TextDocumentPositionParams(types.TextDocumentIdentifier(buffer.uri), position)


def places(found: object) -> list[tuple[str, int, int]]:
    """The file name, line and column of each location."""
    assert isinstance(found, Sequence)
    return [(each.uri.rsplit("/", 1)[1], each.range.start.line, each.range.start.character) for each in found]


async def test_destinations(start: Start) -> None:
    editor, buffer, _ = await open_kernel(start)
    client, document = editor.client, types.TextDocumentIdentifier(buffer.uri)
    call = at(buffer, "area(", "cells[i].x")
    define = await client.text_document_definition_async(types.DefinitionParams(document, call))
    assert places(define) == [("kernel.cl", 2, 6)]
    declare = await client.text_document_declaration_async(types.DeclarationParams(document, call))
    assert places(declare) == [("grid.h", 4, 6)]
    macro = await client.text_document_definition_async(types.DefinitionParams(document, at(buffer, "WIDTH")))
    assert places(macro) == [("grid.h", 2, 8)]
    type_ = await client.text_document_type_definition_async(
        types.TypeDefinitionParams(document, at(buffer, "cells[i].x"))
    )
    assert places(type_) == [("grid.h", 3, 31)]
    included = await client.text_document_definition_async(
        types.DefinitionParams(document, at(buffer, "grid.h"))
    )
    assert places(included) == [("grid.h", 0, 0)]
    implemented = await client.text_document_implementation_async(types.ImplementationParams(document, call))
    assert places(implemented) == [("kernel.cl", 2, 6)]
    nothing = await client.text_document_definition_async(
        types.DefinitionParams(document, at(buffer, "größer"))
    )
    assert nothing is None


async def test_references_and_highlights(start: Start) -> None:
    editor, buffer, _ = await open_kernel(start)
    client, document = editor.client, types.TextDocumentIdentifier(buffer.uri)
    buffer.replace("i += n;", "i += n + WIDTH;")
    found = await client.text_document_references_async(
        types.ReferenceParams(types.ReferenceContext(True), document, at(buffer, "WIDTH"))
    )
    assert places(found) == [("grid.h", 2, 8), ("kernel.cl", 6, 34), ("kernel.cl", 7, 13)]
    uses = await client.text_document_references_async(
        types.ReferenceParams(types.ReferenceContext(False), document, at(buffer, "area"))
    )
    assert places(uses) == [("kernel.cl", 6, 17)]
    marked = await client.text_document_document_highlight_async(
        types.DocumentHighlightParams(document, at(buffer, "i = get"))
    )
    assert marked is not None
    kinds = types.DocumentHighlightKind
    assert [(each.range.start.line, each.kind) for each in marked] == [
        (5, kinds.Text),
        (6, kinds.Read),
        (6, kinds.Read),
        (7, kinds.Write),
        (8, kinds.Read),
        (8, kinds.Read),
    ]


async def test_positions_without_a_name(start: Start) -> None:
    editor, buffer, _ = await open_kernel(start)
    client = editor.client
    for uri, position in (
        (buffer.uri, types.Position(4000, 0)),
        (buffer.uri, types.Position(0, 4000)),
        (buffer.uri, types.Position(1, 0)),
        ((editor.folder / "unknown.cl").as_uri(), types.Position(0, 0)),
    ):
        document = types.TextDocumentIdentifier(uri)
        found = await client.text_document_definition_async(types.DefinitionParams(document, position))
        uses = await client.text_document_references_async(
            types.ReferenceParams(types.ReferenceContext(True), document, position)
        )
        assert not uses
        if position.character == 0:
            assert not found


async def test_rename_edits_the_files_that_include_the_header(start: Start) -> None:
    editor, buffer, header = await open_kernel(start)
    other = editor.folder / "other.cl"
    other.write_text('#include "grid.h"\nkernel void k(global cell *c) { c[0].x = area(c[1]); }\n')
    buffer.replace("cells[i].x = area", "cells[i].x = 2 * area")
    prepared = await editor.client.text_document_prepare_rename_async(
        types.PrepareRenameParams(types.TextDocumentIdentifier(buffer.uri), at(buffer, "area"))
    )
    assert isinstance(prepared, types.PrepareRenamePlaceholder) and prepared.placeholder == "area"
    found = await editor.client.text_document_rename_async(
        types.RenameParams(types.TextDocumentIdentifier(buffer.uri), at(buffer, "area"), "surface")
    )
    assert found is not None and found.changes is not None
    edited = {
        uri: [(each.range.start.line, each.range.start.character) for each in edits]
        for uri, edits in found.changes.items()
    }
    assert edited == {
        buffer.uri: [(2, 6), (6, 21)],
        header.as_uri(): [(4, 6)],
        other.as_uri(): [(1, 41)],
    }
    assert {each.new_text for edits in found.changes.values() for each in edits} == {"surface"}


async def test_a_refused_rename_says_why(start: Start) -> None:
    editor, buffer, _ = await open_kernel(start)
    document = types.TextDocumentIdentifier(buffer.uri)
    for name, new, reason in (
        ("get_global_id", "a", "`get_global_id` is part of OpenCL C"),
        ("n)", "float", "`float` is part of OpenCL C"),
        ("n)", "", "`` is not an identifier"),
    ):
        with pytest.raises(JsonRpcException, match=reason) as caught:
            await editor.client.text_document_rename_async(
                types.RenameParams(document, at(buffer, name), new)
            )
        assert caught.value.code == types.LSPErrorCodes.RequestFailed


async def test_references_in_files_that_are_not_open(start: Start) -> None:
    editor, buffer, _ = await open_kernel(start)
    other = editor.folder / "other.cl"
    other.write_text(
        '#include "grid.h"\n'
        "// area, größer\n"
        "kernel void k(global cell *c) { c[0].x = area(c[1]); /* area */ int b = WIDTH; }\n"
        "void f(void) { int area = 1; area++; }\n",
        encoding="utf-8",
    )
    (editor.folder / "unrelated.cl").write_text("float area(int x) { return x; }\n", encoding="utf-8")
    editor.client.workspace_did_change_watched_files(
        types.DidChangeWatchedFilesParams([types.FileEvent(other.as_uri(), types.FileChangeType.Created)])
    )
    document = types.TextDocumentIdentifier(buffer.uri)

    async def references(name: str) -> list[tuple[str, int, int]]:
        return places(
            await editor.client.text_document_references_async(
                types.ReferenceParams(types.ReferenceContext(True), document, at(buffer, name))
            )
        )

    assert await references("area") == [
        ("grid.h", 4, 6),
        ("kernel.cl", 2, 6),
        ("kernel.cl", 6, 17),
        ("other.cl", 2, 41),
    ]
    assert ("other.cl", 2, 72) in await references("WIDTH")
    other.write_text("kernel void k(void) {}\n", encoding="utf-8")
    editor.client.workspace_did_change_watched_files(
        types.DidChangeWatchedFilesParams([types.FileEvent(other.as_uri(), types.FileChangeType.Changed)])
    )
    assert len(await references("area")) == 3


async def test_workspace_symbols(start: Start) -> None:
    editor, buffer, header = await open_kernel(start)
    (editor.folder / "kernel.cl").write_text(KERNEL, encoding="utf-8")
    (editor.folder / "closed.cl").write_text("\nkernel void fill_rows(void) {}\n", encoding="utf-8")
    editor.client.workspace_did_change_watched_files(
        types.DidChangeWatchedFilesParams(
            [
                types.FileEvent((editor.folder / "closed.cl").as_uri(), types.FileChangeType.Created),
                types.FileEvent(header.as_uri(), types.FileChangeType.Created),
            ]
        )
    )
    header_symbols = await editor.client.workspace_symbol_async(types.WorkspaceSymbolParams("cell"))
    assert header_symbols is not None
    assert [(each.name, each.location.uri) for each in header_symbols] == [("cell", header.as_uri())]
    found = await editor.client.workspace_symbol_async(types.WorkspaceSymbolParams("fr"))
    assert found is not None
    assert [(each.name, each.kind) for each in found] == [("fill_rows", types.SymbolKind.Function)]
    buffer.replace("kernel void fill(", "kernel void refill(")
    found = await editor.client.workspace_symbol_async(types.WorkspaceSymbolParams("fill"))
    assert found is not None
    assert [each.name for each in found] == ["fill_rows", "refill"]


async def test_an_include_directive_is_a_link(start: Start) -> None:
    editor, buffer, header = await open_kernel(start)
    found = await editor.client.text_document_document_link_async(
        types.DocumentLinkParams(types.TextDocumentIdentifier(buffer.uri))
    )
    assert found is not None
    assert [(each.target, each.range.start.character, each.range.end.character) for each in found] == [
        (header.as_uri(), 9, 17)
    ]


async def test_call_hierarchy_leads_through_files_that_are_not_open(start: Start) -> None:
    editor, buffer, _ = await open_kernel(start)
    other = editor.folder / "other.cl"
    other.write_text(
        '#include "grid.h"\n'
        "float twice(cell c) { return 2 * area(c); }\n"
        "kernel void top(global cell *c) { c[0].x = twice(c[1]); }\n"
    )
    editor.client.workspace_did_change_watched_files(
        types.DidChangeWatchedFilesParams([types.FileEvent(other.as_uri(), types.FileChangeType.Created)])
    )
    items = await editor.client.text_document_prepare_call_hierarchy_async(
        types.CallHierarchyPrepareParams(types.TextDocumentIdentifier(buffer.uri), at(buffer, "area"))
    )
    assert items is not None and [each.name for each in items] == ["area"]
    callers = await editor.client.call_hierarchy_incoming_calls_async(
        types.CallHierarchyIncomingCallsParams(items[0])
    )
    assert callers is not None
    assert [(each.from_.name, each.from_.detail) for each in callers] == [("fill", "kernel"), ("twice", None)]
    above = await editor.client.call_hierarchy_incoming_calls_async(
        types.CallHierarchyIncomingCallsParams(callers[1].from_)
    )
    assert above is not None
    assert [(each.from_.name, each.from_ranges[0].start.line) for each in above] == [("top", 2)]
    called = await editor.client.call_hierarchy_outgoing_calls_async(
        types.CallHierarchyOutgoingCallsParams(above[0].from_)
    )
    assert called is not None and [each.to.name for each in called] == ["twice"]


async def test_bad_input_gets_an_empty_answer_or_a_message(start: Start) -> None:
    editor, buffer, header = await open_kernel(start)
    closed = await editor.open_kernel("int f(int n) { return n; }\n", "closed.cl")
    closed.close()
    client = editor.client
    for uri, line, character in (
        (closed.uri, 0, 4),
        ((editor.folder / "unknown.cl").as_uri(), 0, 0),
        (buffer.uri, 100_000, 100_000),
        (buffer.uri, 0, 100_000),
    ):
        document, position = types.TextDocumentIdentifier(uri), types.Position(line, character)
        marked = types.DocumentHighlightParams(document, position)
        assert not await client.text_document_document_highlight_async(marked)
        hierarchy = types.CallHierarchyPrepareParams(document, position)
        assert not await client.text_document_prepare_call_hierarchy_async(hierarchy)
        type_ = types.TypeDefinitionParams(document, position)
        assert not await client.text_document_type_definition_async(type_)
        if uri == buffer.uri:
            with pytest.raises(JsonRpcException, match="there is no name here"):
                await client.text_document_rename_async(types.RenameParams(document, position, "x"))
        else:
            assert not await client.text_document_rename_async(types.RenameParams(document, position, "x"))
    document = types.TextDocumentIdentifier(buffer.uri)
    for new, reason in (
        ("while", "is part of OpenCL C"),
        ("cells", "already"),
        ("get_global_id", "already|part of OpenCL C"),
        ("a b", "not an identifier"),
        ("1x", "not an identifier"),
        ("x" * 5000, "not an identifier"),
    ):
        with pytest.raises(JsonRpcException, match=reason):
            await client.text_document_rename_async(
                types.RenameParams(document, at(buffer, "i = get_global_id"), new)
            )
    header.unlink()
    (editor.folder / "kernel.cl").unlink(missing_ok=True)
    client.workspace_did_change_watched_files(
        types.DidChangeWatchedFilesParams([types.FileEvent(header.as_uri(), types.FileChangeType.Deleted)])
    )
    found = await client.text_document_references_async(
        types.ReferenceParams(types.ReferenceContext(True), document, at(buffer, "area("))
    )
    assert places(found) == [("kernel.cl", 2, 6), ("kernel.cl", 6, 17)]
    assert await client.workspace_symbol_async(types.WorkspaceSymbolParams("WIDTH")) == []


async def test_a_function_is_extracted(start: Start) -> None:
    editor, buffer, _ = await open_kernel(start)
    selected = types.Range(at(buffer, "i += n;"), at(buffer, "cells[i].y"))
    extract = types.CodeActionContext([], only=[types.CodeActionKind.RefactorExtract])
    (action,) = (
        await editor.client.text_document_code_action_async(
            types.CodeActionParams(types.TextDocumentIdentifier(buffer.uri), selected, extract)
        )
        or ()
    )
    assert isinstance(action, types.CodeAction) and action.kind == types.CodeActionKind.RefactorExtract
    text = buffer.after(action)
    assert (
        "int extracted(int n, int i) {\n    i += n; // größer\n    return i;\n}\n\nkernel void fill" in text
    )
    assert "    i = extracted(n, i);\n    cells[i].y = i;" in text


async def test_texts_that_the_server_makes(start: Start) -> None:
    editor, buffer, header = await open_kernel(start)
    path = buffer.uri.removeprefix("file://")

    async def content(uri: str) -> str:
        found = await editor.client.workspace_text_document_content_async(
            types.TextDocumentContentParams(uri)
        )
        return found.text

    expanded = await content(f"openclsp:/expanded{path}")
    assert "area(cells[i]) + 16" in expanded
    assert "generic" in await content("openclsp:/rules/pointer-cast.md")
    for nothing in ("openclsp:/rules/../../api.md", f"openclsp:/expanded{header}x", "other:/a"):
        with pytest.raises(JsonRpcException, match="there is no document"):
            await content(nothing)
