"""Searches for edits after which diagnostics or semantic tokens of a translation unit differ from those of a new unit.

    python -m tests.equality.units [FOLDER …] [--edits 10000] [--seed 0] [--largest 300]

Without FOLDER it edits the project's sample kernels, otherwise all kernels below the folders; header files in the
folder of a kernel can be included. No server runs, so that this makes four to ten times as many edits as
`tests.equality` in the same time. The same seed gives the same edits. A difference ends the run, and the fewest texts of the
edited file that cause it are printed. If a kernel includes headers, most units have the edits of a header, and are analysed
for this header, for another one or for the kernel.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from openclsp.ide.diagnostics.per_item_diagnostics import PerItemDiagnostics
from openclsp.ide.feature_results import Diagnostic
from openclsp.ide.tokens.semantic_tokens import compute_semantic_tokens
from openclsp.semantics.translation_unit import TranslationUnit

from ..ide.tokens import decoded
from ..semantics.units import ROOT, Headers, edited, unit_of
from .changes import (
    ENDINGS,
    HIDING,
    LINES,
    PIECES,
    WORDS,
    AnotherWord,
    Changing,
    DirectiveChanged,
    Erased,
    Hidden,
    LinePut,
    LinesErased,
    LinesPasted,
    NameReplaced,
    Shown,
    Typed,
)
from .kernels import of_folder, samples
from .machine import Kernel

EDITS_OF_A_UNIT = 12
DIALECTS = ("CL1.2", "CL2.0", "CL3.0")
MOST_CHARACTERS = 30_000
"""A text that pasting makes longer is not edited further."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The texts of the edited file, one after each edit, and the answers after the last edit: the unit's and a new unit's."""

    kernel: str
    dialect: str
    texts: tuple[str, ...]
    found: frozenset[object]
    expected: frozenset[object]


def random_change(random: Random) -> Changing:
    """One of the edits that `changes.changes` makes."""
    line, count = random.randrange(4001), random.randrange(1, 51)
    place = line, random.randrange(91)
    makers: tuple[Any, ...] = (
        lambda: Typed(place, random.choice((*PIECES, *WORDS))),
        lambda: AnotherWord(place, random.choice(WORDS), random.randrange(41)),
        lambda: Erased(place, count),
        lambda: LinePut(line, random.choice(LINES)),
        lambda: LinesErased(line, count % 8 + 1),
        lambda: LinesPasted(line, count, random.randrange(4001)),
        lambda: DirectiveChanged(random.randrange(101), random.choice(ENDINGS)),
        lambda: NameReplaced(random.randrange(201), random.choice(WORDS), random.choice((0, 0, 3, 30))),
        lambda: Hidden(line, count, *random.choice(HIDING), random.random() < 0.5),
        lambda: Shown(random.randrange(21)),
    )
    changing: Changing = random.choice(makers)()
    return changing


def diagnostics_of(unit: TranslationUnit) -> frozenset[object]:
    """The diagnostics of a unit that are reported, before those of its items are joined."""
    found = PerItemDiagnostics(unit, tagged=True)
    return frozenset(_key(each.reported) for each in found.everything() if each.reported is not None)


def _key(diagnostic: Diagnostic) -> object:
    related = tuple((each.location, each.message) for each in diagnostic.related)
    return diagnostic.code, diagnostic.severity, diagnostic.message, diagnostic.location, related


def answers_of(unit: TranslationUnit, document: str) -> frozenset[object]:
    """The diagnostics of a unit and the semantic tokens of one of its documents."""
    tokens = compute_semantic_tokens(unit, document, "utf-16").numbers.tolist()
    return diagnostics_of(unit) | frozenset(decoded(tokens))


