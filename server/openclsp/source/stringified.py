"""A file that a host reads as strings: one whose whole text a macro makes a string of, `STRINGIFY(` … `)`, and one of
quotes around many lines, `const char *source = "` … `";`. The content is the kernel.

What stands around the content, and the line ends that are written in it for the string (`\\n#define X`), are blanked byte
for byte, so that every place in the content keeps its offset, line and column.
"""

from __future__ import annotations

import re
from typing import Final

from openclsp.source.raw_strings import blanked

# each alternative can match in one way only: there is nothing to try again where what follows does not match
_BLANK: Final = rb"(?:[\s\0]|//[^\r\n]*(?=[\r\n]|\Z)|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/|\#[^\r\n]*(?=[\r\n]|\Z))*"
_HEAD: Final = re.compile(
    rb"(?P<before>" + _BLANK + rb")(?P<opening>(?:[A-Za-z_][\w\s:*&<>]{0,200}(?:\[\s*\]\s*)?=\s*)?"
    rb"[A-Za-z_]*(?:STRING|STRINGIFY|STRINGIZE|QUOTE)\w*\s*\()\s*[\r\n]",
    re.IGNORECASE,
)
_TAIL: Final = re.compile(rb"(?P<closing>\)\s*;?)(?P<behind>" + _BLANK + rb")\Z")
_WRITTEN_LINE_END: Final = re.compile(rb"(?<!\\)\\n(?=[ \t]*(?:\#|\r?$|\\n))", re.MULTILINE)
_QUOTED: Final = re.compile(
    rb"(?P<before>"
    + _BLANK
    + rb")(?P<opening>(?:static\s+)?(?:const\s+)?char\s*(?:const\s*)?\*\s*(?:const\s+)?"
    rb"\w+\s*=\s*\")[ \t]*\r?\n"
)
_QUOTE_ENDS: Final = re.compile(rb"\"[ \t]*;[ \t]*\r?$", re.MULTILINE)
MARK: Final = re.compile(rb"STRING|QUOTE|=\s*\"[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
"""What a text must hold to be of this kind."""
_LONGEST_TAIL: Final = 4096


def begins_stringified(data: bytes) -> bool:
    """Whether the text begins as such a file, wherever that ends."""
    return _HEAD.match(data) is not None or _QUOTED.match(data) is not None


def content_of_stringified(data: bytes) -> bytes | None:
    """The text with everything blanked that makes a string of it; None where the file is no such. Lines of the
    preprocessor around a macro's argument stay. Of several strings, which are programs by themselves, the first counts."""
    quoted = _QUOTED.match(data)
    if quoted is not None:
        start = quoted.end("opening")
        ends = _QUOTE_ENDS.search(data, start)
        end = ends.start() if ends is not None else len(data)
        return b"".join((quoted["before"], blanked(quoted["opening"]), data[start:end], blanked(data[end:])))
    head = _HEAD.match(data)
    if head is None:
        return None
    start = max(head.end("opening"), len(data) - _LONGEST_TAIL)
    closing = data.rfind(b")", start)
    while closing >= 0:
        tail = _TAIL.match(data, closing)
        if tail is not None:
            content = _WRITTEN_LINE_END.sub(b"  ", data[head.end("opening") : closing])
            pieces = (
                head["before"],
                blanked(head["opening"]),
                content,
                blanked(tail["closing"]),
                tail["behind"],
            )
            return b"".join(pieces)
        closing = data.rfind(b")", start, closing)
    return None
