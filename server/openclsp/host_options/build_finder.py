"""Finds the calls in host code that build programs, with their options and the kernels that they build."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.host_options.build_calls import BUILDER_METHODS, find_options_argument, looks_like_options
from openclsp.host_options.built_files import BuiltFiles, NamedKernels, sources_of_recorded_call
from openclsp.host_options.host_build import HostBuild
from openclsp.host_options.host_file_analysis import (
    HostFile,
    KernelMention,
    resolve_nonlocal_values,
)
from openclsp.host_options.host_functions import RecordedCall
from openclsp.host_options.kernel_file_names import KERNEL_FILE_NAME
from openclsp.host_options.kernel_names import KernelFileIndex
from openclsp.host_options.option_setters import find_builds_of_setters
from openclsp.host_options.option_splitter import split_options
from openclsp.host_options.program_sources import HOST_STRING
from openclsp.host_options.symbolic_text import (
    PathCondition,
    SymbolicText,
    specialise_for_path,
    substitute_parameters,
)

MAXIMUM_WRAPPERS: Final = 4
"""Maximum number of enclosing functions through which options are traced to their origin."""
MAXIMUM_BUILDS: Final = 5_000


@dataclass(frozen=True, slots=True)
class _TraceStep:
    """A call in the chain of calls that passes options to the call that builds a program."""

    file: HostFile
    found: RecordedCall


@dataclass(frozen=True, slots=True)
class _OptionsTrace:
    options: SymbolicText
    steps: tuple[_TraceStep, ...]
    """The innermost call first."""


class BuildFinder:
    """Finds the builds in a project's host files.

    `defining` returns a mapping from each kernel function to the files that define it.
    """

    def __init__(
        self,
        hosts: Sequence[HostFile],
        kernels: KernelFileIndex,
        defining: Callable[[], Mapping[str, frozenset[str]]],
    ) -> None:
        self.hosts, self.kernels, self._find_defining_files = hosts, kernels, defining
        self._files_by_kernel_function: Mapping[str, frozenset[str]] | None = None
        self._mentions_of: dict[str, dict[str, list[KernelMention]]] = {}
        self._built_files = BuiltFiles(kernels)
        self._named_in: dict[tuple[str, str | None], NamedKernels] = {}
        self._requested_in: dict[tuple[str, str | None], NamedKernels] = {}
        self.callers: dict[str, list[_TraceStep]] = {}
        self.defining_files: dict[str, list[HostFile]] = {}
        for host in hosts:
            for name in host.parameters:
                self.defining_files.setdefault(name, []).append(host)
            for found in host.calls:
                self.callers.setdefault(found.call.name, []).append(_TraceStep(host, found))

    def find_builds(self) -> Iterator[HostBuild]:
        """Yields every build of the host code once, with all kernels that it builds."""
        items = self._trace_build_calls()
        followed = {step.found for item in items for step in item.steps}
        outer = frozenset(step.found for item in items for step in item.steps[1:])
        items = [item for item in items if len(item.steps) > 1 or item.steps[0].found not in outer]
        telling = [item for item in items if any(piece.text for piece in item.options)]
        speaking = list(
            self._calls_with_options_and_kernel(
                frozenset(step.found for item in telling for step in item.steps)
            )
        )
        # If the trace to the call that builds was lost, the outermost call, which names options and a kernel,
        # replaces it.
        spoken = frozenset(item.steps[0].found for item in speaking)
        items = [item for item in items if item.steps[-1].found not in spoken]
        found: dict[HostBuild, set[str]] = {}
        for item in (*items, *speaking):
            for build in self._with_kernels(item):
                found.setdefault(build, set()).update(build.kernels)
            if len(found) > MAXIMUM_BUILDS:
                break
        followed |= {step.found for item in speaking for step in item.steps}
        setting = list(find_builds_of_setters(self.hosts, followed, self._kernels_of_function))
        # unknown options of a build may be those that a library was given before
        kept = [
            replace(build, kernels=frozenset(kernels))
            for build, kernels in found.items()
            if not (setting and build.has_only_unknown_options)
        ]
        yield from kept
        built = frozenset[str]().union(*(build.kernels for build in kept))
        for build in setting:
            if not build.kernels or not build.kernels <= built:
                yield replace(build, kernels=build.kernels - built)

    def _trace_build_calls(self) -> list[_OptionsTrace]:
        """Finds the calls that build programs, and traces the options of each to the outermost caller."""
        waiting: deque[_OptionsTrace] = deque()
        for host in self.hosts:
            builders = {found.function for found in host.calls if found.call.name in BUILDER_METHODS}
            for found in host.calls:
                options = find_options_argument(found.call)
                if options is not None and (
                    found.function not in builders or found.call.name in BUILDER_METHODS
                ):
                    own = resolve_nonlocal_values(options, host, found.function)
                    waiting.append(
                        _OptionsTrace(specialise_for_path(own, found.path), (_TraceStep(host, found),))
                    )
        done: list[_OptionsTrace] = []
        while waiting and len(done) < MAXIMUM_BUILDS:
            item = waiting.popleft()
            outer = list(self._trace_to_callers(item)) if len(item.steps) <= MAXIMUM_WRAPPERS else []
            if outer:
                waiting += outer
            else:
                done.append(item)
        return [item for item in done if item.options or len(item.steps) == 1]

    def _trace_to_callers(self, item: _OptionsTrace) -> Iterator[_OptionsTrace]:
        """Extends a trace by each caller of its outermost function.

        Yields nothing if neither the options nor the kernel depend on a parameter of that function.
        """
        step = item.steps[-1]
        if not any(piece.parameter >= 0 for piece in item.options) and not self._kernel_comes_from_caller(
            step
        ):
            return
        function = step.found.function
        parameters = step.file.parameters.get(function, ())
        for caller in self._callers(step):
            if any(caller.found is each.found for each in item.steps):
                continue
            arguments = _arguments_by_parameter(caller, parameters)
            options = substitute_parameters(item.options, arguments, ())
            options = specialise_for_path(
                resolve_nonlocal_values(options, caller.file, caller.found.function), caller.found.path
            )
            yield _OptionsTrace(options, (*item.steps, caller))

    def _callers(self, step: _TraceStep) -> Iterator[_TraceStep]:
        """Yields the calls that may call the function which contains the call of `step`.

        These are calls in the same file, and calls in other files whose arguments fit the function's
        parameters. If the other file defines a function of the same name, its calls are omitted, because they
        probably call that function. The calls within that function are not omitted: an overriding method
        often calls the original one. Recursive calls are omitted.
        """
        function = step.found.function
        parameters = step.file.parameters.get(function, ())
        alone = len(self.defining_files.get(function, ())) < 2
        for caller in self.callers.get(function, ()):
            call = caller.found.call
            if caller.file is step.file and caller.found.function == function:
                continue
            fits = len(call.arguments) <= len(parameters) and call.keywords.keys() <= set(parameters)
            # An overriding method that calls the function of the same name means the original.
            elsewhere = not alone and function in caller.file.parameters and caller.found.function != function
            if caller.file is step.file or (fits and not elsewhere):
                yield caller

    def _kernel_comes_from_caller(self, step: _TraceStep) -> bool:
        if self._mentions(step.file, step.found.function):
            return False
        return any(
            piece.parameter >= 0 for argument in step.found.call.arguments for piece in argument
        ) and bool(step.found.function)

    def _calls_with_options_and_kernel(self, wrapped: frozenset[RecordedCall]) -> Iterator[_OptionsTrace]:
        """Yields the calls that have options in one argument and name a kernel file in another argument.

        The calls in `wrapped` are skipped, because their options are already traced to calls that build
        programs.
        """
        for host in self.hosts:
            for found in host.calls:
                if found in wrapped or find_options_argument(found.call) is not None:
                    continue
                arguments = (*found.call.arguments, *found.call.keywords.values())
                options = [
                    value
                    for value in (resolve_nonlocal_values(each, host, found.function) for each in arguments)
                    if looks_like_options(value)
                ]
                step = _TraceStep(host, found)
                if len(options) == 1 and any(self._kernels_in_call(step)):
                    yield _OptionsTrace(specialise_for_path(options[0], found.path), (step,))

    def _kernels_in_call(self, step: _TraceStep) -> Iterator[tuple[str, PathCondition]]:
        call = step.found.call
        host = step.file.path
        for argument in (*call.arguments, *call.keywords.values()):
            if not looks_like_options(argument):
                resolved = resolve_nonlocal_values(argument, step.file, step.found.function)
                yield from self.kernels.files_named_in_value(
                    specialise_for_path(resolved, step.found.path), host, stems=True
                )
        for tokens in call.tokens:
            for path in self.kernels.files_named_in_tokens(tokens, host):
                yield path, ()

    def _with_kernels(self, item: _OptionsTrace) -> Iterator[HostBuild]:
        """Yields the builds of a trace, with the most likely candidate kernels.

        If there are no candidates, yields one build without kernels. Yields nothing if a call of the trace
        names kernel files, none of which exists.
        """
        step = item.steps[-1]
        how = item.steps[0].found.call.name
        place = step.found.call.place
        if any(self._names_missing_kernel(step) for step in item.steps):
            return
        sources = (sources_of_recorded_call(step.file, step.found) for step in item.steps)
        if frozenset[str]().union(*sources) == {HOST_STRING}:
            options = split_options(item.options)
            yield HostBuild(options, place, how, names_kernels=False, builds_host_string=True)
            return
        for sure, named in self._candidate_kernels(item):
            paths = dict(named)
            if not paths:
                continue
            groups: dict[PathCondition, set[str]] = {}
            for kernel, path in paths.items():
                groups.setdefault(path, set()).add(kernel)
            for path, names in groups.items():
                found = split_options(specialise_for_path(item.options, path))
                yield HostBuild(found, place, how, frozenset(names), sure)
            return
        yield HostBuild(split_options(item.options), place, how, frozenset(), names_kernels=False)

    def _names_missing_kernel(self, step: _TraceStep) -> bool:
        """Whether a call names kernel files, but no such file exists. The call then builds no known kernel."""
        call = step.found.call
        texts = [
            piece.text
            for argument in (*call.arguments, *call.keywords.values())
            for piece in argument
            if piece.text is not None and KERNEL_FILE_NAME.fullmatch(piece.text.strip()) is not None
        ]
        return bool(texts) and not any(self._kernels_in_call(step))

    def _candidate_kernels(self, item: _OptionsTrace) -> Iterator[tuple[bool, NamedKernels]]:
        """Yields lists of candidate kernels, the most likely list first, each with a bool.

        The bool is True if a call or function of the trace names the kernels. It is False if only other text
        of the same files names them: they are then a guess.
        """
        outwards = tuple(reversed(item.steps))
        for step in outwards:
            yield True, list(self._kernels_in_call(step))
        built = self._built_files
        own = frozenset[str]().union(*(built.of_call(step.file, step.found) for step in outwards))
        for step in outwards:
            function = step.found.function
            named = self._kernels_named_in(step.file, function)
            yield True, built.without_files_of_other_calls(named, own, step.file, step.found, function)
        yield True, [(path, ()) for path in sorted(own)]
        for step in outwards:
            yield True, self._files_of_requested_kernels(step.file, step.found.function)
        for step in outwards:
            named = self._kernels_named_in(step.file, None)
            yield False, built.without_files_of_other_calls(named, own, step.file, step.found, None)
        for step in outwards:
            yield False, self._files_of_requested_kernels(step.file, None)

    def _kernels_named_in(self, host: HostFile, function: str | None) -> NamedKernels:
        """Returns the kernel files that a function of a host file names; `None` stands for the whole file."""
        found = self._named_in.get((host.path, function))
        if found is None:
            found = self._named_in[host.path, function] = [
                (path, ())
                for mention in self._mentions(host, function)
                for path in self.kernels.files_of_name(mention.text, host.path)
            ]
        return found

    def _kernels_of_function(self, host: HostFile, function: str) -> frozenset[str]:
        """Returns the kernel files that a host function names, or whose kernel functions it requests."""
        found = self._kernels_named_in(host, function) or self._files_of_requested_kernels(host, function)
        return frozenset(kernel for kernel, _ in found)

    def _mentions(self, host: HostFile, function: str | None) -> Sequence[KernelMention]:
        if function is None:
            return host.mentions
        by_function = self._mentions_of.get(host.path)
        if by_function is None:
            by_function = self._mentions_of[host.path] = {}
            for mention in host.mentions:
                by_function.setdefault(mention.function, []).append(mention)
        return by_function.get(function, ())

    def _files_of_requested_kernels(self, host: HostFile, function: str | None) -> NamedKernels:
        """Returns the files that define the kernel functions for which `function` creates kernel objects.

        If `function` is None, the whole host file counts. A kernel function that several files define is
        ignored.
        """
        found = self._requested_in.get((host.path, function))
        if found is None:
            found = self._requested_in[host.path, function] = self._find_files_of_requested_kernels(
                host, function
            )
        return found

    def _find_files_of_requested_kernels(self, host: HostFile, function: str | None) -> NamedKernels:
        if not host.requested_kernels:
            return []
        if self._files_by_kernel_function is None:
            self._files_by_kernel_function = self._find_defining_files()
        found = [
            self._files_by_kernel_function.get(mention.text, frozenset())
            for mention in host.requested_kernels
            if function is None or mention.function == function
        ]
        return [(path, ()) for paths in found if len(paths) == 1 for path in paths]


def _arguments_by_parameter(caller: _TraceStep, parameters: Sequence[str]) -> list[SymbolicText | None]:
    """Returns the argument that a call passes to each parameter; None for a parameter without argument."""
    call = caller.found.call
    own = parameters[:1] in (("self",), ("cls",)) and len(call.arguments) + len(call.keywords) < len(
        parameters
    )
    given: list[SymbolicText | None] = [None] if own else []
    given += call.arguments
    given += [None] * (len(parameters) - len(given))
    for index, name in enumerate(parameters):
        if name in call.keywords:
            given[index] = call.keywords[name]
    return given
