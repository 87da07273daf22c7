"""Copies of functions as text, and the way back from a place in one to the place that was copied."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from openclsp.ide.answers import Location, TextEdit
from openclsp.ide.draft import Copy

_UNREPEATABLE = re.compile(rb"^[ \t]*(?:#|%:)[ \t]*(?:define|undef|include|pragma|line)\b", re.MULTILINE)
_REST = re.compile(rb"[ \t]*(?://[^\r\n]*[^\\\r\n])?(?=\r?\n|\Z)")
_CLOSE = re.compile(rb"\r?\n[^\r\n]")
_INDENTATION = re.compile(rb"[ \t]*\Z")


@dataclass(frozen=True, slots=True)
class CopiedText:
    """The edit that puts a copy behind what it is a copy of. From byte `begin` of the edit's text on it is the text
    at `source` with the edits `inner`."""

    copy: Copy
    edit: TextEdit
    begin: int
    source: Location
    inner: tuple[TextEdit, ...]


def copied_text(
    copy: Copy, data: bytes, source: Location, inner: tuple[TextEdit, ...], *, apart: bool
) -> CopiedText | None:
    """The copy of the bytes at `source` in a document, with blank lines around it where it stands `apart`. None where
    an edit is none of this text, or the text has directives that must not come twice."""
    raw = data[source.start : source.end]
    for edit in inner:
        where = edit.location
        if where.document != source.document or where.start < source.start or where.end > source.end:
            return None
    if _UNREPEATABLE.search(raw) is not None:
        return None
    for edit in reversed(inner):
        start, end = edit.location.start - source.start, edit.location.end - source.start
        raw = raw[:start] + edit.text.encode("utf-8") + raw[end:]
    rest = _REST.match(data, source.end)
    at = source.end if rest is None else rest.end()
    newline = (
        "\r\n" if data[: source.start].endswith(b"\r\n") or b"\r\n" in data[source.start : at + 2] else "\n"
    )
    line = data.rfind(b"\n", 0, source.start) + 1
    indentation = data[line : source.start] if _INDENTATION.match(data, line, source.start) else b""
    before = newline * (2 if apart else 1) + indentation.decode()
    after = newline if apart and _CLOSE.match(data, at) is not None else ""
    written = before + raw.decode("utf-8", "surrogateescape") + after
    edit = TextEdit(Location(source.document, at, at), written)
    return CopiedText(copy, edit, len(before), source, inner)


def origin_of(
    edits: Iterable[TextEdit], copies: Iterable[CopiedText], document: str, offset: int
) -> tuple[CopiedText | None, int]:
    """What stood before the edits (sorted by place) where byte `offset` of the document is after them: the byte then,
    and the copy that it is in now."""
    copied = {id(each.edit): each for each in copies}
    shift = 0
    for edit in edits:
        if edit.location.document != document:
            continue
        start = edit.location.start + shift
        size = len(edit.text.encode("utf-8", "surrogateescape"))
        if offset < start:
            break
        if offset < start + size:
            copy = copied.get(id(edit))
            if copy is None:
                return None, edit.location.start
            inside = max(offset - start - copy.begin, 0) + copy.source.start
            return copy, origin_of(copy.inner, (), document, inside)[1]
        shift += size - (edit.location.end - edit.location.start)
    return None, offset - shift
