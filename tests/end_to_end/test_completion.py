"""Completion through the protocol."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from .conftest import Start
from .editor import Buffer
from .marks import position

KERNEL = """\
typedef struct { float weight; } tile_t;
kernel void tiling(global tile_t *tiles, local float *größe) {
    int tile_row = 0; /* ä */ ⟪tile_r⟫;
    ⟪tiles.⟫;
    a >⟪ ⟫
}
"""


async def _completed(buffer: Buffer, span: int, trigger: str | None = None) -> types.CompletionList:
    kind = types.CompletionTriggerKind.TriggerCharacter if trigger else types.CompletionTriggerKind.Invoked
    found = await buffer.editor.client.text_document_completion_async(
        types.CompletionParams(
            types.TextDocumentIdentifier(buffer.uri),
            position(buffer.text, buffer.spans[span][1], buffer.editor.encoding),
            types.CompletionContext(kind, trigger),
        )
    )
    assert isinstance(found, types.CompletionList)
    return found


async def test_names_members_and_trigger_characters(start: Start, encoding: str) -> None:
    buffer = await (await start(encoding=encoding)).open_kernel(KERNEL)
    names = await _completed(buffer, 0)
    assert names.items[0].label == "tile_row"
    assert names.items[0].detail == "private int tile_row"
    assert names.items[0].kind == types.CompletionItemKind.Variable
    assert [item.sort_text for item in names.items] == sorted(item.sort_text or "" for item in names.items)
    (member,) = (await _completed(buffer, 1, ".")).items
    assert (member.label, member.detail) == ("weight", "float weight")
    assert member.additional_text_edits is not None
    assert [edit.new_text for edit in member.additional_text_edits] == ["->"]
    assert not (await _completed(buffer, 2, ">")).items


async def test_a_candidate_is_documented_when_it_is_resolved(start: Start) -> None:
    buffer = await (await start()).open_kernel("void f(void) { ⟪get_glo⟫ }\n")
    found = await _completed(buffer, 0)
    item = next(each for each in found.items if each.label == "get_global_id")
    assert item.detail is None
    resolved = await buffer.editor.client.completion_item_resolve_async(item)
    assert resolved.detail == "size_t get_global_id(uint dimindx)"
    assert isinstance(resolved.documentation, str)
    assert "global index of this work-item" in resolved.documentation


async def test_headers_within_the_permission(start: Start, tmp_path: Path) -> None:
    folder = tmp_path / "project"
    for path in (
        "project/tiles.h",
        "project/inner/types.h",
        "project/notes.bin",
        "project/.hidden.h",
        "outside.h",
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("")
    (folder / "openclsp.toml").write_text("")
    editor = await start(folder=folder)
    buffer = await editor.open_kernel('#include "⟪ti⟫"\n#include "⟪../⟫"\n#include "inner/⟪⟫\n')
    found = (await _completed(buffer, 0)).items
    assert [(each.label, each.kind) for each in found] == [("tiles.h", types.CompletionItemKind.File)]
    edit = found[0].text_edit
    assert isinstance(edit, types.TextEdit)
    assert (edit.new_text, edit.range.start.character, edit.range.end.character) == ("tiles.h", 10, 12)
    assert not (await _completed(buffer, 1)).items
    assert [each.label for each in (await _completed(buffer, 2, "/")).items] == ["types.h"]


async def test_trigger_characters_outside_of_their_places(start: Start) -> None:
    buffer = await (await start()).open_kernel("void f(int a) { a < ⟪⟫; f(⟪⟫); a / ⟪⟫ 2; }\n")
    for span, trigger in enumerate(("<", "(", "/")):
        assert not (await _completed(buffer, span, trigger)).items
    assert (await _completed(buffer, 0)).items
