"""Finds builds in Makefiles: recipes that compile kernels, and variables for kernel options.

No command is run. Variables are expanded textually; the value of `$(shell …)` and of all other functions is
unknown.
"""

from __future__ import annotations

import os.path
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, islice
from typing import Final, NamedTuple

from openclsp.host_options.host_build import HostBuild
from openclsp.host_options.host_lexer import ConditionBranch
from openclsp.host_options.option_splitter import UNKNOWN_TEXT, FoundOption, filter_supported_options
from openclsp.host_options.symbolic_text import HostPlace, PathCondition
from openclsp.project.file_discovery import KERNEL_SUFFIXES
from openclsp.project.read_permission import is_inside

MAXIMUM_LINES: Final = 20_000
MAXIMUM_DEPTH: Final = 16
"""Maximum depth of nested variables."""
MAXIMUM_WORDS: Final = 4_000
"""Maximum words, and maximum pieces, of one command."""

_ASSIGNMENT: Final = re.compile(
    r" *(?:export +|override +)*([\w.-]+)[ \t]*(::?=|\?=|\+=|=)[ \t]*(.*)", re.DOTALL
)
_RULE: Final = re.compile(r"([^\t#:=][^#:=]*)::?(?!=)([^=;]*)(?:;(.*))?\Z", re.DOTALL)
_CONDITION: Final = re.compile(r" *(ifeq|ifneq|ifdef|ifndef|else|endif)\b")
_REFERENCE: Final = re.compile(r"\$(?:\(([^()$]*)\)|\{([^{}$]*)\}|([<^@*?+]))")
_NESTED: Final = re.compile(r"\$(?:\([^()]*\)|\{[^{}]*\})")
_WORD: Final = re.compile(r"""(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'])+""", re.DOTALL)
_QUOTES: Final = re.compile(r"""\\(.)|"((?:\\.|[^"\\])*)"|'([^']*)'""", re.DOTALL)
_COMMENT: Final = re.compile(r"(?:^|(?<=\s))#.*", re.DOTALL)
_COMPILER: Final = re.compile(
    r"clang|gcc|g\+\+|cpp|c\+\+|clc|ioc|ocloc|aoc|xocc|v\+\+|opencl|ocl|\bcc\b|\$\{?\(?\w*(?:CC|CPP)\b",
    re.IGNORECASE,
)
_PREPROCESSES: Final = frozenset(("-E", "-M", "-MM"))
"""Options with which a compiler only preprocesses a file"""
_KERNEL_OPTIONS_VARIABLE: Final = re.compile(
    r"(?:\A|_)(?:OCL|OPENCL|CLC|CL|KERNEL)_?(?:C_?)?(?:BUILD_?)?(?:FLAGS|OPTIONS|OPTS)\Z", re.IGNORECASE
)
"""Matches names of variables that hold kernel options: `OCLFLAGS`, `CL_FLAGS`, `OPENCL_BUILD_OPTIONS`"""


class _VariablePiece(NamedTuple):
    """A piece of a variable's text, with its line and path condition."""

    text: str
    line: int
    path: PathCondition


