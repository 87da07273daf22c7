"""Writing to the terminal: colours only where one is, and nothing that a closed or narrow output can break.

Names of files and what they hold may come from a stranger: whatever reaches a terminal from here is `printable`, so that no text
can recolour it, write its title or look like a message of openclsp.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from openclsp.cli.excerpt import printable

if TYPE_CHECKING:
    from openclsp.cli.check_text import Line

NARROWEST = 60
WIDTH_OF_A_FILE = 140
"""Cells of a source line that are shown where the output is no terminal."""


def write_lines(lines: Callable[[int], Iterable[Line]]) -> None:
    """Writes what `lines` gives for the width of the output, in colours where that is a terminal and NO_COLOR is not set."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    width = max(console.width, NARROWEST) if console.is_terminal else WIDTH_OF_A_FILE
    if console.is_terminal:
        for line in lines(width):
            console.print(Text.assemble(*((printable(text), style) for text, style in line)))
    else:
        write(plain(lines(width)))


def plain(lines: Iterable[Line]) -> str:
    """The lines without their styles."""
    return "".join(f"{line}\n" for line in _joined(lines))


def _joined(lines: Iterable[Line]) -> Iterator[str]:
    for line in lines:
        yield "".join(printable(text) for text, _ in line).rstrip()


def write(text: str) -> None:
    """Writes to standard output; what its encoding lacks is replaced."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding, "replace"))
    sys.stdout.flush()


def tell(message: str) -> None:
    """One line on standard error."""
    line = printable(" ".join(message.split()))
    encoding = sys.stderr.encoding or "utf-8"
    sys.stderr.write(f"openclsp: {line}\n".encode(encoding, "backslashreplace").decode(encoding))
    sys.stderr.flush()
