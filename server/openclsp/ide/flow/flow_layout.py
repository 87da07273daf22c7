"""Layout of the drawing of a flow.

The pointer is at the right. Each chain has a lane that begins at the left. Functions are boxes around their
steps; kernels are in the first column. A lane has one arrow between two columns, so texts and arrows do not
overlap. A box spans the adjacent lanes that visit its function in the same column. Lengths are in pixels.
Texts are measured as monospaced characters, and shortened if too long.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from itertools import permutations

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import FlowStep, PointerFlow
from openclsp.ide.flow.flow_chains import (
    PROGRAM_NAME,
    FlowVisits,
    FunctionVisit,
    VisitChain,
    flow_description_lines,
    split_chains,
    strip_backticks,
)

CHARACTER_WIDTH, SMALL_CHARACTER_WIDTH = 7.25, 6.05
"""The widths of a character of normal and of small text, in pixels."""
MAXIMUM_CHARACTERS = 32
"""The maximum number of characters of a text."""
MAXIMUM_PERMUTED_LANES = 5
"""The maximum number of lanes that are reordered so that boxes merge: all permutations are tried."""
STEP_HEIGHT, STEP_GAP, TITLE_HEIGHT, PADDING, LANE_GAP, COLUMN_GAP, MARGIN = 36, 18, 28, 12, 16, 44, 16
LEGEND_HEIGHT, LEGEND_SAMPLE, LEGEND_ENTRY_WIDTH = 28, 40, 130
"""The height of the legend, the length of the sample of a line in it, and the width of an entry, in pixels."""
LINE_HEIGHT = 17
"""The height of a line of the pointer's own text, in pixels."""


@dataclass(frozen=True, slots=True)
class DisplayText:
    """A text as displayed, possibly shortened, and the full text."""

    displayed: str
    full: str


@dataclass(frozen=True, slots=True)
class FunctionBox:
    """The box of a function, with its name at the top."""

    x: float
    y: float
    width: float
    height: float
    name: DisplayText
    kernel: bool


@dataclass(frozen=True, slots=True)
class StepBox:
    """A step drawn inside a box, with its position in the source below it."""

    x: float
    y: float
    width: float
    space: str
    text: DisplayText
    place: DisplayText
    step: int


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow along `points`, with a label above the first segment and the source position below it.

    `step` is the index of the step that the label describes. If it is None, the label is the address space.
    """

    points: tuple[tuple[float, float], ...]
    space: str
    label: DisplayText | None = None
    place: DisplayText | None = None
    step: int | None = None


@dataclass(frozen=True, slots=True)
class PointerBox:
    """The box of the pointer itself, with its name, its declaration and its address spaces."""

    x: float
    y: float
    width: float
    height: float
    lines: tuple[DisplayText, ...]


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A legend entry: a sample line and, to its right, the address space; `y` is the middle of both."""

    x: float
    y: float
    space: str


@dataclass(frozen=True, slots=True)
class FlowLayout:
    """All elements of the drawing. Boxes and arrows refer to `steps` by index."""

    width: float
    height: float
    title: str
    boxes: tuple[FunctionBox, ...]
    step_boxes: tuple[StepBox, ...]
    arrows: tuple[Arrow, ...]
    target: PointerBox
    steps: tuple[FlowStep, ...]
    legend: tuple[LegendEntry, ...] = ()


def layout_flow(flow: PointerFlow, place: Callable[[FlowStep], str]) -> FlowLayout:
    """Computes the layout of a flow. `place` formats the position of a step, such as `k.cl:3`."""
    return _LayoutBuilder(flow, split_chains(flow), place).build()


def shorten(text: str, longest: int = MAXIMUM_CHARACTERS) -> DisplayText:
    """Puts the text on one line and shortens it to `longest` characters, with an ellipsis."""
    whole = " ".join(text.split())
    return DisplayText(whole if len(whole) <= longest else f"{whole[: longest - 1]}…", whole)


