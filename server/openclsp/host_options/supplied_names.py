"""Extracts the names that host code may supply to kernels: macros, declarations and headers.

Patterns find a name in code that the analysis of builds does not follow. If a found name is not supplied
after all, the only effect is that an undeclared use of it in a kernel is not reported.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Iterator
from typing import Final

from openclsp.host_code.host_words import may_hold_kernel
from openclsp.host_options.defined_names import extract_definitions
from openclsp.project.project_scan import ScannedFile, ScannedFileKind

_MACRO_DEFINITION: Final = re.compile(
    rb"""-(?:D(?:[ \t]{0,4}|[ \t]{0,4}["'][ \t\r\n]{0,80}(?:[+,]|<<)?[ \t\r\n]{0,80}["']))?([A-Za-z_]\w*)"""
)
"""The name may be apart from `-D`, also in a string of its own: `"-D " "SIZE=4"`, `["-D", "SIZE=4"]`."""
_COMPUTED_NAMES: Final = tuple(
    re.compile(directive + rb"""(?:[%{$@]|["'`][ \t\r\n]{0,80}(?:[+,]|<<)[ \t\r\n]{0,80}[A-Za-z_(])""")
    for directive in (rb"-D[ \t]?", rb"\#[ \t]*define[ \t]+")
)
"""A definition whose name is computed: `f"-D{name}={value}"`, `"#define " + name`"""
_WORD: Final = re.compile(rb"[A-Za-z_]\w*")
_FURTHER_DIRECTIVE: Final = re.compile(rb"\\n[ \t]*\#[ \t]*define[ \t]+([A-Za-z_]\w*)")
"""A directive behind an escaped line break"""
_DIRECTIVE: Final = re.compile(rb"\#[ \t]*define\b")
_WRITTEN: Final = re.compile(rb"""["`][^"`\n]{0,80}?\#[ \t]*define[ \t]+([A-Za-z_]\w*)""")
"""A directive in a text that the host prepends to a program.

It is searched only if a quote precedes a directive in its line: trying each quote of 40 MB of host code takes
0.3 s.
"""
_LAYER_DEFINITION: Final = re.compile(rb"""<Define\s+name\s*=\s*["']([A-Za-z_]\w*)""")
"""A macro in the configuration of a custom layer of OpenVINO: `<Define name="n" type="int"/>`"""
_WRITTEN_VARIABLE: Final = re.compile(
    rb"""["'`][^"'`\n]{0,200}?\b(?:__)?constant[ \t]+(?:\w+[ \t]+){1,3}(?:\*[ \t]*)?([A-Za-z_]\w*)[ \t]*[\[=;"'`]"""
)
"""A variable in a text that the host generates and joins with a program."""
_HEADERS: Final = tuple(
    re.compile(quote + rb"""([\w./+-]{1,120}\.(?:clh?|h|hh|hpp|inc|inl|def|ocl|opencl))["'`]""")
    for quote in (b'"', b"'", b"`")
)
"""A string that is the name of a header alone."""
_PYOPENCL: Final = b"pyopencl"
_PYOPENCL_HEADERS: Final = (
    *(
        f"pyopencl-{name}.cl"
        for name in ("airy", "bessel-j-complex", "bessel-j", "bessel-y", "eval-tbl", "hankel-complex")
    ),
    "pyopencl-complex.h",
    "cfloat_t",
    "cdouble_t",
    *(f"pyopencl-random123/{name}" for name in ("array.h", "openclfeatures.h", "philox.cl", "threefry.cl")),
)
"""The headers that pyopencl supplies, and the types that one of them declares"""
_QUOTES: Final = (b'"', b"'")
"""The patterns below exist once for each quote, because `re` finds the first byte of a pattern five times as fast if it
is a literal: 0.4 s less for 46 MB of host code."""
_TEMPLATE_KEYS: Final = tuple(re.compile(quote + rb"""([A-Z_][A-Z0-9_]{2,})["']""") for quote in _QUOTES)
"""A string that is a macro-like name: hosts name a macro before they prefix it with `-D`."""
_ENTRY: Final = re.compile(rb"""\[["'`]([A-Za-z_]\w*)["'`]\][ \t]*=(?!=)""")
"""A key that is assigned in a table, from which hosts fill in templates."""
_NAMED_ARGUMENTS: Final = tuple(
    re.compile(quote + rb"""([A-Za-z_]\w{1,60})["']\s*,\s*[^\s"']""") for quote in _QUOTES
)
"""A name with a computed value behind it: the host passes both to a function of its own that defines macros."""
_WRITTEN_FUNCTIONS: Final = tuple(
    re.compile(
        quote + rb"(?:\\n|[ \t])*(?:(?:static|(?:__)?inline|const|unsigned)[ \t]+)*"
        rb"(?:void|bool|u?(?:char|short|int|long)|float|double|half|size_t)(?:2|3|4|8|16)?[ \t*]+([A-Za-z_]\w*)[ \t]*\("
    )
    for quote in _QUOTES
)
"""A function whose definition the host writes, at the beginning of a string."""
_OWN_DIRECTIVES: Final = tuple(re.compile(quote + rb"(\#[A-Za-z_]\w*)") for quote in _QUOTES)
"""A directive that the host processes itself, at the beginning of a string: `line.startswith("#FILE:")`."""
_MARKERS: Final = tuple(
    re.compile(quote + rb"([A-Za-z_]\w{1,60}[%@$!?~^|:-][\w%@$!?~^|:-]{0,60})" + quote) for quote in _QUOTES
)
"""A word that is neither a name nor a path, alone in a string, which the host may search for: `"END_DEFAULTS%"`."""
_TRIPLE_QUOTES: Final = re.compile(rb"(\"{3}|'{3})")
_RAW_STRINGS: Final = re.compile(rb"R(\")([^()\s\\\"]{0,16})\(")
_OPENINGS: Final = {
    ScannedFileKind.C: _RAW_STRINGS,
    ScannedFileKind.CPP: _RAW_STRINGS,
    ScannedFileKind.HEADER: _RAW_STRINGS,
    ScannedFileKind.PYTHON: _TRIPLE_QUOTES,
    ScannedFileKind.JAVA: re.compile(rb"(\"{3})"),
    ScannedFileKind.RUST: re.compile(rb"r(\#{1,4})\""),
    ScannedFileKind.GO: re.compile(rb"(`)"),
}
"""The beginnings of literals of several lines"""
_OPENCL_MARKS: Final = (b"pencl", b"penCL", b"ocl::", b"__global")
"""Parts of the words that host code for OpenCL contains; a search for each takes a millisecond for 2 MB"""


def extract_supplied_names(file: ScannedFile, data: bytes) -> frozenset[str]:
    """Returns the names that a host file may define for kernels, or replace in their source text.

    These are macros (`"-DN"`, `"#define N"`), variables (`"constant int n = "`), functions, placeholders of
    templates, and the declarations in multi-line literals that contain no kernel. If the file computes the names of
    macros, they are all words of the file. The result also contains the header names in strings, with their `#` the
    directives that the host processes itself (`"#FILE:"`), and words for which the host may search in a kernel file
    (`"END_DEFAULTS%"`).
    """
    found = {name for each in (*_TEMPLATE_KEYS, *_NAMED_ARGUMENTS) for name in each.findall(data)}
    if any(sign in data for sign in (b'["', b"['", b"[`")):
        found.update(_ENTRY.findall(data))
    if b"-D" in data or b"#define" in data:
        found.update(_MACRO_DEFINITION.findall(data))
        found.update(_FURTHER_DIRECTIVE.findall(data))
        if any(each.search(data) is not None for each in _COMPUTED_NAMES):
            # The names are somewhere in the file, as keys or arguments.
            found.update(_WORD.findall(data))
        if _has_written_directive(data):
            found.update(_WRITTEN.findall(data))
    if b"<Define" in data:
        found.update(_LAYER_DEFINITION.findall(data))
    if b"constant " in data:
        found.update(_WRITTEN_VARIABLE.findall(data))
    names = {name.decode("utf-8", "replace") for name in found}
    if any(sign in data for sign in _OPENCL_MARKS):
        for each in (*_WRITTEN_FUNCTIONS, *_OWN_DIRECTIVES, *_MARKERS):
            names.update(name.decode("utf-8", "replace") for name in each.findall(data))
        for text in _literals_of_several_lines(data, file.kind):
            names |= extract_definitions(text).names
    return frozenset(names) | _header_names(data)


def may_supply(data: bytes, name: str) -> bool:
    """Whether `extract_supplied_names` may return `name` for a host file; False is certain."""
    return name.encode("utf-8", "replace") in data or (name in _PYOPENCL_HEADERS and _PYOPENCL in data)


def _header_names(data: bytes) -> frozenset[str]:
    """Returns the header names in strings, except those that the host code itself includes or imports.

    If the host uses pyopencl, the result contains pyopencl's own headers: pyopencl adds their folder to every
    build.
    """
    found = set(_PYOPENCL_HEADERS) if _PYOPENCL in data else set()
    for match in (match for each in _HEADERS for match in each.finditer(data)):
        line = data[data.rfind(b"\n", 0, match.start()) + 1 : match.start()]
        if not line.lstrip().startswith((b"#", b"import ")):
            name = match[1].decode()
            found |= {name, os.path.basename(name)}
    return frozenset(found)


def _has_written_directive(data: bytes) -> bool:
    for match in _DIRECTIVE.finditer(data):
        line = data.rfind(b"\n", 0, match.start()) + 1
        before = data[line : match.start()]
        if b'"' in before or b"`" in before:
            return True
    return False


def _literals_of_several_lines(data: bytes, kind: ScannedFileKind) -> Iterator[bytes]:
    """Yields the multi-line literals that a host may prepend to a program.

    A literal with a kernel is not among them, because it is a program itself. If its names counted as
    supplied, their uses before the declaration would not be reported.
    """
    opening = _OPENINGS.get(kind)
    at = 0
    while opening is not None and (match := opening.search(data, at)) is not None:
        closing = _closing_of(match, kind)
        end = data.find(closing, match.end())
        if end < 0:
            # Text after a literal without an end is not code.
            return
        text, at = data[match.end() : end], end + len(closing)
        if b"\n" in text and not may_hold_kernel(text):
            yield text


def _closing_of(opening: re.Match[bytes], kind: ScannedFileKind) -> bytes:
    if kind is ScannedFileKind.RUST:
        return b'"' + opening[1]
    if opening.re is _RAW_STRINGS:
        return b")" + opening[2] + opening[1]
    return opening[1]
