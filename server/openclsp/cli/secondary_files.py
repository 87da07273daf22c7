"""Detects files that are no source of a project's product: other projects, unused code, tests, output of a build."""

from __future__ import annotations

import os.path
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from openclsp.host_options.run_lines import find_run_lines

_FOREIGN: Final = (
    "3rd[_-]?party|third[_-]?party|externals?|extern|vendor|vendored|deps|dependencies|submodules"
)
_UNUSED: Final = "old|unused|deprecated|obsolete|attic|backups?|bak|archived?|graveyard|trash|not[_-]?used"
_TESTS: Final = "tests?|testing|test[_-]?suites?|unit[_-]?tests?"
_FOLDER: Final = re.compile(
    rf"""
      (?:\A|[/\\]) (?:{_FOREIGN}|{_UNUSED}|{_TESTS}) [/\\]
    | (?:\A|[/\\]) (?:build|target) [/\\] (?:[^/\\]+ [/\\])? classes [/\\]          # build/classes, target/test/classes
    | [^/\\] - (?:main|master) [/\\]                                                # the unpacked archive shoc-master
    | [^/\\] [_.\s-] (?:old|unused|deprecated|obsolete|backup|bak) [.] [^/\\]* \Z   # kernel_old.cl, kernel.bak.cl
    | (?:\A|[/\\]) (?:unused|deprecated|obsolete|not[_-]?used) [.] [^/\\]* \Z      # unused.cl
    | \s-\s(?:Copy|Kopie|Kopia|Copia|Copie) (?:\s\(\d+\))? [.] [^/\\]* \Z          # kernel - Copy.cl, of Windows
    """,
    re.IGNORECASE | re.VERBOSE,
)


def is_secondary(path: str, arguments: Sequence[str], data: bytes) -> bool:
    """Whether a diagnostic in the file `path` that is not an error concerns no user of the project.

    Such a file is in a folder for other projects, for code that is no longer used, for tests, which contain
    faults on purpose, or for the output of a Java build, which copies its resources. `data` is its text.
    `arguments` are the paths that the user gave. Their own names do not count: `openclsp check third_party/fft`
    is about the other project.

    In 850 repositories, 11 of 108 diagnostics were in tests, and 8 of the 11 were useless (docs/noise.md).
    """
    if path in arguments:
        return False
    given = max((each for each in arguments if _contains(each, path)), key=len, default="")
    below = path[len(given) :].lstrip("/\\")
    is_below = bool(given) or not os.path.isabs(path)
    return (is_below and _FOLDER.search(below) is not None) or _is_compiler_test(data)


def _contains(folder: str, path: str) -> bool:
    return path.startswith(folder if folder.endswith(("/", "\\")) else folder + os.sep)


@lru_cache(maxsize=16)
def _is_compiler_test(data: bytes) -> bool:
    """Whether the text has a command of LLVM's lit that compiles the file itself (`RUN: … %s`)."""
    return any("%s" in each.text for each in find_run_lines(data))
