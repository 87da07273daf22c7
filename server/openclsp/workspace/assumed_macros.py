"""Macros that a program's host must define, because the program is no OpenCL C without them.

A header that host and kernels share often has a branch for each: `#ifdef GPU`, OpenCL C, `#else`, C++, `#endif`.
If no option defines `GPU`, the branch with C++ is selected, or one that includes a header of the host. The host
then defines the macro in a way that openclsp does not find, because it compiles the program as OpenCL C.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from openclsp.dataclass import dataclass
from openclsp.host_options.build_calls import OTHER_COMPUTE_API
from openclsp.source.blanked_text import TYPE_WORDS
from openclsp.source.document import DocumentName
from openclsp.source.host_strings import has_opencl_word
from openclsp.source.other_languages import Evidence, Weight, evidence_of_another_language, has_opencl_kernel
from openclsp.source.preprocessed import Guess, Preprocessed
from openclsp.source.word_search import word_starts

MAXIMUM_ASSUMED: Final = 4
MAXIMUM_TRIALS: Final = 12
"""Maximum number of combinations of macros that are tried"""
_MARK: Final = re.compile(
    rb"::|\btemplate[ \t]*<|_cast[ \t]*<|\busing[ \t]+(?:namespace\b|\w+[ \t]*=)|\bnamespace[ \t]+\w+[ \t]*(?:[{\r\n]|\Z)"
    rb"|\bclass[ \t]+\w+[ \t]*(?:[:{\r\n]|\Z)|\boperator[ \t]*[^\w\s,.)]|\bextern[ \t]+\"C|\b(?:constexpr|noexcept)\b"
    rb"|\b__(?:device|global|host|shared)__\b"
)
"""Matches within one line only, so that an edit concerns its lines only"""
_MARK_PARTS: Final = (
    b"::", b"template", b"_cast", b"using", b"namespace", b"class", b"operator", b'"C', b"constexpr", b"noexcept",
    b"__device__", b"__global__", b"__host__", b"__shared__",
)  # fmt: skip
"""Filter before `_MARK`"""
_REFERENCE: Final = re.compile(rb"&(?:(?<=\w&) ?[A-Za-z_]|(?<=\w &) ?[A-Za-z_])")
_TYPE: Final = re.compile(TYPE_WORDS)
_HOST_INCLUDE: Final = re.compile(
    rb"#[ \t]*include[ \t]*<((?:(?:CL|OpenCL|sys)/[\w./-]+|[\w./-]+\.(?:hpp|hxx|hh)|[a-z_]+"
    rb"|(?:assert|complex|ctype|errno|fenv|inttypes|limits|locale|malloc|math|memory|signal|stdint|stdio|stdlib|string"
    rb"|strings|time|unistd|wchar)\.h))[ \t]*>"
)
"""Matches an include of a header of C, C++ or the host's OpenCL. These headers do not exist for OpenCL C.

