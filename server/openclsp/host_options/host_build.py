"""Builds of kernels in host code and build files, and the options that several builds share."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from openclsp.dataclass import dataclass
from openclsp.host_options.option_splitter import (
    UNKNOWN_TEXT,
    FoundOption,
    unconditional_options,
    with_unknown_value,
)
from openclsp.host_options.symbolic_text import HostPlace, are_contradictory
from openclsp.project.option_parser import BuildOptionProblem, BuildOptions, parse_build_options

if TYPE_CHECKING:
    from openclsp.host_options.host_lexer import ConditionBranch

_FOLDER_MACRO_NAME: Final = re.compile(r"(?:PATH|FOLDER|DIR|DIRECTORY)\Z")


@dataclass(frozen=True, slots=True)
class HostBuild:
    """A call or command that builds kernels.

    - `found_options`: all options that it passes, including those under conditions.
    - `receiver`: the function or command that the options are passed to.
    - `kernels`: the kernel files that it builds.
    - `names_kernels`: whether the host names these kernels; otherwise they are a guess.
    - `builds_host_string`: whether the program is a string in the host code, so that no kernel file is built.
    """

    found_options: tuple[FoundOption, ...]
    place: HostPlace
    receiver: str = field(compare=False)
    kernels: frozenset[str] = field(default=frozenset(), compare=False)
    names_kernels: bool = True
    builds_host_string: bool = False

    @property
    def unconditional_options(self) -> tuple[FoundOption, ...]:
        """The options that are passed on every path."""
        return _cached_unconditional_options(self.found_options)

    @property
    def has_only_unknown_options(self) -> bool:
        """Whether all options that it passes are unknown."""
        return bool(self.found_options) and all(option.text == UNKNOWN_TEXT for option in self.found_options)

    @property
    def parsed_options(self) -> BuildOptions:
        """The unconditional options after parsing; include folders are as written."""
        return parse_found_options(self.unconditional_options).options


@lru_cache(maxsize=4096)
def _cached_unconditional_options(found: tuple[FoundOption, ...]) -> tuple[FoundOption, ...]:
    return unconditional_options(found)


def split_by_conditions(build: HostBuild) -> tuple[HostBuild, ...]:
    """Splits a build into one build for each combination of conditions that select values of macros.

    Builds whose options name the optional types half or double come last. An option that only some paths pass
    stays conditional. If there are more than MAXIMUM_CONDITIONAL_BUILDS combinations, the build is not split.
    """
    waiting, done = [build], []
    while waiting:
        each = waiting.pop(0)
        chain = _find_deciding_branch(each)
        if chain is None:
            done.append(each)
        else:
            waiting += [
                _specialise_for_branch(each, chain._replace(number=number)) for number in range(chain.total)
            ]
        if len(waiting) + len(done) > MAXIMUM_CONDITIONAL_BUILDS:
            return (build,)
    return tuple(sorted(done, key=_uses_optional_types))


def _find_deciding_branch(build: HostBuild) -> ConditionBranch | None:
    """Returns a branch of a host condition on which the value of a macro depends.

    The options of the build define the macro on every path, but with different values. Returns None if there
    is no such condition, or if each has more than MAXIMUM_ALTERNATIVES branches.
    """
    unclear = {
        option.macro_name
        for option in build.unconditional_options
        if option.macro_name and option.text.endswith(f"={UNKNOWN_TEXT}")
    }
    for option in build.found_options:
        if option.macro_name in unclear and UNKNOWN_TEXT not in option.text:
            for branch in option.path_condition:
                if branch.total <= MAXIMUM_ALTERNATIVES:
                    return branch
    return None


def _specialise_for_branch(build: HostBuild, branch: ConditionBranch) -> HostBuild:
    """Specialises the build for the path on which `branch` is taken."""
    found = tuple(
        replace(
            option,
            path_condition=tuple(
                each for each in option.path_condition if each.condition != branch.condition
            ),
        )
        for option in build.found_options
        if not are_contradictory(option.path_condition, (branch,))
    )
    return replace(build, found_options=found)


def _uses_optional_types(build: HostBuild) -> bool:
    return any(_OPTIONAL_TYPE.search(option.text) is not None for option in build.unconditional_options)


_OPTIONAL_TYPE: Final = re.compile(r"half|double|fp16|fp64", re.IGNORECASE)
MAXIMUM_CONDITIONAL_BUILDS: Final = 8
"""Maximum number of builds that one build is split into"""
MAXIMUM_ALTERNATIVES: Final = 4


def drop_uninformative_builds(builds: Sequence[HostBuild]) -> tuple[HostBuild, ...]:
    """Drops builds whose options are all unknown, because they probably build another program.

    Such a build is kept if the same receiver (the function or command that gets the options) also occurs in a
    build without options, or in one with a known option. If the options of all builds are unknown, all builds
    are kept.
    """
    unknown = [each.has_only_unknown_options for each in builds]
    known = {each.receiver for each, nothing in zip(builds, unknown, strict=True) if not nothing}
    return tuple(
        each
        for each, nothing in zip(builds, unknown, strict=True)
        if not (nothing and known and each.receiver not in known)
    )


@dataclass(frozen=True, slots=True)
class SharedOptions:
    """The options that every build of a group passes, and those that only some of the builds pass."""

    shared_by_all: tuple[FoundOption, ...] = ()
    only_in_some: tuple[FoundOption, ...] = ()


def intersect_builds(builds: Sequence[HostBuild]) -> SharedOptions:
    """Determines the options that all builds share, and those that only some of them have.

    A macro that the builds define with different values counts as shared, with an unknown value. Include
    folders of any build count as shared.
    """
    if not builds:
        return SharedOptions()
    each = [{option.key: option for option in build.unconditional_options} for build in builds]
    certain: list[FoundOption] = []
    for key, option in each[0].items():
        others = [options.get(key) for options in each]
        if option.text.startswith("-I"):
            certain.append(option)
        elif all(other is not None for other in others):
            same_text = all(other is not None and other.text == option.text for other in others)
            merged = option if same_text else with_unknown_value(option)
            certain += [] if merged is None else [merged]
    # Include folders of any build are kept: an additional folder to search does no harm.
    for options in each[1:]:
        certain += [option for key, option in options.items() if key.startswith("-I") and key not in each[0]]
    keys = {option.key for option in certain}
    rest: dict[str, FoundOption] = {}
    for build in builds:
        for option in build.found_options:
            if option.text.strip(UNKNOWN_TEXT) and (option.key not in keys or option.path_condition):
                rest.setdefault(option.text, option)
    certain_texts = {option.text for option in certain}
    return SharedOptions(
        tuple(dict.fromkeys(certain)), tuple(each for text, each in rest.items() if text not in certain_texts)
    )


@dataclass(frozen=True, slots=True)
class ParsedHostOptions:
    """Options after parsing, and the problems that were found, each with the option that causes it."""

    options: BuildOptions
    problems: tuple[tuple[FoundOption, BuildOptionProblem], ...] = ()


def parse_found_options(
    found: Sequence[FoundOption], folder: Callable[[FoundOption, str], str | None] | None = None
) -> ParsedHostOptions:
    """Converts options found in host code to build options.

    `folder` resolves an include folder, or returns None to drop the option. A macro with an unknown value is
    defined as its own name, so that `#ifdef` is true and the expansion is unknown. But a macro whose name
    ends in a word such as `PATH` or `DIR` gets the value `.`, because `#include` directives use it as a
    folder.
    """
    arguments: list[tuple[FoundOption, str]] = []
    for option in found:
        text = option.text
        if option.macro_name and UNKNOWN_TEXT in text:
            folder_like = _FOLDER_MACRO_NAME.search(option.macro_name) is not None
            text = f"-D{option.macro_name}={'.' if folder_like else option.macro_name}"
        elif UNKNOWN_TEXT in text:
            continue
        elif text.startswith("-I"):
            place = text[2:].strip() if folder is None else folder(option, text[2:].strip())
            if place is None:
                continue
            text = f"-I{place}"
        arguments.append((option, text))
    problems = tuple(
        (option, problem) for option, text in arguments for problem in parse_build_options([text]).problems
    )
    return ParsedHostOptions(parse_build_options([text for _, text in arguments]).options, problems)
