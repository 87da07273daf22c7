"""The commands `explain` and `rules`: the rule book as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.cli.command_error import CommandError, suggest_name
from openclsp.cli.json_output import Json
from openclsp.cli.styled_text import StyledLine
from openclsp.rules.runner.page import (
    DIALECT_NAMES,
    Page,
    concept_names,
    page_codes,
    read_page,
)


def page_names() -> tuple[str, ...]:
    """Returns the names of all pages: the codes of rules, and concepts."""
    return (*page_codes(), *concept_names())


def rule_page(name: str) -> str:
    """Returns the page of a rule or concept, as Markdown. Raises CommandError for an unknown name."""
    names = page_names()
    if name not in names:
        raise CommandError(
            f"there is no rule '{name}'{suggest_name(name, names)} ('openclsp rules' lists all)"
        )
    return read_page(name).text


def rules_json() -> dict[str, Json]:
    """Returns all rules.

    - `severity`: the highest severity that the rule reports
    - `off`: the severities that are off by default
    """
    return {"rules": [_rule(page) for page in _pages()]}


def concepts_json() -> dict[str, Json]:
    """Returns all concept pages."""
    return {
        "concepts": [{"name": page.code, "title": page.title, "clause": page.clause} for page in _concepts()]
    }


def concepts_text() -> Iterator[StyledLine]:
    """Yields a line for each concept page."""
    pages = list(_concepts())
    width = max(len(page.code) for page in pages)
    for page in pages:
        yield [(f"{page.code:<{width}}", "bold"), (f"  {page.title}", "")]


def _rule(page: Page) -> Json:
    return {
        "code": page.code,
        "title": page.title,
        "severity": page.severities[0],
        "severities": list(page.severities),
        "off": list(page.off_by_default),
        "dialects": list(page.dialects),
        "clause": page.clause,
        "clang": list(page.clang),
    }


def rules_text() -> Iterator[StyledLine]:
    """Yields a line for each rule: its severities, and its dialects if it does not apply in all."""
    pages = list(_pages())
    width = max(len(page.code) for page in pages)
    for page in pages:
        line: StyledLine = [(f"{page.code:<{width}}", "bold"), (f"  {'|'.join(_severities(page))}", "yellow")]
        line.append((f"  {page.title}", ""))
        if page.dialects != DIALECT_NAMES:
            line.append((f"  ({', '.join(page.dialects)})", "bright_black"))
        yield line


def _severities(page: Page) -> Iterator[str]:
    for each in page.severities:
        yield f"{each} (off)" if each in page.off_by_default else each


def _pages() -> Iterator[Page]:
    yield from map(read_page, page_codes())


def _concepts() -> Iterator[Page]:
    yield from map(read_page, concept_names())
