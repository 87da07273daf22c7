"""Applies every fix of a text, and checks the properties that the result of any fix must have.

They are checked on characters and tokens, without the analysis that made the fix.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from openclsp.ide.diagnostics.diagnostics import compute_all_diagnostics
from openclsp.ide.feature_results import CheckedFix, Diagnostic
from openclsp.ide.fixes.fixes import compute_fixes
from openclsp.language.spaces import QUALIFIERS
from openclsp.rules.finding import Severity
from openclsp.semantics.translation_unit import TranslationUnit

FAULTS = (Severity.ERROR, Severity.WARNING)
TOKEN = re.compile(
    rb"__attribute__\s*\(\(\s*(?:address_space\s*\(\s*\w+\s*\)|opencl_\w+)\s*\)\)"
    rb"|\[\[\s*clang::opencl_\w+\s*\]\]"
    rb'|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.])*'
    rb"|\.\.\.|<<=|>>=|->|\+\+|--|&&|\|\||[-+*/%&|^<>=!]=|<<|>>|[^\s\w]",
    re.DOTALL,
)
QUALIFYING = {word.encode() for word in QUALIFIERS} | {
    *(b"const volatile restrict __restrict static extern auto register inline typedef".split()),
    *(b"read_only write_only read_write __read_only __write_only __read_write kernel __kernel".split()),
}
VENDORS = re.compile(rb"__attribute__\s*\(\(\s*(?:address_space|opencl_)|\[\[\s*clang::opencl_")
LAUNDERING = set(b"union uintptr_t intptr_t size_t ptrdiff_t as_ulong as_uint as_long as_int".split())
"""What a fix never writes: a space would be lost on the way through it."""

WRITTEN_ANYWHERE = set(b"__attribute__ overloadable pragma OPENCL EXTENSION enable".split())
TAKES_MORE = {
    "Remove one `*`": re.compile(rb"[*]|\w+"),
    "Remove the cast": re.compile(rb"[(*)]|\w+"),
    "Declare the parameter as `": re.compile(rb"[*\[\]]|\d+"),
    "Remove `...`": re.compile(rb",|\.\.\."),
    "Declare `": re.compile(rb":|\d+|[()\[\]+*-]|\w+"),
    "Copy `": re.compile(rb"\w+"),
    "Call `": re.compile(rb"\w+"),
    "Change to `": re.compile(rb"\w+"),
    "Write `": re.compile(rb"\w+|\.?\d.*|->|\."),
    "Did you mean": re.compile(rb"\w+"),
}
"""By how a title begins: what the fix may remove besides qualifiers."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A fix of a diagnostic, the text after it, and the dialect of that text; `wrong` describes violated properties."""

    diagnostic: Diagnostic
    fix: CheckedFix
    after: bytes
    dialect: str
    wrong: tuple[str, ...]


def tried_fixes(
    unit: TranslationUnit,
    analyse: Callable[[bytes, str], TranslationUnit],
    *,
    severities: Iterable[Severity] = (Severity.ERROR,),
    header_bodies: bool = False,
) -> Iterator[Tried]:
    """Yields every fix offered for the diagnostics of these severities in the unit's root document.

    `analyse` creates a new unit of the root's next text in a dialect. Fixes that also change other documents are left
    out.
    """
    name, data = unit.document.name, unit.document.text.data
    before = compute_all_diagnostics(unit, header_bodies=header_bodies)
    for diagnostic in before:
        if diagnostic.severity not in severities or diagnostic.location.document != name:
            continue
        for fix in compute_fixes(unit, diagnostic, header_bodies=header_bodies):
            if any(edit.location.document != name for edit in fix.edits):
                continue
            dialect = fix.dialect or unit.dialect.name
            text = applied(data, fix)
            after = compute_all_diagnostics(analyse(text, dialect), header_bodies=header_bodies)
            wrong = (*_of_diagnostics(diagnostic, before, after, fix, name), *_of_tokens(data, text, fix))
            yield Tried(diagnostic, fix, text, dialect, wrong)


