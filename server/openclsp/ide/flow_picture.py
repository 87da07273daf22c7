"""Layout of the drawing of a flow.

The pointer is at the right. Each chain has a lane of its own from the left; functions are boxes around their
steps, and kernels are in the first column. A lane has one arrow between two columns, so that neither two
texts nor an arrow and a text can overlap. A box spans the adjacent lanes that visit its function in the same
column. Lengths are in pixels. Texts are measured as monospaced characters, and shortened if they are too
long.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import field
from itertools import permutations

from openclsp.dataclass import dataclass
from openclsp.ide.answers import Flow, FlowStep
from openclsp.ide.flow_chains import PROGRAM, Chain, Chains, Visit, chains_of, holds, plain

CHARACTER, SMALL = 7.25, 6.05
"""The widths of a character of normal and of small text, in pixels."""
LONGEST = 32
"""The maximum number of characters of a text."""
MOST_TRIED = 5
"""The maximum number of lanes that are reordered so that boxes merge: all permutations are tried."""
ROW, BETWEEN_ROWS, HEAD, PADDING, BETWEEN_LANES, GAP, MARGIN = 36, 18, 28, 12, 16, 44, 16
LINE = 17
"""The height of a line of the pointer's own text, in pixels."""


@dataclass(frozen=True, slots=True)
class Words:
    """A text as displayed, possibly shortened, and the full text."""

    shown: str
    whole: str


@dataclass(frozen=True, slots=True)
class Box:
    """The box of a function, with its name at the top."""

    x: float
    y: float
    width: float
    height: float
    name: Words
    kernel: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A step drawn inside a box, with its position in the source below it."""

    x: float
    y: float
    width: float
    space: str
    words: Words
    place: Words
    step: int


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow along `points`. The label is above the first segment, the source position below it.

    `step` is the index of the step that the label describes.
    """

    points: tuple[tuple[float, float], ...]
    space: str
    label: Words | None = None
    place: Words | None = None
    step: int | None = None


