"""The layout of a flow's picture, as SVG and as Mermaid."""

from __future__ import annotations

import re
import xml.etree.ElementTree as xml
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from openclsp.ide.feature_results import FlowStep, PointerFlow
from openclsp.ide.flow.flow_layout import MAXIMUM_CHARACTERS, layout_flow
from openclsp.ide.flow.flow_mermaid import render_mermaid
from openclsp.ide.flow.flow_svg import render_svg
from openclsp.ide.flow.flow_wrapping import wrap_layout
from openclsp.language.spaces import Space

from .flows import HOSTILE, LONG, NOTHING, RETURNED, TWO, flow, flows_by_chance, step, witness

EDITORS = Path(__file__).parents[2] / "editors"
SVG = "{http://www.w3.org/2000/svg}"

Area = tuple[float, float, float, float]
"""Left, top, right, bottom."""


def place(of: FlowStep) -> str:
    return f"k.cl:{of.line}"


def drawn(of: PointerFlow) -> str:
    return render_svg(layout_flow(of, place))


def number(element: xml.Element, name: str) -> float:
    return float(element.attrib[name])


def texts(root: xml.Element) -> list[tuple[str, Area]]:
    """The texts of the picture with the areas that they occupy."""
    found = []
    for each in root.iter(f"{SVG}text"):
        shown = "".join(each.itertext()) if each.find(f"{SVG}title") is None else (each[0].tail or "")
        x, y = number(each, "x"), number(each, "y")
        height = 10.0 if each.get("class") == "place" else 12.0
        found.append((shown, (x, y - height * 0.8, x + number(each, "textLength"), y + height * 0.2)))
    return found


def areas(root: xml.Element, kind: str) -> list[Area]:
    return [
        (x, y, x + number(each, "width"), y + number(each, "height"))
        for each in root.iter(f"{SVG}rect")
        if kind in each.get("class", "").split()
        for x, y in [(number(each, "x"), number(each, "y"))]
    ]


def stretches(root: xml.Element) -> list[Area]:
    """The straight segments of the arrows."""
    found = []
    for each in root.iter(f"{SVG}path"):
        if "arrow" in each.get("class", "").split():
            numbers = [float(one) for one in re.findall(r"-?\d+(?:\.\d+)?", each.attrib["d"])]
            points = list(zip(numbers[::2], numbers[1::2], strict=True))
            for (x1, y1), (x2, y2) in pairwise(points):
                found.append((min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)))
    return found


ROUNDED = 0.2
"""What lengths are off by, as they are written with one digit behind the point."""


def meet(one: Area, other: Area) -> bool:
    across = one[0] + ROUNDED < other[2] and other[0] + ROUNDED < one[2]
    return across and one[1] + ROUNDED < other[3] and other[1] + ROUNDED < one[3]


def inside(one: Area, other: Area) -> bool:
    begins = other[0] <= one[0] + ROUNDED and other[1] <= one[1] + ROUNDED
    return begins and one[2] <= other[2] + ROUNDED and one[3] <= other[3] + ROUNDED


def faults(text: str) -> list[str]:
    """Elements that overlap, or that are outside of the picture or of their box."""
    root = xml.fromstring(text)
    whole = (0.0, 0.0, number(root, "width"), number(root, "height"))
    written, rows, boxes = texts(root), areas(root, "row"), areas(root, "box")
    found = [f"texts {a[0]!r} and {b[0]!r}" for a, b in combinations(written, 2) if meet(a[1], b[1])]
    found += [f"boxes {a} and {b}" for a, b in combinations(boxes, 2) if meet(a, b)]
    found += [f"rows {a} and {b}" for a, b in combinations(rows, 2) if meet(a, b)]
    found += [f"arrow {a} and text {b[0]!r}" for a in stretches(root) for b in written if meet(a, b[1])]
    found += [f"arrow {a} and row {b}" for a in stretches(root) for b in rows if meet(a, b)]
    for _, area in [*written, *(("", each) for each in (*rows, *boxes, *stretches(root)))]:
        if not inside(area, whole):
            found.append(f"{area} is outside of {whole}")
    found += [
        f"row {row} is in no box"
        for row in rows
        if not any(
            box[0] <= row[0] and box[1] <= row[1] and row[2] <= box[2] and row[3] <= box[3] for box in boxes
        )
    ]
    return found


