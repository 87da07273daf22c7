"""One way in which a host builds kernels, and what the ways have in common."""

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
    """The options of one build, and the kernels that it is for. `found` has those under conditions too; `how` names
    what the options are passed to, `sure` is whether the text names the kernels."""

    found: tuple[Found, ...]
    place: Place
    how: str = field(compare=False)
    kernels: frozenset[str] = field(default=frozenset(), compare=False)
    sure: bool = True

    @property
    def certain(self) -> tuple[Found, ...]:
        """The options that are given whatever the conditions are."""
        return _settled(self.found)

    @property
    def options(self) -> Options:
        """The certain options; include folders as they are written."""
        return options_of(self.certain).options


@lru_cache(maxsize=4096)
def _settled(found: tuple[Found, ...]) -> tuple[Found, ...]:
    return settled(found)


def expanded(build: HostBuild) -> tuple[HostBuild, ...]:
    """The build once for each way in which conditions of the host give macros different values, the plainest types first.

    What is given under a condition or not at all stays open, and so does all where there are too many ways.
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
    """A condition that decides on the value of a macro which is defined in any case."""
    unclear = {option.name for option in build.certain if option.name and option.text.endswith(f"={HOLE}")}
    for option in build.found:
        if option.name in unclear and HOLE not in option.text:
            for branch in option.path:
                if branch.total <= MAXIMUM_ALTERNATIVES:
                    return branch
    return None


def _under(build: HostBuild, branch: Branch) -> HostBuild:
    """The build where that branch is taken."""
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
"""Ways that one build is expanded to"""
MAXIMUM_ALTERNATIVES: Final = 4


@dataclass(frozen=True, slots=True)
class Common:
    """What is certain of several builds: `certain` holds in all of them, `open` are the options that only some have."""

    certain: tuple[Found, ...] = ()
    open: tuple[Found, ...] = ()


def common(builds: Sequence[HostBuild]) -> Common:
    """What all builds agree on. A macro that they define differently is defined, with an unknown value."""
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
    # a folder more to search in leads no include astray
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
    """Options as the workspace knows them; `problems` with the options that they are about."""

    options: Options
    problems: tuple[tuple[Found, OptionProblem], ...] = ()


def options_of(
    found: Sequence[Found], folder: Callable[[Found, str], str | None] | None = None
) -> ReadOptions:
    """The options for the preprocessor. `folder` gives the place of an include folder, or None to leave it out.

    A macro whose value is not known is defined as itself: it is defined, and its name is all that is known. One that
    is named after a folder is the including file's own, for includes begin with it.
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
