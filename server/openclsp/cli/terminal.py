"""Writes to standard output, coloured as `--color` says, and to standard error.

File names and contents may come from untrusted repositories. All text for a terminal passes through
`printable`, so that it cannot recolour the terminal, set its title or imitate a message of openclsp.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import click

from openclsp.cli.excerpt import printable

if TYPE_CHECKING:
    from openclsp.cli.styled_text import StyledLine

MINIMUM_OUTPUT_WIDTH = 60
FILE_OUTPUT_WIDTH = 140
"""The width of the output in cells if it is not a terminal."""


COLOR_CHOICES = {"auto": None, "always": True, "never": False}
"""The values of `--color`, and the values that click and rich use for them."""


def accept_color(command: Callable[..., int]) -> Callable[..., int]:
    """Decorator that adds the option `--color` to a command."""

    def choose(ctx: click.Context, _parameter: click.Parameter, value: str) -> None:
        ctx.color = COLOR_CHOICES[value]

    return click.option(
        "--color",
        type=click.Choice(tuple(COLOR_CHOICES)),
        default="auto",
        expose_value=False,
        callback=choose,
        help="Colour the text: on a terminal (auto, the default), always or never.",
    )(command)


def chosen_color() -> bool | None:
    """Returns the value of `--color` for the running command: True for `always`, False for `never`.

    Returns None for `auto`, and if no command is running.
    """
    ctx = click.get_current_context(silent=True)
    return None if ctx is None else ctx.color


def write_lines(lines: Callable[[int], Iterable[StyledLine]]) -> None:
    """Writes the lines that `lines` returns for the width of the output, coloured according to `--color`.

    With `auto`, lines are coloured on a terminal unless NO_COLOR is set. `always` overrides NO_COLOR.
    """
    from rich.console import Console
    from rich.text import Text

    colored = chosen_color()
    console = Console(
        highlight=False,
        soft_wrap=True,
        force_terminal=colored,
        color_system="standard" if colored else "auto",
        no_color=False if colored else None,
    )
    width = max(console.width, MINIMUM_OUTPUT_WIDTH) if sys.stdout.isatty() else FILE_OUTPUT_WIDTH
    if console.is_terminal:
        for line in lines(width):
            console.print(Text.assemble(*((printable(text), style) for text, style in line)))
    else:
        write(plain_text_of_lines(lines(width)))


def plain_text_of_lines(lines: Iterable[StyledLine]) -> str:
    """Returns the text of the lines, without styles."""
    return "".join(f"{line}\n" for line in _joined(lines))


def _joined(lines: Iterable[StyledLine]) -> Iterator[str]:
    for line in lines:
        yield "".join(printable(text) for text, _ in line).rstrip()


def write(text: str) -> None:
    """Writes to standard output, replacing characters that its encoding cannot represent."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding, "replace"))
    sys.stdout.flush()


def write_notice(message: str) -> None:
    """Writes a message to standard error as one line."""
    line = printable(" ".join(message.split()))
    encoding = sys.stderr.encoding or "utf-8"
    sys.stderr.write(f"openclsp: {line}\n".encode(encoding, "backslashreplace").decode(encoding))
    sys.stderr.flush()