@pytest.mark.parametrize("of", [TWO, RETURNED, LONG, NOTHING], ids=["two", "returned", "long", "nothing"])
def test_nothing_stands_in_the_way_of_anything(of: PointerFlow) -> None:
    assert faults(drawn(of)) == []


@given(flows_by_chance)
@settings(max_examples=150, deadline=None)
def test_nor_in_pictures_of_any_flow(of: PointerFlow) -> None:
    assert faults(drawn(of)) == []


def test_a_box_for_each_function_and_kernels_first() -> None:
    picture = layout_flow(TWO, place)
    assert [(box.name.displayed, box.kernel) for box in picture.boxes] == [
        ("kernel run", True),
        ("helper", False),
    ]
    assert picture.boxes[0].x < picture.boxes[1].x
    assert [(row.text.displayed, row.place.displayed, row.space) for row in picture.step_boxes] == [
        ("kernel parameter g", "k.cl:3", "global"),
        ("parameter p", "k.cl:1", "global"),
        ("tile lies in local memory", "k.cl:5", "local"),
        ("parameter p", "k.cl:1", "local"),
    ]
    labels = [(arrow.label.displayed, arrow.space) for arrow in picture.arrows if arrow.label is not None]
    assert labels == [
        ("argument of helper", "global"),
        ("global", "global"),
        ("argument of helper", "local"),
        ("local", "local"),
    ]
    assert [line.displayed for line in picture.target.lines] == [
        "p",
        "generic int *private p",
        "holds {global, local}",
    ]


def test_lanes_are_ordered_so_that_a_function_is_one_box() -> None:
    names = [box.name.displayed for box in layout_flow(LONG, place).boxes]
    assert sorted(names) == [
        "kernel one",
        "kernel two",
        "middle",
        "other",
        "the_innermost_function_of_all_f…",
    ]


def test_kernels_stand_in_the_first_column() -> None:
    boxes = {box.name.displayed: box for box in layout_flow(LONG, place).boxes}
    first = min(box.x for box in boxes.values())
    assert [name for name, box in boxes.items() if box.x == first] == ["kernel one", "kernel two"]


def test_every_step_is_in_the_picture_once() -> None:
    for of in (TWO, RETURNED, LONG):
        picture = layout_flow(of, place)
        shown = [row.step for row in picture.step_boxes] + [
            arrow.step for arrow in picture.arrows if arrow.step is not None
        ]
        assert sorted(shown) == list(range(len(picture.steps)))


def test_what_is_not_reached_and_what_is_null_is_said() -> None:
    assert [line.displayed for line in layout_flow(NOTHING, place).target.lines][2:] == [
        "holds null",
        "no kernel of this file reaches lonely",
    ]


def test_a_long_text_is_shortened_and_whole_in_its_title() -> None:
    root = xml.fromstring(drawn(LONG))
    name = "the_innermost_function_of_all_functions"
    titles = {title.text: title for title in root.iter(f"{SVG}title")}
    assert f"argument of {name}" in titles
    assert all(len(shown) <= MAXIMUM_CHARACTERS + 8 for shown, _ in texts(root))


