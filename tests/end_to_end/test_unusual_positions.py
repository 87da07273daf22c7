"""Requests at positions without a plain answer: comments, strings, inactive branches, unfinished and recursive code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lsprotocol import types

from .conftest import Start
from .editor import Buffer
from .marks import position

KERNEL = """\
#define LOOP LOOP + BACK
#define BACK LOOP
#define CALL(f) f(CALL)
struct ⟪again⟫ { struct again inside; int n; };
struct ⟪partly⟫ { missing_t part; int count; };
#if 0
inactive ⟪words⟫; add(⟪⟫
#endif
int add(int a, int b) { return a + b; }
// 😀 a comment with add(⟪a⟫
kernel void k(global int *out, struct partly *s) {
    printf("a string with add(⟪b⟫");
    /* add(⟪c⟫ */ out[0] = ⟪LOOP⟫;
    out[1] = CALL(⟪CALL⟫);
    struct again r; r.inside.⟪n⟫ = 0;
    s->⟪part⟫ = 0;
    char c = '⟪x⟫';
    s->⟪⟫
    add(⟪⟫
}
"""
UNKNOWN_SIZE = "The size of a member is not known, so neither is the layout."


@dataclass(frozen=True, slots=True)
class Answers:
    """Parts of the answers at a position; None or empty for an empty answer.

    `names` are the first names that completion offers, `signature` is the first one, `hover` a part of the text, `layout` and
    `expansion` are the last line of each.
    """

    names: Sequence[str] = ()
    signature: str | None = None
    hover: str | None = None
    layout: str | None = None
    expansion: str | None = None


EXPECTED = {
    "a struct that contains itself": Answers(["again"], hover="struct again inside;", layout=UNKNOWN_SIZE),
    "an unknown member": Answers(["partly"], hover="(unknown type) part;", layout=UNKNOWN_SIZE),
    "an inactive word": Answers(),
    "an inactive call": Answers(["__global", "int", "add"]),
    "a comment to the end of the line": Answers(),
    "a string": Answers(hover="constant char[20]"),
    "a comment": Answers(),
    "a macro that contains itself": Answers(
        ["LOOP"], hover="expands to `LOOP + LOOP`", expansion="LOOP + LOOP"
    ),
    "a macro as its own argument": Answers(
        ["CALL"],
        "CALL(f)",
        hover="macro `CALL`: `CALL(f) f(CALL)`",
        expansion="// `CALL` is not expanded here",
    ),
    "a member of itself": Answers(["n"], hover="private int n", layout=UNKNOWN_SIZE),
    "a member of unknown type": Answers(["part"], layout=UNKNOWN_SIZE),
    "a character": Answers(hover="value `120`, `0x78`"),
    "half a member access": Answers(["part", "count"]),
    "half a call": Answers(["c", "r", "s", "out"], "int add(int a, int b)"),
}


async def _answers(buffer: Buffer, span: tuple[int, int]) -> Answers:
    """The answers at a span: completion and signature help at its end, the others at its start."""
    client, document = buffer.editor.client, types.TextDocumentIdentifier(buffer.uri)
    start, end = (position(buffer.text, at, buffer.editor.encoding) for at in span)
    completed = await client.text_document_completion_async(types.CompletionParams(document, end))
    assert isinstance(completed, types.CompletionList)
    signatures = await client.text_document_signature_help_async(types.SignatureHelpParams(document, end))
    hover = await buffer.hover(span[0])
    params: dict[str, Any] = {
        "textDocument": {"uri": buffer.uri},
        "position": {"line": start.line, "character": start.character},
    }
    layout = await client.protocol.send_request_async("openclsp/layout", params)
    expansion = await client.protocol.send_request_async("openclsp/expand", params)
    return Answers(
        [each.label for each in completed.items],
        None if signatures is None else signatures.signatures[0].label,
        None if hover is None else getattr(hover.contents, "value", ""),
        None if layout is None else layout.text.splitlines()[-1],
        None if expansion is None else expansion.text.splitlines()[-1],
    )


async def test_each_answer_is_empty_or_plain(start: Start) -> None:
    editor = await start()
    buffer = await editor.open_kernel(KERNEL)
    whole = {"textDocument": {"uri": buffer.uri}}
    before = await editor.client.protocol.send_request_async("openclsp/expand", whole)
    for (case, expected), span in zip(EXPECTED.items(), buffer.spans, strict=True):
        found = await _answers(buffer, span)
        assert found.names[: len(expected.names) or None] == list(expected.names), case
        assert (found.hover is None) == (expected.hover is None), case
        assert (expected.hover or "") in (found.hover or ""), case
        texts = found.signature, found.layout, found.expansion
        assert texts == (expected.signature, expected.layout, expected.expansion), case
    # no request has changed the text
    assert await editor.client.protocol.send_request_async("openclsp/expand", whole) == before


async def test_positions_past_the_end_are_those_of_the_end(start: Start) -> None:
    editor = await start()
    buffer = await editor.open_kernel("int add(int a, int b) { return a + b; }\n// end")
    document = types.TextDocumentIdentifier(buffer.uri)
    for line, column in ((0, 10**6), (1, 2**31 - 1), (2**31 - 1, 0), (2**31 - 1, 2**31 - 1)):
        where = types.Position(line, column)
        assert await editor.client.text_document_hover_async(types.HoverParams(document, where)) is None
        help_ = types.SignatureHelpParams(document, where)
        assert await editor.client.text_document_signature_help_async(help_) is None
        found = await editor.client.text_document_completion_async(types.CompletionParams(document, where))
        assert isinstance(found, types.CompletionList)
        assert [each.label for each in found.items if line] == []


async def test_a_broken_style_is_said_and_nothing_is_formatted(start: Start) -> None:
    editor = await start()
    (editor.folder / ".clang-format").write_text("IndentWidth: [\n")
    buffer = await editor.open_kernel("kernel void k( int  n ) {}\n")
    document = types.TextDocumentIdentifier(buffer.uri)
    options = types.FormattingOptions(2, insert_spaces=True)
    for _ in range(2):
        edits = await editor.client.text_document_formatting_async(
            types.DocumentFormattingParams(document, options)
        )
        assert edits is None
    (message,) = editor.messages()
    assert ".clang-format" in message
