"""Formatting in the editor, by clang-format of the server's environment."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from lsprotocol import types
from openclsp.lsp.session.clang_format import ABSENT, FormattingFailure, apply_replacements, run_clang_format

from .conftest import Start
from .editor import Buffer

UNFORMATTED = """\
// 😀
kernel void k(global float4*p)
{
p[0]=(float4)( 1,2 ,3,4 );
   int (^b)(int)=^(int n){return n;};
}
"""
INSTALLED = not isinstance(run_clang_format(b"int a;\n", "LLVM", None), FormattingFailure)
needs_clang_format = pytest.mark.skipif(not INSTALLED, reason="clang-format from PyPI is not installed")
OPTIONS = types.FormattingOptions(2, insert_spaces=True)


def applied(buffer: Buffer, edits: Sequence[types.TextEdit] | None) -> str:
    assert edits is not None
    text = buffer.text
    lines = text.split("\n")

    def index(at: types.Position) -> int:
        before = sum(len(line) + 1 for line in lines[: at.line])
        units = lines[at.line].encode("utf-16-le")[: 2 * at.character]
        return before + len(units.decode("utf-16-le"))

    for edit in sorted(edits, key=lambda each: index(each.range.start), reverse=True):
        text = text[: index(edit.range.start)] + edit.new_text + text[index(edit.range.end) :]
    return text


@needs_clang_format
async def test_a_document_a_range_and_a_typed_character(start: Start) -> None:
    editor = await start(encoding="utf-16")
    buffer = await editor.open_kernel(UNFORMATTED)
    document = types.TextDocumentIdentifier(buffer.uri)
    whole = await editor.client.text_document_formatting_async(
        types.DocumentFormattingParams(document, OPTIONS)
    )
    assert (
        applied(buffer, whole)
        == """\
// 😀
kernel void k(global float4 *p) {
  p[0] = (float4)(1, 2, 3, 4);
  int (^b)(int) = ^(int n) {
    return n;
  };
}
"""
    )
    range_ = types.Range(types.Position(3, 0), types.Position(4, 0))
    part = await editor.client.text_document_range_formatting_async(
        types.DocumentRangeFormattingParams(document, range_, OPTIONS)
    )
    expected = UNFORMATTED.replace("p[0]=(float4)( 1,2 ,3,4 )", "  p[0] = (float4)(1, 2, 3, 4)")
    assert applied(buffer, part) == expected
    typed = await editor.client.text_document_on_type_formatting_async(
        types.DocumentOnTypeFormattingParams(document, types.Position(3, 26), ";", OPTIONS)
    )
    assert applied(buffer, typed) == expected
    (editor.folder / ".clang-format").write_text("InsertBraces: true\nBasedOnStyle: LLVM\n")
    other = await editor.open_kernel("void f(int a) {\nif (a) a = 1;\n}\n", name="other.cl")
    refused = await editor.client.text_document_formatting_async(
        types.DocumentFormattingParams(types.TextDocumentIdentifier(other.uri), OPTIONS)
    )
    assert refused is None
    assert any("would change the program" in message for message in editor.messages())


@needs_clang_format
@pytest.mark.parametrize("text", [b"", b"\n", b"int a;", b"\xff\xfe int a;", b"kernel void f(", b"/* \xc3"])
def test_any_text_is_formatted_or_refused(text: bytes) -> None:
    found = run_clang_format(text, "LLVM", None)
    if not isinstance(found, FormattingFailure):
        assert apply_replacements(text, found).split() == text.split()


def test_an_absent_clang_format_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("openclsp.lsp.session.clang_format._PROGRAM", "no-such-program")
    assert run_clang_format(b"int a;", "LLVM", None) == FormattingFailure(ABSENT)


@needs_clang_format
def test_a_broken_style_is_said() -> None:
    found = run_clang_format(b"int a;", '{"IndentWidth": "wide"}', None)
    assert isinstance(found, FormattingFailure)
    assert found.reason.startswith("clang-format failed: ")
