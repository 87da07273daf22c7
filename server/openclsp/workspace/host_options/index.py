"""All builds that the host code of a project shows, and for which kernels each is."""

from __future__ import annotations

import os.path
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from openclsp.workspace.files import FileProblem, FileSystem
from openclsp.workspace.host_options.build import HostBuild
from openclsp.workspace.host_options.build_calls import (
    BUILDER_METHODS,
    looks_like_options,
    options_of_call,
    uses_interface,
)
from openclsp.workspace.host_options.cmake_lists import CMakeReader, Command, read_commands
from openclsp.workspace.host_options.host_code import MENTION, HostFile, read_host_file, resolved_fields
from openclsp.workspace.host_options.kernel_names import Kernels, defined_kernels, stem_of
from openclsp.workspace.host_options.lexing import HostText, Macro, read_host, read_lines
from openclsp.workspace.host_options.meson_lists import MesonReader
from openclsp.workspace.host_options.reading import read_options
from openclsp.workspace.host_options.statements import FoundCall
from openclsp.workspace.host_options.values import Path, Value, seen_from, substituted
from openclsp.workspace.scan import HOSTS, Extracted, Kind, Scan, ScannedFile

MAXIMUM_READ: Final = 24 * 1024 * 1024
"""Bytes of host code that is read closely."""
MAXIMUM_WRAPPERS: Final = 4
"""Functions around a call that builds which are followed to where the options come from."""
MAXIMUM_BUILDS: Final = 5_000
MAXIMUM_SEARCHED: Final = 400
"""Kernel files that are searched for a kernel function."""

_OPTIONS: Final = re.compile(rb"""-(?:D ?[A-Za-z_%{]|cl-[a-z]|I ?[\w./%$])[^\n]*["'`]""")
_NAMES: Final = (b".cl", b".ocl", b"_cl_", b"_oclsrc", b"opencl", b"OpenCL", b"OPENCL")
_PATTERN: Final = re.compile(rb"[%}*$][\w./-]*\.(?:cl|ocl|opencl)\b")
"""The name of a kernel's file that the host puts together"""
_MAKING: Final = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+\w+\([^)]*\)(?:[^\n\\]|\\\n)*\"[^\"\n]*-D", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Glance:
    """What a quick look at a host shows. `builds`: it calls an interface that builds; `options`: it has text that looks
    like options, and something that has to do with OpenCL; `makes`: it defines macros that make options."""

    builds: bool
    options: bool
    makes: bool


def glance(file: ScannedFile, data: bytes) -> Glance:
    """A quick look at a host file."""
    builds = uses_interface(data)
    options = any(sign in data for sign in _SIGNS) and _OPTIONS.search(data) is not None
    makes = options and file.kind in (Kind.HEADER, Kind.CPP) and _makes(data)
    return Glance(builds, options and _is_of_opencl(data), makes)


_SIGNS: Final = (b'"-D', b" -D", b"'-D", b"-cl-", b" -I", b'"-I', b"'-I")


def _is_of_opencl(data: bytes) -> bool:
    return any(name in data for name in _NAMES)


def _makes(data: bytes) -> bool:
    return b"define" in data and _MAKING.search(data.decode("utf-8", "replace")) is not None


@dataclass(frozen=True, slots=True)
class _Step:
    """A call on the way from where options are written to where they are used."""

    file: HostFile
    found: FoundCall


@dataclass(frozen=True, slots=True)
class _Item:
    options: Value
    steps: tuple[_Step, ...]
    """The innermost call first."""


