"""The list of all rules and concepts, as a page of the site."""

from __future__ import annotations

from openclsp.rules.runner.page import Page, concept_names, page_codes, read_page

_INTRODUCTION = """\
# Rules

Each diagnostic has a code, and each code a page with the reason, the clause of the specification, and examples that are
run as tests: `openclsp explain CODE` prints it. In the examples, a comment such as `// error[pointer-cast]` marks a
diagnostic of its line, and `^ space: local` what a hover at the column above shows.

A severity with *(off)* is off unless `[severity]` in `openclsp.toml` turns it on.
"""


def rule_index() -> str:
    """The page."""
    rules = "".join(
        f"| [{page.code}]({page.code}.md) | {_severities(page)} | {_cell(page.title)} |\n"
        for page in map(read_page, page_codes())
    )
    concepts = "".join(
        f"- [{page.code}](../concepts/{page.code}.md): {page.title}\n"
        for page in map(read_page, concept_names())
    )
    return (
        f"{_INTRODUCTION}\n## All rules\n\n| code | severity | reports |\n|---|---|---|\n{rules}\n"
        f"## Concepts\n\n{concepts}"
    )


def _severities(page: Page) -> str:
    return ", ".join(f"{each} *(off)*" if each in page.off_by_default else each for each in page.severities)


def _cell(text: str) -> str:
    return text.replace("|", r"\|")
