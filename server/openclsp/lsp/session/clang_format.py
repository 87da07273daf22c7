"""Runs clang-format, if it is installed in the server's own environment.

clang-format gets the text on standard input and the style as an argument. It opens no file of the project.
"""

from __future__ import annotations

import os
import site
import subprocess
import sysconfig
import xml.etree.ElementTree as xml
from collections.abc import Iterator
from typing import Final

from openclsp.dataclass import dataclass

ABSENT: Final = "formatting needs clang-format: install openclsp with the extra `format`"
_TIMEOUT: Final = 10.0
"""The seconds after which clang-format is terminated."""
_PROGRAM: Final = "clang-format.exe" if os.name == "nt" else "clang-format"


@dataclass(frozen=True, slots=True)
class Replacement:
    """The replacement of the bytes `start` to `end` (exclusive) of a text."""

    start: int
    end: int
    text: bytes


@dataclass(frozen=True, slots=True)
class FormattingFailure:
    """The reason why clang-format could not format a text."""

    reason: str


def run_clang_format(
    data: bytes, style: str, lines: tuple[int, int] | None
) -> tuple[Replacement, ...] | FormattingFailure:
    """Returns the replacements that format a text.

    If `lines` is given (first and last, from 0), only these lines are formatted.
    """
    arguments = ["--output-replacements-xml", f"--style={style}", "--assume-filename=kernel.cl"]
    if lines is not None:
        arguments.append(f"--lines={lines[0] + 1}:{lines[1] + 1}")
    for program in _candidates():
        try:
            ran = subprocess.run(
                [program, *arguments], input=data, capture_output=True, timeout=_TIMEOUT, check=False
            )
        except FileNotFoundError:
            continue
        except (OSError, subprocess.TimeoutExpired) as error:
            return FormattingFailure(f"clang-format failed: {type(error).__name__}")
        if ran.returncode != 0:
            said = ran.stderr.decode("utf-8", "replace").strip().splitlines()
            return FormattingFailure(f"clang-format failed{f': {said[-1]}' if said else ''}")
        return _parse_replacements(ran.stdout)
    return FormattingFailure(ABSENT)


def _candidates() -> Iterator[str]:
    # Neither the PATH nor the module path is searched, because they may lead into a workspace.
    folders = (sysconfig.get_path("platlib"), sysconfig.get_path("purelib"), site.getusersitepackages())
    for folder in dict.fromkeys(folders):
        yield os.path.join(folder, "clang_format", "data", "bin", _PROGRAM)


def _parse_replacements(output: bytes) -> tuple[Replacement, ...] | FormattingFailure:
    if not output.strip():
        # clang-format prints nothing for an empty text.
        return ()
    try:
        found = xml.fromstring(output)
        return tuple(
            Replacement(start, start + int(each.attrib["length"]), (each.text or "").encode())
            for each in found.iter("replacement")
            for start in (int(each.attrib["offset"]),)
        )
    except (xml.ParseError, KeyError, ValueError):
        return FormattingFailure("clang-format returned invalid output")


def apply_replacements(data: bytes, replacements: tuple[Replacement, ...]) -> bytes:
    """Applies the replacements, which do not overlap, to a text."""
    pieces: list[bytes] = []
    at = 0
    for each in sorted(replacements, key=_start_of):
        pieces += data[at : each.start], each.text
        at = each.end
    return b"".join([*pieces, data[at:]])


def _start_of(replacement: Replacement) -> int:
    return replacement.start