def applied(data: bytes, fix: CheckedFix) -> bytes:
    """Returns the text after the edits, applied from the last to the first; they do not overlap."""
    for edit in reversed(fix.edits):
        data = (
            data[: edit.location.start]
            + edit.text.encode("utf-8", "surrogateescape")
            + data[edit.location.end :]
        )
    return data


def moved(offset: int, fix: CheckedFix) -> int:
    """Maps a byte of the original text to the text after the fix."""
    return offset + sum(
        len(edit.text.encode("utf-8", "surrogateescape")) - (edit.location.end - edit.location.start)
        for edit in fix.edits
        if edit.location.end <= offset
    )


def _of_diagnostics(
    fixed: Diagnostic, before: Iterable[Diagnostic], after: Iterable[Diagnostic], fix: CheckedFix, name: str
) -> Iterator[str]:
    """Checks that the fault is gone and that every remaining fault existed before.

    In a conversion with several mismatches, fixing the first may reveal the next one, with fewer mismatches.
    """
    known = Counter(
        (each.code, moved(each.location.start, fix)) for each in before if each.location.document == name
    )
    copied = [edit for edit in fix.edits if edit.copy_source is not None]
    start = fixed.location.start
    own = fixed.code, moved(start, fix)
    # a cast that was written before the value is where the conversion is now
    here = (
        own[1],
        own[1]
        - sum(
            len(edit.text.encode())
            for edit in fix.edits
            if edit.location.start == edit.location.end == start and edit.location.document == name
        ),
    )
    for each in after:
        if each.severity not in FAULTS or each.location.document != name:
            continue
        mark = each.code, each.location.start
        if each.location.start in here and mismatches_of(each) and mismatches_of(each) < mismatches_of(fixed):
            continue
        if mark == own and known[own] < 2:
            yield f"the fault is still there: {each.message}"
        elif not known[mark] and not (copied and each.severity is Severity.WARNING):
            yield f"a new fault: {each.code}: {each.message}"


def mismatches_of(diagnostic: Diagnostic) -> frozenset[str]:
    """The mismatches of the conversion that a diagnostic is about."""
    return frozenset() if diagnostic.origin is None else diagnostic.origin.finding.mismatches


def _of_tokens(before: bytes, after: bytes, fix: CheckedFix) -> Iterator[str]:
    """Checks that only qualifiers and what the title names are removed, and that no address space is lost and no unknown name added."""
    old, new = Counter(TOKEN.findall(before)), Counter(TOKEN.findall(after))
    more = next((pattern for start, pattern in TAKES_MORE.items() if fix.title.startswith(start)), None)
    if more is None and any(edit.copy_source is not None for edit in fix.edits):
        more = TAKES_MORE["Copy `"]
    for token in old - new:
        if (
            token not in QUALIFYING
            and not VENDORS.match(token)
            and (more is None or not more.fullmatch(token))
        ):
            yield f"the token {token.decode()!r} is gone"
    written = b"\n".join(
        edit.text.encode("utf-8", "surrogateescape") for edit in fix.edits if edit.copy_source is None
    )
    for token in TOKEN.findall(written):
        if token in LAUNDERING and token not in fix.title.encode():
            yield f"{token.decode()!r} is written"
        if re.fullmatch(rb"[A-Za-z_]\w*", token) and not _is_known(token, old, fix):
            yield f"{token.decode()!r} is not known"


def _is_known(token: bytes, old: Counter[bytes], fix: CheckedFix) -> bool:
    """Whether an added word is a qualifier, is in the text already, or is named in the title."""
    return (
        token in QUALIFYING
        or token in old
        or token in WRITTEN_ANYWHERE
        or re.search(rb"\b" + token + rb"\b", fix.title.encode()) is not None
        or any(
            re.search(rf"\b{token.decode()}\b", edit.text)
            for edit in fix.edits
            if edit.copy_source is not None
        )
    )
