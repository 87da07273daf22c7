"""Replaces a region of a preprocessed document by a new one, and moves everything behind it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from openclsp.dataclass import dataclass
from openclsp.source.document import DocumentName
from openclsp.source.preprocessed import Guess, Inclusion, Pragma, Preprocessed, Problem, Trace, in_order
from openclsp.source.preprocessor import UnitRun
from openclsp.source.source_map import SourceMap


@dataclass(frozen=True, slots=True)
class ReplacedRegion:
    """A region of rows of `document` that was expanded again, and how far everything behind it moves.

    - `raw_start`, `raw_end`: the old region in the code, in bytes; later offsets move by `moved`.
    - `start`, `end`: the old region in the expanded text, in bytes; later offsets move by `shift`.
    - `last_row`: the row after the old region; it and later rows move by `row_shift`.

    The region contains no directive, neither before nor after the edit.
    """

    document: DocumentName
    raw_start: int
    raw_end: int
    moved: int
    start: int
    end: int
    shift: int
    last_row: int
    row_shift: int

    def place(self, at: int) -> int:
        """Returns the new offset in the code of what was at the offset `at`, which is outside of the region."""
        return at + self.moved if at >= self.raw_end else at


def merge_region(old: Preprocessed, run: UnitRun, new_map: SourceMap, region: ReplacedRegion) -> Preprocessed:
    """Returns the old result with the region replaced by the rows of `run`; `new_map` is the new source map."""
    inactive = (
        (begin + region.row_shift, end + region.row_shift) if begin >= region.last_row else (begin, end)
        for begin, end in old.inactive
    )
    return Preprocessed(
        run.whole,
        new_map.text,
        new_map,
        _merge_problems(old, run, region),
        tuple(inactive),
        tuple(_merge_pragmas(old, run, new_map, region)),
        tuple(_move_inclusion(each, region) for each in old.includes),
        old.unknown_includes,
        tuple(_move_guess(each, region) for each in old.guesses),
        old.macros,
        _merge_traces(old.trace, run),
        run.code,
        old.earlier,
    )


def _merge_problems(old: Preprocessed, run: UnitRun, region: ReplacedRegion) -> tuple[Problem, ...]:
    own = [problem for problem in old.problems if problem.document == region.document]
    problems = [problem for problem in own if problem.start < region.raw_start]
    problems += run.problems
    problems += [
        replace(problem, start=problem.start + region.moved, end=problem.end + region.moved)
        for problem in own
        if problem.start >= region.raw_end
    ]
    foreign = [problem for problem in old.problems if problem.document != region.document]
    return (*sorted(problems, key=in_order), *foreign)


def _merge_pragmas(
    old: Preprocessed, run: UnitRun, new_map: SourceMap, region: ReplacedRegion
) -> Iterator[Pragma]:
    for pragma in old.pragmas:
        if pragma.offset < region.start:
            yield pragma
    for row, column, text, document, begin, end in run.operator_pragmas():
        yield Pragma(new_map.lines.start(row) + column, text, document, begin, end)
    for pragma in old.pragmas:
        if pragma.offset >= region.end:
            by = region.moved if pragma.document == region.document else 0
            yield replace(
                pragma, offset=pragma.offset + region.shift, start=pragma.start + by, end=pragma.end + by
            )


def _move_inclusion(inclusion: Inclusion, region: ReplacedRegion) -> Inclusion:
    if inclusion.start < region.raw_end:
        return inclusion
    return replace(
        inclusion,
        offset=inclusion.offset + region.shift,
        start=region.place(inclusion.start),
        end=region.place(inclusion.end),
    )


def _move_guess(guess: Guess, region: ReplacedRegion) -> Guess:
    # The conditions of a guess are outside of the region, but it may end behind the region.
    if guess.document != region.document:
        return guess
    place = region.place
    return replace(
        guess,
        start=place(guess.start),
        end=place(guess.end),
        names=tuple(replace(read, start=place(read.start), end=place(read.end)) for read in guess.names),
        uncertain=tuple((place(begin), place(end)) for begin, end in guess.uncertain),
        closed=place(guess.closed),
    )


def _merge_traces(trace: Trace, run: UnitRun) -> Trace:
    formed = run.session.expander.formed
    if not (run.positional and not trace.positional) and formed <= trace.formed and not run.own_steps:
        return trace
    return replace(
        trace,
        positional=trace.positional or bool(run.positional),
        formed=trace.formed | formed,
        bytes_produced=trace.bytes_produced + run.output.bytes_produced,
        steps=trace.steps + run.own_steps,
    )
