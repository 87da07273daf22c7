"""Changes the address spaces of pointers drawn at random in real kernels, and checks every offered edit.

    python -m tests.ide.space_changes_at_random [--count 200] [--std CL1.2] [--each 3] [-I…] FILE…

Files with errors are left out. Of the pointers that a file declares, as parameters, variables or results, some are
drawn; parameters of kernels, which the host passes, are drawn less often. Each offered edit is analysed: it
must introduce no error. If clang is installed and accepts the file, it must accept the edited text too. It prints
the refusals with their reasons, and counts them.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.feature_results import CheckedFix
from openclsp.ide.fixes.fix_checker import apply_edits
from openclsp.ide.location_map import LocationMap
from openclsp.ide.refactorings.space_changes import compute_space_changes
from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Severity
from openclsp.semantics.database.declared_functions import function_of
from openclsp.semantics.facts.entities import Entity, EntityKind
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.types.type_model import Function, Pointer

from ..oracle.clang import accepts, version
from ..oracle.ours import analysed_file

_KINDS = (EntityKind.PARAMETER, EntityKind.VARIABLE, EntityKind.FUNCTION)
_KERNEL_SHARE = 0.15
"""The share of the kernels' parameters that may be drawn."""


def pointers(unit: TranslationUnit, draw: random.Random) -> Iterator[tuple[int, Entity]]:
    """Yields the declarations of pointers in the root document, with the bytes at which their names begin."""
    places = LocationMap(unit)
    for key in unit.by_key:
        for each in places.context(key).entities.values():
            type_ = each.type.result if isinstance(each.type, Function) else each.type
            if each.kind not in _KINDS or not each.name or not isinstance(type_, Pointer):
                continue
            function = function_of(unit, each.ref)
            if function is not None and function.kernel and draw.random() > _KERNEL_SHARE:
                continue
            location = places.location(key, each.place)
            data = unit.document.text.data
            if location.document == unit.document.name and data.startswith(
                each.name.encode(), location.start
            ):
                yield location.start, each


def errors(unit: TranslationUnit) -> list[str]:
    """The messages of the errors in the unit."""
    return [each.message for each in compute_diagnostics(unit) if each.severity is Severity.ERROR]


def fault(unit: TranslationUnit, fix: CheckedFix, file: Path, options: Sequence[str], by_clang: bool) -> str:
    """What is wrong with the edited program; empty if nothing is."""
    texts = apply_edits(unit, fix.edits)
    after = unit.with_texts(texts)
    found = errors(after)
    after.close()
    if found:
        return found[0]
    if not by_clang or texts.keys() != {unit.document.name}:
        return ""
    with tempfile.TemporaryDirectory() as folder:
        edited = Path(folder, file.name)
        edited.write_bytes(texts[unit.document.name].data)
        is_accepted = accepts(edited, unit.dialect, [*options, f"-I{file.parent}"])
    return "" if is_accepted else "clang rejects it"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--std", default="CL1.2")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--each", type=int, default=3, help="pointers of a file")
    parser.add_argument("--seed", default="spaces")
    parser.add_argument("-I", dest="include", action="append", default=[])
    arguments = parser.parse_args()
    dialect, options = Dialect.of(arguments.std), [f"-I{each}" for each in arguments.include]
    draw = random.Random(arguments.seed)
    files = list(arguments.files)
    draw.shuffle(files)
    totals, edits = Counter[str](), Counter[str]()
    for file in files:
        if totals.total() >= arguments.count:
            break
        unit = analysed_file(file.resolve(), dialect, options)
        if errors(unit):
            unit.close()
            continue
        every = list(pointers(unit, draw))
        by_clang = version() is not None and bool(every) and accepts(file, dialect, options)
        for start, entity in draw.sample(every, min(len(every), arguments.each)):
            found = compute_space_changes(unit, unit.document.name, start)
            totals[
                "offered" if found.offered else f"none: {found.refusal.replace(f'`{entity.name}`', '…')}"
            ] += 1
            where = f"{file}:{unit.document.text.line_of(start) + 1}: {entity.name}"
            if not found.offered:
                print(f"{where}: {found.refusal}", flush=True)
            for each in found.offered:
                wrong = fault(unit, each, file, options, by_clang)
                edits["wrong" if wrong else "accepted by clang" if by_clang else "without errors"] += 1
                if wrong:
                    print(f"{where}: {each.title}: {wrong}", flush=True)
        unit.close()
    print(dict(totals), dict(edits))
    return 1 if edits["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
