"""Splits text of host code into build options, by the rules of OpenCL implementations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.host_options.symbolic_text import (
    ELEMENT_SEPARATOR,
    HostPlace,
    PathCondition,
    SymbolicText,
)

UNKNOWN_TEXT: Final = "\0"
"""Placeholder for unknown text in an option."""

MAXIMUM_OPTIONS: Final = 300
MAXIMUM_CONDITION_CASES: Final = 200
"""Maximum combinations of conditions that are examined"""


@dataclass(frozen=True, slots=True)
class FoundOption:
    """A build option found in host code; UNKNOWN_TEXT in `text` stands for unknown parts."""

    text: str
    place: HostPlace
    path_condition: PathCondition = ()

    @property
    def macro_name(self) -> str:
        """The macro that the option defines; empty for other options."""
        match = _DEFINITION.match(self.text)
        return match[1] if match is not None else ""

    @property
    def key(self) -> str:
        """The setting that the option controls; a later option with the same key overrides an earlier one."""
        return self.macro_name or ("-cl-std" if self.text.startswith("-cl-std=") else self.text)

    @property
    def display_text(self) -> str:
        """The option's text in messages."""
        return self.text.replace(UNKNOWN_TEXT, "…")


_DEFINITION: Final = re.compile(r"-D\s*([A-Za-z_]\w*)(?=[=(\s]|\Z)")
_CHARACTER_RUN: Final = re.compile(r"""\\[\s\S]|\x1f|"|[^\S\x1f]+|[^\s"\\]+|\\""")
"""Matches the units of processing: an escaped character, white space, a quote, other characters"""
_FOLDERS: Final = ("-isystem", "-iquote", "-idirafter")
OPTIONS_WITH_SEPARATE_VALUE: Final = frozenset(
    ("-D", "-I", "-U", "-x", "-include", "-imacros", "-include-pch", "-target", "-triple", *_FOLDERS)
)
"""Options whose value is the next argument"""
_SEPARATOR_BEFORE_VALUE: Final = {
    "-target": "=",
    "-triple": "=",
    "-include": " ",
    "-imacros": " ",
    "-include-pch": " ",
    **dict.fromkeys(_FOLDERS, " "),
}
"""Text between an option and its separate value, if it is not empty"""


def split_options(value: SymbolicText) -> tuple[FoundOption, ...]:
    """Splits a text into the build options that it contains, in order.

    If a part of an option differs between paths, UNKNOWN_TEXT replaces this part.
    """
    found = _OptionSplitter().split_value(value)
    result: list[FoundOption] = []
    waiting: FoundOption | None = None
    for option in found[:MAXIMUM_OPTIONS]:
        if waiting is not None:
            path = (
                waiting.path_condition
                if len(waiting.path_condition) > len(option.path_condition)
                else option.path_condition
            )
            between = _SEPARATOR_BEFORE_VALUE.get(waiting.text, "")
            result.append(FoundOption(waiting.text + between + option.text, waiting.place, path))
            waiting = None
        elif option.text in OPTIONS_WITH_SEPARATE_VALUE:
            waiting = option
        elif option.text.startswith("-") or option.text == UNKNOWN_TEXT:
            result.append(option)
    return tuple(result)


class _OptionSplitter:
    def __init__(self) -> None:
        self.found: list[FoundOption] = []
        self.text = ""
        self.place = HostPlace("", 0)
        self.path: PathCondition = ()
        self.quoted = False

    def split_value(self, value: SymbolicText) -> list[FoundOption]:
        for piece in value:
            if piece.text is None:
                self.add_text(UNKNOWN_TEXT, piece.place, piece.path_condition)
                continue
            is_separate = self.text == UNKNOWN_TEXT or not self.continues_argument(piece.path_condition)
            if self.text and not self.quoted and piece.text.startswith("-") and is_separate:
                self.finish_argument()
            for match in _CHARACTER_RUN.finditer(piece.text):
                run = match[0]
                if run[0] == ELEMENT_SEPARATOR or (run[0].isspace() and not self.quoted):
                    self.quoted = False
                    self.finish_argument()
                elif run == '"':
                    self.quoted = not self.quoted
                else:
                    self.add_text(
                        run[1:] if run[0] == "\\" and len(run) > 1 else run, piece.place, piece.path_condition
                    )
        self.finish_argument()
        return self.found

    def continues_argument(self, path: PathCondition) -> bool:
        """Whether text under the path condition `path` continues the argument that is being read.

        It does if `path` implies the path condition of the argument, or is implied by it.
        """
        return path[: len(self.path)] == self.path or self.path[: len(path)] == path

    def add_text(self, text: str, place: HostPlace, path: PathCondition) -> None:
        if not self.text:
            self.text, self.place, self.path = text, place, path
        elif path[: len(self.path)] == self.path:
            self.text, self.path = self.text + text, path
        elif self.path[: len(path)] == path and self.text.startswith("-"):
            self.text += text
        else:
            # The pieces are alternatives of a part of the option: that part is unknown.
            common = 0
            while common < min(len(path), len(self.path)) and path[common] == self.path[common]:
                common += 1
            self.text, self.path = _up_to_value(self.text) + UNKNOWN_TEXT, path[:common]

    def finish_argument(self) -> None:
        if self.text == "-cl-std=":
            # A host that writes no value appends it in a way that was not followed.
            self.text += UNKNOWN_TEXT
        if self.text:
            self.found.append(
                FoundOption(re.sub(f"{UNKNOWN_TEXT}+", UNKNOWN_TEXT, self.text), self.place, self.path)
            )
        self.text, self.path = "", ()


