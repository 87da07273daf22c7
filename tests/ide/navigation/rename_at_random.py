"""Renames names drawn at random in real kernels, and compares the program before and after.

    python -m tests.ide.navigation.rename_at_random [--count 500] [--std CL2.0] [--clangd CLANGD] [-D…] [-I…] FILE…

The preprocessed program must have the same tokens but for the name, and the diagnostics must be the same but
for the name. A refusal is printed with its reason; with `--clangd` it is told whether clangd refuses as well.
Built-in functions are counted apart: clangd renames their uses, and the program is none afterwards.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from pathlib import Path

from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.navigation.rename import RenameRefusal, compute_rename, edited_text
from openclsp.language.dialect import Dialect
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.lexer import words
from openclsp.source.text import Text

from ...oracle.ours import analysed_file
from .compare_with_clangd import NEW_NAME as NEW
from .compare_with_clangd import Clangd, drawn_names, flags, position


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


def is_refused_by_clangd(clangd: Clangd, file: Path, text: str, offset: int) -> bool:
    """Whether clangd refuses to rename the name at an offset as well."""
    line, column = position(text, offset)
    document = {"uri": file.as_uri()}
    clangd.notify("textDocument/didOpen", {"textDocument": document | _as_opened(text)})
    place = {"textDocument": document, "position": {"line": line, "character": column}}
    answer = clangd.request("textDocument/rename", {**place, "newName": NEW})
    clangd.notify("textDocument/didClose", {"textDocument": document})
    return answer is None or not (answer.get("changes") or answer.get("documentChanges"))


def _as_opened(text: str) -> dict[str, str | int]:
    return {"languageId": "opencl", "version": 1, "text": text}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--std", default="CL2.0")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", default="files")
    parser.add_argument("--clangd", help="asked about the names that are refused")
    parser.add_argument("-D", dest="define", action="append", default=[])
    parser.add_argument("-I", dest="include", action="append", default=[])
    arguments = parser.parse_args()
    options = [f"-D{each}" for each in arguments.define] + [f"-I{each}" for each in arguments.include]
    files = list(arguments.files)
    random.Random(arguments.seed).shuffle(files)
    each_file = max(1, arguments.count // len(files))
    clangd = None if arguments.clangd is None else Clangd(arguments.clangd, flags(arguments))
    totals = Counter[str]()
    for file in files:
        data = file.read_bytes()
        if not data.isascii() or totals.total() >= arguments.count:
            continue
        file = file.resolve()
        unit = analysed_file(file, Dialect.of(arguments.std), options)
        for offset in drawn_names(data.decode(), each_file, f"{arguments.seed} {file.name}"):
            outcome = difference(unit, offset)
            kind = "renamed" if not outcome else "wrong"
            if "is part of OpenCL C" in outcome:
                kind = "built in"
            elif outcome.startswith("refused"):
                refused = clangd is not None and is_refused_by_clangd(clangd, file, data.decode(), offset)
                kind = "refused as clangd does" if refused else "refused"
            totals[kind] += 1
            if outcome:
                print(
                    f"{file}:{offset}: {words(data[offset : offset + 80])[0].decode()}: {kind}: {outcome}",
                    flush=True,
                )
        unit.close()
    if clangd is not None:
        clangd.close()
    print(dict(totals))
    return 1 if totals["wrong"] or totals["refused"] else 0


if __name__ == "__main__":
    sys.exit(main())
