"""Detects files of languages whose files have the same endings as OpenCL C, by the beginning of the text.

Common Lisp, Cool and the command language of IRAF have files `.cl`, and the Object Constraint Language has files
`.ocl`. What they begin with is no OpenCL C. Projects also give these endings to compiled kernels.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.source.host_strings import has_opencl_word

_LISP_FORM: Final = (
    rb"\((?:[A-Za-z][\w-]*::?)?(?:in-package|def[a-z][a-z-]*|eval-when|declaim|proclaim|provide|require|load|use-package"
    rb"|import|export|setf|setq|let\*?|progn)\s+[:\"'#(*A-Za-z]"
)
_LISP: Final = re.compile(
    rb"(?!\s*(?:;\s+)+(?!"
    + _LISP_FORM
    + rb")\()(?:\s*(?:;[^\r\n]*[\r\n]|\#\|(?:[^|]|\|(?!\#))*\|\#))+\s*(?:\(|\#[-+])|\s*"
    + _LISP_FORM
)
"""Comments before a parenthesis or `#+`, or a form such as a definition of a package, maybe `cl:defpackage`.

Empty statements are no comments: `;` alone in its line before a parenthesis, unless that begins such a form
"""
_COOL: Final = re.compile(
    rb"(?:\s*(?:--[^\r\n]*[\r\n]|\(\*(?:[^*]|\*(?!\)))*\*\)))+\s*(?i:class)\s+[A-Z]\w*(?:\s+(?i:inherits)\s+[A-Z]\w*)?\s*\{"
    rb"|\s*(?i:class)\s+[A-Z]\w*\s+(?i:inherits)\s+[A-Z]\w*\s*\{"
)
"""A class after comments, or one that inherits; the keywords have no case, and a quote in a comment begins no literal"""
_DIRECTIVES: Final = (
    "define",
    "undef",
    "include",
    "import",
    "ifdef",
    "ifndef",
    "elif",
    "else",
    "endif",
    "pragma",
    "error",
)
_LIKE_WORDS: Final = ("if", "elifdef", "elifndef", "include_next", "line", "warning")
"""The other directives. A word after `#` that is similar to one of these may be meant: `# lines of the plot`"""
_HASH: Final = rb"\#(?![ \t]*(?:" + "|".join((*_DIRECTIVES, *_LIKE_WORDS)).encode() + rb")\b)"
"""The `#` of anything but a directive"""
_HASH_LINES: Final = re.compile(rb"^[ \t]*" + _HASH + rb"[^\n]*", re.MULTILINE)
_IRAF: Final = re.compile(
    rb"(?:\s|"
    + _HASH
    + rb"[^\n]*\n)*procedure[ \t]+[A-Za-z]\w*(?:[ \t]*\([\w\s,]*\))?[ \t]*(?:\#[^\n]*)?\r?\n"
)
"""`procedure name (a, b)`, after comments"""
_PROSE: Final = re.compile(
    rb"\s*" + _HASH + rb"(?:[{!]|[ \t]+[A-Za-z][\w.'/]*(?:[ \t,;:(-]+\d*[A-Za-z][\w.'/)]*){2})"
)
"""`# These are words`, `#{ words`, `#!/bin/sh`. A misspelt directive has fewer words, or see `_is_misspelt_directive`"""
_COMMENTS_OF_C: Final = rb"(?:\s|/\*(?:[^*]|\*(?!/))*\*/|//[^\n]*\n)*"
_CONSTRAINTS: Final = re.compile(
    _COMMENTS_OF_C
    + rb"(?:import\s+(?:\w+\s*:\s*)?'|package[ \t]+\w+(?:::\w+)*[ \t]*\r?\n"
    + rb"|context\s+(?:\w+\s*:\s*)?\w+(?:::\w+)*\s*(?:inv|def|pre|post|body|init|derive)\b)"
)
"""`import 'Model.ecore'`, `package name` or `context Type inv`, after comments as in C"""
_LANGUAGES: Final = (("Lisp", _LISP), ("Cool", _COOL), ("the command language of IRAF", _IRAF))
"""The languages whose beginning is unmistakable; a host may write kernels in Lisp, so words of OpenCL C do not count"""
_COMMENT: Final = re.compile(
    rb"\s*(?:--(?=[ \t]*['\"\w]|-*\r?\n)(?![ \t]*\w+[ \t]*[;,)])|\(\*(?=[\s*])(?![ \t]*\w+[ \t]*\)))"
)
"""`-- comment` or `(* comment *)`; `--n;` and `(*p)` may begin a part of a function"""
_WORD: Final = re.compile(rb"\w+")
_BITCODE: Final = b"BC\xc0\xde"
"""The beginning of LLVM's intermediate code, which may have few zero bytes"""
_SAMPLE_SIZE: Final = 1024
_ZERO_BYTES: Final = 10
"""A tenth of zero bytes shows binary data; a text may end with one or contain a few"""


@dataclass(frozen=True, slots=True)
class ForeignBeginning:
    """The offset of the first token of a text in another language, and the subject of a message about it."""

    start: int
    subject: str


def foreign_beginning(data: bytes) -> ForeignBeginning | None:
    """Returns the beginning of a document in another language, or of binary data; None if it may be OpenCL C.

    Constraints and comment marks are no evidence if the text has words of OpenCL C: a host may replace them.
    """
    zeros = data.count(0, 0, _SAMPLE_SIZE)
    if data.startswith(_BITCODE) or (zeros > 1 and zeros * _ZERO_BYTES > min(len(data), _SAMPLE_SIZE)):
        return ForeignBeginning(0, "this is binary data")
    start = len(data) - len(data.lstrip())
    for language, pattern in _LANGUAGES:
        if pattern.match(data) is not None:
            return ForeignBeginning(start, f"this is {language}")
    if _CONSTRAINTS.match(data) is not None and not has_opencl_word(data):
        return ForeignBeginning(start, "this is the Object Constraint Language")
    mark = _PROSE.match(data) or _COMMENT.match(data)
    if mark is None or has_opencl_word(_HASH_LINES.sub(b"", data)) or _is_misspelt_directive(data, start):
        return None
    written = data[start : start + (1 if data.startswith(b"#", start) else 2)].decode()
    return ForeignBeginning(start, f"`{written}` begins a comment of another language")


def _is_misspelt_directive(data: bytes, start: int) -> bool:
    """Whether a `#` at the offset `start` precedes a word that is similar to the name of a directive."""
    word = _WORD.search(data, start)
    return (
        data.startswith(b"#", start)
        and word is not None
        and bool(get_close_matches(word[0].decode("utf-8", "replace"), _DIRECTIVES, cutoff=0.8))
    )