@dataclass(slots=True)
class HostIndex:
    """The builds of one project. What was read off a file is kept from one scan to the next."""

    files: FileSystem
    _glances: Extracted[Glance] = field(default_factory=lambda: Extracted(glance))
    _read: Extracted[HostFile] = field(default_factory=lambda: Extracted(read_host_file))
    _kernels: Extracted[frozenset[str]] = field(
        default_factory=lambda: Extracted(lambda file, data: defined_kernels(data))
    )
    _cmake: Extracted[tuple[Command, ...]] = field(
        default_factory=lambda: Extracted(lambda file, data: read_commands(data.decode("utf-8", "replace")))
    )
    _meson: Extracted[HostText | None] = field(default_factory=lambda: Extracted(_meson_text))
    _macros: dict[str, Macro] = field(default_factory=dict)

    def builds(
        self, scan: Scan, kernel: str | None = None, check: Callable[[], None] = lambda: None
    ) -> tuple[HostBuild, ...]:
        """Every build that was found, by the order of the files; those that can be for one `kernel`, which needs fewer
        files to be read closely. `check` is called between files and may raise."""
        kernels = Kernels(file.path for file in scan.of(Kind.KERNEL, Kind.OPENCL_HEADER))
        if not kernels.paths:
            return ()
        hosts = list(self._hosts(scan, None if kernel is None else self._signs(kernel), check))
        finder = _Finder(hosts, kernels, lambda: self._defining(scan, check))
        return (*finder.builds(), *self._of_lists(scan, frozenset(kernels.paths), check))

    def _of_lists(
        self, scan: Scan, kernels: frozenset[str], check: Callable[[], None]
    ) -> Iterator[HostBuild]:
        """What the lists of CMake and Meson say, where one of them names a kernel's file or its options."""
        cmake: dict[str, tuple[Command, ...]] = {}
        for file in scan.of(Kind.CMAKE):
            check()
            commands = self._cmake.of(file, self.files)
            if not isinstance(commands, FileProblem):
                cmake[file.path] = commands
        if any(_names_kernels(command) for commands in cmake.values() for command in commands):
            yield from CMakeReader(scan.root, cmake, kernels).read()
        for file in scan.of(Kind.MESON):
            check()
            text = self._meson.of(file, self.files)
            if text is not None and not isinstance(text, FileProblem):
                yield from MesonReader(file.path, text, kernels).read()

    def _signs(self, kernel: str) -> frozenset[bytes]:
        """What a host's text holds that is about this kernel: its name, and those of its functions."""
        data = self.files.read(kernel)
        names = frozenset() if isinstance(data, FileProblem) else defined_kernels(data)
        return frozenset(name.encode() for name in (stem_of(os.path.basename(kernel)), *names))

    def _is_about(self, file: ScannedFile, signs: frozenset[bytes]) -> bool:
        data = self.files.read(file.path)
        if isinstance(data, FileProblem):
            return False
        return any(sign in data for sign in signs) or _PATTERN.search(data) is not None

    def _hosts(
        self, scan: Scan, signs: frozenset[bytes] | None, check: Callable[[], None]
    ) -> Iterator[HostFile]:
        close: list[ScannedFile] = []
        making: list[ScannedFile] = []
        size = 0
        for file in scan.of(*HOSTS):
            check()
            seen = self._glances.of(file, self.files)
            if isinstance(seen, FileProblem) or not (seen.builds or seen.options or seen.makes):
                continue
            if signs is not None and not (seen.builds or seen.makes or self._is_about(file, signs)):
                continue
            size += file.size
            if size > MAXIMUM_READ:
                break
            if seen.makes:
                making.append(file)
            close.append(file)
        self._take_macros(making)
        for file in close:
            check()
            read = self._read.of(file, self.files)
            if not isinstance(read, FileProblem):
                yield read

    def _take_macros(self, making: Sequence[ScannedFile]) -> None:
        macros: dict[str, Macro] = {}
        for file in making:
            data = self.files.read(file.path)
            text = read_host(
                file.kind, "" if isinstance(data, FileProblem) else data.decode("utf-8", "replace")
            )
            macros.update(_making(text))
        if macros != self._macros:
            self._macros = macros
            self._read = Extracted(lambda file, data: read_host_file(file, data, macros))

    def _defining(self, scan: Scan, check: Callable[[], None]) -> dict[str, frozenset[str]]:
        """By name: the kernel files that define a kernel function; nothing in a project with very many of them."""
        defining: dict[str, set[str]] = {}
        files = list(scan.of(Kind.KERNEL))
        for file in files if len(files) <= MAXIMUM_SEARCHED else ():
            check()
            names = self._kernels.of(file, self.files)
            for name in () if isinstance(names, FileProblem) else names:
                defining.setdefault(name, set()).add(file.path)
        return {name: frozenset(paths) for name, paths in defining.items()}


