"""Text edits that copy functions, and the mapping from positions in a copy to the original."""

from __future__ import annotations

import re
from collections.abc import Iterable

from openclsp.ide.feature_results import CopySource, Location, TextEdit

_UNREPEATABLE = re.compile(rb"^[ \t]*(?:#|%:)[ \t]*(?:define|undef|include|pragma|line)\b", re.MULTILINE)
_REST = re.compile(rb"[ \t]*(?://[^\r\n]*[^\\\r\n])?(?=\r?\n|\Z)")
_CLOSE = re.compile(rb"\r?\n[^\r\n]")
_INDENTATION = re.compile(rb"[ \t]*\Z")


def create_copy_edit(
    data: bytes, source: Location, inner: tuple[TextEdit, ...], *, separated: bool
) -> TextEdit | None:
    """Creates the edit that inserts an edited copy after the original.

    The bytes at `source` are the original, and `inner` are the edits of the copy. With `separated`, blank
    lines separate the copy from the original. None if an edit is outside of the original, or if the original
    contains directives that must not be repeated.
    """
    raw = data[source.start : source.end]
    for edit in inner:
        where = edit.location
        if where.document != source.document or where.start < source.start or where.end > source.end:
            return None
    if _UNREPEATABLE.search(raw) is not None:
        return None
    # backwards, so that the offsets of the remaining edits stay valid
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
    before = newline * (2 if separated else 1) + indentation.decode()
    after = newline if separated and _CLOSE.match(data, at) is not None else ""
    written = before + raw.decode("utf-8", "surrogateescape") + after
    return TextEdit(Location(source.document, at, at), written, CopySource(len(before), source, inner))


def map_to_original(edits: Iterable[TextEdit], document: str, offset: int) -> tuple[TextEdit | None, int]:
    """Maps a byte offset of an edited document to the document before the edits.

    Returns the edit that inserted the copy around the offset (None outside of copies), and the offset before
    the edits. An offset in a copy is mapped to the original of the copy. The edits are sorted by place.
    """
    shift = 0
    for edit in edits:
        if edit.location.document != document:
            continue
        start = edit.location.start + shift
        size = len(edit.text.encode("utf-8", "surrogateescape"))
        if offset < start:
            break
        if offset < start + size:
            if edit.copy_source is None:
                return None, edit.location.start
            inside = max(offset - start - edit.copy_source.start, 0) + edit.copy_source.source.start
            return edit, map_to_original(edit.copy_source.edits, document, inside)[1]
        shift += size - (edit.location.end - edit.location.start)
    return None, offset - shift
