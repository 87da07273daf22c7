"""Wraps the drawing of a flow into bands, so that a long chain fits a narrow page.

The columns of a drawing are split into groups that are drawn below each other, like the lines of a paragraph.
An arrow from one band to a later one leaves at the right edge, runs back between the bands, and enters at the
left edge.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from typing import TypeVar

from openclsp.dataclass import dataclass
from openclsp.ide.flow.flow_layout import (
    CHARACTER_WIDTH,
    LEGEND_ENTRY_WIDTH,
    MARGIN,
    PADDING,
    SMALL_CHARACTER_WIDTH,
    Arrow,
    FlowLayout,
    FunctionBox,
    PointerBox,
    StepBox,
    text_width,
)

TRACK = 6
"""The distance between two arrows that run between bands, in pixels."""

Point = tuple[float, float]
_Box = TypeVar("_Box", FunctionBox, StepBox, PointerBox)


@dataclass(frozen=True, slots=True)
class _Bands:
    """The positions of columns and bands, in pixels.

    `column_starts` contains the left edges of the columns, and `bands` the band of each column.
    """

    column_starts: tuple[float, ...]
    bands: tuple[int, ...]
    left_edges: tuple[float, ...]
    """The left edge of each band in the drawing before wrapping."""
    left_room: float
    """The width at the left that is kept free for arrows that enter a band."""
    height: float
    """The distance from a band to the next."""
    corridor: float
    """The height of the space between two bands."""
    right: float
    """The right edge of the widest band, after wrapping."""

    def band_at(self, x: float) -> int:
        """Returns the band that contains a horizontal position of the drawing before wrapping."""
        return self.bands[max(bisect_right(self.column_starts, x) - 1, 0)]

    def moved(self, point: Point, band: int) -> Point:
        """Maps a point of a band from the drawing before wrapping to the wrapped drawing."""
        x, y = point
        return x - self.left_edges[band] + MARGIN + self.left_room, y + band * self.height


def wrap_layout(layout: FlowLayout, maximum_width: float) -> FlowLayout:
    """Wraps a drawing between columns if it is wider than `maximum_width`.

    A single column may still be wider.
    """
    starts = sorted({box.x for box in layout.boxes})
    if layout.width <= maximum_width or len(starts) < 2:
        return layout
    ends = [*starts[1:], layout.width - MARGIN]
    first_columns = _first_columns(starts, ends, maximum_width - 2 * MARGIN)
    numbers = [sum(first <= column for first in first_columns) - 1 for column in range(len(starts))]
    left_edges = tuple(starts[first] for first in first_columns)
    widest = max(end - left_edges[number] for number, end in zip(numbers, ends, strict=True))
    spans = [
        (
            numbers[bisect_right(starts, arrow.points[0][0]) - 1],
            numbers[bisect_right(starts, arrow.points[-1][0]) - 1],
        )
        for arrow in layout.arrows
    ]
    for arrow, (band, to_band) in zip(layout.arrows, spans, strict=True):
        if band != to_band:
            widest = max(widest, arrow.points[0][0] - left_edges[band] + _label_width(arrow))
    chosen = _tracks(spans)
    tracks = float(TRACK * (max(chosen, default=0) + 2))
    corridor = MARGIN + tracks
    bottom = max(box.y + box.height for box in layout.boxes)
    right = MARGIN + tracks + widest
    bands = _Bands(
        tuple(starts), tuple(numbers), left_edges, tracks, bottom - MARGIN + corridor, corridor, right
    )
    arrows = [_moved_arrow(arrow, bands, track) for arrow, track in zip(layout.arrows, chosen, strict=True)]
    legend_end = max((entry.x + LEGEND_ENTRY_WIDTH for entry in layout.legend), default=0.0)
    down = (len(first_columns) - 1) * bands.height
    return replace(
        layout,
        width=max(right + tracks, legend_end) + MARGIN,
        height=layout.height + down,
        boxes=tuple(_moved(box, bands) for box in layout.boxes),
        step_boxes=tuple(_moved(box, bands) for box in layout.step_boxes),
        arrows=tuple(arrows),
        target=_moved(layout.target, bands),
        legend=tuple(replace(entry, y=entry.y + down) for entry in layout.legend),
    )


def _tracks(spans: list[tuple[int, int]]) -> list[int]:
    """Assigns vertical tracks to arrows, as few as possible, numbered from 0.

    `spans` contains the first and the last band of each arrow. Arrows that pass the same band get different
    tracks.
    """
    chosen = [0] * len(spans)
    ends: list[int] = []
    for number in sorted(range(len(spans)), key=lambda each: spans[each]):
        first, last = spans[number]
        if first == last:
            continue
        free = next((track for track, end in enumerate(ends) if end <= first), len(ends))
        ends[free : free + 1] = [last]
        chosen[number] = free
    return chosen


def _label_width(arrow: Arrow) -> float:
    """Returns how long the first segment of an arrow must be to have room for its label.

    The length is in units of the drawing.
    """
    label = text_width(arrow.label.displayed) * CHARACTER_WIDTH if arrow.label is not None else 0.0
    place = text_width(arrow.place.displayed) * SMALL_CHARACTER_WIDTH if arrow.place is not None else 0.0
    return max(label, place) + 2 * PADDING


def _first_columns(starts: list[float], ends: list[float], width: float) -> list[int]:
    """Determines the first column of each band, given the left and right edges of all columns.

    A band of several columns is at most `width` wide.
    """
    first_columns = [0]
    for column, end in enumerate(ends):
        if column > first_columns[-1] and end - starts[first_columns[-1]] > width:
            first_columns.append(column)
    return first_columns


def _moved(box: _Box, bands: _Bands) -> _Box:
    x, y = bands.moved((box.x, box.y), bands.band_at(box.x))
    return replace(box, x=x, y=y)


def _moved_arrow(arrow: Arrow, bands: _Bands, track: int) -> Arrow:
    """Maps an arrow to the wrapped drawing; between bands, it runs along the track `track`."""
    start, end = arrow.points[0], arrow.points[-1]
    from_band, to_band = bands.band_at(start[0]), bands.band_at(end[0])
    if from_band == to_band:
        return replace(arrow, points=tuple(bands.moved(point, from_band) for point in arrow.points))
    leave, enter = bands.moved(start, from_band), bands.moved(end, to_band)
    right, left = bands.right + TRACK * (track + 1), float(MARGIN + TRACK * track)
    between = MARGIN + to_band * bands.height - bands.corridor + TRACK * (track + 1)
    points = (leave, (right, leave[1]), (right, between), (left, between), (left, enter[1]), enter)
    return replace(arrow, points=points)
