"""Creates the unit of a root document, if possible from the unit of a document with the same headers."""

from __future__ import annotations

from collections.abc import Iterable

from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.checkpoint import Checkpoint
from openclsp.source.document import Document
from openclsp.source.header_directives import include_lines
from openclsp.source.include_cache import IncludeCache
from openclsp.source.options import Loader
from openclsp.workspace.units import UnitConfig


def create_unit(
    target: UnitConfig,
    document: Document,
    loader: Loader,
    include_cache: IncludeCache | None,
    check: Checkpoint,
    others: Iterable[TranslationUnit],
) -> TranslationUnit:
    """Creates the unit of a root document.

    `others` are units in which no query is running. The unit with the most include directives in common is
    forked: copying the results for a header of 10,000 lines takes a fraction of the time of analysing it
    again.
    """
    shared = 0
    best: TranslationUnit | None = None
    lines = frozenset() if target.subject else include_lines(document.text.data)
    for other in others if lines else ():
        if other.dialect != target.configuration.dialect or other.target.subject:
            continue
        count = len(lines & include_lines(other.document.text.data))
        if count > shared:
            shared, best = count, other
    made = None if best is None else best.fork(target, document, loader)
    return made or TranslationUnit(target, document, loader, include_cache, check)
