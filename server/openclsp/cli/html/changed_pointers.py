"""The part of the HTML report about pointers whose address spaces differ from those at a revision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from openclsp.cli.pointer_changes import (
    ChangedPointer,
    FlowDifference,
    describe_consequence,
    describe_state,
    describe_totals,
)
from openclsp.ide.flow.flow_svg import escape_text


def changed_pointers_table(found: FlowDifference, pages: Mapping[str, str]) -> Iterator[str]:
    """Yields the section of the first page that lists the changed pointers.

    `pages` maps the path of a file from the top folder to the name of the file's page.
    """
    yield f"<h2>Address spaces changed since {escape_text(found.revision)}</h2>"
    yield from (f"<p>{escape_text(each)}.</p>" for each in describe_totals(found))
    if not found.changed:
        return
    yield "<table><tr><th>pointer</th><th>before</th><th>now</th><th>consequence</th></tr>"
    for each in found.changed:
        place = escape_text(f"{each.key.document}:{each.after.line}")
        page = pages.get(each.key.document)
        link = place if page is None else f'<a href="{page}#L{each.after.line}">{place}</a>'
        cells = (describe_state(each.before), describe_state(each.after), _consequence(each))
        yield f"<tr><td>{escape_text(f'{each.key.function}: {each.key.name}')}<br>{link}</td>"
        yield "".join(f"<td>{escape_text(cell)}</td>" for cell in cells) + "</tr>"
    yield "</table>"


def changed_pointers_by_line(found: FlowDifference, document: str) -> dict[int, list[str]]:
    """Returns the notes on changed pointers for a file's page, by the line of the declaration, from 0."""
    notes: dict[int, list[str]] = {}
    for each in found.changed:
        if each.key.document == document:
            change = f"{describe_state(each.before)} before, {describe_state(each.after)} now"
            consequence = _consequence(each)
            note = f"{each.key.name}: {change}" + (f"; {consequence}" if consequence else "")
            html = f'<div class="found information"><p>{escape_text(note)}</p></div>'
            notes.setdefault(each.after.line - 1, []).append(html)
    return notes


def _consequence(each: ChangedPointer) -> str:
    return describe_consequence(each).replace("`", "")
