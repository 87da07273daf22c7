"""Renders the drawing of a flow as SVG 1.1.

All text from the program is escaped. A shortened label has its full text in a `<title>`. A drawing without an
embedded style is meant for a page with a style sheet. Its elements have classes: `box`, `kernel`, `row`,
`arrow`, `head`, `label`, `place`, `target`, and the name of an address space.
"""

from __future__ import annotations

import unicodedata
from html import escape

from openclsp.ide.flow.flow_layout import (
    CHARACTER_WIDTH,
    LEGEND_SAMPLE,
    LINE_HEIGHT,
    PADDING,
    SMALL_CHARACTER_WIDTH,
    STEP_HEIGHT,
    TITLE_HEIGHT,
    Arrow,
    DisplayText,
    FlowLayout,
    FunctionBox,
    LegendEntry,
    PointerBox,
    StepBox,
    shorten,
    text_width,
)
from openclsp.ide.flow.palette import DASHES, PALETTE

_LABEL_RISE, _PLACE_DROP, _LABEL_INDENT = 6, 13, 8
_STYLE = """\
text { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 12px; fill: #1f2328; }
.place { font-size: 10px; fill: #59636e; }
.ground { fill: #ffffff; }
.box { fill: #f6f8fa; stroke: #d1d9e0; }
.kernel { stroke-width: 2; stroke: #59636e; }
.name { font-weight: bold; }
.row, .target { fill: #ffffff; stroke-width: 1.5; }
.target { stroke: #59636e; }
.arrow { fill: none; stroke-width: 2; }
"""
_FITTED = "{ max-width: 100%; height: auto; }\n"
_DARK = """\
text { fill: #e6edf3; }
.place { fill: #9198a1; }
.ground { fill: #0d1117; }
.box { fill: #151b23; stroke: #3d444d; }
.kernel { stroke: #9198a1; }
.row, .target { fill: #0d1117; }
.target { stroke: #9198a1; }
"""


def render_svg(picture: FlowLayout, *, standalone: bool = True) -> str:
    """Renders a drawing as an SVG document with a style.

    Without `standalone`, it is an element without a style, to be embedded in a page. Each step has its index
    as `data-step`.
    """
    width, height = _number(picture.width), _number(picture.height)
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="openclsp-flow" role="img" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}">'
        ),
        f"<title>{escape_text(picture.title)}</title>",
    ]
    if standalone:
        parts.append(f"<style>\n{_style()}</style>")
    spaces = sorted({arrow.space for arrow in picture.arrows})
    parts.append("<defs>")
    parts += [_arrowhead(space) for space in spaces]
    parts.append("</defs>")
    if standalone:
        parts.append(f'<rect class="ground" width="{width}" height="{height}"/>')
    parts += [_box(each) for each in picture.boxes]
    parts += [_lane(each) for each in picture.step_boxes]
    parts.append(_target(picture.target))
    parts += [_arrow(each) for each in picture.arrows]
    parts += [_legend_entry(each) for each in picture.legend]
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def escape_text(text: str) -> str:
    """Escapes text for element content and attributes.

    Characters that XML forbids, and control characters such as those for text direction, become U+FFFD.
    """
    kept = (
        "\N{REPLACEMENT CHARACTER}"
        if unicodedata.category(each) in ("Cc", "Cf", "Cs", "Cn", "Zl", "Zp") and each not in "\n\t"
        else each
        for each in text
    )
    return escape("".join(kept), quote=True)


def embedded_style() -> str:
    """Returns the style sheet for drawings that are not standalone, to be added to a page."""
    fitted = f".openclsp-flow {_FITTED}"
    return (
        fitted
        + "".join(f".openclsp-flow {line}\n" for line in _STYLE.splitlines())
        + (
            "".join(f"{_colours(space, colour.light)}" for space, colour in PALETTE.items())
            + "@media (prefers-color-scheme: dark) {\n"
            + "".join(f".openclsp-flow {line}\n" for line in _DARK.splitlines())
            + "".join(f"{_colours(space, colour.dark)}" for space, colour in PALETTE.items())
            + "}\n"
        )
    )


def _style() -> str:
    light = "".join(_colours(space, colour.light) for space, colour in PALETTE.items())
    dark = "".join(_colours(space, colour.dark) for space, colour in PALETTE.items())
    return f"svg {_FITTED}{_STYLE}{light}@media (prefers-color-scheme: dark) {{\n{_DARK}{dark}}}\n"