Compilers based on Clang find `float.h`, `stdarg.h`, `stdbool.h` and `stddef.h`, which Clang itself supplies.
"""
_DIRECTIVE: Final = re.compile(rb"[ \t]*#[ \t]*([a-z]+)\b")
_TESTS: Final = (b"ifdef", b"ifndef", b"elifdef", b"elifndef", b"undef", b"error", b"warning")
"""Directives that do not use the value of a macro"""
_END_OF_TEST: Final = re.compile(
    rb"(?:(?:(?:[=!]=|>)[ \t]*0|(?:==|>=)[ \t]*1)(?![\w.])[ \t)]*)?(?:\r?\Z|&&|\|\||/[/*])"
)
"""The rest of a condition after a macro that is compared at most with 0 or 1"""
_LONGEST_LINE: Final = 2_000
_NEAR: Final = 80
"""Bytes before a reference in which its type is searched"""
_COMPILER_MACRO: Final = re.compile(
    r"_*(?:win(?:32|64|ce|dows)?|msc_\w+|mingw\w*|cygwin\w*|gnu[cg]\w*|clang\w*|linux|unix|apple(?:_cc)?|mach|android|darwin"
    r"|intel_compiler|icc|x86_64|amd64|i[36]86|x86|arm|aarch64|sse\w*|avx\w*|n?debug|openmp|openacc|stdc\w*|cpp\w*|cplusplus\w*)_*",
    re.IGNORECASE,
)
"""Macros of compilers and platforms of host code; an OpenCL host does not define them for kernels"""


Definitions: TypeAlias = tuple[tuple[str, str], ...]
"""Macros, each with its value"""


class AssumedMacro(NamedTuple):
    """A macro that is taken as defined.

    Without it, `construct` in line `line` (from 1) of `document` would make the program C++ or another language.
    If the program uses the value of the macro, it is unknown: `value` is then the name.
    """

    name: str
    construct: str
    document: DocumentName
    line: int
    value: str = "1"

    @property
    def option(self) -> str:
        """The build option that defines the macro."""
        return f"-D{self.name}" if self.value == "1" else f"-D{self.name}={self.value}"

    @property
    def reason(self) -> str:
        """A clause such as ``because line 14 of geom.h is not OpenCL C without it (`FireRays::`)``."""
        name = self.document.replace("\\", "/").rpartition("/")[2]
        return f"because line {self.line} of {name} is not OpenCL C without it (`{self.construct}`)"


def may_have_host_code(data: bytes) -> bool:
    """Whether some line of a text, also in a comment, contains tokens of C++ or CUDA, or includes a host's header."""
    if any(part in data for part in _MARK_PARTS) and _MARK.search(data) is not None:
        return True
    if _HOST_INCLUDE.search(data) is not None:
        return True
    return any(_is_reference(data, match.start()) for match in _REFERENCE.finditer(data))


def _is_reference(data: bytes, at: int) -> bool:
    """Whether the `&` at `at` follows a type in its line: `float &`, `const T &`."""
    line = data[max(0, at - _NEAR) : at].replace(b"\r", b"\n").rpartition(b"\n")[2]
    words = line.replace(b"(", b" ").replace(b",", b" ").split()
    return bool(words) and (_TYPE.fullmatch(words[-1]) is not None or words[-2:-1] == [b"const"])


class HostBranch(NamedTuple):
    """A selected branch of a guessed conditional with evidence of another language.

    `included` means that only a document that the branch includes has the evidence.
    """

    guess: Guess
    candidates: tuple[str, ...]
    found: AssumedMacro
    included: bool

    @property
    def place(self) -> tuple[DocumentName, int]:
        return self.guess.document, self.guess.start


@dataclass(slots=True)
class HostBranchFinder:
    """Finds the selected branches in another language; caches them for each preprocessed document.

    After an edit, most included documents are preprocessed with the same result. In the kernels of hashcat,
    the conditionals of the headers take 1.8 ms per edit without the cache.
    """

    earlier: Mapping[Preprocessed, tuple[HostBranch, ...]] = field(default_factory=dict)
    found: dict[Preprocessed, tuple[HostBranch, ...]] = field(default_factory=dict)
    """The results of this search; `earlier` are those of the last one"""

    def find_branches(self, root: Preprocessed) -> list[HostBranch]:
        """Returns the selected branches in another language of a unit, ordered by document."""
        return [branch for part in root.with_included() for branch in self._branches_of(part)]

    def _branches_of(self, unit: Preprocessed) -> tuple[HostBranch, ...]:
        branches = self.found.get(unit)
        if branches is None:
            branches = self.earlier.get(unit)
            if branches is None:
                branches = tuple(branch for guess in unit.guesses for branch in _judge(guess, unit))
            self.found[unit] = branches
        return branches


