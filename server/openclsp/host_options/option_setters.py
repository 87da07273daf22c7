"""Finds calls that set build options without building, such as `library::setBuildOptions("-DN=4")`.

The function that gets the options belongs to a library that is not part of the project, or stores them where
they are not followed. They are probably for the kernels that the caller names. If it names none, or the name
of the function says that the options are global, nothing shows which kernels are built with them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final

from openclsp.host_options.build_calls import OTHER_COMPUTE_API, looks_like_options
from openclsp.host_options.host_build import HostBuild
from openclsp.host_options.host_file_analysis import HostFile, resolve_nonlocal_values
from openclsp.host_options.host_functions import HostCall, RecordedCall
from openclsp.host_options.option_splitter import split_options
from openclsp.host_options.symbolic_text import (
    SymbolicText,
    add_path_condition,
    concatenate,
    specialise_for_path,
)

_SETTINGS: Final = r"(?:build|compil(?:e|er|ation))_?(?:options?|opts?|flags?|arg(?:ument)?s?|param(?:eter)?s?)(?:_?str(?:ing)?)?"
_VERB: Final = re.compile(
    r"(?:(?:\A|_)(?:(?P<set>set)|add|append|push|with)|(?:(?P<Set>Set)|Add|Append|Push|With))(?=_|[A-Z])"
)
_NAME_END: Final = re.compile(_SETTINGS + r"\Z", re.IGNORECASE)
_CALL_IN_TEXT: Final = re.compile(_SETTINGS.encode() + rb"\s{0,9}\(", re.IGNORECASE)
_FOR_ALL: Final = re.compile(r"global|default|common", re.IGNORECASE)
_OTHER_COMPILER_OPTION: Final = re.compile(
    r"-(?:O[0-9sgz]|-?std=(?!cl)|f(?!no-blocks|blocks)|W(?!error\Z)|[lL]\S|shared\Z|pthread\Z|mar?ch=|mtune=|mcpu="
    r"|-?gpu-|-?use_fast_math|gencode|arch)",
    re.IGNORECASE,
)
"""Matches options of compilers of C++ or CUDA"""


def may_set_options(data: bytes) -> bool:
    """Whether a host text may call a function whose name says that it sets build options."""
    return _CALL_IN_TEXT.search(data) is not None


def find_builds_of_setters(
    hosts: Sequence[HostFile],
    followed: Collection[RecordedCall],
    find_kernels: Callable[[HostFile, str], frozenset[str]],
) -> Iterator[HostBuild]:
    """Yields a build for the options that a call sets.

    The options that a function adds in several calls are one build. Calls in `followed` are skipped: their
    options reach a call that builds programs. `find_kernels` returns the kernel files that a host function
    names.
    """
    for host in hosts:
        added: dict[str, list[tuple[RecordedCall, SymbolicText]]] = {}
        for found in host.calls:
            verb = _VERB.search(found.call.name) if _NAME_END.search(found.call.name) is not None else None
            if verb is None or found in followed or _is_of_other_api(found.call):
                continue
            options = _options_argument(host, found)
            if options is None:
                continue
            if verb["set"] or verb["Set"]:
                yield _build(
                    found, specialise_for_path(options, found.path), find_kernels(host, found.function)
                )
            else:
                added.setdefault(found.function, []).append((found, add_path_condition(options, found.path)))
        for calls in added.values():
            first = calls[0][0]
            options = concatenate((options for _, options in calls), " ")
            yield _build(first, options, find_kernels(host, first.function))


def _build(found: RecordedCall, options: SymbolicText, kernels: frozenset[str]) -> HostBuild:
    named = kernels if _FOR_ALL.search(found.call.name) is None else frozenset()
    return HostBuild(
        split_options(options), found.call.place, found.call.name, named, names_kernels=bool(named)
    )


def _is_of_other_api(call: HostCall) -> bool:
    return any(OTHER_COMPUTE_API.search(name) is not None for name in (call.name, call.receiver))


def _options_argument(host: HostFile, found: RecordedCall) -> SymbolicText | None:
    """Returns the argument that is build options of OpenCL; None if there is none."""
    for argument in (*found.call.arguments, *found.call.keywords.values()):
        options = resolve_nonlocal_values(argument, host, found.function)
        if looks_like_options(options):
            texts = [option.text for option in split_options(options)]
            return None if any(_OTHER_COMPILER_OPTION.match(text) for text in texts) else options
    return None
