"""A build of kernels by the host, and the options that several builds have in common."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from openclsp.dataclass import dataclass
from openclsp.workspace.host_options.reading import HOLE, Found, settled, uncertain
from openclsp.workspace.host_options.values import Place, contradict
from openclsp.workspace.options import OptionProblem, Options, parse_options

if TYPE_CHECKING:
    from openclsp.workspace.host_options.lexing import Branch

_OF_FOLDER: Final = re.compile(r"(?:PATH|FOLDER|DIR|DIRECTORY)\Z")


@dataclass(frozen=True, slots=True)
class HostBuild:
    """The options of one call or command that builds kernels, and the kernels that it builds.

    `found` includes options under conditions. `how` names the function or command that receives the options.
    `sure` is true if the text names the kernels instead of only suggesting them.
    """

    found: tuple[Found, ...]
    place: Place
    how: str = field(compare=False)
    kernels: frozenset[str] = field(default=frozenset(), compare=False)
    sure: bool = True

    @property
    def certain(self) -> tuple[Found, ...]:
        """The options that are passed on every path."""
        return _settled(self.found)

    @property
    def options(self) -> Options:
        """The unconditional options in parsed form; include folders are as written."""
        return options_of(self.certain).options


@lru_cache(maxsize=4096)
def _settled(found: tuple[Found, ...]) -> tuple[Found, ...]:
    return settled(found)


def expanded(build: HostBuild) -> tuple[HostBuild, ...]:
    """Splits a build into one per combination of conditions that give macros different values.

    Builds with plain types come before those with half and double. Options that a condition may leave out
    stay conditional. If there are more than MAXIMUM_WAYS combinations, the build is returned unchanged.
    """
    waiting, done = [build], []
    while waiting:
        each = waiting.pop(0)
        chain = _deciding(each)
        if chain is None:
            done.append(each)
        else:
            waiting += [_under(each, chain._replace(number=number)) for number in range(chain.total)]
        if len(waiting) + len(done) > MAXIMUM_WAYS:
            return (build,)
    return tuple(sorted(done, key=_unusual))


def _deciding(build: HostBuild) -> Branch | None:
    """Returns a condition that determines the value of a macro which is defined on every path."""
    unclear = {option.name for option in build.certain if option.name and option.text.endswith(f"={HOLE}")}
    for option in build.found:
        if option.name in unclear and HOLE not in option.text:
            for branch in option.path:
                if branch.total <= MAXIMUM_ALTERNATIVES:
                    return branch
    return None


def _under(build: HostBuild, branch: Branch) -> HostBuild:
    """Specialises the build for the path on which `branch` is taken."""
    found = tuple(
        replace(option, path=tuple(each for each in option.path if each.chain != branch.chain))
        for option in build.found
        if not contradict(option.path, (branch,))
    )
    return replace(build, found=found)


def _unusual(build: HostBuild) -> bool:
    return any(_UNUSUAL.search(option.text) is not None for option in build.certain)


_UNUSUAL: Final = re.compile(r"half|double|fp16|fp64", re.IGNORECASE)
MAXIMUM_WAYS: Final = 8
"""Maximum number of builds that one build is split into"""
MAXIMUM_ALTERNATIVES: Final = 4


@dataclass(frozen=True, slots=True)
class Common:
    """Options shared by several builds: `certain` are those of all builds, `open` those of only some."""

    certain: tuple[Found, ...] = ()
    open: tuple[Found, ...] = ()


def common(builds: Sequence[HostBuild]) -> Common:
    """Intersects the options of builds; a macro with different values is defined with an unknown value."""
    if not builds:
        return Common()
    each = [{option.key: option for option in build.certain} for build in builds]
    certain: list[Found] = []
    for key, option in each[0].items():
        others = [options.get(key) for options in each]
        if option.text.startswith("-I"):
            certain.append(option)
        elif all(other is not None for other in others):
            alike = all(other is not None and other.text == option.text for other in others)
            kept = option if alike else uncertain(option)
            certain += [] if kept is None else [kept]
    # Include folders of any build are kept: an additional folder to search does no harm.
    for options in each[1:]:
        certain += [option for key, option in options.items() if key.startswith("-I") and key not in each[0]]
    keys = {option.key for option in certain}
    rest: dict[str, Found] = {}
    for build in builds:
        for option in build.found:
            if option.text.strip(HOLE) and (option.key not in keys or option.path):
                rest.setdefault(option.text, option)
    told = {option.text for option in certain}
    return Common(
        tuple(dict.fromkeys(certain)), tuple(each for text, each in rest.items() if text not in told)
    )


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Parsed options; each problem is paired with the option that it concerns."""

    options: Options
    problems: tuple[tuple[Found, OptionProblem], ...] = ()


def options_of(
    found: Sequence[Found], folder: Callable[[Found, str], str | None] | None = None
) -> ReadOptions:
    """Converts found options to preprocessor options; `folder` resolves an include folder, None drops the
    option.

    A macro with an unknown value is defined as its own name: `#ifdef` sees it, and its expansion stays
    unknown. If its name looks like that of a folder, its value is `.`, the includer's folder, because such
    macros begin the names in includes.
    """
    arguments: list[tuple[Found, str]] = []
    for option in found:
        text = option.text
        if option.name and HOLE in text:
            folder_like = _OF_FOLDER.search(option.name) is not None
            text = f"-D{option.name}={'.' if folder_like else option.name}"
        elif HOLE in text:
            continue
        elif text.startswith("-I"):
            place = text[2:].strip() if folder is None else folder(option, text[2:].strip())
            if place is None:
                continue
            text = f"-I{place}"
        arguments.append((option, text))
    problems = tuple(
        (option, problem) for option, text in arguments for problem in parse_options([text]).problems
    )
    return ReadOptions(parse_options([text for _, text in arguments]).options, problems)
