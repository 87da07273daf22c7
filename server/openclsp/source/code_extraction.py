"""Extracts the OpenCL C code of a document.

That is all of it, the content of a raw or stringified string, or a template's text. The code has the length
and the lines of the document: a byte offset in one is the same place in the other.
"""

from __future__ import annotations

from openclsp.dataclass import dataclass
from openclsp.source.raw_strings import MARK as RAW_STRING_MARK
from openclsp.source.raw_strings import content_of_raw_strings
from openclsp.source.stringified import begins_stringified, content_of_stringified
from openclsp.source.templates import BEGINS_LINE, REACH, Template, template_of
from openclsp.source.templates import MARKS as TEMPLATE_MARKS
from openclsp.source.text import Edit, Text


@dataclass(frozen=True, slots=True)
class Code:
    """The code of a document.

    `raw`: the code is the content of string literals. `suspicious`: the document is all code, but holds a
    mark with which such a string or a template begins.
    """

    text: Text
    raw: bool = False
    template: Template | None = None
    suspicious: bool = False

    @property
    def plain(self) -> bool:
        """Whether the whole document is code."""
        return not self.raw and self.template is None


def code_of(text: Text) -> Code:
    """Extracts the code of a document's text."""
    data = text.data
    if RAW_STRING_MARK in data:
        content = content_of_raw_strings(data)
        if content is not None:
            return Code(Text(content, text.lines), raw=True)
    content = content_of_stringified(data)
    if content is not None:
        template = template_of(content)
        code = content if template is None else template.data
        return Code(Text(code, text.lines), raw=True, template=template)
    template = template_of(data)
    if template is not None:
        return Code(Text(template.data, text.lines), template=template)
    return Code(text, suspicious=_suspicious(data, 0, len(data)))


def code_after(old: Code, before: Text, edit: Edit, text: Text) -> Code:
    """Returns the code of `text`, which is `before` after `edit`.

    If all of `before` was code and the edited lines hold no mark that would change that, only those lines are
    examined.
    """
    if old.plain and not begins_stringified(text.data):
        first, last = text.line_of(edit.start), text.line_of(edit.new_end)
        start, end = text.line_start(max(first - 1, 0)), text.line_start(last + 1)
        # A line below may begin with a mark that only the edited lines before it make one of a template.
        touched = (
            _suspicious(text.data, start, end) or BEGINS_LINE.search(text.data[end : end + REACH]) is not None
        )
        # A mark elsewhere may have been inert inside a comment or a spliced line: an edit that adds or
        # removes such a delimiter can activate it.
        if old.suspicious and not touched:
            old_start = before.line_start(max(before.line_of(edit.start) - 1, 0))
            old_end = before.line_start(before.line_of(edit.old_end) + 1)
            touched = any(
                mark in piece
                for mark in (b"/*", b"*/", b"\\\n", b"\\\r")
                for piece in (before.data[old_start:old_end], text.data[start:end])
            ) or _suspicious(before.data, old_start, old_end)
        if not touched:
            return Code(text, suspicious=old.suspicious)
    return code_of(text)


def _suspicious(data: bytes, start: int, end: int) -> bool:
    """Whether lines hold the beginning of a raw string or template."""
    stretch = data[start:end]
    return RAW_STRING_MARK in stretch or TEMPLATE_MARKS.search(stretch) is not None