def text_width(text: str) -> int:
    """Returns the width of the text in character cells; a wide East Asian character takes two."""
    return sum(2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in text)


@dataclass(slots=True)
class _LayoutBuilder:
    flow: PointerFlow
    all: FlowVisits
    place: Callable[[FlowStep], str]
    boxes: list[FunctionBox] = field(default_factory=list)
    rows: list[StepBox] = field(default_factory=list)
    arrows: list[Arrow] = field(default_factory=list)

    def build(self) -> FlowLayout:
        flow = self.flow
        lines = tuple(
            shorten(each, MAXIMUM_CHARACTERS + 8)
            for each in (flow.name or "the pointer", flow.declared, *flow_description_lines(flow))
        )
        lanes, columns = _best_order(self.all.chains)
        count = max((max(each) for each in columns), default=0) + 1
        widths = self._widths(lanes, columns, count)
        gaps = self._gaps(lanes, columns, count)
        lefts = [float(MARGIN)]
        for column in range(count):
            lefts.append(lefts[-1] + widths[column] + gaps[column])
        heights = [self._height(lane) for lane in lanes]
        # the pointer's box is at least as high as its text; a smaller set of lanes is extended at the bottom
        least = len(lines) * LINE_HEIGHT + 2 * PADDING
        lane_gaps = _lane_gaps(lanes, columns, count)
        total = max(sum(heights) + sum(lane_gaps), least)
        if heights:
            heights[-1] += total - sum(heights) - sum(lane_gaps)
        tops, top = [], float(MARGIN + TITLE_HEIGHT + PADDING)
        for height, behind in zip(heights, (*lane_gaps, 0.0), strict=False):
            tops.append(top)
            top += height + behind
        widest = max(text_width(each.displayed) for each in (*lines, self._target_function_name(lanes)))
        width = widest * CHARACTER_WIDTH + 2 * PADDING
        # inside the box of its own function, after the last column
        target = PointerBox(lefts[count], float(MARGIN + TITLE_HEIGHT + PADDING), width, total, lines)
        self._draw_boxes(lanes, columns, lefts, widths, tops, heights, target)
        for lane, chosen, lane_top in zip(lanes, columns, tops, strict=True):
            self._draw_lane(lane, chosen, lefts, widths, lane_top, target)
        bottom = target.y + target.height + PADDING + MARGIN
        legend = tuple(_legend(dict.fromkeys(arrow.space for arrow in self.arrows), bottom))
        end = max((each.x + LEGEND_ENTRY_WIDTH for each in legend), default=0.0)
        return FlowLayout(
            max(target.x + target.width + PADDING, end) + MARGIN,
            bottom + (LEGEND_HEIGHT if legend else 0.0),
            f"The flow of {flow.name or 'a pointer'}: {'; '.join(flow_description_lines(flow))}",
            tuple(self.boxes),
            tuple(self.rows),
            tuple(self.arrows),
            target,
            self.all.steps,
            legend,
        )

    def _target_function_name(self, lanes: list[VisitChain]) -> DisplayText:
        """Returns the name of the function that contains the pointer, at which all `lanes` end."""
        kernel = any(lane.visits[-1].kernel for lane in lanes)
        function = self.flow.function or PROGRAM_NAME
        return shorten(f"kernel {function}" if kernel else function)

    def _words(self, step: int) -> tuple[DisplayText, DisplayText]:
        found = self.all.steps[step]
        return shorten(strip_backticks(found.description)), shorten(self.place(found))

    def _lane_width(self, step: int) -> float:
        words, place = self._words(step)
        return (
            max(
                text_width(words.displayed) * CHARACTER_WIDTH,
                text_width(place.displayed) * SMALL_CHARACTER_WIDTH,
            )
            + 2 * PADDING
        )

    def _widths(self, lanes: list[VisitChain], columns: list[list[int]], count: int) -> list[float]:
        """Computes the width of each column.

        The last column needs no space for a title, because the pointer's box contains the title.
        """
        widths = [0.0] * count
        for lane, chosen in zip(lanes, columns, strict=True):
            for visit, column in zip(lane.visits, chosen, strict=True):
                inner = max(
                    (self._lane_width(step) + 2 * PADDING for step in visit.step_indices), default=0.0
                )
                title = 0.0 if column == count - 1 else _title_width(visit)
                widths[column] = max(widths[column], inner, title)
        return widths

    def _gaps(self, lanes: list[VisitChain], columns: list[list[int]], count: int) -> list[float]:
        """Computes the gap after each column, wide enough for the labels of the arrows that leave it."""
        word = max((text_width(lane.space) for lane in lanes), default=0) * SMALL_CHARACTER_WIDTH
        gaps = [float(COLUMN_GAP)] * (count - 1) + [word + COLUMN_GAP]
        for lane, chosen in zip(lanes, columns, strict=True):
            for visit, column in zip(lane.visits[:-1], chosen, strict=False):
                if visit.leaving_step is not None:
                    words, place = self._words(visit.leaving_step)
                    width = max(
                        text_width(words.displayed) * CHARACTER_WIDTH,
                        text_width(place.displayed) * SMALL_CHARACTER_WIDTH,
                    )
                    gaps[column] = max(gaps[column], width + COLUMN_GAP)
        return gaps

    def _height(self, lane: VisitChain) -> float:
        most = max(max(len(visit.step_indices) for visit in lane.visits), 1)
        return most * STEP_HEIGHT + (most - 1) * STEP_GAP

    def _draw_boxes(
        self,
        lanes: list[VisitChain],
        columns: list[list[int]],
        lefts: list[float],
        widths: list[float],
        tops: list[float],
        heights: list[float],
        target: PointerBox,
    ) -> None:
        last = len(widths) - 1
        for column in range(last):
            for function, first, end in _merged_boxes(lanes, columns, column):
                visit = next(
                    each
                    for each, at in zip(lanes[first].visits, columns[first], strict=True)
                    if at == column and each.function == function
                )
                bottom = tops[end - 1] + heights[end - 1] + PADDING
                top = tops[first] - PADDING - TITLE_HEIGHT
                name = shorten(f"kernel {function}" if visit.kernel else function)
                self.boxes.append(
                    FunctionBox(lefts[column], top, widths[column], bottom - top, name, visit.kernel)
                )
        kernel = any(lane.visits[-1].kernel for lane in lanes)
        left = lefts[last] if lanes else target.x - PADDING
        width = target.x + target.width + PADDING - left
        self.boxes.append(
            FunctionBox(
                left,
                float(MARGIN),
                width,
                TITLE_HEIGHT + 2 * PADDING + target.height,
                self._target_function_name(lanes),
                kernel,
            )
        )

    def _draw_lane(
        self,
        lane: VisitChain,
        chosen: list[int],
        lefts: list[float],
        widths: list[float],
        top: float,
        target: PointerBox,
    ) -> None:
        leave: tuple[float, float] | None = None
        label: int | None = None
        for visit, column in zip(lane.visits, chosen, strict=True):
            x, width = lefts[column] + PADDING, widths[column] - 2 * PADDING
            y = top
            for number, step in enumerate(visit.step_indices):
                words, place = self._words(step)
                self.rows.append(StepBox(x, y, width, lane.space, words, place, step))
                if number:
                    above = x + PADDING
                    self._arrow(lane.space, ((above, y - STEP_GAP), (above, y)), None)
                elif leave is not None:
                    self._arrow(lane.space, _arrow_points(leave, (x, y + STEP_HEIGHT / 2)), label)
                y += STEP_HEIGHT + STEP_GAP
            if visit.step_indices:
                leave, label = (x + width, y - STEP_GAP - STEP_HEIGHT / 2), visit.leaving_step
        if leave is not None:
            self._arrow(lane.space, (leave, (target.x, leave[1])), label, lane.space)

    def _arrow(
        self, space: str, points: tuple[tuple[float, float], ...], step: int | None, word: str = ""
    ) -> None:
        if step is None:
            self.arrows.append(Arrow(points, space, shorten(word) if word else None))
        else:
            words, place = self._words(step)
            self.arrows.append(Arrow(points, space, words, place, step))


