"""Detects text without any OpenCL C or C, in a language that is not known.

Other languages also have files with the endings `.cl` and `.ocl`: Lisp, Cool, constraints, and scripts. Such a file
is detected by its beginning (`foreign_beginnings`), or here by the absence of C. A faulty file of OpenCL C must not
be detected. One word of OpenCL C, one directive or one construct of C is therefore enough to recognise a text, even
if the rest has syntax errors. Of 4,652 functions of real projects that have no word of OpenCL C, one random syntax
fault hides every sign in one, two faults in 9, and five faults in 68; most of these functions have three lines.
"""

from __future__ import annotations

import re
from typing import Final

from openclsp.source.chunks import chunk_end
from openclsp.source.host_strings import COMMENT, LITERAL_OR_REST_OF_LINE, has_opencl_word, mentions_kernel
from openclsp.source.other_languages import Weight, evidence_of_another_language
from openclsp.source.parser import parse

_PARSED_BYTES: Final = 16 * 1024
"""Bytes at the beginning of a text that are parsed"""
_COMMENT: Final = re.compile(COMMENT)
_LITERAL_OR_COMMENT: Final = re.compile(rb"(?P<literal>" + LITERAL_OR_REST_OF_LINE + rb")|" + COMMENT)
_LITERAL_OR_LINE_COMMENT: Final = re.compile(rb"(?P<literal>" + LITERAL_OR_REST_OF_LINE + rb")|//[^\n]*")
_DIRECTIVE: Final = re.compile(
    rb"^[ \t]*#(?:include[ \t]*[<\"]|(?:define|undef|ifn?def|pragma)[ \t]+\w|endif\b)", re.MULTILINE
)
"""A directive without blanks after `#`, unlike `# define the paths`, which is a comment in many languages"""
_HASH_LINE: Final = re.compile(rb"^[ \t]*#[^\n]*", re.MULTILINE)
_OPENCL_NAME: Final = re.compile(
    rb"\b(?:u(?:char|short|int|long)|event_t|__attribute__|CLK_\w+)\b"
    rb"|\b(?:get_(?:global|local|group|num|work|enqueued|sub_group|max|image|default|pipe|kernel|fence)_\w+"
    rb"|convert_\w+|as_(?:u?(?:char|short|int|long)|float|double|half)\d*|(?:native|half|atom|atomic|sub_group|work_group)_\w+"
    rb"|v(?:load|store)\w+|(?:read|write)_(?:image\w+|mem_fence|pipe|channel_\w+)|async_work_group_\w+|wait_group_events|mem_fence"
    rb"|barrier|m(?:ul|ad)24|mad_(?:hi|sat)|mul_hi|(?:add|sub)_sat|r?hadd|bitselect|upsample)(?=\s*\()"
)
"""Matches types and functions that only OpenCL C has and that `has_opencl_word` does not search"""
_TYPE: Final = rb"(?:void|bool|char|short|int|long|float|double|signed|unsigned|u?int\d+_t|[us]\d\d?)"
_C: Final = re.compile(
    rb"^(?:static|extern|inline|const|" + _TYPE + rb")\b[\s*]+[A-Za-z_]"
    rb"|\b(?:void|unsigned|const)[\s*]+[A-Za-z_]|\(\s*void\s*\)"
    rb"|\b" + _TYPE + rb"[\s*]+[A-Za-z_]\w*[ \t]*(?:[=,\[][^;\n]{0,400})?;"
    rb"|\b" + _TYPE + rb"[\s*]+(?:[A-Za-z_]\w*\s+)?[A-Za-z_]\w*\s*\("
    rb"|^[ \t]*(?:[A-Za-z_]\w*[ \t*]+){1,4}[A-Za-z_]\w*\s*\(\s*[A-Za-z_]\w*[\s*]+[A-Za-z_]\w*\s*\)\s*\{"
    rb"|\btypedef\s+\w|\b(?:struct|union|enum)\s+(?:\w+\s*)?\{|\b(?:static|inline|extern)\s+[A-Za-z_]\w*[\s*]+\w"
    rb"|\w\s*\(\s*(?:[A-Za-z_]\w*[\s*]+){1,4}[A-Za-z_]\w*\s*,\s*(?:[A-Za-z_]\w*[\s*]+){1,4}[A-Za-z_]"
    rb"|\breturn\b(?:[^;{}]{0,400}[;}]|[^;\n]{0,400};)",
    re.MULTILINE,
)
"""Matches constructs of C. A file with a syntax fault usually still contains one of them:

- a line that begins with a type or a specifier; `void f`, `unsigned n` or `const T` anywhere, and `(void)`
- the declaration of a variable up to its semicolon
- the head of a function up to its parenthesis, or up to its brace if its types are unknown
- the beginning of a type definition, and a declaration with a storage class
- two parameters with their types, maybe names that the file does not declare
- a `return` with its semicolon, or with the brace after it
"""


def is_unrecognisable(data: bytes) -> bool:
    """Whether a text has no sign of OpenCL C, and half of its words are in chunks with syntax errors."""
    text = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if _DIRECTIVE.search(text) is not None or mentions_kernel(text):
        return False
    code = _HASH_LINE.sub(b"", _without_comments(text))
    if _OPENCL_NAME.search(code) is not None or _C.search(code) is not None or has_opencl_word(code):
        return False
    return _is_broken(_HASH_LINE.sub(b"", text[:_PARSED_BYTES]))


def _without_comments(text: bytes) -> bytes:
    """Returns a text without comments, and with empty literals.

    A comment without an end is code, because its mark may be the syntax fault.
    """
    end = text.rfind(b"*/")
    end = end + 2 if end >= 0 else 0
    return _LITERAL_OR_COMMENT.sub(_replace, text[:end]) + _LITERAL_OR_LINE_COMMENT.sub(_replace, text[end:])


def _replace(match: re.Match[bytes]) -> bytes:
    return b" " if match["literal"] is None else b'""'


def _is_broken(text: bytes) -> bool:
    """Whether half of a text's words are in chunks with syntax errors, and no chunk shows which language it is."""
    start = words = broken = 0
    while start < len(text):
        end = max(chunk_end(text, start), start + 1)
        chunk = text[start:end]
        size = len(_COMMENT.sub(b" ", chunk).split())
        found = evidence_of_another_language(chunk) if size else None
        if found is not None and found.weight is not Weight.STATEMENT:
            return False
        words += size
        broken += size if size and parse(chunk).root_node.has_error else 0
        start = end
    return broken > 0 and 2 * broken >= words
