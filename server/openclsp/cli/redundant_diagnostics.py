"""Finds diagnostics that the text output need not show, because an earlier diagnostic covers them."""

from __future__ import annotations

import os.path
import re
import string
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from openclsp.rules.finding import Severity
from openclsp.source.word_search import find_word
from openclsp.workspace.include_loader import OUTSIDE_REFUSAL

RULES_ABOUT_NAMES: Final = frozenset(("unknown-name", "error-directive", "warning-directive"))
"""Rules whose hints are about names that the host may define. One change of the build usually resolves all of
them.
"""
MISSING_HEADER: Final = "include-not-found"
TEMPLATE: Final = "template"
OTHER_LANGUAGE: Final = "cpp-for-opencl"
_RULES_ABOUT_ANALYSIS: Final = RULES_ABOUT_NAMES | {TEMPLATE, OTHER_LANGUAGE}
"""Rules about facts that the analysis cannot know: how the host builds a file, and the language of a file."""
RULES_ABOUT_PROJECTS: Final = _RULES_ABOUT_ANALYSIS | {
    "generic-qualifier",
    "single-space",
}
"""Rules whose diagnostics in a project can all be resolved by one decision of the user."""
ONCE_A_FILE: Final = frozenset(("expansion-too-large", "macro-redefined"))
"""Rules whose warnings in one file have one cause: a limit that all later macros reach, or an earlier header whose
macros the file redefines.
"""
DISCARDED: Final = "discarded-qualifiers"
SIMILAR_IN_FILE: Final = frozenset(
    (DISCARDED, "kernel-call", "recursion", "sampler-scope", "several-spaces", "qualified-image")
)
"""Rules about habits of an author. If the messages of two diagnostics in a file differ only in names and numbers,
the first one is sufficient. Equal messages in several files are about copies of one function or kernel.
"""
_ABSOLUTE: Final = re.compile(r"(?:[A-Za-z]:)?[/\\]")
_VARYING: Final = re.compile(r"`[^`]*`|'[^']*'|\d+")
_LETTERS: Final = string.ascii_letters + string.digits + "_"
_VARYING_TEXT: Final = re.compile(rb"[\d\s\"]+|\\n?")
"""Parts of a source line that differ between copies: sizes, and the notation of a string in host code."""


class RedundancyKey(NamedTuple):
    """The parts of a diagnostic that decide whether it is redundant.

    - `line`: its first line, from 0
    - `names`: for a hint, the names in it that the host may define
    - `missing`: whether a header that was not found may define these names too
    - `cause`: file and line of the innermost macro's definition, or of the diagnostic if no macro is involved
    - `text`: the text of its first line, without blanks at both ends
    """

    path: str
    line: int
    code: str
    severity: Severity
    message: str
    names: tuple[str, ...]
    missing: bool = False
    cause: tuple[str, int] | None = None
    text: bytes = b""


def find_redundant(keys: Sequence[RedundancyKey]) -> list[int | None]:
    """Returns, for each diagnostic, the index of the earlier one that makes it redundant, or None.

    An error is never redundant. Other diagnostics are redundant in these cases:

    - A diagnostic in a line with an error is redundant, because it may be a consequence of the error, and the
      error has to be corrected first.
    - A hint of a rule in `RULES_ABOUT_PROJECTS` is redundant if any file has an earlier hint of the same
      rule: one decision of the user resolves all of them. The rules about names count as one rule.
    - Any other diagnostic with `names` is redundant if earlier ones, in any file, name all of them. For
      missing headers in one folder, such as `gpu/a.h` and `gpu/b.h`, the first hint is sufficient, because
      one include folder provides them all. For all absolute paths of another machine, one hint is sufficient.
    - If a missing header may define the names in a diagnostic, the diagnostic is redundant if there is a hint
      about a missing header.
    - A warning about a redefined macro, or about a large expansion, is redundant if an earlier one of the
      same rule is in the same file.
    - Any other diagnostic is redundant if an earlier one in its file has the same message. It is also
      redundant if an earlier one in its line has the same code, because the excerpt shows that line only
      once. Adjacent lines, such as several macro definitions, count as one line if the messages differ only
      in names and numbers; for a rule in `SIMILAR_IN_FILE`, so do all lines of the file. It is also
      redundant if an earlier one in another file is a copy of it (`_copy_keys`).
    """
    found: list[int | None] = []
    messages: dict[tuple[str, str, str], int] = {}
    lines: dict[tuple[str, str, int], int] = {}
    blocks: dict[tuple[str, int], int] = {}
    copies: dict[tuple[str, str, bytes], int] = {}
    listed: dict[str, int] = {}
    decisions: dict[str, int] = {}
    # The hint about the first missing header covers all names that a missing header may define.
    lost = next((number for number, each in enumerate(keys) if each.code == MISSING_HEADER), None)
    errors: dict[tuple[str, int], int] = {}
    for number, each in enumerate(keys):
        if each.severity is Severity.ERROR:
            errors.setdefault((each.path, each.line), number)
    for number, each in enumerate(keys):
        before: int | None = None
        if each.severity is not Severity.ERROR and (each.path, each.line) in errors:
            before = errors[each.path, each.line]
        elif each.severity in (Severity.HINT, Severity.INFORMATION) and each.code in RULES_ABOUT_PROJECTS:
            about_names = each.code in RULES_ABOUT_NAMES
            decision = "names" if about_names else each.code
            in_header = lost is not None and each.missing and about_names
            before = lost if in_header else decisions.setdefault(decision, number)
        elif each.names and each.severity is not Severity.ERROR:
            first = [listed.get(_missing_name(name)) for name in each.names]
            before = (
                lost if each.missing and each.code != MISSING_HEADER else None if None in first else first[0]
            )
        elif each.severity is not Severity.ERROR:
            message, line = (each.path, each.code, each.message), (each.path, each.code, each.line)
            before = messages.get(message, lines.get(line))
            path, at = each.cause or (each.path, each.line)
            shape = f"{each.path}\0{each.code}\0{_shape(each.message)}\0{path}"
            if each.code in ONCE_A_FILE:
                first_in_file = decisions.setdefault(f"{each.code}\0{path}", number)
                before = None if first_in_file == number else first_in_file
            elif each.code in SIMILAR_IN_FILE and before is None:
                similar = decisions.setdefault(shape, number)
                before = None if similar == number else similar
            if before is None:
                before = next(
                    (blocks[shape, near] for near in (at - 1, at, at + 1) if (shape, near) in blocks), None
                )
            if before is None:
                keys_of_copies = tuple(_copy_keys(each))
                before = next((copies[key] for key in keys_of_copies if key in copies), None)
                for key in keys_of_copies:
                    copies.setdefault(key, number if before is None else before)
            blocks.setdefault((shape, at), number if before is None else before)
            if before in (None, number):
                messages[message] = lines[line] = number
        for name in each.names:
            listed.setdefault(_missing_name(name), number)
        found.append(None if before == number else before)
    return found


