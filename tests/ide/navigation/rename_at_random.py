"""Renames names drawn at random in real kernels, and compares the program before and after.

    python -m tests.ide.navigation.rename_at_random [--count 500] [--std CL2.0] [--clangd CLANGD] [-D…] [-I…] FILE…

The preprocessed program must have the same tokens but for the name, and the diagnostics must be the same but
for the name. A refusal is printed with its reason; with `--clangd` it is compared with clangd's answer: clangd may
refuse as well, or its edits may change more of the program than the name.
Built-in functions are counted apart: clangd renames their uses, and the program is none afterwards.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from pathlib import Path
from urllib.parse import unquote, urlparse

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
    return [words(each.text) for each in unit.preprocessed.with_included()]


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
    return difference_of_programs(unit, texts, found.old)


def difference_of_programs(unit: TranslationUnit, texts: dict[str, Text], old_name: str) -> str:
    """What differs, but for the name, when documents get these texts; empty if nothing does."""
    after = unit.with_texts(texts)
    old, new = old_name.encode(), NEW.encode()
    for before_words, after_words in zip(program(unit), program(after), strict=True):
        if len(before_words) != len(after_words):
            return "the number of words differs"
        for one, other in zip(before_words, after_words, strict=True):
            # `#` makes a string of the name
            is_string = one.startswith(b'"') and one.replace(old, new) == other
            if one != other and (one, other) != (old, new) and not is_string:
                return f"{one!r} became {other!r}"
    if diagnostics(unit, old_name) != diagnostics(after, old_name):
        return "the diagnostics differ"
    after.close()
    return ""


def clangds_edits(clangd: Clangd, file: Path, text: str, offset: int) -> dict[str, Text]:
    """The texts of the documents that clangd edits to rename the name at an offset; empty if it refuses."""
    line, column = position(text, offset)
    document: dict[str, str | int] = {"uri": file.as_uri()}
    clangd.notify("textDocument/didOpen", {"textDocument": document | _as_opened(text)})
    place = {"textDocument": document, "position": {"line": line, "character": column}}
    answer = clangd.request("textDocument/rename", {**place, "newName": NEW})
    clangd.notify("textDocument/didClose", {"textDocument": document})
    changes = {} if answer is None else answer.get("changes") or {}
    texts = {}
    for uri, edits in changes.items():
        path = unquote(urlparse(uri).path)
        lines = Path(path).read_text("latin-1").splitlines(keepends=True)
        for edit in sorted(edits, key=lambda each: _start(each["range"]), reverse=True):
            (row, begin), end = _start(edit["range"]), edit["range"]["end"]
            assert end["line"] == row
            lines[row] = lines[row][:begin] + edit["newText"] + lines[row][end["character"] :]
        texts[path] = Text.of("".join(lines).encode("latin-1"))
    return texts


def _start(span: dict[str, dict[str, int]]) -> tuple[int, int]:
    return span["start"]["line"], span["start"]["character"]


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
                kind = "refused"
                if clangd is not None:
                    theirs = clangds_edits(clangd, file, data.decode(), offset)
                    old = words(data[offset:])[0].decode()
                    if not theirs:
                        kind = "refused as clangd does"
                    elif difference_of_programs(unit, theirs, old):
                        kind = "refused, clangd breaks the program"
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
