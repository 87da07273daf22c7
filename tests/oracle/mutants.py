"""Hold openclsp against clang on mutants of real kernels: the same text with one address space changed.

    python -m tests.oracle.mutants FOLDER [--index FILE] [--mutants FILE] [--dialect NAME]… [--fixes]
    python -m tests.oracle.mutants FOLDER [--index FILE] --count N [--seed N] [--dialect NAME]…

A list of mutants holds a JSON line for each: `repo`, `path`, `sha256` of the base, `edit` (start, end, replacement),
`op`, and in `expect`, by version, what clang said: `diags` and `other` errors. FOLDER holds the bases; the index
(see `kernels.py`) says in which folder of it and with which options. Without a list, mutants are made: `--count` of
them, of every `.cl` file below FOLDER (or in the index) in which clang finds no error, each in a dialect chosen by
chance among those asked for (all eight).

Compared are lines. Each line on which clang has an error about address spaces should have one of ours: *recall*; each
line on which we have one should have one of clang's: *precision*. What is said on another line of the same statement
counts as said there. Errors of clang that may have to do with a space (a call that no overload fits) are compared too,
and counted apart. With `--fixes`, every fix that is offered is applied and held against clang: its errors are fewer,
and none is new.
"""

from __future__ import annotations

import argparse
import json
import logging
import random
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from openclsp.ide.answers import CheckedFix
from openclsp.ide.diagnostics import diagnostics
from openclsp.ide.fixes import fixes
from openclsp.language.dialect import EIGHT, Dialect
from openclsp.rules.finding import Severity