def _up_to_value(text: str) -> str:
    return text[: text.index("=") + 1] if "=" in text else text


def unconditional_options(options: Sequence[FoundOption]) -> tuple[FoundOption, ...]:
    """Returns the options that are passed on every path.

    If every path defines a macro, but with different values, the macro has an unknown value.
    """
    by_key: dict[str, list[FoundOption]] = {}
    for option in options:
        by_key.setdefault(option.key, []).append(option)
    certain = (_merge_options_of_key(given) for key, given in by_key.items() if key != UNKNOWN_TEXT)
    return tuple(option for option in certain if option is not None)


def _merge_options_of_key(given: list[FoundOption]) -> FoundOption | None:
    """Merges options with the same key into the one that applies on every path; None if there is none.

    If the paths pass different values, the value of the result is unknown.
    """
    counting, always = effective_options(given)
    if not always:
        return None
    if len({option.text for option in counting}) == 1:
        return FoundOption(counting[0].text, counting[0].place)
    return with_unknown_value(counting[0])


def effective_options(given: list[FoundOption]) -> tuple[list[FoundOption], bool]:
    """Selects the options that may apply; also returns whether every path passes one of them.

    The `given` options have the same key, and are in the order in which the host passes them.
    An unconditional option overrides all earlier ones.
    """
    plain = [index for index, option in enumerate(given) if not option.path_condition]
    if plain:
        return given[plain[-1] :], True
    return given, bool(given) and _are_exhaustive([option.path_condition for option in given])


def filter_supported_options(values: Iterable[str]) -> Iterator[str]:
    """Yields the build options that openclsp supports among the words of a command line in a build file.

    An option and its value in the next word are joined.
    """
    remaining = iter(values)
    for value in remaining:
        if value == "-x":
            next(remaining, None)
        elif value in OPTIONS_WITH_SEPARATE_VALUE:
            yield value + _SEPARATOR_BEFORE_VALUE.get(value, "") + next(remaining, "")
        elif _OPTION.match(value) is not None:
            yield value


_OPTION: Final = re.compile(
    r"-(?:[DIU].|cl-|include.|imacros.|isystem.|iquote.|idirafter.|m(?:32|64)\Z|f(?:no-)?blocks\Z|-?(?:target|triple)=)",
    re.DOTALL,
)


def with_unknown_value(option: FoundOption) -> FoundOption | None:
    """Returns a definition of the option's macro with an unknown value; None if it defines no macro."""
    return FoundOption(f"-D{option.macro_name}={UNKNOWN_TEXT}", option.place) if option.macro_name else None


def _are_exhaustive(paths: Sequence[PathCondition]) -> bool:
    """Whether the path conditions are exhaustive; false if the proof exceeds MAXIMUM_CONDITION_CASES."""
    waiting = [list(paths)]
    for _ in range(MAXIMUM_CONDITION_CASES):
        if not waiting:
            return True
        case = waiting.pop()
        if any(not path for path in case):
            continue
        if not case:
            return False
        chain, _, total = case[0][0]
        waiting += [
            [_without_condition(path, chain) for path in case if _allows_branch(path, chain, number)]
            for number in range(total)
        ]
    return False


def _allows_branch(path: PathCondition, chain: str, index: int) -> bool:
    return all(
        branch.condition != chain
        or (branch.number == index if branch.number >= 0 else branch.number != ~index)
        for branch in path
    )


def _without_condition(path: PathCondition, chain: str) -> PathCondition:
    return tuple(branch for branch in path if branch.condition != chain)