def _legend(spaces: Iterable[str], top: float) -> Iterator[LegendEntry]:
    for number, space in enumerate(spaces):
        yield LegendEntry(MARGIN + number * LEGEND_ENTRY_WIDTH, top + LEGEND_HEIGHT / 2 - MARGIN / 2, space)


def _title_width(visit: FunctionVisit) -> float:
    name = shorten(f"kernel {visit.function}" if visit.kernel else visit.function)
    return text_width(name.displayed) * CHARACTER_WIDTH + 2 * PADDING


def _arrow_points(start: tuple[float, float], end: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    """Returns the points of an arrow that runs horizontally from `start` and turns shortly before `end`."""
    if start[1] == end[1]:
        return start, end
    turn = end[0] - COLUMN_GAP / 2
    return start, (turn, start[1]), (turn, end[1]), end


def _lane_gaps(lanes: list[VisitChain], columns: list[list[int]], count: int) -> list[float]:
    """Returns the gaps between lanes; a gap above the start of a box is larger, for the title of the box."""
    begins = {first for column in range(count - 1) for _, first, _ in _merged_boxes(lanes, columns, column)}
    return [
        LANE_GAP + (TITLE_HEIGHT + 2 * PADDING if lane in begins else 0.0) for lane in range(1, len(lanes))
    ]


def _best_order(chains: tuple[VisitChain, ...]) -> tuple[list[VisitChain], list[list[int]]]:
    """Orders the chains so that the fewest boxes are needed; returns them with the columns of their visits.

    More than `MAXIMUM_PERMUTED_LANES` chains keep their order.
    """
    kernels = any(len(each.visits) > 1 and each.visits[0].kernel for each in chains)
    count = max((_length(each, kernels) for each in chains), default=1)
    columns = {id(each): _columns(each, count, kernels) for each in chains}

    def boxes(order: tuple[VisitChain, ...]) -> int:
        chosen = [columns[id(each)] for each in order]
        return sum(len(list(_merged_boxes(list(order), chosen, column))) for column in range(count))

    tried = permutations(chains) if len(chains) <= MAXIMUM_PERMUTED_LANES else (chains,)
    best = min(tried, key=boxes)
    return list(best), [columns[id(each)] for each in best]


def _length(chain: VisitChain, kernels: bool) -> int:
    """Returns the number of columns that the chain needs. With `kernels`, the first is for kernels only."""
    alone = len(chain.visits) == 1
    return len(chain.visits) + (1 if kernels and not alone and not chain.visits[0].kernel else 0)


def _columns(chain: VisitChain, count: int, kernels: bool) -> list[int]:
    """Assigns a column to each visit of a chain; the last visit gets the last of the `count` columns.

    With `kernels`, a chain of several visits that starts in a kernel has its first visit in the first column.
    """
    columns = [count - len(chain.visits) + number for number in range(len(chain.visits))]
    if kernels and len(columns) > 1 and chain.visits[0].kernel:
        columns[0] = 0
    return columns


def _merged_boxes(
    lanes: list[VisitChain], columns: list[list[int]], column: int
) -> Iterator[tuple[str, int, int]]:
    """Yields the boxes of a column: the function's name, the first lane, and the lane after the last one."""
    before: tuple[str, int, int] | None = None
    for number, (lane, chosen) in enumerate(zip(lanes, columns, strict=True)):
        visit = next((each for each, at in zip(lane.visits, chosen, strict=True) if at == column), None)
        if before is not None and visit is not None and visit.function == before[0] and before[2] == number:
            before = (before[0], before[1], number + 1)
            continue
        if before is not None:
            yield before
        before = None if visit is None else (visit.function, number, number + 1)
    if before is not None:
        yield before