@dataclass(frozen=True, slots=True)
class Target:
    """The box of the pointer itself, with its name, its declaration and its address spaces."""

    x: float
    y: float
    width: float
    height: float
    lines: tuple[Words, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """All elements of the drawing. `steps` are the steps to which rows and arrows refer by index."""

    width: float
    height: float
    title: str
    boxes: tuple[Box, ...]
    rows: tuple[Row, ...]
    arrows: tuple[Arrow, ...]
    target: Target
    steps: tuple[FlowStep, ...]


def picture_of(flow: Flow, place: Callable[[FlowStep], str]) -> Picture:
    """Computes the layout of a flow. `place` formats the position of a step, such as `k.cl:3`."""
    return _Drawing(flow, chains_of(flow), place).picture()


def shortened(text: str, longest: int = LONGEST) -> Words:
    """Shortens the text to that many characters, with an ellipsis, on one line."""
    whole = " ".join(text.split())
    return Words(whole if len(whole) <= longest else f"{whole[: longest - 1]}…", whole)


def cells(text: str) -> int:
    """The width of the text in character cells; a wide East Asian character takes two."""
    return sum(2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in text)


@dataclass(slots=True)
class _Drawing:
    flow: Flow
    all: Chains
    place: Callable[[FlowStep], str]
    boxes: list[Box] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    arrows: list[Arrow] = field(default_factory=list)

    def picture(self) -> Picture:
        flow = self.flow
        lines = tuple(
            shortened(each, LONGEST + 8) for each in (flow.name or "the pointer", flow.declared, *holds(flow))
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
        least = len(lines) * LINE + 2 * PADDING
        apart = _apart(lanes, columns, count)
        total = sum(heights) + sum(apart)
        if heights and total < least:
            heights[-1] += least - total
        total = max(total, least)
        tops, top = [], float(MARGIN + HEAD + PADDING)
        for height, behind in zip(heights, (*apart, 0.0), strict=False):
            tops.append(top)
            top += height + behind
        widest = max(cells(each.shown) for each in (*lines, self._asked(lanes)))
        width = widest * CHARACTER + 2 * PADDING
        # inside the box of its own function, after the last column
        target = Target(lefts[count], float(MARGIN + HEAD + PADDING), width, total, lines)
        self._draw_boxes(lanes, columns, lefts, widths, tops, heights, target)
        for lane, chosen, lane_top in zip(lanes, columns, tops, strict=True):
            self._draw_lane(lane, chosen, lefts, widths, lane_top, target)
        return Picture(
            target.x + target.width + PADDING + MARGIN,
            target.y + target.height + PADDING + MARGIN,
            f"The flow of {flow.name or 'a pointer'}: {'; '.join(holds(flow))}",
            tuple(self.boxes),
            tuple(self.rows),
            tuple(self.arrows),
            target,
            self.all.steps,
        )

    def _asked(self, lanes: list[Chain]) -> Words:
        """The name of the function that contains the pointer."""
        kernel = any(lane.visits[-1].kernel for lane in lanes)
        asked = self.flow.function or PROGRAM
        return shortened(f"kernel {asked}" if kernel else asked)

    def _words(self, step: int) -> tuple[Words, Words]:
        found = self.all.steps[step]
        return shortened(plain(found.what)), shortened(self.place(found))

    def _row_width(self, step: int) -> float:
        words, place = self._words(step)
        return max(cells(words.shown) * CHARACTER, cells(place.shown) * SMALL) + 2 * PADDING

    def _widths(self, lanes: list[Chain], columns: list[list[int]], count: int) -> list[float]:
        """Computes the width of each column.

        The last one fits only its rows: its title shares the pointer's box.
        """
        widths = [0.0] * count
        for lane, chosen in zip(lanes, columns, strict=True):
            for visit, column in zip(lane.visits, chosen, strict=True):
                inner = max((self._row_width(step) + 2 * PADDING for step in visit.rows), default=0.0)
                title = 0.0 if column == count - 1 else _title_width(visit)
                widths[column] = max(widths[column], inner, title)
        return widths

    def _gaps(self, lanes: list[Chain], columns: list[list[int]], count: int) -> list[float]:
        """Computes the gap after each column, which must fit the labels of the arrows that leave it."""
        gaps = [float(GAP)] * (count - 1) + [GAP / 2]
        for lane, chosen in zip(lanes, columns, strict=True):
            for visit, column in zip(lane.visits[:-1], chosen, strict=False):
                if visit.leaving is not None:
                    words, place = self._words(visit.leaving)
                    width = max(cells(words.shown) * CHARACTER, cells(place.shown) * SMALL)
                    gaps[column] = max(gaps[column], width + GAP)
        return gaps

    def _height(self, lane: Chain) -> float:
        most = max(max(len(visit.rows) for visit in lane.visits), 1)
        return most * ROW + (most - 1) * BETWEEN_ROWS

    def _draw_boxes(
        self,
        lanes: list[Chain],
        columns: list[list[int]],
        lefts: list[float],
        widths: list[float],
        tops: list[float],
        heights: list[float],
        target: Target,
    ) -> None:
        last = len(widths) - 1
        for column in range(last):
            for function, first, end in _joined(lanes, columns, column):
                visit = next(
                    each
                    for each, at in zip(lanes[first].visits, columns[first], strict=True)
                    if at == column and each.function == function
                )
                bottom = tops[end - 1] + heights[end - 1] + PADDING
                top = tops[first] - PADDING - HEAD
                name = shortened(f"kernel {function}" if visit.kernel else function)
                self.boxes.append(Box(lefts[column], top, widths[column], bottom - top, name, visit.kernel))
        kernel = any(lane.visits[-1].kernel for lane in lanes)
        left = lefts[last] if lanes else target.x - PADDING
        width = target.x + target.width + PADDING - left
        self.boxes.append(
            Box(left, float(MARGIN), width, HEAD + 2 * PADDING + target.height, self._asked(lanes), kernel)
        )

    def _draw_lane(
        self,
        lane: Chain,
        chosen: list[int],
        lefts: list[float],
        widths: list[float],
        top: float,
        target: Target,
    ) -> None:
        leave: tuple[float, float] | None = None
        label: int | None = None
        for visit, column in zip(lane.visits, chosen, strict=True):
            x, width = lefts[column] + PADDING, widths[column] - 2 * PADDING
            y = top
            for number, step in enumerate(visit.rows):
                words, place = self._words(step)
                self.rows.append(Row(x, y, width, lane.space, words, place, step))
                if number:
                    above = x + PADDING
                    self._arrow(lane.space, ((above, y - BETWEEN_ROWS), (above, y)), None)
                elif leave is not None:
                    self._arrow(lane.space, _elbow(leave, (x, y + ROW / 2)), label)
                y += ROW + BETWEEN_ROWS
            if visit.rows:
                leave, label = (x + width, y - BETWEEN_ROWS - ROW / 2), visit.leaving
        if leave is not None:
            self._arrow(lane.space, (leave, (target.x, leave[1])), label)

    def _arrow(self, space: str, points: tuple[tuple[float, float], ...], step: int | None) -> None:
        if step is None:
            self.arrows.append(Arrow(points, space))
        else:
            words, place = self._words(step)
            self.arrows.append(Arrow(points, space, words, place, step))


def _title_width(visit: Visit) -> float:
    name = shortened(f"kernel {visit.function}" if visit.kernel else visit.function)
    return cells(name.shown) * CHARACTER + 2 * PADDING


def _elbow(start: tuple[float, float], end: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    """The points of an arrow that runs horizontally from `start` and turns just before `end`."""
    if start[1] == end[1]:
        return start, end
    turn = end[0] - GAP / 2
    return start, (turn, start[1]), (turn, end[1]), end


def _apart(lanes: list[Chain], columns: list[list[int]], count: int) -> list[float]:
    """The gaps between lanes, larger before a lane in which a box starts, for the box's title."""
    begins = {first for column in range(count - 1) for _, first, _ in _joined(lanes, columns, column)}
    return [BETWEEN_LANES + (HEAD + 2 * PADDING if lane in begins else 0.0) for lane in range(1, len(lanes))]


def _best_order(chains: tuple[Chain, ...]) -> tuple[list[Chain], list[list[int]]]:
    """Orders the lanes so that the fewest boxes are needed; returns them with the columns of their visits."""
    kernels = any(len(each.visits) > 1 and each.visits[0].kernel for each in chains)
    count = max((_length(each, kernels) for each in chains), default=1)
    columns = {id(each): _columns(each, count, kernels) for each in chains}

    def boxes(order: tuple[Chain, ...]) -> int:
        chosen = [columns[id(each)] for each in order]
        return sum(len(list(_joined(list(order), chosen, column))) for column in range(count))

    tried = permutations(chains) if len(chains) <= MOST_TRIED else (chains,)
    best = min(tried, key=boxes)
    return list(best), [columns[id(each)] for each in best]


def _length(chain: Chain, kernels: bool) -> int:
    """The number of columns that the chain needs. With `kernels`, the first one is reserved for kernels."""
    alone = len(chain.visits) == 1
    return len(chain.visits) + (1 if kernels and not alone and not chain.visits[0].kernel else 0)


def _columns(chain: Chain, count: int, kernels: bool) -> list[int]:
    """Assigns a column to each visit of a chain.

    The last column is for the pointer's function, the first one for a kernel that starts the chain.
    """
    columns = [count - len(chain.visits) + number for number in range(len(chain.visits))]
    if kernels and len(columns) > 1 and chain.visits[0].kernel:
        columns[0] = 0
    return columns


def _joined(lanes: list[Chain], columns: list[list[int]], column: int) -> Iterator[tuple[str, int, int]]:
    """Yields the boxes of a column.

    Each is the function, and the first and end (exclusive) of the lanes that the box spans.
    """
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
