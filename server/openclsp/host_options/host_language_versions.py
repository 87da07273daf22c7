"""The language versions that a host may select, if it computes `-cl-std=` or passes it conditionally."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.host_options.host_build import HostBuild
from openclsp.host_options.option_splitter import UNKNOWN_TEXT, FoundOption, effective_options

STANDARD_OPTION: Final = "-cl-std"
"""The key of options that select the language version"""
STANDARDS: Final = ("CL1.0", "CL1.1", "CL1.2", "CL2.0", "CL3.0")
DEFAULT_STANDARD: Final = "CL1.2"
"""The version that compilers use without the option"""


@dataclass(frozen=True, slots=True)
class HostLanguageVersions:
    """At least two values of `-cl-std=` that a host may pass, in ascending order.

    `reason` explains why there are several: `the host computes it (-cl-std=CL….… in host.c:7)`.
    """

    standards: tuple[str, ...]
    reason: str


def find_host_language_versions(
    builds: Sequence[HostBuild], where: Callable[[FoundOption], str]
) -> HostLanguageVersions | None:
    """Returns the versions that the builds of a kernel may select; None unless there are at least two.

    `where` formats the place of an option for messages.
    """
    possible: set[str] = set()
    options: list[FoundOption] = []
    for build in builds:
        counting, always = effective_options(
            [each for each in build.found_options if each.key == STANDARD_OPTION]
        )
        options += counting
        possible.update(standard for each in counting for standard in matching_standards(each.text))
        if not always:
            possible.add(DEFAULT_STANDARD)
    if len(possible) < 2 or not options:
        return None
    computed = next((each for each in options if UNKNOWN_TEXT in each.text), None)
    first = computed or options[0]
    how = "computes it" if computed is not None else "chooses it"
    standards = tuple(each for each in STANDARDS if each in possible)
    return HostLanguageVersions(standards, f"the host {how} ({first.display_text} in {where(first)})")


@lru_cache(maxsize=256)
def matching_standards(option: str) -> tuple[str, ...]:
    """Returns the versions that an option with unknown parts may select: `CL2.0` for `-cl-std=CL2.…`."""
    value = option.removeprefix(f"{STANDARD_OPTION}=").strip()
    # Unknown text may end with a space, behind which the next option begins.
    known, dash, _ = value.partition("-")
    value = known if dash and UNKNOWN_TEXT in known else value
    # Adjacent unknown parts are merged: the matcher would try every way to divide the text among them.
    first, *others = value.split(UNKNOWN_TEXT)
    pattern = re.escape(first) + "".join(f".*{re.escape(part)}" for part in others if part)
    pattern += ".*" if others and not others[-1] else ""
    return tuple(each for each in STANDARDS if re.fullmatch(pattern, each, re.IGNORECASE) is not None)