from . import clang
from .about_spaces import is_about_spaces, may_be_about_spaces
from .deviations import explained_in_kernel
from .mutations import Mutation, mutations, tokens_of
from .ours import analysed_text, diagnostics_of

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Base:
    """A kernel that is there, and the options for both sides."""

    file: Path
    options: tuple[str, ...]

    @property
    def both(self) -> list[str]:
        return [*self.options, "-I", str(self.file.parent)]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A base with one change; `recorded` are the lines of clang's errors by dialect, each with its messages."""

    name: str
    base: Base
    mutation: Mutation
    dialects: tuple[str, ...]
    recorded: dict[str, dict[int, list[str]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Difference:
    """A line of a mutant that one side alone calls an error; `reason` explains it, where anything does."""

    mutant: str
    file: Path
    dialect: str
    kind: str
    what: str
    line: int
    source: str
    message: str
    reason: str | None


@dataclass
class Tally:
    """What was found in one mutant, or in all."""

    runs: int = 0
    found: int = 0
    elsewhere: int = 0
    missed: int = 0
    false: int = 0
    perhaps_found: int = 0
    perhaps_missed: int = 0
    fixes: int = 0
    left_out: int = 0
    differences: list[Difference] = field(default_factory=list)
    wrong_fixes: list[str] = field(default_factory=list)
    crashes: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        for name in self.__dataclass_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


def recorded_mutants(folder: Path, index: Path, listed: Path) -> tuple[list[Mutant], int]:
    """The mutants whose base is there in the recorded version, and how many there are in the list."""
    bases = bases_of_index(folder, index)
    found: list[Mutant] = []
    lines = listed.read_text(encoding="utf-8").splitlines()
    for record in map(json.loads, lines):
        base = bases.get((record["repo"], record["path"], record["sha256"]))
        if base is None:
            continue
        start, end, replacement = record["edit"]
        mutation = Mutation(record["op"], start, end, replacement.encode("latin1"))
        expected = {}
        for name, verdict in record["expect"].items():
            while isinstance(verdict, str):
                verdict = record["expect"][verdict[1:]]
            if "rc" not in verdict:
                expected[name] = _recorded_lines(verdict)
        found.append(Mutant(record["id"], base, mutation, tuple(expected), expected))
    return found, len(lines)


def _recorded_lines(verdict: dict[str, Any]) -> dict[int, list[str]]:
    lines: dict[int, list[str]] = defaultdict(list)
    for diagnostic in verdict["diags"]:
        lines[diagnostic["line"]].append(diagnostic["msg"])
    for line in verdict["other"]:
        lines[line].append("another error")
    return dict(lines)


def bases_of_index(folder: Path, index: Path) -> dict[tuple[str, str, str], Base]:
    """By repository, path and digest, the files of an index that are there in that version."""
    found: dict[tuple[str, str, str], Base] = {}
    for record in map(json.loads, index.read_text(encoding="utf-8").splitlines()):
        root = folder / record["dir"]
        file = root / record["path"]
        if not file.is_file() or sha256(file.read_bytes()).hexdigest() != record["sha256"]:
            continue
        defines = (f"-D{define}" for define in record["defines"])
        folders = (part for name in record["include_dirs"] for part in ("-I", str(root / name)))
        found[record["repo"], record["path"], record["sha256"]] = Base(file, (*defines, *folders))
    return found


def made_mutants(
    folder: Path, bases: Sequence[Base], count: int, seed: int, dialects: Sequence[str], jobs: int
) -> list[Mutant]:
    """So many mutants of bases chosen by chance, each in one dialect in which clang takes its base.

    Each folder right below `folder` has the same chance, however many kernels it has.
    """
    chance = random.Random(seed)
    found: list[Mutant] = []
    tried: set[tuple[Path, Mutation]] = set()
    projects: dict[str, list[Base]] = defaultdict(list)
    for base in bases:
        projects[base.file.relative_to(folder).parts[0]].append(base)
    names = sorted(projects)
    with ProcessPoolExecutor(jobs) as pool:
        while len(found) < count and bases:
            picked = [
                (chance.choice(projects[chance.choice(names)]), chance.choice(dialects)) for _ in range(count)
            ]
            good = pool.map(_is_clean, *zip(*picked, strict=True), chunksize=8)
            before = len(found)
            for (base, dialect), clean in zip(picked, good, strict=True):
                if not clean or len(found) >= count:
                    continue
                made = defaultdict(list)
                for mutation in mutations(base.file.read_bytes(), chance):
                    made[mutation.kind].append(mutation)
                if not made:
                    continue
                mutation = chance.choice(made[chance.choice(sorted(made))])
                if (base.file, mutation) not in tried:
                    tried.add((base.file, mutation))
                    found.append(Mutant(f"{seed}:{len(found)}", base, mutation, (dialect,)))
            if len(found) == before:
                break
    return found


@cache
def _is_clean(base: Base, dialect: str) -> bool:
    return b"#line" not in base.file.read_bytes() and clang.accepts(base.file, Dialect.of(dialect), base.both)


def examine(mutant: Mutant, try_fixes: bool) -> Tally:
    """Hold one mutant against clang in its dialects."""
    tally = Tally()
    logging.getLogger().handlers = [_Collecting(tally.crashes)]
    text = mutant.mutation.applied(mutant.base.file.read_bytes())
    for name in mutant.dialects:
        dialect = Dialect.of(name)
        tally.runs += 1
        try:
            unit = analysed_text(mutant.base.file, text, dialect, mutant.base.both)
            mine = {
                item.line: f"[{item.code}] {item.message}"
                for item in reversed(diagnostics_of(unit))
                if item.is_error
            }
        except Exception:  # noqa: BLE001 - one mutant that crashes is an outcome
            _log.exception("%s", mutant.name)
            continue
        theirs = mutant.recorded.get(name)
        if theirs is None:
            theirs = lines_of_clang(text, mutant.base, dialect)
        if any(message.endswith("file not found") for said in theirs.values() for message in said):
            tally.left_out += 1
            continue
        compare(mutant, name, text, mine, theirs, tally)
        if try_fixes:
            for diagnostic in diagnostics(unit):
                if diagnostic.severity is Severity.ERROR:
                    for fix in fixes(unit, diagnostic):
                        check_fix(mutant, dialect, text, fix, diagnostic.message, tally)
    return tally


def compare(
    mutant: Mutant,
    dialect: str,
    text: bytes,
    mine: dict[int, str],
    theirs: dict[int, list[str]],
    tally: Tally,
) -> None:
    """Count what both say of one text, and keep what differs."""
    statements = statements_by_line(text)
    lines = text.splitlines()

    def said(line: int, by: Sequence[int] | dict[int, Any]) -> bool:
        return any(
            abs(line - other) <= 1 or statements.get(line, set()) & statements.get(other, set())
            for other in by
        )

    def keep(what: str, line: int, message: str) -> None:
        source = lines[line - 1].decode(errors="replace").strip() if line <= len(lines) else ""
        reason = explained_in_kernel(source, message, what != "false")
        kind = mutant.mutation.kind
        tally.differences.append(
            Difference(mutant.name, mutant.base.file, dialect, kind, what, line, source, message, reason)
        )

    for line, messages in theirs.items():
        about = [message for message in messages if is_about_spaces(message)]
        perhaps = [message for message in messages if may_be_about_spaces(message)]
        if about:
            if said(line, mine):
                tally.found += 1
                tally.elsewhere += line not in mine
            else:
                tally.missed += 1
                keep("missed", line, about[0])
        elif perhaps:
            if said(line, mine):
                tally.perhaps_found += 1
            else:
                tally.perhaps_missed += 1
                keep("perhaps missed", line, perhaps[0])
    for line, message in mine.items():
        if not said(line, theirs):
            tally.false += 1
            keep("false", line, message)


def statements_by_line(text: bytes) -> dict[int, set[int]]:
    """By line from 1, the numbers of the statements that have a token on it: what stands between `;`, `{` and `}`."""
    found: dict[int, set[int]] = defaultdict(set)
    number, line, at, nested = 0, 1, 0, 0
    for token in tokens_of(text):
        line += text.count(b"\n", at, token.start)
        at = token.start
        found[line].add(number)
        if token.text == b"(":
            nested += 1
        elif token.text == b")":
            nested = max(nested - 1, 0)
        elif token.text in (b"{", b"}") or (token.text == b";" and not nested):
            number, nested = number + 1, 0
    return found


def lines_of_clang(text: bytes, base: Base, dialect: Dialect) -> dict[int, list[str]]:
    """clang's errors in the text by line."""
    found: dict[int, list[str]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "mutant.cl")
        file.write_bytes(text)
        for error in clang.errors_of_files([file], dialect, base.both)[0]:
            found[error.line].append(error.message)
    return dict(found)


def check_fix(
    mutant: Mutant, dialect: Dialect, text: bytes, fix: CheckedFix, fault: str, tally: Tally
) -> None:
    """Apply a fix of the text and ask clang: fewer errors than before, and none that was not there."""
    own = str(mutant.base.file)
    if any(edit.location.document != own for edit in fix.edits):
        tally.left_out += 1
        return
    after = text
    for edit in sorted(fix.edits, key=lambda edit: edit.location.start, reverse=True):
        after = after[: edit.location.start] + edit.text.encode() + after[edit.location.end :]
    before_errors = _messages(lines_of_clang(text, mutant.base, dialect))
    after_dialect = Dialect.of(fix.dialect) if fix.dialect else dialect
    after_errors = _messages(lines_of_clang(after, mutant.base, after_dialect))
    tally.fixes += 1
    new = after_errors - before_errors
    wrong = bool(new) or (bool(before_errors) and after_errors.total() >= before_errors.total())
    if wrong:
        said = "; ".join(new) or f"{before_errors.total()} errors remain"
        edits = " | ".join(f"{edit.location.start}-{edit.location.end}: {edit.text!r}" for edit in fix.edits)
        line = text.count(b"\n", 0, mutant.mutation.start)
        source = text.splitlines()[line].decode(errors="replace").strip()
        tally.wrong_fixes.append(
            f"{mutant.name} {dialect.name} {own}:{line + 1}: {mutant.mutation.kind}: {source}\n"
            f"    {fault}\n    «{fix.title}» {edits}\n    clang after it: {said}"
        )


def _messages(lines: dict[int, list[str]]) -> Counter[str]:
    """How often each fault is told; a fault that stays may be told with another type."""
    said = (
        re.sub(r"'[^']*'( \(aka '[^']*'\))?", "'…'", each) for messages in lines.values() for each in messages
    )
    return Counter(said)


class _Collecting(logging.Handler):
    """Logged failures count as crashes: the analysis goes on where a rule fails, and says so in the log only."""

    def __init__(self, crashes: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._crashes = crashes

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the message with its traceback."""
        self._crashes.append(self.format(record))


def report(tally: Tally, details: int) -> Iterator[str]:
    """Recall and precision, then every difference by its reason: those without one first."""
    groups: dict[tuple[str, str], list[Difference]] = defaultdict(list)
    for difference in tally.differences:
        words = difference.message.partition("'")[0].partition("`")[0]
        groups[difference.reason or "", f"{difference.what}: {words}"].append(difference)
    for (reason, cause), found in sorted(groups.items(), key=lambda item: (item[0][0], -len(item[1]))):
        yield f"\n== {len(found)} times {cause}" + (f"\n   because {reason}" if reason else "")
        for each in found[: 1 if reason else details]:
            yield f"   {each.mutant} {each.dialect} ({each.kind}) {each.file}:{each.line}: {each.source[:200]}"
            yield f"      {each.message}"
    yield from tally.crashes
    yield from tally.wrong_fixes
    unexplained = [each for each in tally.differences if each.reason is None]
    by_kind = Counter(each.what for each in unexplained)
    expected = tally.found + tally.missed
    told = tally.found + tally.false
    yield (
        f"{tally.runs} runs: {expected} lines with an error about spaces, {tally.found} found "
        f"({tally.elsewhere} of them on a neighbouring line), {tally.missed} missed, {tally.false} false: "
        f"recall {tally.found / max(expected, 1):.4f}, precision {tally.found / max(told, 1):.4f}; "
        f"{tally.perhaps_found} of {tally.perhaps_found + tally.perhaps_missed} lines that may be about spaces; "
        f"{len(tally.crashes)} crashes; {tally.left_out} left out"
    )
    yield "without a reason: " + (", ".join(f"{n} {what}" for what, n in by_kind.items()) or "none")
    if tally.fixes:
        yield f"{tally.fixes} fixes applied, {len(tally.wrong_fixes)} of them wrong to clang"


def main() -> int:
    """Run as the module's docstring tells; 1 where something differs without a reason, or crashed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--index", type=Path, help="where the bases are, with the options of each")
    parser.add_argument("--mutants", type=Path, help="a list of mutants with what clang said of them")
    parser.add_argument("--sample", type=int, default=0, help="so many of the list, chosen by chance")
    parser.add_argument("--count", type=int, default=500, help="so many mutants are made")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--dialect", action="append", choices=[dialect.name for dialect in EIGHT])
    parser.add_argument("--option", action="append", default=[], help="an option for both, as -DNAME=1")
    parser.add_argument("--fixes", action="store_true", help="apply every fix and ask clang about it")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--details", type=int, default=5, help="examples to print for each cause")
    options = parser.parse_args()
    if clang.version() is None:
        print("skipped: clang-22 is not installed")
        return 0
    folder = options.folder.resolve()
    if not folder.is_dir():
        print(f"skipped: {folder} is no folder")
        return 0
    if options.mutants:
        tried, listed = recorded_mutants(folder, options.index, options.mutants)
        print(f"the bases of {len(tried)} of {listed} mutants are there")
        if options.dialect:
            tried = [
                Mutant(each.name, each.base, each.mutation, tuple(options.dialect), each.recorded)
                for each in tried
            ]
        if options.sample and options.sample < len(tried):
            tried = random.Random(options.seed).sample(tried, options.sample)
    else:
        bases = (
            list(bases_of_index(folder, options.index).values())
            if options.index
            else [Base(file, tuple(options.option)) for file in sorted(folder.rglob("*.cl"))]
        )
        dialects = options.dialect or [dialect.name for dialect in EIGHT]
        tried = made_mutants(folder, bases, options.count, options.seed, dialects, options.jobs)
        files = len({each.base.file for each in tried})
        print(f"{len(tried)} mutants of {files} files, of {len(bases)} there are")
    total = Tally()
    with ProcessPoolExecutor(options.jobs) as pool:
        for tally in pool.map(examine, tried, [options.fixes] * len(tried), chunksize=4):
            total.add(tally)
    for line in report(total, options.details):
        print(line)
    unexplained = any(each.reason is None for each in total.differences)
    return 1 if unexplained or total.crashes or total.wrong_fixes else 0


if __name__ == "__main__":
    sys.exit(main())
