"""Caches clang's results between runs, outside of the repository."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from openclsp.language.dialect import Dialect

from . import clang

FILE = Path("~/.cache/openclsp/oracle.json").expanduser()
_BATCH = 400

_Stored = dict[str, dict[str, list[tuple[int, int, str]]]]
"""By dialect, then by the program's digest: line, column and message of each error."""


class Verdicts:
    """clang's errors by program and dialect, for the installed clang; runs clang for unknown programs."""

    def __init__(self, file: Path = FILE) -> None:
        self._file = file
        self._version = str(clang.version())
        stored = json.loads(file.read_text()) if file.exists() else {}
        self._all: dict[str, _Stored] = stored
        self._mine: _Stored = self._all.setdefault(self._version, {})

    def learn(self, texts: Sequence[str], dialects: Sequence[Dialect], jobs: int) -> None:
        """Runs clang for the programs that are not cached, and writes the cache file if there were any."""
        work: list[tuple[Dialect, list[str]]] = []
        for dialect in dialects:
            known = self._mine.setdefault(dialect.name, {})
            unknown = list({text: None for text in texts if _digest(text) not in known})
            work += [(dialect, unknown[at : at + _BATCH]) for at in range(0, len(unknown), _BATCH)]
        if not work:
            return
        with ThreadPoolExecutor(jobs) as pool:
            answers = pool.map(lambda item: clang.errors_of_texts(item[1], item[0]), work)
            for (dialect, batch), found in zip(work, answers, strict=True):
                for text, errors in zip(batch, found, strict=True):
                    plain = [(error.line, error.column, error.message) for error in errors]
                    self._mine[dialect.name][_digest(text)] = plain
        self._file.parent.mkdir(parents=True, exist_ok=True)
        unfinished = self._file.with_suffix(f".{os.getpid()}")
        unfinished.write_text(json.dumps(self._all, separators=(",", ":")))
        unfinished.replace(self._file)

    def errors(self, text: str, dialect: Dialect) -> list[clang.Error]:
        """Returns the cached errors of a program. Raises KeyError if it is not cached."""
        return [clang.Error(*item) for item in self._mine[dialect.name][_digest(text)]]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:20]
