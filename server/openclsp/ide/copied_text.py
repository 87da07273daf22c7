"""Copies of functions as text, and the way back from a place in one to the place that was copied."""

from __future__ import annotations

import re
from collections.abc import Iterable

from openclsp.ide.answers import Copied, Location, TextEdit

_UNREPEATABLE = re.compile(rb"^[ \t]*(?:#|%:)[ \t]*(?:define|undef|include|pragma|line)\b", re.MULTILINE)
_REST = re.compile(rb"[ \t]*(?://[^\r\n]*[^\\\r\n])?(?=\r?\n|\Z)")
_CLOSE = re.compile(rb"\r?\n[^\r\n]")
_INDENTATION = re.compile(rb"[ \t]*\Z")


def copied_text(
    data: bytes, source: Location, inner: tuple[TextEdit, ...], *, apart: bool
) -> TextEdit | None:
    """The edit that puts a copy of the bytes at `source`, with the edits `inner`, behind them in their document, with
    blank lines around it where it stands `apart`. None where an edit is none of this text, or the text has directives
    that must not come twice."""
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
    return TextEdit(Location(source.document, at, at), written, Copied(len(before), source, inner))


def origin_of(edits: Iterable[TextEdit], document: str, offset: int) -> tuple[TextEdit | None, int]:
    """What stood before the edits (sorted by place) where byte `offset` of the document is after them: the byte then,
    and the edit that makes the copy that it is in now."""
    shift = 0
    for edit in edits:
        if edit.location.document != document:
            continue
        start = edit.location.start + shift
        size = len(edit.text.encode("utf-8", "surrogateescape"))
        if offset < start:
            break
        if offset < start + size:
            if edit.copied is None:
                return None, edit.location.start
            inside = max(offset - start - edit.copied.begin, 0) + edit.copied.source.start
            return edit, origin_of(edit.copied.inner, document, inside)[1]
        shift += size - (edit.location.end - edit.location.start)
    return None, offset - shift
