"""Splits host text into build options, by the same rules as OpenCL implementations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.workspace.host_options.values import ELEMENT, Path, Place, Value

HOLE: Final = "\0"
"""Placeholder for unknown text in an option."""

MAXIMUM_OPTIONS: Final = 300
MAXIMUM_CASES: Final = 200
"""Maximum combinations of conditions that are examined"""


@dataclass(frozen=True, slots=True)
class Found:
    """An option in host text: `text` with HOLE for unknown parts, its place, and its path condition."""

    text: str
    place: Place
    path: Path = ()

    @property
    def name(self) -> str:
        """The macro that the option defines, or ""."""
        match = _DEFINITION.match(self.text)
        return match[1] if match is not None else ""

    @property
    def key(self) -> str:
        """The setting that the option controls: of two options with the same key the later one applies."""
        return self.name or ("-cl-std" if self.text.startswith("-cl-std=") else self.text)

    @property
    def written(self) -> str:
        """The option's text for messages."""
        return self.text.replace(HOLE, "…")


_DEFINITION: Final = re.compile(r"-D\s*([A-Za-z_]\w*)(?=[=(\s]|\Z)")
_RUN: Final = re.compile(r"""\\[\s\S]|\x1f|"|[^\S\x1f]+|[^\s"\\]+|\\""")
"""Matches the units of processing: an escaped character, white space, a quote, other characters"""
_FOLDERS: Final = ("-isystem", "-iquote", "-idirafter")
SEPARATE: Final = frozenset(("-D", "-I", "-U", "-x", "-include", "-target", "-triple", *_FOLDERS))
"""Options whose value is the next argument"""
_BETWEEN: Final = {"-target": "=", "-triple": "=", "-include": " ", **dict.fromkeys(_FOLDERS, " ")}
"""Text between an option and its separate value, if it is not empty"""


def read_options(value: Value) -> tuple[Found, ...]:
    """Splits a value into options, in order; alternatives within one option become HOLE."""
    found = _Cutter().cut(value)
    result: list[Found] = []
    waiting: Found | None = None
    for option in found[:MAXIMUM_OPTIONS]:
        if waiting is not None:
            path = waiting.path if len(waiting.path) > len(option.path) else option.path
            between = _BETWEEN.get(waiting.text, "")
            result.append(Found(waiting.text + between + option.text, waiting.place, path))
            waiting = None
        elif option.text in SEPARATE:
            waiting = option
        elif option.text.startswith("-") or option.text == HOLE:
            result.append(option)
    return tuple(result)


class _Cutter:
    def __init__(self) -> None:
        self.found: list[Found] = []
        self.text = ""
        self.place = Place("", 0)
        self.path: Path = ()
        self.quoted = False

    def cut(self, value: Value) -> list[Found]:
        for piece in value:
            if piece.text is None:
                self.put(HOLE, piece.place, piece.path)
                continue
            apart = self.text == HOLE or not self.follows(piece.path)
            if self.text and not self.quoted and piece.text.startswith("-") and apart:
                self.end()
            for match in _RUN.finditer(piece.text):
                run = match[0]
                if run[0] == ELEMENT or (run[0].isspace() and not self.quoted):
                    self.quoted = False
                    self.end()
                elif run == '"':
                    self.quoted = not self.quoted
                else:
                    self.put(run[1:] if run[0] == "\\" and len(run) > 1 else run, piece.place, piece.path)
        self.end()
        return self.found

    def follows(self, path: Path) -> bool:
        """Whether text under `path` continues the argument so far: one path condition implies the other."""
        return path[: len(self.path)] == self.path or self.path[: len(path)] == path

    def put(self, text: str, place: Place, path: Path) -> None:
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
            self.text, self.path = _up_to_value(self.text) + HOLE, path[:common]

    def end(self) -> None:
        if self.text:
            self.found.append(Found(re.sub(f"{HOLE}+", HOLE, self.text), self.place, self.path))
        self.text, self.path = "", ()


def _up_to_value(text: str) -> str:
    return text[: text.index("=") + 1] if "=" in text else text


def settled(options: Sequence[Found]) -> tuple[Found, ...]:
    """Returns the options that are passed on every path.

    A macro that every alternative defines, but with different values, is defined with an unknown value.
    """
    by_key: dict[str, list[Found]] = {}
    for option in options:
        by_key.setdefault(option.key, []).append(option)
    certain = (_settled(given) for key, given in by_key.items() if key != HOLE)
    return tuple(option for option in certain if option is not None)


def _settled(given: list[Found]) -> Found | None:
    """Merges the options for one key into the one that certainly applies; None if there is none."""
    counting, always = contending(given)
    if not always:
        return None
    if len({option.text for option in counting}) == 1:
        return Found(counting[0].text, counting[0].place)
    return uncertain(counting[0])


def contending(given: list[Found]) -> tuple[list[Found], bool]:
    """Returns the options for one key that may apply, and whether one is passed on every path.

    An unconditional option overrides all earlier ones.
    """
    plain = [index for index, option in enumerate(given) if not option.path]
    if plain:
        return given[plain[-1] :], True
    return given, bool(given) and _covered([option.path for option in given])


def joined_options(values: Iterable[str]) -> Iterator[str]:
    """Filters the supported options of a build file's command, each joined with its value."""
    remaining = iter(values)
    for value in remaining:
        if value == "-x":
            next(remaining, None)
        elif value in SEPARATE:
            yield value + _BETWEEN.get(value, "") + next(remaining, "")
        elif _OPTION.match(value) is not None:
            yield value


_OPTION: Final = re.compile(
    r"-(?:[DIU].|cl-|include.|isystem.|iquote.|idirafter.|m(?:32|64)\Z|f(?:no-)?blocks\Z|-?(?:target|triple)=)",
    re.DOTALL,
)


def uncertain(option: Found) -> Found | None:
    """Returns a macro definition with an unknown value; None if the option does not define a macro."""
    return Found(f"-D{option.name}={HOLE}", option.place) if option.name else None


def _covered(paths: Sequence[Path]) -> bool:
    """Whether the path conditions are exhaustive; false if the proof takes more than MAXIMUM_CASES steps."""
    waiting = [list(paths)]
    for _ in range(MAXIMUM_CASES):
        if not waiting:
            return True
        case = waiting.pop()
        if any(not path for path in case):
            continue
        if not case:
            return False
        chain, _, total = case[0][0]
        waiting += [
            [_without(path, chain) for path in case if _allows(path, chain, number)]
            for number in range(total)
        ]
    return False


def _allows(path: Path, chain: str, index: int) -> bool:
    return all(
        branch.chain != chain or (branch.number == index if branch.number >= 0 else branch.number != ~index)
        for branch in path
    )


def _without(path: Path, chain: str) -> Path:
    return tuple(branch for branch in path if branch.chain != chain)
