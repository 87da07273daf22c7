"""The commands and their options, from click, as a page of the site and as a manual page.

    python -m docs_site.command_reference

writes the manual page `docs/openclsp.1`, which an installation contains.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click
from openclsp import __version__
from openclsp.cli.commands import program

MANUAL_PAGE = Path(__file__).parents[1] / "docs" / "openclsp.1"
_SUMMARY = "check the address spaces of OpenCL C"
_EXIT_CODES = (
    ("0", "No error was found."),
    ("1", "Errors were found, or diagnostics of the severity that --fail-on names."),
    ("2", "The command could not run, or a file could not be checked; standard error has the reason."),
)
_ENVIRONMENT = (
    ("NO_COLOR", "If it is set, the output has no colours unless --color always is given."),
    ("XDG_CONFIG_HOME", "The folder of your own openclsp/openclsp.toml (default: ~/.config)."),
)
_FILES = (
    ("openclsp.toml", "The configuration of a project."),
    ("compile_flags.txt", "Build options, one per line."),
)


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """A command: its usage, its description, and its options as pairs of names and help."""

    name: str
    usage: str
    description: str
    options: tuple[tuple[str, str], ...]


def command_entries() -> Iterator[CommandEntry]:
    """All commands in the order of `openclsp --help`."""
    parent = click.Context(program, info_name="openclsp", **program.context_settings)
    for name, command in program.commands.items():
        context = click.Context(command, parent, name)
        usage = " ".join((context.command_path, *command.collect_usage_pieces(context)))
        given = (each for each in command.get_params(context) if isinstance(each, click.Option))
        records = (each.get_help_record(context) for each in given)
        options = tuple((names, _sentence(text)) for names, text in filter(None, records))
        yield CommandEntry(name, usage, command.help or "", options)


def _sentence(text: str) -> str:
    return text if text.endswith(".") else f"{text}."


def reference_page() -> str:
    """The page of the site."""
    parts = [
        (
            "# Command-line reference\n\nEvery command with all its options, as `openclsp COMMAND --help` shows them. "
            "[Command line](../command-line.md) explains their use.\n"
        )
    ]
    for each in command_entries():
        parts.append(f"## openclsp {each.name}\n\n{each.description}\n\n```text\n{each.usage}\n```\n")
        rows = "".join(f"| `{_cell(names)}` | {_cell(text)} |\n" for names, text in each.options)
        parts.append(f"| option | effect |\n|---|---|\n{rows}")
    codes = "".join(f"| {code} | {text} |\n" for code, text in _EXIT_CODES)
    parts.append(f"## Exit codes\n\n| code | meaning |\n|---|---|\n{codes}")
    return "\n".join(parts)


def _cell(text: str) -> str:
    return text.replace("|", r"\|")


def manual_page() -> str:
    """The manual page in roff."""
    lines = [
        f'.TH OPENCLSP 1 "" "openclsp {__version__}" "User Commands"',
        ".SH NAME",
        f"openclsp \\- {_SUMMARY}",
        ".SH SYNOPSIS",
        ".B openclsp\nCOMMAND [OPTIONS] [ARGUMENTS]",
        ".SH DESCRIPTION",
        _roff(
            "A language server and checker for OpenCL C that knows the address space of every pointer. "
            "Each diagnostic has a code; openclsp explain CODE prints its page."
        ),
        ".SH COMMANDS",
    ]
    for each in command_entries():
        lines += [f".SS {_roff(each.usage)}", _roff(each.description)]
        lines += _definitions(each.options)
    for title, entries in (("EXIT STATUS", _EXIT_CODES), ("ENVIRONMENT", _ENVIRONMENT), ("FILES", _FILES)):
        lines += [f".SH {title}", *_definitions(entries)]
    return "\n".join(lines) + "\n"


def _definitions(entries: tuple[tuple[str, str], ...]) -> Iterator[str]:
    for term, text in entries:
        yield f".TP\n.B {_roff(term)}\n{_roff(text)}"


def _roff(text: str) -> str:
    """The text with roff's special characters escaped, in lines that cannot begin a request."""
    joined = " ".join(text.split()).replace("\\", r"\e").replace("-", r"\-").replace("…", "...")
    lines = textwrap.wrap(joined, 100, break_long_words=False, break_on_hyphens=False)
    return "\n".join(re.sub(r"^([.'])", r"\\&\1", line) for line in lines)


if __name__ == "__main__":
    MANUAL_PAGE.write_text(manual_page(), encoding="utf-8")
