"""The comment that ignores a diagnostic, as an edit. It mends nothing: no fix, but offered beside them in an editor."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.ide.answers import Diagnostic, Location, TextEdit
from openclsp.ide.ignore_comments import IgnoreIndex, ignore_comments, logical_line
from openclsp.ide.ignoring import UNUSED_IGNORE
from openclsp.source.text import Text


def ignore_edit(text: Text, diagnostic: Diagnostic) -> TextEdit | None:
    """The edit that makes a comment in `text`, the document of the diagnostic, ignore it.

    None where no comment can stand, and for what is said of such comments.
    """
    if diagnostic.code == UNUSED_IGNORE:
        return None
    place = diagnostic.location
    for start, written in _candidates(text, diagnostic.code, text.line_of(place.start)):
        after = text.replace(start, start, written.encode())
        moved = place.start + (len(written) if start <= place.start else 0)
        if any(IgnoreIndex(ignore_comments(after)).ignoring(diagnostic.code, after.line_of(moved))):
            return TextEdit(Location(place.document, start, start), written)
    return None


def _candidates(text: Text, code: str, line: int) -> Iterator[tuple[int, str]]:
    """What may be inserted where: into a comment that ignores other codes, behind the line, or above it."""
    for comment in ignore_comments(text):
        if comment.lines is not None and comment.codes and comment.covers(line):
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
