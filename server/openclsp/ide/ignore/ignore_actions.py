"""Code action that inserts an ignore comment for a diagnostic.

It is offered together with the fixes, but does not count as a fix.
"""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.ide.feature_results import Diagnostic, Location, TextEdit
from openclsp.ide.ignore.ignore_comments import IgnoreIndex, logical_line, parse_ignore_comments
from openclsp.ide.ignore.ignore_filter import UNUSED_IGNORE
from openclsp.source.text import Text


def create_ignore_edit(text: Text, diagnostic: Diagnostic) -> TextEdit | None:
    """Creates the edit that inserts an ignore comment for a diagnostic.

    `text` is the text of the diagnostic's document. None if no comment can be inserted, or if the diagnostic
    is about an ignore comment.
    """
    if diagnostic.code == UNUSED_IGNORE:
        return None
    place = diagnostic.location
    for start, written in _possible_insertions(text, diagnostic.code, text.line_of(place.start)):
        after = text.replace(start, start, written.encode())
        moved = place.start + (len(written) if start <= place.start else 0)
        if any(
            IgnoreIndex(parse_ignore_comments(after)).find_matching(diagnostic.code, after.line_of(moved))
        ):
            return TextEdit(Location(place.document, start, start), written)
    return None


def _possible_insertions(text: Text, code: str, line: int) -> Iterator[tuple[int, str]]:
    """Yields possible insertions of an ignore comment, each as a byte offset and a text.

    The insertions are tried in this order: another code in an existing comment, a comment at the end of the
    line, and a comment above the line.
    """
    for comment in parse_ignore_comments(text):
        if comment.lines is not None and comment.codes and comment.applies_to_line(line):
            yield comment.codes[-1].end, f", {code}"
    first, last = logical_line(text, line)
    comment_text = f"// openclsp: ignore[{code}]"
    content = text.line(last - 1)
    if content.strip():
        yield text.line_end(last - 1), f"{'' if content[-1:].isspace() else ' '}{comment_text}"
    above = text.line(first)
    indentation = above[: len(above) - len(above.lstrip())].decode("utf-8", "replace")
    line_end = text.data[text.line_end(first) : text.line_start(first + 1)].decode() or "\n"
    yield text.line_start(first), f"{indentation}{comment_text}{line_end}"
