"""The preprocessor: expands a document and the documents that it includes.

The result holds the expanded text, its source map, the problems found and what the result depends on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from openclsp.source.checkpoint import Checkpoint, no_checkpoint
from openclsp.source.document import Document
from openclsp.source.include_cache import IncludeCache
from openclsp.source.options import Loader, PreprocessorOptions
from openclsp.source.preprocessed import (
    Preprocessed,
)
from openclsp.source.preprocessing_run import (
    Session,
)
from openclsp.source.unit_run import UnitRun, Units


def preprocess(
    document: Document,
    options: PreprocessorOptions,
    loader: Loader,
    cache: IncludeCache | None = None,
    forced: Sequence[Document] = (),
    checkpoint: Checkpoint = no_checkpoint,
) -> Preprocessed:
    """Returns the expanded text of `document` with its source map.

    Total: no input raises, only `checkpoint` may.

    Results of included documents are taken from and added to `cache`. The documents `forced` are included
    before the first line, as by the option `-include`.
    """
    results = IncludeCache() if cache is None else cache

    def begin(session: Session) -> UnitRun:
        return UnitRun(document, session, results, forced)

    return settled(document, options, loader, begin, checkpoint)[1]


Run = TypeVar("Run", bound="UnitRun")


def settled(
    document: Document,
    options: PreprocessorOptions,
    loader: Loader,
    begin: Callable[[Session], Run],
    checkpoint: Checkpoint = no_checkpoint,
) -> tuple[Run, Preprocessed]:
    """Runs a document, and once more where documents that it includes open and close each other's brackets.

    A header with a bracket too many or too few is taken for a faulty one at first, whose fault ends with it. Otherwise each
    edit would expand all that follows again as one line within that bracket: 1.2 s and not 4 ms with hashcat's headers.
    """
    session = Session.begin(options, loader, checkpoint=checkpoint)
    session.within.append((document.name, 0))
    run = begin(session)
    unit = drive(run)
    if session.uneven.opened and (run.closes_more() or _may_close(session, unit)):
        session = Session.begin(options, loader, checkpoint=checkpoint)
        session.within.append((document.name, 0))
        session.joins_uneven = True
        run = begin(session)
        unit = drive(run)
    return run, unit


def _may_close(session: Session, unit: Preprocessed) -> bool:
    """Whether a bracket that a header leaves open may be closed elsewhere, also by what cannot be seen."""
    return (
        session.uneven.closed
        or session.lacks_header
        or any(guess.unbalanced for each in unit.units() for guess in each.guesses)
    )


def drive(run: UnitRun) -> Preprocessed:
    """Runs a document and all its nested includes without recursion.

    The explicit stack allows any depth.
    """
    stack: list[tuple[UnitRun, Units]] = [(run, run.steps())]
    result: Preprocessed | None = None
    while stack:
        current, steps = stack[-1]
        try:
            nested = next(steps) if result is None else steps.send(result)
        except StopIteration:
            stack.pop()
            result = current.result()
        else:
            stack.append((nested, nested.steps()))
            result = None
    assert result is not None
    return result