def _colours(space: str, colour: str) -> str:
    return f".row.{space}, .arrow.{space} {{ stroke: {colour}; }}\n.head.{space} {{ fill: {colour}; }}\n"


def _arrowhead(space: str) -> str:
    return (
        f'<marker id="openclsp-{space}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
        f'markerUnits="userSpaceOnUse" orient="auto"><path class="head {space}" d="M0 0L8 4L0 8Z"/></marker>'
    )


def _box(box: FunctionBox) -> str:
    kind = "box kernel" if box.kernel else "box"
    return f"<g>{_rectangle(kind, box.x, box.y, box.width, box.height, 6)}" + (
        f"{_text('name', box.x + PADDING, box.y + TITLE_HEIGHT - 9, box.name, CHARACTER_WIDTH)}</g>"
    )


def _lane(lane: StepBox) -> str:
    return (
        f'<g class="step" data-step="{lane.step}">'
        f"{_rectangle(f'row {lane.space}', lane.x, lane.y, lane.width, STEP_HEIGHT, 4, _dashes(lane.space))}"
        f"{_text('', lane.x + PADDING, lane.y + 15, lane.text, CHARACTER_WIDTH)}"
        f"{_text('place', lane.x + PADDING, lane.y + 29, lane.place, SMALL_CHARACTER_WIDTH)}</g>"
    )


def _target(target: PointerBox) -> str:
    parts = [f"<g>{_rectangle('target', target.x, target.y, target.width, target.height, 4)}"]
    top = target.y + (target.height - len(target.lines) * LINE_HEIGHT) / 2 + LINE_HEIGHT - 4
    for number, line in enumerate(target.lines):
        parts.append(
            _text(
                "" if number else "name",
                target.x + PADDING,
                top + number * LINE_HEIGHT,
                line,
                CHARACTER_WIDTH,
            )
        )
    return "".join((*parts, "</g>"))


def _arrow(arrow: Arrow) -> str:
    path = "L".join(f"{_number(x)} {_number(y)}" for x, y in arrow.points)
    drawn = (
        f'<path class="arrow {arrow.space}"{_dashes(arrow.space)} d="M{path}" '
        f'marker-end="url(#openclsp-{arrow.space})"/>'
    )
    if arrow.label is None:
        return drawn
    x, y = arrow.points[0]
    x += PADDING + _LABEL_INDENT
    if arrow.place is None:
        return drawn + _text("place", x, y - _LABEL_RISE, arrow.label, SMALL_CHARACTER_WIDTH)
    return (
        f'<g class="step" data-step="{arrow.step}">{drawn}'
        f"{_text('label', x, y - _LABEL_RISE, arrow.label, CHARACTER_WIDTH)}"
        f"{_text('place', x, y + _PLACE_DROP, arrow.place, SMALL_CHARACTER_WIDTH)}</g>"
    )


def _legend_entry(entry: LegendEntry) -> str:
    """Renders a legend entry: a sample line and the name of the address space."""
    y = _number(entry.y)
    return (
        f'<path class="arrow {entry.space}"{_dashes(entry.space)} '
        f'd="M{_number(entry.x)} {y}L{_number(entry.x + LEGEND_SAMPLE)} {y}"/>'
        + _text("", entry.x + LEGEND_SAMPLE + 8, entry.y + 4, shorten(entry.space), CHARACTER_WIDTH)
    )


def _dashes(space: str) -> str:
    dashes = DASHES.get(space, "")
    return f' stroke-dasharray="{dashes}"' if dashes else ""


def _rectangle(
    kind: str, x: float, y: float, width: float, height: float, round_: int, dashes: str = ""
) -> str:
    return (
        f'<rect class="{kind}"{dashes} x="{_number(x)}" y="{_number(y)}" width="{_number(width)}" '
        f'height="{_number(height)}" rx="{round_}"/>'
    )


def _text(kind: str, x: float, y: float, words: DisplayText, character: float) -> str:
    """Renders a text that is stretched to the same width in every font.

    `kind` is the class of the element, or empty. `character` is the width of a character.
    """
    if not words.displayed:
        return ""
    width = _number(text_width(words.displayed) * character)
    named = f' class="{kind}"' if kind else ""
    whole = f"<title>{escape_text(words.full)}</title>" if words.full != words.displayed else ""
    return (
        f'<text{named} x="{_number(x)}" y="{_number(y)}" textLength="{width}" lengthAdjust="spacingAndGlyphs">'
        f"{whole}{escape_text(words.displayed)}</text>"
    )


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