def test_nothing_of_a_program_becomes_markup() -> None:
    of = flow(
        witness(TWO.spaces[0], step(HOSTILE, HOSTILE, 1, kernel=True), step("helper", HOSTILE, 2)),
        name=HOSTILE,
    )
    tags = {element.tag.removeprefix(SVG) for element in xml.fromstring(drawn(of)).iter()}
    assert tags == {"svg", "title", "style", "defs", "marker", "path", "rect", "g", "text"}
    drawn(of).encode("utf-8")
    for line in render_mermaid(of, place).splitlines():
        assert len(line) - len(line.replace('"', "")) in (0, 2), line
        label = "".join(re.findall(r'"(.*)"', line)).replace("<br/>", "")
        assert re.fullmatch(r"(?:[A-Za-z0-9 ,/_.:]|#\d+;)*", label), line


def test_without_its_style_it_has_none() -> None:
    element = render_svg(layout_flow(TWO, place), standalone=False)
    assert "<style" not in element
    assert " style=" not in element
    steps = [int(each) for each in re.findall(r'data-step="(\d+)"', element)]
    assert sorted(steps) == list(range(6))


def test_mermaid() -> None:
    assert render_mermaid(TWO, place) == (
        "flowchart LR\n"
        '    subgraph f0["helper"]\n'
        '        s1["parameter p<br/>k.cl:1"]\n'
        '        s3["parameter p<br/>k.cl:1"]\n'
        '        pointer(["generic int #42;private p<br/>holds #123;global, local#125;"])\n'
        "    end\n"
        '    subgraph f1["kernel run"]\n'
        '        s0["kernel parameter g<br/>k.cl:3"]\n'
        '        s2["tile lies in local memory<br/>k.cl:5"]\n'
        "    end\n"
        '    s0 -->|"argument of helper<br/>k.cl:9"| s1\n'
        '    s1 -->|"global"| pointer\n'
        '    s2 -->|"argument of helper<br/>k.cl:10"| s3\n'
        '    s3 -->|"local"| pointer\n'
        "    classDef global stroke:#0b6bcb,stroke-width:2px\n"
        "    class s0,s1 global\n"
        "    linkStyle 0,1 stroke:#0b6bcb,stroke-width:2px\n"
        "    classDef local stroke:#1a7f37,stroke-width:2px\n"
        "    class s2,s3 local\n"
        "    linkStyle 2,3 stroke:#1a7f37,stroke-width:2px\n"
    )


@given(flows_by_chance)
@settings(max_examples=100, deadline=None)
def test_mermaid_of_any_flow_is_well_formed(of: PointerFlow) -> None:
    lines = render_mermaid(of, place).splitlines()
    nodes = {each for line in lines for each in re.findall(r"^        (s\d+|pointer)[\[(]", line)}
    edges = [re.fullmatch(r'    (\w+) -->(?:\|".*"\|)? (\w+)', line) for line in lines if "-->" in line]
    assert all(edge is not None and {edge[1], edge[2]} <= nodes for edge in edges)
    assert sum("subgraph" in line for line in lines) == sum(line == "    end" for line in lines)
    styled = [int(each) for line in lines if "linkStyle" in line for each in line.split()[1].split(",")]
    assert sorted(styled) == list(range(len(edges)))


@pytest.mark.parametrize("width", [300.0, 700.0])
@settings(max_examples=25, deadline=None)
@given(of=flows_by_chance)
def test_nothing_stands_in_the_way_in_wrapped_pictures(of: PointerFlow, width: float) -> None:
    assert faults(render_svg(wrap_layout(layout_flow(of, place), width))) == []


def test_a_long_chain_is_wrapped() -> None:
    steps = [step(f"function_{number}", "argument of `next`", number) for number in range(9)]
    whole = layout_flow(flow(witness(Space.GLOBAL, *steps), function="function_8"), place)
    wrapped = wrap_layout(whole, 900)
    assert whole.width > 2000
    assert wrapped.width <= 930
    assert wrapped.height > 2 * whole.height
    assert faults(render_svg(wrapped)) == []
    assert [box.name for box in wrapped.boxes] == [box.name for box in whole.boxes]
    rows = sorted({box.y for box in wrapped.boxes})
    assert len(rows) >= 3
    assert wrap_layout(whole, whole.width) is whole
