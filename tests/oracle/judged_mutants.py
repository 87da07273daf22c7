"""Compares a mutant and its fixes with clang, line by line."""

from __future__ import annotations

import logging
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.feature_results import CheckedFix
from openclsp.ide.fixes.fixes import compute_fixes
from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Severity

from . import clang
from .about_spaces import is_about_spaces, may_be_about_spaces
from .bases import Base
from .crashes import Collecting
from .made_mutants import Mutant
from .mutations import tokens_of
from .ours import analysed_text, diagnostics_of

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Difference:
    """A line of a mutant on which only one side reports an error."""

    mutant: str
    file: Path
    dialect: str
    kind: str
    what: str
    line: int
    source: str
    message: str


@dataclass
class Tally:
    """The results for one mutant, or for all."""

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


def examine(mutant: Mutant, try_fixes: bool) -> Tally:
    """Compares one mutant with clang in its dialects."""
    tally = Tally()
    logging.getLogger().handlers = [Collecting(tally.crashes)]
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
            for diagnostic in compute_diagnostics(unit):
                if diagnostic.severity is Severity.ERROR:
                    for fix in compute_fixes(unit, diagnostic):
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
    """Counts the results of both sides for one text, and keeps the differences."""
    statements = statements_by_line(text)
    lines = text.splitlines()

    def said(line: int, by: Sequence[int] | dict[int, Any]) -> bool:
        return any(
            abs(line - other) <= 1 or statements.get(line, set()) & statements.get(other, set())
            for other in by
        )

    def keep(what: str, line: int, message: str) -> None:
        source = lines[line - 1].decode(errors="replace").strip() if line <= len(lines) else ""
        kind = mutant.mutation.kind
        tally.differences.append(
            Difference(mutant.name, mutant.base.file, dialect, kind, what, line, source, message)
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
    """Returns, by line from 1, the numbers of the statements with a token on it; statements end at `;`, `{` and `}`."""
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
    """Returns clang's errors in the text by line."""
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
    """Applies a fix and runs clang: there must be fewer errors than before, and no new one."""
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
    """Counts the errors by message, without types: after a fix, a remaining error may name another type."""
    said = (
        re.sub(r"'[^']*'( \(aka '[^']*'\))?", "'…'", each) for messages in lines.values() for each in messages
    )
    return Counter(said)