@dataclass(frozen=True, slots=True)
class AssumedMacroSearch:
    """A search for the macros without which a selected branch of a unit is in another language.

    - `preprocess`: returns the unit with further macros defined, each with its value
    - `undefined`: the macros that are not assumed
    - `texts`: the texts of all documents that the unit may include
    - `finder`: finds the branches, and caches them
    """

    preprocess: Callable[[Definitions], Preprocessed]
    undefined: frozenset[str]
    texts: Sequence[bytes]
    finder: HostBranchFinder

    def find_macros(self) -> tuple[AssumedMacro, ...]:
        """Returns the macros; none if the unit contains another language with every choice that is tried."""
        # A conditional around an include is the second choice: the included header may have one of its own. But
        # a header of C++ that a branch includes has conditionals that do not help.
        for own_first in (True, False) if self.finder.find_branches(self.preprocess(())) else ():
            assumed = self._resolve_branches(own_first)
            if assumed:
                return self._drop_needless(assumed)
        return ()

    def _drop_needless(self, assumed: tuple[AssumedMacro, ...]) -> tuple[AssumedMacro, ...]:
        """Drops macros of conditionals in documents that are not included with the others defined."""
        for macro in assumed if len(assumed) > 1 else ():
            rest = tuple(each for each in assumed if each is not macro)
            unit = self.preprocess(_definitions(rest))
            if rest and not self.finder.find_branches(unit) and not _is_another_language(unit):
                assumed = rest
        return assumed

    def _resolve_branches(self, own_first: bool) -> tuple[AssumedMacro, ...]:
        """Returns macros with which no selected branch is in another language; none if that fails.

        The branches are tried in the order of the documents, the smallest of a document first. With `own_first`,
        those that only include another language are tried last.
        """
        assumed: tuple[AssumedMacro, ...] = ()
        unit = self.preprocess(())
        trials = 0
        branches = self.finder.find_branches(unit)
        while branches:
            if len(assumed) == MAXIMUM_ASSUMED:
                return ()
            branch = _first_to_try(branches, own_first)
            found: dict[AssumedMacro, Preprocessed] = {}
            for name in branch.candidates:
                if name in self.undefined or any(name == each.name for each in assumed):
                    continue
                if trials == MAXIMUM_TRIALS:
                    break
                trials += 1
                value = name if any(uses_value(text, name) for text in self.texts) else "1"
                macro = branch.found._replace(name=name, value=value)
                trial = self.preprocess(_definitions((*assumed, macro)))
                if self._removes(branch, unit, trial):
                    found[macro] = trial
            # Nothing shows which macro the host defines if they select different code.
            if len({tuple(each.text for each in trial.with_included()) for trial in found.values()}) != 1:
                return ()
            macro, unit = next(iter(found.items()))
            assumed, branches = (*assumed, macro), self.finder.find_branches(unit)
        return () if assumed and _is_another_language(unit) else assumed

    def _removes(self, branch: HostBranch, before: Preprocessed, trial: Preprocessed) -> bool:
        """Whether a trial selects another branch of a conditional, which is usable code."""
        name = branch.guess.document
        return (
            all(each.place != branch.place for each in self.finder.find_branches(trial))
            # the condition may be false with the macro, too
            and not any(
                any(_judge(branch.guess, part))
                for part in trial.with_included()
                if part.document.name == name
            )
            and _has_code(branch.guess, trial)
            and _error_directives(trial) <= _error_directives(before)
        )


def _first_to_try(branches: Sequence[HostBranch], own_first: bool) -> HostBranch:
    chosen = [each for each in branches if not each.included] if own_first else []
    chosen = chosen or list(branches)
    same = [each for each in chosen if each.guess.document == chosen[0].guess.document]
    return min(same, key=lambda each: each.guess.closed - each.guess.start)


def _has_code(guess: Guess, trial: Preprocessed) -> bool:
    """Whether another branch of a conditional has code, or the rest of the unit is certainly OpenCL C."""
    return (
        bool(guess.hidden)
        or guess.includes
        or any(_has_opencl_word(each.text) for each in trial.with_included())
    )


def _definitions(macros: Sequence[AssumedMacro]) -> Definitions:
    return tuple((each.name, each.value) for each in macros)


def _error_directives(root: Preprocessed) -> set[tuple[DocumentName, int]]:
    """Returns the places of the `#error` directives that certainly make the compilation fail."""
    return {
        (part.document.name, problem.start)
        for part in root.with_included()
        for problem in part.problems
        if problem.code == "error-directive" and problem.severity == "error"
    }


@lru_cache(maxsize=256)
def uses_value(text: bytes, name: str) -> bool:
    """Whether a text needs the value of a macro, not only whether the macro is defined and not zero.

    Comments that extend over several lines count as code, as do long lines and continued conditions.
    """
    word = name.encode("utf-8", "replace")
    return any(not _is_test_only(text, start, start + len(word)) for start in word_starts(text, word))


