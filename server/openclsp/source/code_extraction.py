"""Extracts the OpenCL C code of a document.

The code is the whole document, the content of string literals in it, or the argument of a stringifying macro.
Each of them may be a template, whose constructs are then replaced. Trigraphs and Unicode white space are
replaced too. The code has the same length and line breaks as the document, so offsets in both are equal.
"""

from __future__ import annotations

from openclsp.dataclass import dataclass
from openclsp.source.raw_strings import MARK as RAW_STRING_MARK
from openclsp.source.raw_strings import content_of_raw_strings
from openclsp.source.stringified import begins_stringified, content_of_stringified
from openclsp.source.templates import BEGINS_LINE, REACH, Template, is_format_string, template_of
from openclsp.source.templates import MARKS as TEMPLATE_MARKS
from openclsp.source.text import Edit, Text
from openclsp.source.trigraphs import has_trigraph, replace_trigraphs
from openclsp.source.unicode_blanks import has_unicode_blank, replace_unicode_blanks


@dataclass(frozen=True, slots=True)
class Code:
    """The code of a document.

    - `raw`: the code is the content of string literals or the argument of a stringifying macro.
    - `template`: the template that the code was extracted from, if the document is one.
    - `replaced`: the document contains trigraphs or Unicode white space, which are replaced in the code.
    - `suspicious`: the whole document is code, but it contains text with which a raw string or template may
      begin, or Unicode white space in comments or literals.
    """

    text: Text
    raw: bool = False
    template: Template | None = None
    replaced: bool = False
    suspicious: bool = False

    @property
    def plain(self) -> bool:
        """Whether the document itself is the code: it is neither a string nor a template, and nothing is replaced."""
        return not self.raw and self.template is None and not self.replaced


def code_of(text: Text) -> Code:
    """Extracts the OpenCL C code from a document, with trigraphs and Unicode white space replaced."""
    code = _extract(text)
    data = written = code.text.data
    if has_trigraph(data, 0, len(data)):
        data = replace_trigraphs(data)
    if has_unicode_blank(data):
        data = replace_unicode_blanks(data)
    if data == written:
        return code
    return Code(Text(data, text.lines), code.raw, code.template, replaced=True)


def _extract(text: Text) -> Code:
    """Extracts the OpenCL C code from a document, with trigraphs and white space as written."""
    data = text.data
    content = content_of_raw_strings(data) if RAW_STRING_MARK in data else None
    if content is None:
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
    """Returns the code of `text`, which is the result of applying `edit` to `before`.

    If `before` was plain code and the edit cannot begin or end a string or a template, only the edited lines
    are examined.
    """
    if old.plain and not begins_stringified(text.data):
        first, last = text.line_of(edit.start), text.line_of(edit.new_end)
        start, end = text.line_start(max(first - 1, 0)), text.line_start(last + 1)
        # A line below may begin with a mark that only the edited lines before it make one of a template.
        touched = (
            _suspicious(text.data, start, end) or BEGINS_LINE.search(text.data[end : end + REACH]) is not None
        )
        # If the edit removes the last code outside of a raw string, only the string is analysed.
        touched = touched or (old.suspicious and RAW_STRING_MARK in text.data)
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
            # Braces anywhere in the text decide whether it is a format string.
            touched = touched or is_format_string(text.data)
        if not touched:
            return Code(text, suspicious=old.suspicious)
    return code_of(text)


def _suspicious(data: bytes, start: int, end: int) -> bool:
    """Whether the range contains a trigraph, Unicode white space, or the beginning of a raw string or template."""
    stretch = data[start:end]
    return (
        RAW_STRING_MARK in stretch
        or TEMPLATE_MARKS.search(stretch) is not None
        or has_trigraph(data, start, end)
        or has_unicode_blank(stretch)
    )