class EditedUnit:
    """A unit of a kernel whose edits are those of one file: of the kernel, or of a header that it includes.

    `edited` and `shown` are names of headers; empty for the kernel. The unit is analysed for the shown file.
    """

    def __init__(
        self, kernel: Kernel, dialect: str, edited: str, shown: str, text: str | None = None
    ) -> None:
        """`text` is the text of the edited file; if it is None, the file has its own text."""
        files = {os.path.basename(name): path.read_bytes() for name, path in kernel.files.items()}
        self.dialect, self.edited, self.headers = dialect, edited, Headers(files)
        self.root = (kernel.text or kernel.files[kernel.name].read_bytes().decode(errors="replace")).encode()
        self.subject, self.document = (f"/{shown}", f"/{shown}") if shown else ("", ROOT)
        if text is not None:
            self._set_text(text)
        self.unit = self._new()
        self.answers = answers_of(self.unit, self.document)

    @property
    def text(self) -> str:
        """The text of the edited file."""
        return (self.headers.texts[self.edited] if self.edited else self.root).decode(errors="replace")

    def edit(self, text: str) -> None:
        """Gives the edited file another text, and asks for the answers."""
        self._set_text(text)
        if self.edited:
            self.unit.update(self.unit.document, headers_changed=True)
        else:
            edited(self.unit, self.root)
        self.answers = answers_of(self.unit, self.document)

    def expected(self) -> frozenset[object]:
        """The answers of a new unit."""
        return answers_of(self._new(), self.document)

    def _set_text(self, text: str) -> None:
        if self.edited:
            self.headers.texts[self.edited] = text.encode()
        else:
            self.root = text.encode()

    def _new(self) -> TranslationUnit:
        return unit_of(self.root, self.dialect, self.headers, subject=self.subject)


def edit_unit(kernel: Kernel, random: Random) -> tuple[int, Difference | None]:
    """Makes at most `EDITS_OF_A_UNIT` edits of a kernel or of one header that it includes.

    The unit is analysed for the kernel, for the edited header or for another one. Returns the number of edits, and
    the first difference, with the fewest texts that cause it.
    """
    dialect = random.choice(DIALECTS)
    documents = EditedUnit(kernel, dialect, "", "").unit.preprocessed.documents()
    included = sorted(os.path.basename(name) for name in documents if name != ROOT)
    edited_header = random.choice(included) if included and random.random() < 0.7 else ""
    shown_header = random.choice((edited_header, edited_header, "", *included))
    how = dialect, edited_header, shown_header
    subject = EditedUnit(kernel, *how)
    texts = [subject.text]
    for number in range(EDITS_OF_A_UNIT):
        text = texts[-1]
        if number and random.random() < 0.25:
            text = texts[-2]
        else:
            start, end, new = random_change(random)(text)
            text = text[:start] + new + text[end:]
        if len(text) > MOST_CHARACTERS:
            break
        texts.append(text)
        subject.edit(text)
        if subject.answers != subject.expected():
            name = (
                f"{kernel.name}, {edited_header or 'the kernel'} edited, {shown_header or 'the kernel'} shown"
            )
            return number + 1, _shortest(
                Difference(name, dialect, tuple(texts), *_replayed(kernel, how, texts)), kernel, how
            )
    return len(texts) - 1, None


def _replayed(
    kernel: Kernel, how: tuple[str, str, str], texts: Sequence[str]
) -> tuple[frozenset[object], frozenset[object]]:
    """The answers after a series of texts: the unit's and a new unit's."""
    subject = EditedUnit(kernel, *how, texts[0])
    for text in texts[1:]:
        subject.edit(text)
    return subject.answers, subject.expected()


def _shortest(difference: Difference, kernel: Kernel, how: tuple[str, str, str]) -> Difference:
    """The difference with as few of the earlier texts as possible."""
    number = 0
    while number < len(difference.texts) - 1:
        texts = (*difference.texts[:number], *difference.texts[number + 1 :])
        found, expected = _replayed(kernel, how, texts)
        if len(texts) > 1 and found != expected:
            difference = replace(difference, texts=texts, found=found, expected=expected)
        else:
            number += 1
    return difference


def main() -> int:
    """Runs the requested number of edits; returns 1 if there is a difference."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--edits", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--largest", type=int, default=300, help="leave out kernels of more lines, with their headers"
    )
    options = parser.parse_args()
    kernels = [
        each for root in options.folders for each in of_folder(root, most_lines=options.largest)
    ] or samples()
    random = Random(options.seed)
    edits = 0
    while edits < options.edits:
        count, difference = edit_unit(random.choice(kernels), random)
        edits += count
        if difference is not None:
            print(f"{difference.kernel} in {difference.dialect}, after edit {edits}:")
            print("only after the edits:", *(difference.found - difference.expected), sep="\n  ")
            print("only in a new unit:", *(difference.expected - difference.found), sep="\n  ")
            for text in difference.texts:
                print("-" * 20, text, sep="\n")
            return 1
    print(f"{len(kernels)} kernels, {edits} edits, no difference, {time.process_time():.0f} s CPU")
    return 0


if __name__ == "__main__":
    sys.exit(main())
