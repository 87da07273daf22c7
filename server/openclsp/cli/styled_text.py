"""Styled lines of text output, and the phrases that several outputs use."""

from __future__ import annotations

from typing import TypeAlias

from openclsp.rules.finding import Severity

StyledLine: TypeAlias = "list[tuple[str, str]]"
"""Pieces of text, each with its rich style; an empty style means plain text."""

SEVERITY_STYLES = {
    Severity.ERROR: "bold red",
    Severity.WARNING: "bold yellow",
    Severity.INFORMATION: "bold blue",
    Severity.HINT: "bold cyan",
}


def count_noun(count: int, what: str) -> str:
    """Returns the number and the noun, with a plural `s` if necessary: `2 files`, but `2 information`."""
    plural = "" if count == 1 or what == Severity.INFORMATION.value else "s"
    return f"{count} {what}{plural}"


def join_words(parts: list[str]) -> str:
    """Joins the parts to a list in a sentence: `a, b and c`."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
