"""Renames names drawn at random in real kernels, and compares the program before and after.

    python -m tests.ide.navigation.rename_at_random [--count 500] [--std CL2.0] [-D…] [-I…] FILE…

The preprocessed program must have the same tokens but for the name, and the diagnostics must be the same but
for the name. Each refusal is printed with its reason.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.navigation.rename import RenameRefusal, compute_rename, edited_text
from openclsp.ide.navigation.resolution import Navigator
from openclsp.language.dialect import Dialect
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.lexer import words
from openclsp.source.text import Text

from ...oracle.ours import analysed_file
from .compare_with_clangd import drawn_names

NEW = "renamed_at_random"


def program(unit: TranslationUnit) -> list[list[bytes]]:
    """The words of the expanded texts of all documents."""
    return [words(each.text) for each in unit.preprocessed.units()]


def diagnostics(unit: TranslationUnit, old: str) -> list[tuple[str, str]]:
    """The codes and messages, with the new name in the place of the old one."""
    return sorted((each.code, each.message.replace(old, NEW)) for each in compute_diagnostics(unit))


def difference(unit: TranslationUnit, offset: int) -> str:
    """What is wrong after renaming the name at an offset; empty if nothing is, or a refusal."""
    name = unit.document.name
    found = compute_rename(unit, name, offset, NEW, lambda _: True, lambda *_: ())
    if isinstance(found, RenameRefusal):
        return f"refused: {found.reason}"
    texts: dict[str, Text] = {}
    for document in found.places:
        read = unit.document_named(document)
        assert read is not None
        texts[document] = edited_text(read.text, found, document)
    after = unit.with_texts(texts)
    old, new = found.old.encode(), NEW.encode()
    for before_words, after_words in zip(program(unit), program(after), strict=True):
        if len(before_words) != len(after_words):
            return "the number of words differs"
        for one, other in zip(before_words, after_words, strict=True):
            if one != other and (one, other) != (old, new):
                return f"{one!r} became {other!r}"
    if diagnostics(unit, found.old) != diagnostics(after, found.old):
        return "the diagnostics differ"
    after.close()
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--std", default="CL2.0")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("-D", dest="define", action="append", default=[])
    parser.add_argument("-I", dest="include", action="append", default=[])
    arguments = parser.parse_args()
    options = [f"-D{each}" for each in arguments.define] + [f"-I{each}" for each in arguments.include]
    files = list(arguments.files)
    random.Random("files").shuffle(files)
    each_file = max(1, arguments.count // len(files))
    renamed = refused = wrong = 0
    for file in files:
        data = file.read_bytes()
        if not data.isascii() or renamed + refused >= arguments.count:
            continue
        unit = analysed_file(file.resolve(), Dialect.of(arguments.std), options)
        for offset in drawn_names(data.decode(), each_file, file.name):
            at = Navigator(unit).symbol_at(unit.document.name, offset)
            if at is None:
                continue
            outcome = difference(unit, offset)
            renamed += not outcome
            refused += outcome.startswith("refused")
            wrong += bool(outcome) and not outcome.startswith("refused")
            if outcome:
                print(f"{file.name}: {at.symbol.name} at {offset}: {outcome}")
    print({"renamed": renamed, "refused": refused, "wrong": wrong})
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
