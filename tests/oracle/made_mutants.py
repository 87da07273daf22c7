"""Mutants from a recorded list, and random ones."""

from __future__ import annotations

import json
import random
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from openclsp.language.dialect import Dialect

from . import clang
from .bases import Base, bases_of_index
from .mutations import Mutation, mutations

_LINE = re.compile(rb"^[ \t]*#[ \t]*(?:line\b|\d)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Mutant:
    """A base with one change; `recorded` are the lines of clang's errors by dialect, each with its messages."""

    name: str
    base: Base
    mutation: Mutation
    dialects: tuple[str, ...]
    recorded: dict[str, dict[int, list[str]]] = field(default_factory=dict)


def recorded_mutants(folder: Path, index: Path, listed: Path) -> tuple[list[Mutant], int]:
    """Returns the mutants whose base exists in the recorded version, and the number of mutants in the list."""
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


def made_mutants(
    folder: Path,
    bases: Sequence[Base],
    count: int,
    seed: int,
    dialects: Sequence[str],
    jobs: int,
    change: Callable[[bytes, random.Random], list[Mutation]] = mutations,
) -> list[Mutant]:
    """Returns this number of mutants of random bases, each in one dialect in which clang accepts its base.

    Each folder directly below `folder` is equally likely, whatever the number of its kernels. `change` returns all
    mutations of a text.
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
                for mutation in change(base.file.read_bytes(), chance):
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
    # after such a directive, clang counts other lines than the mutant's
    return _LINE.search(base.file.read_bytes()) is None and clang.accepts(
        base.file, Dialect.of(dialect), base.both
    )
