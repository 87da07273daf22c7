"""Measures missed errors in mutants of real kernels that are analysed without options.

A list of mutants has a JSON line for each: `repo`, `path` below the folder of that repository in the corpus (its name
with `+` for `/`, or given by an index: JSON lines with `repo` and `dir`), `sha256` of the base, `edit` (start, end,
replacement), and `expect`: by language version, the lines (`diags`) on which clang has errors under the options of the
project's build. Errors whose kind begins with `as-` are about address spaces.

Each mutant is analysed in the version that its own text indicates, and once in every version as the only option. An
expected line is reported if an error is on it, or on a line of the same statement. A line that is not reported is
*excused* if its statement depends on a name that nothing in the file or its readable includes accounts for (see
`excuses.py`); otherwise it is *missed*.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.project.file_system import DocumentStore
from openclsp.project.option_parser import parse_build_options
from openclsp.rules.finding import Severity
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document
from openclsp.workspace.unit_preparation import plan_unit
from openclsp.workspace.units import PlannedUnit

from .excuses import Excuses

_VERSIONS = ("CL1.2", "CL2.0", "CL3.0")
_BARE = "bare"


@dataclass(slots=True)
class Result:
    """The expected lines of one mutant in one version."""

    name: str
    version: str
    reported: int = 0
    excused: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)


def examine(mutant: dict[str, Any], folder: Path, versions: tuple[str, ...]) -> list[Result]:
    """Analyses a mutant of a file below `folder` without options, and in each of these versions."""
    file = folder / mutant["path"]
    base = file.read_bytes()
    start, end, written = mutant["edit"]
    text = base[:start] + written.encode("latin1") + base[end:]
    document = Document.of(str(file), text)
    results = []
    for version in (_BARE, *versions):
        options = None if version == _BARE else parse_build_options([f"-cl-std={version}"]).options
        planned = plan_unit(
            str(file), workspace_folders=(str(folder),), command_line=options, document=document
        )
        dialect = planned.unit_config.configuration.dialect
        expected = _expected(mutant, f"CL{dialect.version // 100}.{dialect.version // 10 % 10}")
        if expected:
            results.append(_compared(mutant, version, document, planned, expected))
    return results


def _compared(
    mutant: dict[str, Any], version: str, document: Document, planned: PlannedUnit, expected: dict[int, str]
) -> Result:
    unit = TranslationUnit(planned.unit_config, document, planned.make_include_loader(DocumentStore()))
    lines = {
        document.text.line_of(each.location.start) + 1
        for each in compute_diagnostics(unit)
        if each.severity is Severity.ERROR and each.location.document == document.name
    }
    statements = _statements(document.text.data)
    excuses: Excuses | None = None
    result = Result(mutant["id"], version)
    for line, kind in expected.items():
        own = statements.get(line, set())
        if any(line == each or own & statements.get(each, set()) for each in lines):
            result.reported += 1
            continue
        excuses = excuses or Excuses(unit)
        name = excuses.excuse(line)
        place = f"{mutant['repo']} {mutant['path']}:{line} {mutant['id']} {version} {kind}"
        if name is None:
            result.missed.append(place)
        else:
            result.excused.append(f"{place}: {name}")
    return result


def _expected(mutant: dict[str, Any], version: str) -> dict[int, str]:
    """Returns the lines on which clang has an error about address spaces, with its kind."""
    verdict = mutant["expect"].get(version, {})
    while isinstance(verdict, str):
        verdict = mutant["expect"][verdict[1:]]
    return {each["line"]: each["kind"] for each in verdict.get("diags", ()) if each["kind"].startswith("as-")}


_STATEMENT_TOKEN = re.compile(
    rb"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|\n|[;{}()]|[^\s;{}()\"'/]+|\s|.",
    re.DOTALL,
)


def _statements(text: bytes) -> dict[int, set[int]]:
    """Returns the numbers of the statements on each line: a statement is between `;` outside parentheses, `{` and `}`."""
    found: dict[int, set[int]] = {}
    line, number, depth = 1, 0, 0
    for match in _STATEMENT_TOKEN.finditer(text):
        token = match.group()
        if token.isspace() or token[:2] in (b"//", b"/*"):
            line += token.count(b"\n")
            continue
        found.setdefault(line, set()).add(number)
        if token == b"(":
            depth += 1
        elif token == b")":
            depth = max(depth - 1, 0)
        elif token in (b"{", b"}") or (token == b";" and not depth):
            number += 1
            depth = 0
    return found


def measure(
    mutants: Path, corpus: Path, index: Path | None, jobs: int, *, listing: bool, only_bare: bool
) -> int:
    """Prints the numbers of reported, excused and missed lines.

    Returns 1 if less than 95 % of the lines without an excuse are reported.
    """
    listed = _lines(mutants)
    folders = {} if index is None else {each["repo"]: each["dir"] for each in _lines(index)}
    placed = [
        (each, corpus / folders.get(each["repo"], each["repo"].replace("/", "+", 1))) for each in listed
    ]
    there = [(each, folder) for each, folder in placed if _is_there(each, folder)]
    print(
        f"{len(there)} mutants, {len(listed) - len(there)} of the list left out: missing, or of another version"
    )
    versions = () if only_bare else _VERSIONS
    with ProcessPoolExecutor(jobs) as pool:
        results = [
            result
            for each in pool.map(examine, *zip(*there, strict=True), [versions] * len(there), chunksize=8)
            for result in each
        ]
    for kind in ("excused", "missed"):
        entries = sorted(entry for result in results for entry in getattr(result, kind))
        for entry in entries if listing else ():
            print(f"{kind}: {entry}")
    worst = 1.0
    for bare in (True,) if only_bare else (True, False):
        sums: Counter[str] = Counter()
        for result in results:
            if (result.version == _BARE) is bare:
                sums.update(reported=result.reported, excused=len(result.excused), missed=len(result.missed))
        due = sums["reported"] + sums["missed"]
        share = sums["reported"] / due if due else 1.0
        worst = min(worst, share)
        how = "no options at all" if bare else "each version as the only option"
        print(
            f"{how}: {due + sums['excused']} expected lines, {sums['excused']} excused by unknown names; "
            f"{sums['reported']} of {due} others reported ({share:.2%}), {sums['missed']} missed"
        )
    return 0 if worst >= 0.95 else 1


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _is_there(mutant: dict[str, Any], folder: Path) -> bool:
    file = folder / mutant["path"]
    return file.is_file() and sha256(file.read_bytes()).hexdigest() == mutant["sha256"]
