"""Fixes through the protocol: of one diagnostic, of a file, and across documents."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from .conftest import Start
from .marks import range_of

FIX_ALL = "source.fixAll.openclsp"
WRONG = """kernel void k(global int *g, global int *h) {
    local int *l = ⟪g⟫;
    local int *m = h;
    *l = *m;
}
"""
HEADER = "void clear(int *a);\n"
CALLER = """#include "clear.h"
kernel void k(global int *g) {
    clear(⟪g⟫);
}
void clear(int *a) { *a = 0; }
"""


@pytest.mark.parametrize("kind", ["source", "source.fixAll", FIX_ALL])
async def test_all_that_is_clear_in_a_file(start: Start, kind: str) -> None:
    buffer = await (await start()).open_kernel(WRONG)
    asked = [types.CodeActionKind(kind)] if kind != FIX_ALL else [kind]
    (action,) = await buffer.actions((0, 0), only=asked)
    assert action.kind == FIX_ALL
    buffer.apply(action)
    assert "global int *l = g;" in buffer.text
    assert "global int *m = h;" in buffer.text
    assert await buffer.errors() == []
    assert await buffer.actions((0, 0), only=asked) == []


@pytest.mark.parametrize("resolves", [True, False])
async def test_all_of_one_code_is_a_quick_fix(start: Start, resolves: bool) -> None:
    editor = await start(resolves=resolves)
    buffer = await editor.open_kernel(WRONG)
    named = [
        action
        for action in await buffer.actions(buffer.spans[0])
        if action.title == "Fix all `pointer-conversion` in this file"
    ]
    (action,) = named
    assert action.kind == types.CodeActionKind.QuickFix
    assert (action.edit is None) is resolves
    everywhere = [each for each in await buffer.actions(buffer.spans[0]) if each.kind == FIX_ALL]
    assert len(everywhere) == int(resolves)
    if resolves:
        action = await editor.client.code_action_resolve_async(action)
        whole = await editor.client.code_action_resolve_async(everywhere[0])
        assert buffer.after(whole) == buffer.after(action)
    assert "global int *m = h;" in buffer.after(action)


async def test_a_listed_diagnostic_is_fixed_from_elsewhere_in_its_line(start: Start) -> None:
    editor = await start()
    buffer = await editor.open_kernel(WRONG)
    second = WRONG.replace("⟪", "").replace("⟫", "").index("*m") + 1
    assert await buffer.actions((second, second), only=[types.CodeActionKind.QuickFix]) == []
    listed = [each for each in await buffer.diagnostics() if each.range.start.line == 2]
    found = await editor.client.text_document_code_action_async(
        types.CodeActionParams(
            types.TextDocumentIdentifier(buffer.uri),
            range_of(buffer.text, (second, second), editor.encoding),
            types.CodeActionContext(listed, only=[types.CodeActionKind.QuickFix]),
        )
    )
    assert found
    preferred = [each for each in found if isinstance(each, types.CodeAction) and each.is_preferred]
    assert [list(each.diagnostics or ()) for each in preferred] == [listed]
    assert "global int *m = h;" in buffer.after(preferred[0])


async def test_an_edit_of_several_documents_is_one(start: Start, tmp_path: Path) -> None:
    (tmp_path / "clear.h").write_text(HEADER)
    buffer = await (await start()).open_kernel(CALLER)
    (action,) = [each for each in await buffer.actions(buffer.spans[0]) if each.is_preferred]
    assert action.title == "Qualify parameter `a` of `clear` as `global`"
    assert action.edit is not None
    assert action.edit.changes is not None
    assert set(action.edit.changes) == {buffer.uri, (tmp_path / "clear.h").as_uri()}


async def test_no_fix_of_a_header_that_another_open_document_minds(start: Start, tmp_path: Path) -> None:
    (tmp_path / "clear.h").write_text(HEADER)
    editor = await start()
    other = await editor.open_kernel(
        '#include "clear.h"\nkernel void m(void) {\n    int x;\n    clear(&x);\n}\n', "other.cl"
    )
    assert await other.errors() == []
    buffer = await editor.open_kernel(CALLER)
    titles = [each.title for each in await buffer.actions(buffer.spans[0])]
    assert not any(title.startswith("Qualify") for title in titles)
    other.close()
    titles = [each.title for each in await buffer.actions(buffer.spans[0])]
    assert any(title.startswith("Qualify") for title in titles)


@pytest.mark.parametrize("other", ["local", "global"])
async def test_a_fix_must_hold_in_the_other_variants(start: Start, tmp_path: Path, other: str) -> None:
    (tmp_path / "openclsp.toml").write_text(
        f"[variants.first]\ndefines = {{ SPACE = 'global' }}\n[variants.other]\ndefines = {{ SPACE = '{other}' }}\n"
    )
    buffer = await (await start()).open_kernel(
        "void clear(int *a) { *a = 0; }\nkernel void k(SPACE int *g) { clear(⟪g⟫); }\n"
    )
    assert len(await buffer.errors()) == 1
    titles = [each.title for each in await buffer.actions(buffer.spans[0])]
    assert ("Qualify parameter `a` of `clear` as `global`" in titles) == (other == "global")


async def test_an_address_space_is_changed_with_its_callers(start: Start) -> None:
    buffer = await (await start()).open_kernel(
        "float f(global float *⟪p⟫) { return *p; }\nkernel void k(global float *a, global float *b) { *b = f(a); }\n"
    )
    found = await buffer.actions(buffer.spans[0], only=[types.CodeActionKind.Refactor])
    assert [(each.kind, each.title.split(" (")[0]) for each in found] == [
        ("refactor.rewrite", f"Make `p` point to `{space}` memory and update dependent code")
        for space in ("local", "constant")
    ]
    assert await buffer.actions(buffer.spans[0], only=[types.CodeActionKind.QuickFix]) == []
    # a light bulb that follows the cursor costs nothing
    where = types.Range(types.Position(0, 22), types.Position(0, 22))
    document = types.TextDocumentIdentifier(buffer.uri)
    asked = types.CodeActionContext([], trigger_kind=types.CodeActionTriggerKind.Automatic)
    automatic = await buffer.editor.client.text_document_code_action_async(
        types.CodeActionParams(document, where, asked)
    )
    assert not automatic
    buffer.apply(found[0])
    assert "float f(local float *p)" in buffer.text and "k(local float *a, global float *b)" in buffer.text
    assert await buffer.errors() == []