def _meson_text(file: ScannedFile, data: bytes) -> HostText | None:
    return read_lines(data.decode("utf-8", "replace")) if b".cl" in data else None


def _names_kernels(command: Command) -> bool:
    return any(".cl" in argument.text or "-cl-" in argument.text for argument in command.arguments)


def _making(text: HostText) -> Iterator[tuple[str, Macro]]:
    for macro in text.macros:
        if macro.parameters is not None and any("-D" in token.text for token in macro.body):
            yield macro.name, macro


class _Finder:
    def __init__(
        self,
        hosts: Sequence[HostFile],
        kernels: Kernels,
        defining: Callable[[], Mapping[str, frozenset[str]]],
    ) -> None:
        self.hosts, self.kernels, self._defining = hosts, kernels, defining
        self._defined: Mapping[str, frozenset[str]] | None = None
        self.callers: dict[str, list[_Step]] = {}
        self.defining_files: dict[str, list[HostFile]] = {}
        for host in hosts:
            for name in host.parameters:
                self.defining_files.setdefault(name, []).append(host)
            for found in host.calls:
                self.callers.setdefault(found.call.name, []).append(_Step(host, found))

    def builds(self) -> Iterator[HostBuild]:
        items = self._items()
        wrapped = frozenset(step.found for item in items for step in item.steps)
        outer = frozenset(step.found for item in items for step in item.steps[1:])
        items = [item for item in items if len(item.steps) > 1 or item.steps[0].found not in outer]
        found: dict[HostBuild, set[str]] = {}
        for item in (*items, *self._speaking(wrapped)):
            for build in self._with_kernels(item):
                found.setdefault(build, set()).update(build.kernels)
            if len(found) > MAXIMUM_BUILDS:
                break
        for build, kernels in found.items():
            yield replace(build, kernels=frozenset(kernels))

    def _items(self) -> list[_Item]:
        """The calls of interfaces that build, each followed outwards to where its options come from."""
        waiting: list[_Item] = []
        for host in self.hosts:
            builders = {found.function for found in host.calls if found.call.name in BUILDER_METHODS}
            for found in host.calls:
                options = options_of_call(found.call)
                if options is not None and (
                    found.function not in builders or found.call.name in BUILDER_METHODS
                ):
                    own = resolved_fields(options, host, found.function)
                    waiting.append(_Item(seen_from(own, found.path), (_Step(host, found),)))
        done: list[_Item] = []
        while waiting and len(done) < MAXIMUM_BUILDS:
            item = waiting.pop(0)
            outer = list(self._outer(item)) if len(item.steps) <= MAXIMUM_WRAPPERS else []
            if outer:
                waiting += outer
            else:
                done.append(item)
        return [item for item in done if item.options or len(item.steps) == 1]

    def _outer(self, item: _Item) -> Iterator[_Item]:
        """The item as each caller of the function around it sees it, if something of it comes from there."""
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
            arguments = _arguments(caller, parameters)
            options = substituted(item.options, arguments, ())
            options = seen_from(
                resolved_fields(options, caller.file, caller.found.function), caller.found.path
            )
            yield _Item(options, (*item.steps, caller))

    def _callers(self, step: _Step) -> Iterator[_Step]:
        """The calls that can mean the function around a call: where several files have one of that name, those of its
        own file, and of others those that fit its parameters and have no such function beside them."""
        function = step.found.function
        parameters = step.file.parameters.get(function, ())
        alone = len(self.defining_files.get(function, ())) < 2
        for caller in self.callers.get(function, ()):
            call = caller.found.call
            if caller.file is step.file and caller.found.function == function:
                continue
            fits = len(call.arguments) <= len(parameters) and call.keywords.keys() <= set(parameters)
            # what overrides a method and calls the original means that one
            elsewhere = not alone and function in caller.file.parameters and caller.found.function != function
            if caller.file is step.file or (fits and not elsewhere):
                yield caller

    def _kernel_comes_from_caller(self, step: _Step) -> bool:
        if any(mention.function == step.found.function for mention in step.file.mentions):
            return False
        return any(
            piece.parameter >= 0 for argument in step.found.call.arguments for piece in argument
        ) and bool(step.found.function)

    def _speaking(self, wrapped: frozenset[FoundCall]) -> Iterator[_Item]:
        """Calls of whatever function that get options in one argument and a kernel's file in another."""
        for host in self.hosts:
            for found in host.calls:
                if found in wrapped or options_of_call(found.call) is not None:
                    continue
                arguments = (*found.call.arguments, *found.call.keywords.values())
                options = [
                    value
                    for value in (resolved_fields(each, host, found.function) for each in arguments)
                    if looks_like_options(value)
                ]
                step = _Step(host, found)
                if len(options) == 1 and any(self._in_call(step)):
                    yield _Item(seen_from(options[0], found.path), (step,))

    def _in_call(self, step: _Step) -> Iterator[tuple[str, Path]]:
        call = step.found.call
        host = step.file.path
        for argument in (*call.arguments, *call.keywords.values()):
            if not looks_like_options(argument):
                resolved = resolved_fields(argument, step.file, step.found.function)
                yield from self.kernels.in_value(seen_from(resolved, step.found.path), host, stems=True)
        for tokens in call.tokens:
            for path in self.kernels.in_tokens(tokens, host):
                yield path, ()

    def _with_kernels(self, item: _Item) -> Iterator[HostBuild]:
        """The builds that an item is, with the kernels that are named nearest to its outermost call."""
        step = item.steps[-1]
        how = item.steps[0].found.call.name
        place = step.found.call.place
        if any(self._names_another(step) for step in item.steps):
            return
        for sure, named in self._by_nearness(item):
            paths = dict(named)
            if not paths:
                continue
            groups: dict[Path, set[str]] = {}
            for kernel, path in paths.items():
                groups.setdefault(path, set()).add(kernel)
            for path, names in groups.items():
                found = read_options(seen_from(item.options, path))
                yield HostBuild(found, place, how, frozenset(names), sure)
            return
        yield HostBuild(read_options(item.options), place, how, frozenset(), sure=False)

    def _names_another(self, step: _Step) -> bool:
        """Whether the call names a kernel's file that is not there: then it is not for those that are."""
        call = step.found.call
        texts = [
            piece.text
            for argument in (*call.arguments, *call.keywords.values())
            for piece in argument
            if piece.text is not None and MENTION.fullmatch(piece.text.strip()) is not None
        ]
        return bool(texts) and not any(self._in_call(step))

    def _by_nearness(self, item: _Item) -> Iterator[tuple[bool, list[tuple[str, Path]]]]:
        """The kernels that may be meant, the best guess first, and whether it is more than a guess."""
        outwards = tuple(reversed(item.steps))
        for step in outwards:
            yield True, list(self._in_call(step))
        for step in outwards:
            yield True, self._in_function(step)
        for step in outwards:
            yield True, self._asked_for(step, step.found.function)
        for step in outwards:
            named = (self.kernels.named(mention.text, step.file.path) for mention in step.file.mentions)
            yield False, [(path, ()) for paths in named for path in paths]
        for step in outwards:
            yield False, self._asked_for(step, None)

    def _in_function(self, step: _Step) -> list[tuple[str, Path]]:
        return [
            (path, ())
            for mention in step.file.mentions
            if mention.function == step.found.function
            for path in self.kernels.named(mention.text, step.file.path)
        ]

    def _asked_for(self, step: _Step, function: str | None) -> list[tuple[str, Path]]:
        """The files that define the kernel functions which the host asks for, where only one does."""
        if not step.file.kernels:
            return []
        if self._defined is None:
            self._defined = self._defining()
        found = [
            self._defined.get(mention.text, frozenset())
            for mention in step.file.kernels
            if function is None or mention.function == function
        ]
        return [(path, ()) for paths in found if len(paths) == 1 for path in paths]


def _arguments(caller: _Step, parameters: Sequence[str]) -> list[Value | None]:
    """What a call gives for each parameter of the function."""
    call = caller.found.call
    own = parameters[:1] in (("self",), ("cls",)) and len(call.arguments) + len(call.keywords) < len(
        parameters
    )
    given: list[Value | None] = [None] if own else []
    given += call.arguments
    given += [None] * (len(parameters) - len(given))
    for index, name in enumerate(parameters):
        if name in call.keywords:
            given[index] = call.keywords[name]
    return given
