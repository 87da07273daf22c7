"""The content of a page of the HTML report: a source file with its tokens, and the flows of its pointers."""

from __future__ import annotations

import os
from collections.abc import Iterator

from openclsp.dataclass import dataclass
from openclsp.ide.flow.flow_layout import layout_flow
from openclsp.ide.flow.flow_svg import render_svg
from openclsp.ide.flow.pointer_flow import compute_flow_at, describe_flow
from openclsp.ide.tokens.semantic_tokens import compute_semantic_tokens
from openclsp.language.spaces import QUALIFIERS
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.typing.semantic_token_legend import KINDS, MODIFIERS
from openclsp.source.text import Text

MAXIMUM_FLOWS = 24
"""The maximum number of flow diagrams on a page; the first pointers of the file get one."""
_SHOWN_KINDS = frozenset(("comment", "keyword", "macro"))
_SPACE_WORDS = frozenset(space.word for space in QUALIFIERS.values())
_DECLARATION = 1 << MODIFIERS.index("declaration")
_DISABLED = 1 << MODIFIERS.index("disabled")
_SPACE_BITS = {1 << number: word for number, word in enumerate(MODIFIERS) if word in _SPACE_WORDS}


@dataclass(frozen=True, slots=True)
class SourceToken:
    """A coloured token: bytes `start` to `end` (exclusive) of its line.

    `kind` is an address space or a kind of semantic token.
    """

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class FlowPicture:
    """The flow of a pointer: the line of its declaration (from 0), a title, and the drawing as SVG."""

    line: int
    title: str
    svg: str


@dataclass(frozen=True, slots=True)
class SourcePage:
    """A file with its coloured tokens, by line number from 0."""

    path: str
    text: Text
    dialect: str
    tokens: dict[int, list[SourceToken]]
    flows: tuple[FlowPicture, ...]


def make_source_page(unit: TranslationUnit, name: str, path: str, text: Text) -> SourcePage:
    """Computes the page of the document `name` of an analysed unit."""
    tokens: dict[int, list[SourceToken]] = {}
    flows: list[FlowPicture] = []
    for line, start, length, kind, modifiers in _decoded(unit, name):
        space = next((word for bit, word in _SPACE_BITS.items() if modifiers & bit), "")
        style = "disabled" if modifiers & _DISABLED else space or (kind if kind in _SHOWN_KINDS else "")
        if style:
            tokens.setdefault(line, []).append(SourceToken(start, start + length, style))
        if modifiers & _DECLARATION and unit.dialect.generic and len(flows) < MAXIMUM_FLOWS:
            flows += _picture(unit, name, line, text.line_start(line) + start)
    return SourcePage(path, text, unit.dialect.name, tokens, tuple(flows))


def _decoded(unit: TranslationUnit, name: str) -> Iterator[tuple[int, int, int, str, int]]:
    """Yields each semantic token: line, first byte in the line, length, kind and modifiers.

    Lines and bytes are absolute, not relative to the previous token as in LSP.
    """
    numbers = compute_semantic_tokens(unit, name, "utf-8").numbers.tolist()
    line = column = 0
    for place in range(0, len(numbers), 5):
        lines, columns, length, kind, modifiers = numbers[place : place + 5]
        line, column = line + lines, columns if lines else column + columns
        # The kind "none" has no number in the protocol.
        yield line, column, length, KINDS[kind + 1], modifiers


def _picture(unit: TranslationUnit, name: str, line: int, offset: int) -> Iterator[FlowPicture]:
    flow = compute_flow_at(unit, name, offset)
    if flow is not None and flow.witnesses:
        svg = render_svg(
            layout_flow(flow, lambda step: f"{os.path.basename(step.location.document)}:{step.line}"),
            standalone=False,
        )
        yield FlowPicture(line, f"{flow.declared} in {flow.function}: {describe_flow(flow)}", svg)
