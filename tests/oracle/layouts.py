"""Compares the layouts of all structs and unions of real kernels with clang's, for both address widths.

    python -m tests.oracle.layouts FOLDER [--dialect CL2.0] [--jobs 2] [--option=-DNAME=1]

Every `.cl` file below the folder is read with its own folder and the given one for includes. clang describes each
record whose size is used, even in a file with errors, so a probe uses the sizes of all tags and typedefs at program
scope. (`-fdump-record-layouts-complete` would describe records before the attributes after their braces apply.) Sizes
and alignments are compared, and names and offsets member by member, also of nested members. Differences are printed,
and the exit status is then 1. A layout that openclsp does not know is counted.
"""

from __future__ import annotations

import argparse
import logging
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path

from openclsp.ide.layout.record_layout import MAXIMUM_ROWS, DeviceLayout, compute_layouts
from openclsp.language.dialect import Dialect
from openclsp.semantics.database.signatures import EXPORTS
from openclsp.semantics.facts.entities import EntityKind
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.types.type_model import Record

from ..language.clang import clang_command
from . import clang
from .ours import analysed_file

_log = logging.getLogger(__name__)
_TRIPLES = {32: "spir-unknown-unknown", 64: "spir64-unknown-unknown"}
_LINE = re.compile(r" *(?P<offset>\d*(?::[\d-]+)?) \| (?P<indent> *)(?P<text>.*)")
_UNNAMED = re.compile(
    r"(?:unnamed|anonymous)(?: struct| union)? at (?P<path>.*):(?P<line>\d+):(?P<column>\d+)\)"
)
_TOTAL = re.compile(r"\[sizeof=(\d+), align=(\d+)\]")
_TIMEOUT = 60.0

Row = tuple[int, str, str]
"""Depth, offset as clang writes it, and name of a member"""
Described = tuple[int, int, tuple[Row, ...]]
"""Size and alignment in bytes, and the rows"""


@dataclass(slots=True)
class LayoutComparison:
    """The result of one file: what was compared, what differs, what is not known."""

    compared: int = 0
    unknown: int = 0
    differing: list[str] = field(default_factory=list)


