"""`explain` and `rules`: the rule book for reading and for other programs."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.cli.check_text import Line
from openclsp.cli.failure import CannotRun, nearest
from openclsp.cli.json_output import Json
from openclsp.rules.page import DIALECT_NAMES, Page, page_codes, read_page


def explain(code: str) -> str:
    """The page of a rule, as Markdown. Raises CannotRun for a code that no rule has."""
    codes = page_codes()
    if code not in codes:
        raise CannotRun(f"there is no rule '{code}'{nearest(code, codes)} ('openclsp rules' lists all)")
    return read_page(code).text


def rules_json() -> dict[str, Json]:
    """Every rule by code: `severity` is the worst that it reports, `severities` all."""
    return {"rules": [_rule(page) for page in _pages()]}


def _rule(page: Page) -> Json:
    return {
        "code": page.code,
        "title": page.title,
        "severity": page.severities[0],
        "severities": list(page.severities),
        "dialects": list(page.dialects),
        "clause": page.clause,
        "clang": list(page.clang),
    }


def rules_text() -> Iterator[Line]:
    """A line for each rule, with its severities, and the dialects where it does not hold in all."""
    pages = list(_pages())
    width = max(len(page.code) for page in pages)
    for page in pages:
        line: Line = [(f"{page.code:<{width}}", "bold"), (f"  {'|'.join(page.severities)}", "yellow")]
        line.append((f"  {page.title}", ""))
        if page.dialects != DIALECT_NAMES:
            line.append((f"  ({', '.join(page.dialects)})", "bright_black"))
        yield line


def _pages() -> Iterator[Page]:
    for code in page_codes():
        yield read_page(code)
