"""The structure of an edited text, computed from the structure of the text before the edit.

Only the text from the last resume point before the edit is scanned. The scan ends at the first resume point
after the edit at which the state is the same as before the edit. Usually, only the functions that the edit
touches are scanned. The rest of the structure is moved.
"""

from __future__ import annotations

from openclsp.ide.structure.text_structure import (
    Directive,
    ResumePoint,
    StructureScan,
    TextNesting,
    TextStructure,
    read_structure,
)
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.unit_caches import UnitCache
from openclsp.source.checkpoint import Checkpoint, no_checkpoint
from openclsp.source.text import Text, difference

_CACHE: UnitCache[tuple[Text, TextStructure]] = UnitCache("text structure")


def structure_of(unit: TranslationUnit, text: Text, checkpoint: Checkpoint = no_checkpoint) -> TextStructure:
    """Returns the structure of a text; the unit caches the structure of the last text."""
    found = unit.caches.get(_CACHE)
    if found is None or found[0] is not text:
        made = (
            read_structure(text.data, checkpoint)
            if found is None
            else update_structure(found[1], found[0].data, text.data, checkpoint)
        )
        found = unit.caches.set(_CACHE, (text, made))
    return found[1]


def update_structure(
    before: TextStructure, old: bytes, new: bytes, checkpoint: Checkpoint = no_checkpoint
) -> TextStructure:
    """Computes the structure of the text `new` from that of `old`; `read_structure` would return the same."""
    edit = difference(old, new)
    if edit is None:
        return before
    start, old_end, new_end = edit
    delta = new_end - old_end
    # A mark depends on no text after its line, except for a line feed after a carriage return.
    line_start = max(new.rfind(b"\n", 0, start), new.rfind(b"\r", 0, start)) + 1
    points = before.resume_points
    first = next(
        (each for each in reversed(points) if each.offset <= line_start and each.offset < start), None
    )
    scan = StructureScan(before, first)
    after = [each for each in points if each.offset > old_end]
    moved = after if not delta else [_moved_point(each, old_end, delta) for each in after]
    reached = scan.read(new, checkpoint, moved)
    if reached < len(after):
        _append_rest(scan, before, after[reached], moved[reached:], old_end, delta)
    return scan.result()


def _append_rest(
    scan: StructureScan,
    before: TextStructure,
    point: ResumePoint,
    moved: list[ResumePoint],
    old_end: int,
    delta: int,
) -> None:
    """Appends to `scan` the part of the structure `before` after the resume point, moved by `delta` bytes.

    `moved` contains the remaining resume points, already moved. `old_end` is the end of the replaced range in
    the old text.
    """
    counts = (
        len(scan.nestings) - point.nestings,
        len(scan.comments) - point.comments,
        len(scan.directives) - point.directives,
    )
    if not delta:
        scan.nestings += before.nestings[point.nestings :]
        scan.comments += before.comments[point.comments :]
        scan.directives += before.directives[point.directives :]
    else:
        for kind, start, inner_start, inner_end, end in before.nestings[point.nestings :]:
            begin = delta if start >= old_end else 0
            scan.nestings.append(
                TextNesting(kind, start + begin, inner_start + begin, inner_end + delta, end + delta)
            )
        scan.comments += [(start + delta, end + delta) for start, end in before.comments[point.comments :]]
        scan.directives += [_moved(each, delta) for each in before.directives[point.directives :]]
    scan.points += [
        ResumePoint(
            each.offset,
            each.branches,
            each.nestings + counts[0],
            each.comments + counts[1],
            each.directives + counts[2],
        )
        for each in moved
    ]


def _moved_point(point: ResumePoint, old_end: int, delta: int) -> ResumePoint:
    branches = point.branches
    if branches and branches[-1][0].start >= old_end:
        branches = tuple(
            (_moved(each, delta) if each.start >= old_end else each, first) for each, first in branches
        )
    return ResumePoint(point.offset + delta, branches, point.nestings, point.comments, point.directives)


def _moved(directive: Directive, delta: int) -> Directive:
    return Directive(directive.start + delta, directive.end + delta, directive.name, directive.operand)