def clang_layouts(text: str) -> dict[str, list[Described]]:
    """The records of clang's dump by name: `struct s`, or `path:line:column` of one without a tag."""
    found: dict[str, list[Described]] = defaultdict(list)
    for block in text.split("*** Dumping AST Record Layout\n")[1:]:
        name, rows = "", []
        for line in block.splitlines():
            total = _TOTAL.search(line)
            match = _LINE.match(line)
            if total is not None:
                found[name].append((int(total[1]), int(total[2]), tuple(rows)))
                break
            if match is None:
                continue
            words = match["text"]
            if not name:
                name = _name(words)
                continue
            # what clang calls the unnamed type of a member may contain blanks
            member = "" if words.endswith(" ") else words.rsplit(" ", 1)[-1]
            rows.append((len(match["indent"]) // 2 - 1, match["offset"], member))
    return found


def _name(words: str) -> str:
    unnamed = _UNNAMED.search(words)
    if unnamed is not None:
        return f"{unnamed['path']}:{unnamed['line']}:{unnamed['column']}"
    return words.strip()


def _described(device: DeviceLayout) -> Described:
    rows = tuple(
        _row(row.depth, row.offset, row.size, row.bit_field, row.name)
        for row in device.rows
        if row.declaration
    )
    return device.size, device.alignment, rows


def _row(depth: int, offset: int, size: int, bit_field: bool, name: str) -> Row:
    if not bit_field:
        return depth, str(offset // 8), name
    first = offset % 8
    return depth, f"{offset // 8}:{f'{first}-{first + size - 1}' if size else '-'}", name


def our_layouts(unit: TranslationUnit) -> Iterator[tuple[str, dict[int, Described]]]:
    """The records of a unit's documents under the same names; an empty dictionary if the layout is not known."""
    for fragment in list(unit.parts()):
        document = fragment.preprocessed.document
        for layout in compute_layouts(unit, document.name):
            assert layout.location is not None
            name = layout.name
            if not re.fullmatch(r"(struct|union) \w+", name):
                position = document.text.position(layout.location.start, "utf-8")
                name = f"{document.name}:{position.line + 1}:{position.column + 1}"
            yield name, {each.address_bits: _described(each) for each in layout.devices}


def compare_text(text: str, dumps: dict[int, str], unit: TranslationUnit) -> LayoutComparison:
    """Compares the layouts of a unit with clang's dumps by address width; `text` names it."""
    outcome = LayoutComparison()
    theirs = {bits: clang_layouts(dump) for bits, dump in dumps.items()}
    for name, layouts in our_layouts(unit):
        for bits, named in theirs.items():
            known = named.get(name)
            if not known:
                continue
            if bits not in layouts:
                outcome.unknown += 1
                continue
            outcome.compared += 1
            if not any(_same(layouts[bits], each) for each in known):
                outcome.differing.append(f"{text}: {name}, {bits} bits: {layouts[bits]}, clang {known[0]}")
    return outcome


def _same(ours: Described, theirs: Described) -> bool:
    count = len(ours[2]) if len(ours[2]) >= MAXIMUM_ROWS - 1 else max(len(ours[2]), len(theirs[2]))
    return ours[:2] == theirs[:2] and ours[2][:count] == theirs[2][:count]


def clang_dump(file: Path, dialect: Dialect, bits: int, options: Sequence[str], types: Sequence[str]) -> str:
    """clang's description of the records in these types of a file, and of those that it needs itself."""
    command = [*clang_command(dialect), "-triple", _TRIPLES[bits], "-fsyntax-only", "-w", *options]
    command += ["-ferror-limit", "0", "-fdump-record-layouts", "-"]
    # the size must be needed: clang computes no layout for an expression that is not evaluated
    probes = [f"typedef int layout_probe_{number}[sizeof({name})];" for number, name in enumerate(types)]
    text = "\n".join([f'#include "{file}"', *probes, ""])
    found = subprocess.run(command, check=False, input=text.encode(), capture_output=True, timeout=_TIMEOUT)
    return found.stdout.decode("utf-8", "replace")


def record_types(unit: TranslationUnit) -> list[str]:
    """The tags and typedefs of a unit that name a record at program scope."""
    found: dict[str, None] = {}
    for item in unit.items:
        exports = unit.database.get(EXPORTS, item.key)
        for tag, type_ in exports.tags.items():
            if isinstance(type_, Record):
                found[tag] = None
        for name, symbol in exports.symbols.items():
            if symbol.kind is EntityKind.TYPEDEF and isinstance(symbol.type.unqualified, Record):
                found[name] = None
    return list(found)


def compare_file(file: Path, folder: Path, dialect: Dialect, options: Sequence[str]) -> LayoutComparison:
    """Compares the layouts of one file."""
    both = (*options, f"-I{file.parent}", f"-I{folder}")
    try:
        unit = analysed_file(file, dialect, both)
        types = record_types(unit)
        dumps = {bits: clang_dump(file, dialect, bits, both, types) for bits in _TRIPLES}
        return compare_text(str(file), dumps, unit)
    except subprocess.TimeoutExpired:
        return LayoutComparison()
    except Exception:  # noqa: BLE001 - one file that crashes is an outcome
        _log.exception("%s", file)
        return LayoutComparison(differing=[f"{file}: crashed"])


def _differences(outcome: LayoutComparison) -> int:
    return len(outcome.differing)


def main() -> int:
    """Runs as the module's docstring describes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--dialect", default="CL2.0")
    parser.add_argument("--option", action="append", default=[], help="an option for both, as -DNAME=1")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    folder = options.folder.resolve()
    if reason := clang.reason_to_skip(folder):
        print(f"skipped: {reason}")
        return 0
    files = [
        file
        for file in sorted(folder.rglob("*.cl"))
        if b"struct" in file.read_bytes() or b"union" in file.read_bytes()
    ]
    dialect = Dialect.of(options.dialect)
    with ProcessPoolExecutor(options.jobs) as pool:
        same = [folder] * len(files), [dialect] * len(files), [options.option] * len(files)
        outcomes = list(pool.map(compare_file, files, *same))
    for outcome in outcomes:
        for line in outcome.differing:
            print(line)
    compared, unknown, differing = (
        sum(count(each) for each in outcomes)
        for count in (attrgetter("compared"), attrgetter("unknown"), _differences)
    )
    print(
        f"{len(files)} files in {dialect.name}: {compared} layouts compared, {differing} differ, {unknown} not known"
    )
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
