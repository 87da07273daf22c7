"""Determines which documents a document may include, by processing only its directives.

Other text is not expanded, because expansion is most of the work of the preprocessor. All directives are
processed, because conditions and macro definitions decide which includes are reached.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from openclsp.source.checkpoint import Checkpoint, no_checkpoint
from openclsp.source.conditional_state import UndecidedConditional
from openclsp.source.directives import Include
from openclsp.source.document import Document, DocumentName
from openclsp.source.hidden_names import included_names
from openclsp.source.include_cache import Entry, IncludeCache, root_key
from openclsp.source.lexer import lex_line
from openclsp.source.macros import Macro
from openclsp.source.options import ForcedInclude, Loader, PreprocessorOptions
from openclsp.source.preprocessed import Guess, Preprocessed
from openclsp.source.preprocessing_run import Session
from openclsp.source.preprocessor import UnitRun, drive

_CHANGES_MACROS: Final = b"__COUNTER__", b"_Pragma"
"""Words in text that may change what the directives after it mean"""


def may_include(directives: Preprocessed, wanted: DocumentName) -> bool:
    """Whether a program may include the document `wanted` under its options; False is certain.

    `directives` is the result of `preprocess_directives` for the program.
    """
    return any(
        each.document.name == wanted or any(word in each.document.text.data for word in _CHANGES_MACROS)
        for each in directives.with_included()
    )


def preprocess_directives(
    document: Document,
    options: PreprocessorOptions,
    loader: Loader,
    cache: IncludeCache,
    forced: Sequence[ForcedInclude] = (),
    checkpoint: Checkpoint = no_checkpoint,
) -> Preprocessed:
    """Processes only the directives of a document and of all documents that it includes.

    The result has no text, so `cache` must be used for this function only.
    """
    key = root_key(document, options, forced)
    unit = cache.find_root(key, loader)
    if unit is None:
        session = Session.begin(options, loader, checkpoint=checkpoint)
        session.within.append((document.name, 0))
        run = InclusionRun(document, session, cache, forced)
        unit = drive(run)
        cache.add_root(key, tuple(run.loads), unit)
    return unit


class InclusionRun(UnitRun):
    """A preprocessing run that processes directives only; the text of its result is blank."""

    def plain_rows(self, row: int, stop: int) -> int:
        self.output.blank_rows(stop - row, False)
        return stop

    def line(self, row: int) -> int:
        after = self.row_after(lex_line(self.data, self.text.line_start(row))[1])
        self.output.blank_rows(after - self.output.row, False)
        return after

    def _run_over(self, document: Document) -> tuple[UnitRun, frozenset[bytes], dict[bytes, Macro | None]]:
        return (
            InclusionRun(document, self.session, self.cache),
            self.cache.words(document.text.data),
            {},
        )

    def _place_include(self, entry: Entry, include: Include, row: int) -> None:
        self.inclusions.append((row, include.start, include.end, entry.unit))

    def _guess(self, undecided: UndecidedConditional) -> Guess | None:
        """Returns a guess without names, and only if an inactive branch may include a document."""
        includes = any(any(included_names(self.data[start:end])) for start, end in undecided.left_out)
        if not includes or not self.guessed(undecided.unknown):
            return None
        start, end = undecided.start, undecided.end
        return Guess(self.document.name, start, end, (), frozenset(), closed=undecided.closed, includes=True)