def _is_test_only(text: bytes, start: int, end: int) -> bool:
    """Whether a name is in a line comment, or in a directive that does not need the value of the name."""
    line = text.rfind(b"\n", max(0, start - _LONGEST_LINE), start) + 1
    if line == 0 and start > _LONGEST_LINE:
        return False
    before = text[line:start]
    after = text[end : end + _LONGEST_LINE].partition(b"\n")[0]
    if b'"' not in before and (b"//" in before or b"/*" in before.rpartition(b"*/")[2]):
        return True
    directive = _DIRECTIVE.match(before)
    if directive is None:
        return False
    kind, rest = directive[1], before[directive.end() :].rstrip(b" \t(")
    if kind in (b"if", b"elif"):
        if rest.endswith(b"defined"):
            return True
        rest = rest.rstrip(b" \t(!")
        begins = not rest or rest.endswith((b"&&", b"||"))
        return begins and _END_OF_TEST.match(after.lstrip(b" \t)")) is not None
    return kind in _TESTS or (kind == b"define" and not rest)


def _judge(guess: Guess, unit: Preprocessed) -> Iterator[HostBranch]:
    """Yields the branch of a conditional that is selected, if it has evidence of another language."""
    text = unit.document.text
    if guess.document != unit.document.name or guess.closed <= guess.start:
        return
    raw = text.data[guess.start : guess.closed]
    # an include guard, or a macro with a default value, is defined in the branch
    candidates = tuple(
        dict.fromkeys(
            read.name for read in guess.names if _may_be_assumed(read.name) and not _defines(raw, read.name)
        )
    )
    if not candidates:
        return
    lines = unit.source_map.lines
    start, end = lines.start(text.line_of(guess.start)), lines.start(text.line_of(guess.closed))
    include = _host_include(unit, text.line_of(guess.start), text.line_of(guess.closed))
    if include is not None:
        yield HostBranch(guess, candidates, include, included=False)
        return
    ranges = [(unit, start, end)]
    ranges += [
        (inner, 0, len(inner.text))
        for inclusion in unit.includes
        if start <= inclusion.offset < end
        for inner in inclusion.preprocessed.with_included()
    ]
    for each, first, last in ranges:
        code = each.text[first:last]
        found = _evidence(code)
        if found is not None:
            line = each.source_map.lines.find(first + found.start) + 1
            construct = code[found.start : found.end].decode("utf-8", "replace").strip()
            place = AssumedMacro("", construct, each.document.name, line)
            yield HostBranch(guess, candidates, place, included=each is not unit)
            return


def _host_include(unit: Preprocessed, first: int, last: int) -> AssumedMacro | None:
    """Returns the first include of a missing host header in the selected lines from `first` to `last`, if any."""
    text = unit.document.text
    for match in _HOST_INCLUDE.finditer(text.data, text.line_start(first), text.line_start(last)):
        line = text.line_of(match.start())
        name = match[1].decode()
        if any(
            problem.code == "include-not-found" and text.line_of(problem.start) == line
            for problem in unit.problems
        ):
            return AssumedMacro("", f"#include <{name}>", unit.document.name, line + 1)
    return None


def _may_be_assumed(name: str) -> bool:
    return _COMPILER_MACRO.fullmatch(name) is None and OTHER_COMPUTE_API.search(name) is None


def _defines(raw: bytes, name: str) -> bool:
    return any(match[1] == name.encode("utf-8", "replace") for match in _DEFINITION.finditer(raw))


_DEFINITION: Final = re.compile(rb"#[ \t]*define[ \t]+([A-Za-z_]\w*)")


@lru_cache(maxsize=256)
def _evidence(text: bytes) -> Evidence | None:
    found = evidence_of_another_language(text)
    return None if found is None or found.weight in (Weight.STATEMENT, Weight.HOST_STRING) else found


_has_opencl_word: Final = lru_cache(maxsize=256)(has_opencl_word)


def _is_another_language(root: Preprocessed) -> bool:
    units = tuple(root.with_included())
    found = [evidence for unit in units if (evidence := _evidence(unit.text)) is not None]
    if any(each.weight is not Weight.SPECIFIER for each in found):
        return True
    return bool(found) and not any(has_opencl_kernel(unit.text) for unit in units)