def is_about_analysis(code: str, severity: Severity, names: Sequence[str]) -> bool:
    """Whether a diagnostic is about limits of the analysis, not about the code.

    In a run over several files or a folder, only the summary mentions these diagnostics. A missing header with a
    reason, such as several files of this name, has no `names`: the user can act on the reason.
    """
    if severity not in (Severity.HINT, Severity.INFORMATION):
        return False
    return code in _RULES_ABOUT_ANALYSIS or (code == MISSING_HEADER and bool(names))


def is_about_outside_file(code: str, severity: Severity, message: str) -> bool:
    """Whether a hint says that a header was not read because it is outside of the project."""
    return code == MISSING_HEADER and severity is Severity.HINT and message.endswith(OUTSIDE_REFUSAL.reason)


def is_about_generic_pointer(code: str, severity: Severity) -> bool:
    """Whether a diagnostic says that a pointer works without the generic address space, or is about `__generic`.

    The program needs OpenCL C 2.0 anyway: a build option or another construct selects the version. Such a pointer
    costs nothing, and compilers for OpenCL C 2.0 accept `__generic`.
    """
    codes = ("single-space", "generic-qualifier")
    return code in codes and severity in (Severity.HINT, Severity.INFORMATION)


def has_same_fault(code: str, message: str, other_code: str, other_message: str) -> bool:
    """Whether a redundant diagnostic has the fault of the one that is shown, except for names and numbers."""
    return (
        code == other_code and code not in RULES_ABOUT_PROJECTS and _shape(message) == _shape(other_message)
    )


def _shape(message: str) -> str:
    return _VARYING.sub("", message)


def _copy_keys(key: RedundancyKey) -> Iterator[tuple[str, str, bytes]]:
    """Yields keys that a diagnostic shares with its copies in other files.

    A copy has the same source line, except for numbers: projects have variants of a kernel for several vector
    sizes. If a diagnostic of a rule in `SIMILAR_IN_FILE` names a kernel, a parameter or a sampler, an equal
    message is about a copy of its function. A copied declaration may give its variable another name.
    """
    if key.text:
        text = _without_initialised_name(key.message, key.text)
        yield key.code, _shape(key.message), _VARYING_TEXT.sub(b"", text)
    if key.code in SIMILAR_IN_FILE and (key.code != DISCARDED or " of `" in key.message):
        yield key.code, key.message, b""


def _without_initialised_name(message: str, text: bytes) -> bytes:
    """Removes the name of the variable that the message says is initialised from its source line."""
    declared = message.partition(" initialises `")[2].partition("`")[0]
    name = declared[len(declared.rstrip(_LETTERS)) :].encode()
    at = find_word(text, name) if name else -1
    return text if at < 0 else text[:at] + text[at + len(name) :]


def _missing_name(name: str) -> str:
    """Returns the folder in a header's name, such as `gpu` in `gpu/a.h`; if there is none, the name.

    All absolute paths count as one folder.
    """
    if _ABSOLUTE.match(name):
        return "/"
    return os.path.dirname(name) or name
