"""Compares hovers over pointers in the strings of host files with clang's types in the extracted programs.

    python -m tests.host_code.against_clang [--count N] [--per-program N] [--seed N] [--list FILE] FILE…

Programs are taken in random order, and of each at most `--per-program` random names of pointers, until there are
`--count` places. A place is reached through the host file: from the byte there to the program, as a request in an editor
is. A hover is wrong if the spaces of some level differ from clang's; a place, if the host file does not have the name
there. No places are taken on lines with an error of clang, such as those with a hole of the host, and none of names that are
declared there.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from openclsp.host_code.host_language import host_language_of_file
from openclsp.host_code.program_document import ProgramDocument, program_documents
from openclsp.ide.hover.hover import compute_hover
from openclsp.language.dialect import Dialect
from openclsp.source.document import Document

from ..oracle import clang
from ..oracle.ours import analysed_text
from ..oracle.pointers import PointerName, pointer_names

_DIALECTS = ("CL1.2", "CL2.0")
_UNKNOWN_PART = re.compile(rb'#include "unknown-part-of-the-program[^"\n]*"')


@dataclass(frozen=True, slots=True)
class Place:
    """The name of a pointer in a program, with the program, its dialect and the options for both."""

    program: ProgramDocument
    dialect: Dialect
    options: tuple[str, ...]
    pointer: PointerName


def places_in(program: ProgramDocument, folder: Path) -> list[Place]:
    """The names of pointers on lines without an error of clang, in the dialect in which clang has the fewest errors.

    clang goes on with `int` for an unknown type, so that names declared with one have no known type; none are taken if
    the program defines a type so.
    """
    file = folder / "program.cl"
    # The header that stands for what is unknown does not exist; a comment of the same length takes its place.
    text = _UNKNOWN_PART.sub(lambda match: b"//" + b" " * (len(match[0]) - 2), program.document.text.data)
    file.write_bytes(text)
    options = ("-I", str(Path(program.host.name).parent))
    found = {name: clang.errors_of_files([file], Dialect.of(name), options)[0] for name in _DIALECTS}
    if any(each.message.endswith("file not found") for each in found[_DIALECTS[0]]):
        # clang reports nothing after it.
        return []
    errors = {name: {each.line for each in found[name]} for name in _DIALECTS}
    name = min(_DIALECTS, key=lambda each: len(errors[each]))
    lines = text.splitlines()
    if any(b"typedef" in lines[number - 1] for number in errors[name] if number <= len(lines)):
        return []
    dialect = Dialect.of(name)
    pointers = pointer_names(file, dialect, options)
    guessed = {each.name for each in pointers if each.line in errors[name]}
    return [
        Place(program, dialect, options, each)
        for each in pointers
        if each.line not in errors[name] and each.name not in guessed
    ]


def faults_of(places: list[Place]) -> Iterator[str]:
    """What is wrong at the places of one program."""
    program = places[0].program
    document, host = program.document, program.host.text.data
    unit = analysed_text(
        Path(document.name), document.text.data, places[0].dialect, [each for each in places[0].options]
    )
    for each in places:
        pointer = each.pointer
        start = document.text.line_start(pointer.line - 1) + pointer.column - 1
        first, last = program.host_range(start, start + len(pointer.name))
        where = f"{program.host.name}: byte {first}: `{pointer.name}`"
        offset = program.program.value.value_offset(first)
        if host[first:last] != pointer.name.encode() or offset is None:
            yield f"{where}: the host file has {host[first:last]!r} there"
            continue
        answer = compute_hover(unit, document.name, offset)
        if answer is None or answer.spaces != pointer.spaces:
            shown = "nothing" if answer is None else f"{answer.type} {answer.spaces}"
            yield f"{where}: clang says {pointer.type}, the hover {shown}"


def main() -> int:
    """Runs as the module's docstring describes; returns 1 if a hover or a place is wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=1_000)
    parser.add_argument("--per-program", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", type=Path, help="a file with a path on each line")
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    chosen = random.Random(arguments.seed)
    paths = [*arguments.files]
    if arguments.list is not None:
        paths += arguments.list.read_text(encoding="utf-8").splitlines()
    chosen.shuffle(paths)
    places = programs = wrong = hosts = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            if places >= arguments.count:
                break
            if host_language_of_file(path) is None:
                continue
            found = program_documents(Document.of(str(Path(path).resolve()), Path(path).read_bytes()))
            before = places
            for program in chosen.sample(found, min(len(found), 4)):
                every = places_in(program, Path(folder))
                taken = chosen.sample(every, min(len(every), arguments.per_program, arguments.count - places))
                if not taken:
                    continue
                places, programs = places + len(taken), programs + 1
                for fault in faults_of(taken):
                    wrong += 1
                    print(fault)
            hosts += places > before
    print(f"{places} places in {programs} programs of {hosts} host files, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
