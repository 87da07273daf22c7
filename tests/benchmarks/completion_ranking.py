"""Measures where completion ranks the name that a person typed.

    python -m tests.benchmarks.completion_ranking FOLDER… [--uses 1000] [--seed 1] [--typed 2] [--misses]

takes uses of names at random from the kernels in the folders, the same number from each folder. A use is an
identifier of at least three characters in active code that is no keyword, and that declares nothing. Each is
cut after the typed characters in an otherwise complete file, completion is computed at the cut, and the list
is read as a client does: names that do not contain the typed characters in order are left out, and the rest
is sorted by `sortText`. Printed are the shares of uses whose name is the first, and among the first five, for
all uses and for each kind of name. `--misses` lists the others.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from openclsp.ide.completion.completion import compute_completions
from openclsp.ide.location_map import LocationMap
from openclsp.language.dialect import Dialect
from openclsp.language.keywords import keywords
from openclsp.project.file_system import DocumentStore
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document
from openclsp.workspace.unit_preparation import plan_unit

MINIMUM_NAME = 3
FIRST = 5
PER_FILE = 6
"""The number of uses in one file: analysing the file takes longer than completing them."""
MAXIMUM_BYTES = 300_000

_PIECES = re.compile(
    rb"""//[^\n]*|/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|^[ \t]*\#(?:[^\n\\]|\\.)*|\.?\d[\w.]*|[A-Za-z_]\w*""",
    re.DOTALL | re.MULTILINE,
)
_TAG = re.compile(rb"\b(?:struct|union|enum)\s+\Z")


@dataclass(frozen=True, slots=True)
class Use:
    """A use of a name in a file, from byte `start`."""

    path: Path
    start: int
    name: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """The place of the name in the list, from 0; None if it is not in it."""

    use: Use
    place: int | None
    kind: str
    first: tuple[str, ...]
    seconds: float


def kernels_in(folder: Path) -> list[Path]:
    """The kernel files of a folder, sorted."""
    found = (path for path in folder.rglob("*") if path.suffix in (".cl", ".ocl") and path.is_file())
    return sorted(path for path in found if 0 < path.stat().st_size <= MAXIMUM_BYTES)


def unit_of(path: Path, data: bytes) -> TranslationUnit:
    """The unit of a kernel file with this text."""
    planned = plan_unit(str(path))
    document = Document.of(str(path), data)
    return TranslationUnit(planned.unit_config, document, planned.make_include_loader(DocumentStore()))


def identifiers_in(data: bytes) -> Iterator[tuple[int, str]]:
    """The identifiers in the code of a file, with their first bytes."""
    for match in _PIECES.finditer(data):
        piece = match[0]
        if piece[:1].isalpha() or piece[:1] == b"_":
            yield match.start(), piece.decode("utf-8", "replace")


def uses_in(unit: TranslationUnit, path: Path, data: bytes) -> list[Use]:
    """The uses of names in the active code of a file."""
    declared = _declared(unit, str(path))
    words = keywords(Dialect.of("CL3.0")) | keywords(unit.dialect)
    inactive = [False] * (data.count(b"\n") + 2)
    for first, last in unit.preprocessed.inactive:
        inactive[first:last] = [True] * (last - first)
    text = unit.document.text
    found = []
    for start, name in identifiers_in(data):
        if len(name) < MINIMUM_NAME or start in declared or name in words or name.startswith("__"):
            continue
        after = data[start + len(name.encode()) :][:32]
        if _TAG.search(data[max(start - 32, 0) : start]) and after.lstrip()[:1] == b"{":
            continue
        if inactive[text.line_of(start)]:
            continue
        found.append(Use(path, start, name))
    return found


def _declared(unit: TranslationUnit, document: str) -> frozenset[int]:
    """The bytes at which a name is declared."""
    places = LocationMap(unit)
    found = set()
    for item in unit.items:
        for entity in places.context(item.key).entities.values():
            location = places.location(item.key, entity.place)
            if location.document == document:
                found.add(location.start)
    return frozenset(found)


def sample(
    folder: Path, count: int, chosen: random.Random
) -> Iterator[tuple[bytes, TranslationUnit, list[Use]]]:
    """Chooses uses in the kernels of a folder, in files in random order."""
    files = kernels_in(folder)
    chosen.shuffle(files)
    while count > 0 and files:
        path = files.pop()
        data = path.read_bytes()
        if b"\x00" in data or b"\r" in data:
            continue
        unit = unit_of(path, data)
        if unit.preprocessed.code.raw:
            continue
        uses = uses_in(unit, path, data)
        taken = chosen.sample(uses, min(PER_FILE, count, len(uses)))
        if taken:
            count -= len(taken)
            yield data, unit, taken


def measure(unit: TranslationUnit, data: bytes, use: Use, typed: int) -> Outcome:
    """Completes a name of which only the first characters are written."""
    name = use.name.encode()
    cut = data[: use.start + typed] + data[use.start + len(name) :]
    unit.update(Document.of(str(use.path), cut), headers_changed=False)
    began = time.process_time()
    found = compute_completions(unit, str(use.path), use.start + typed)
    seconds = time.process_time() - began
    prefix = use.name[:typed].lower()
    # the candidates are sorted as their `sortText` is
    names = [each for each in found.candidates if _is_match(each.name.lower(), prefix)]
    labels = [each.name for each in names]
    place = labels.index(use.name) if use.name in labels else None
    kind = names[place].kind.value if place is not None else "not listed"
    return Outcome(use, place, kind, tuple(labels[:FIRST]), seconds)


def _is_match(name: str, typed: str) -> bool:
    rest = iter(name)
    return all(letter in rest for letter in typed)


def _row(title: str, outcomes: Sequence[Outcome]) -> str:
    count = len(outcomes)
    first = sum(each.place == 0 for each in outcomes)
    among = sum(each.place is not None and each.place < FIRST for each in outcomes)
    return f"{title:<16} {count:>6} {100 * first / count:>9.1f} % {100 * among / count:>9.1f} %"


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the shares for the folders given on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--uses", type=int, default=1000)
    parser.add_argument("--typed", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args(arguments)
    chosen = random.Random(options.seed)
    outcomes: list[Outcome] = []
    folders: dict[str, list[Outcome]] = {}
    for number, folder in enumerate(options.folders):
        left = options.uses - len(outcomes)
        own: list[Outcome] = []
        for data, unit, uses in sample(folder, -(-left // (len(options.folders) - number)), chosen):
            own += [measure(unit, data, use, options.typed) for use in uses]
            unit.close()
        outcomes += own
        if own:
            folders[folder.name] = own
    print(f"{'':<16} {'uses':>6} {'first':>11} {f'first {FIRST}':>11}")
    print(_row("all", outcomes))
    by_kind: dict[str, list[Outcome]] = defaultdict(list)
    for each in outcomes:
        by_kind[each.kind].append(each)
    for kind, some in sorted(by_kind.items(), key=lambda pair: -len(pair[1])):
        print(_row(kind, some))
    print()
    for name, some in folders.items():
        print(_row(name[-16:], some))
    times = sorted(each.seconds for each in outcomes)
    print(
        f"\nms CPU for a list: median {1000 * times[len(times) // 2]:.1f}, p95 {1000 * times[int(0.95 * len(times))]:.1f}"
    )
    if options.misses:
        missed = Counter((each.use.name, each.place, each.first) for each in outcomes if each.place != 0)
        for (name, place, first), count in sorted(missed.items(), key=lambda pair: str(pair[0][1])):
            print(f"{count} {name} at {place}: {', '.join(first)}")


if __name__ == "__main__":
    main()