class MakefileReader:
    """Finds the builds in one Makefile; `include` is not followed."""

    def __init__(self, path: str, text: str, kernels: frozenset[str]) -> None:
        self.path, self.text, self.kernels = path, text, kernels
        self.folder = os.path.dirname(path)
        self.variables: dict[str, list[_VariablePiece]] = {}
        self.recipes: list[tuple[_VariablePiece, list[str]]] = []
        """Each recipe line with the prerequisites of its target"""
        self.used_variables: set[str] = set()
        """Variables used in commands that build kernels"""

    def find_builds(self) -> tuple[HostBuild, ...]:
        """Returns the builds of kernels in the Makefile."""
        self._read_lines()
        builds = [
            build for recipe, needed in self.recipes for build in self._builds_in_recipe(recipe, needed)
        ]
        return (
            *builds,
            *self._builds_from_variables(frozenset().union(*(build.kernels for build in builds))),
        )

    def _read_lines(self) -> None:
        conditions: list[ConditionBranch] = []
        needed: list[str] | None = None
        for number, line in _logical_lines(self.text):
            condition = _CONDITION.match(line)
            if condition is not None:
                _process_conditional_line(conditions, condition[1], f"{self.path}:{number}")
                continue
            path = tuple(conditions)
            if line.startswith("\t") and needed is not None:
                self.recipes.append((_VariablePiece(line.strip(), number, path), needed))
                continue
            plain = _COMMENT.sub("", line)
            assignment = _ASSIGNMENT.fullmatch(plain)
            rule = None if assignment is not None else _RULE.match(plain)
            if assignment is not None:
                self._assign(
                    assignment[1], assignment[2], _VariablePiece(assignment[3].strip(), number, path)
                )
            elif rule is not None:
                needed = rule[2].split()
                if rule[3]:
                    self.recipes.append((_VariablePiece(rule[3].strip(), number, path), needed))
            elif plain.strip():
                needed = None

    def _assign(self, name: str, how: str, part: _VariablePiece) -> None:
        before = self.variables.get(name, [])
        if how == "?=" and before:
            return
        # A conditional assignment may or may not happen: keep the earlier value as an alternative.
        keep = how == "+=" or bool(part.path)
        self.variables[name] = [*(before if keep else ()), part]

    def _builds_in_recipe(self, recipe: _VariablePiece, needed: list[str]) -> Iterator[HostBuild]:
        known = {
            "<": needed[0] if needed else UNKNOWN_TEXT,
            "^": " ".join(needed) or UNKNOWN_TEXT,
            "+": " ".join(needed) or UNKNOWN_TEXT,
        }
        words = _split_words(self._expand_variables(recipe, known, frozenset()))
        command = " ".join(recipe.text.lstrip("@-+ ").split()[:1])
        program = words[0][0].lstrip("@-+") if words else ""
        if not (_COMPILER.search(os.path.basename(program)) or _COMPILER.search(command)):
            return
        if any(word in _PREPROCESSES for word, _ in words):
            return  # another command or the host builds the output, with options of its own
        kernels = frozenset(kernel for word, _ in words for kernel in self._kernels(word))
        found = tuple(self._options(words))
        if kernels and found:
            self.used_variables.update(
                name for name in self.variables if re.search(rf"\$[({{]{re.escape(name)}[)}}]", recipe.text)
            )
            place = HostPlace(self.path, recipe.line)
            yield HostBuild(found, place, os.path.basename(program) or "make", kernels)

    def _options(self, words: list[tuple[str, _VariablePiece]]) -> Iterator[FoundOption]:
        """Yields the options among the words, each joined with its value.

        The path condition of an option is that of its first word.
        """
        at = 0
        texts = [word for word, _ in words]
        while at < len(words):
            part = words[at][1]
            for option in list(filter_supported_options(texts[at : at + 2]))[:1]:
                if option.startswith(texts[at]):
                    yield FoundOption(option, HostPlace(self.path, part.line), part.path)
                    at += len(option) > len(texts[at])
            at += 1

    def _builds_from_variables(self, built: frozenset[str]) -> Iterator[HostBuild]:
        """Yields builds for variables named like kernel options, unless a recipe builds kernels with them.

        Such options apply to the kernels at or below the Makefile's folder that no recipe builds.
        """
        below = frozenset(kernel for kernel in self.kernels - built if is_inside(kernel, self.folder))
        for name, parts in self.variables.items():
            if name in self.used_variables or _KERNEL_OPTIONS_VARIABLE.search(name) is None or not below:
                continue
            found = tuple(self._options(_split_words(self._expand_pieces(parts, {}, frozenset((name,))))))
            if found:
                yield HostBuild(found, HostPlace(self.path, parts[0].line), name, below, names_kernels=False)

    def _kernels(self, word: str) -> Iterator[str]:
        """Yields the paths of the kernel files that a word names; a `%` in the word matches any text."""
        if not word.lower().endswith(KERNEL_SUFFIXES):
            return
        path = os.path.normpath(os.path.join(self.folder, word))
        if "%" not in path:
            if path in self.kernels:
                yield path
            return
        start, _, end = path.partition("%")
        for kernel in self.kernels:
            if kernel.startswith(start) and kernel.endswith(end):
                yield kernel

    def _expand_variables(
        self, part: _VariablePiece, known: Mapping[str, str], within: frozenset[str]
    ) -> Iterator[_VariablePiece]:
        """Expands the variables in a text; each resulting piece has its own line and path condition.

        `within` contains the variables that are being expanded, so that recursion stops.
        """
        at = 0
        for match in _REFERENCE.finditer(part.text):
            name = match[1] or match[2] or match[3] or ""
            yield part._replace(text=_NESTED.sub(UNKNOWN_TEXT, part.text[at : match.start()]))
            at = match.end()
            inner = self.variables.get(name, ())
            if name in known:
                yield part._replace(text=known[name])
            elif not inner or name in within or len(within) > MAXIMUM_DEPTH:
                yield part._replace(text=UNKNOWN_TEXT)
            else:
                for each in self._expand_pieces(inner, known, within | {name}):
                    yield each._replace(path=(*part.path, *each.path))
        yield part._replace(text=_NESTED.sub(UNKNOWN_TEXT, part.text[at:]))

    def _expand_pieces(
        self, parts: Sequence[_VariablePiece], known: Mapping[str, str], within: frozenset[str]
    ) -> Iterator[_VariablePiece]:
        for number, part in enumerate(parts):
            if number:
                yield part._replace(text=" ")
            yield from self._expand_variables(part, known, within)


def _process_conditional_line(conditions: list[ConditionBranch], word: str, name: str) -> None:
    """Updates `conditions` for a directive such as `ifdef`, `else` or `endif`.

    `word` is the name of the directive, and `name` identifies its condition. The branches of a condition
    never count as all alternatives, because the number of alternatives is unknown.
    """
    if word == "endif":
        del conditions[-1:]
    elif word == "else":
        if conditions:
            conditions[-1] = conditions[-1]._replace(number=conditions[-1].number + 1)
    else:
        conditions.append(ConditionBranch(name, 0, 3))


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yields the logical lines, each with the number of its first line from 1.

    A backslash at the end of a line joins it with the next one.
    """
    waiting, first = "", 0
    for number, line in enumerate(text.split("\n")[:MAXIMUM_LINES], 1):
        first = first or number
        line = line.rstrip("\r")
        if line.endswith("\\"):
            waiting += line[:-1] + " "
            continue
        yield first, waiting + line
        waiting, first = "", 0
    if waiting:
        yield first, waiting


def _split_words(parts: Iterable[_VariablePiece]) -> list[tuple[str, _VariablePiece]]:
    """Splits a command into words, each with the piece in which it begins."""
    pieces = list(islice(parts, MAXIMUM_WORDS))
    starts = list(accumulate((len(each.text) for each in pieces), initial=0))
    found = []
    for match in islice(_WORD.finditer("".join(each.text for each in pieces)), MAXIMUM_WORDS):
        part = pieces[bisect_right(starts, match.start()) - 1]
        found.append((_QUOTES.sub(lambda quoted: quoted[1] or quoted[2] or quoted[3] or "", match[0]), part))
    return found
