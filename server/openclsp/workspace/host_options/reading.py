"""The build options that a host's text holds: cut into arguments as an OpenCL implementation cuts them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.workspace.host_options.values import ELEMENT, Path, Place, Value

HOLE: Final = "\0"
"""Stands in an argument for text that is not known."""

MAXIMUM_OPTIONS: Final = 300
MAXIMUM_CASES: Final = 200
"""Combinations of conditions that are looked at"""


@dataclass(frozen=True, slots=True)
class Found:
    """One option of a host: its text with HOLE for what is not known, where it is written, under which conditions."""

    text: str
    place: Place
    path: Path = ()

    @property
    def name(self) -> str:
        """The macro that it defines, or ""."""
        match = _DEFINITION.match(self.text)
        return match[1] if match is not None else ""

    @property
    def key(self) -> str:
        """What the option decides: of two with one key the later counts."""
        return self.name or ("-cl-std" if self.text.startswith("-cl-std=") else self.text)

    @property
    def written(self) -> str:
        """The option for a person to read."""
        return self.text.replace(HOLE, "…")


_DEFINITION: Final = re.compile(r"-D\s*([A-Za-z_]\w*)(?=[=(\s]|\Z)")
_RUN: Final = re.compile(r"""\\[\s\S]|\x1f|"|[^\S\x1f]+|[^\s"\\]+|\\""")
"""What is handled at once of a text: an escaped character, white space, other characters"""
_FOLDERS: Final = ("-isystem", "-iquote", "-idirafter")
SEPARATE: Final = frozenset(("-D", "-I", "-U", "-x", "-include", "-target", "-triple", *_FOLDERS))
"""Options whose value is the next argument"""
_BETWEEN: Final = {"-target": "=", "-triple": "=", "-include": " ", **dict.fromkeys(_FOLDERS, " ")}
"""What joins an option with the argument that is its value, where that is not nothing"""


def read_options(value: Value) -> tuple[Found, ...]:
    """The options in a value, in order. What the conditions leave open stands in an option as HOLE."""
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
        """Whether what stands under `path` comes right after the argument so far."""
        return path[: len(self.path)] == self.path or self.path[: len(path)] == path

    def put(self, text: str, place: Place, path: Path) -> None:
        if not self.text:
            self.text, self.place, self.path = text, place, path
        elif path[: len(self.path)] == self.path:
            self.text, self.path = self.text + text, path
        elif self.path[: len(path)] == path and self.text.startswith("-"):
            self.text += text
        else:
            # alternatives of a part of the option
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
    """The options that are given whatever the conditions are; a macro that every alternative defines, but not alike,
    is given with an unknown value."""
    by_key: dict[str, list[Found]] = {}
    for option in options:
        by_key.setdefault(option.key, []).append(option)
    certain = (_settled(given) for key, given in by_key.items() if key != HOLE)
    return tuple(option for option in certain if option is not None)


def _settled(given: list[Found]) -> Found | None:
    """What is certain of the options that contend for one meaning."""
    counting, always = contending(given)
    if not always:
        return None
    if len({option.text for option in counting}) == 1:
        return Found(counting[0].text, counting[0].place)
    return uncertain(counting[0])


def contending(given: list[Found]) -> tuple[list[Found], bool]:
    """Of the options for one meaning, those that may count, since the last that is given does; and whether one of them is
    given whatever the conditions are."""
    plain = [index for index, option in enumerate(given) if not option.path]
    if plain:
        return given[plain[-1] :], True
    return given, bool(given) and _covered([option.path for option in given])


def joined_options(values: Iterable[str]) -> Iterator[str]:
    """The options of a build list that mean something here, each with its value."""
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
    """The option with an unknown value, where it defines a macro."""
    return Found(f"-D{option.name}={HOLE}", option.place) if option.name else None


def _covered(paths: Sequence[Path]) -> bool:
    """Whether one of the paths always holds; taken not to where that is long to find out."""
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
