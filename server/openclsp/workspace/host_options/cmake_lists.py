"""CMake lists that compile kernels, or say how: a command with a kernel's file and build options among its arguments.

Only as much of the language is read as carries text from one place to another: variables, loops, functions, folders.
Nothing is run, and what is not known stays unknown.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.workspace.discovery import KERNEL_SUFFIXES
from openclsp.workspace.host_options.build import HostBuild
from openclsp.workspace.host_options.lexing import Branch
from openclsp.workspace.host_options.reading import HOLE, Found
from openclsp.workspace.host_options.values import Path, Place

MAXIMUM_COMMANDS: Final = 200_000
"""Of one project, the repetitions of loops among them"""
MAXIMUM_DEPTH: Final = 24
MAXIMUM_LENGTH: Final = 100_000
"""Characters of a variable"""

_TOKEN: Final = re.compile(
    r"""(?P<comment>\#\[(?P<level>=*)\[[\s\S]*?\](?P=level)\]|\#[^\n]*)
    |\[(?P<equals>=*)\[(?P<bracket>[\s\S]*?)\](?P=equals)\]
    |"(?P<quoted>(?:[^"\\]|\\[\s\S])*)"
    |(?P<parenthesis>[()])
    |(?P<plain>(?:[^\s()"\#\\]|\\[\s\S]|\$\([^)]*\))(?:[^\s()\\"]|"[^"\n]*"|\\[\s\S])*)""",
    re.VERBOSE,
)
_VARIABLE: Final = re.compile(r"\$\{([^{}$]*)\}")
_OPTION: Final = re.compile(r"-(?:D.|I.|U.|cl-|D\Z|I\Z)", re.DOTALL)
_SOURCES: Final = frozenset(("add_library", "add_executable", "target_sources", "add_custom_target"))
_VISIBILITY: Final = frozenset(("PRIVATE", "PUBLIC", "INTERFACE", "BEFORE", "AFTER", "SYSTEM"))


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument as it is written; a quoted one is never cut into several."""

    text: str
    quoted: bool


@dataclass(frozen=True, slots=True)
class Command:
    """`name(arguments)`, the name in lower case, with its line from 1."""

    name: str
    arguments: tuple[Argument, ...]
    line: int


def read_commands(text: str) -> tuple[Command, ...]:
    """The commands of a list; total: what is no command is passed over."""
    commands: list[Command] = []
    name, depth, line, counted = "", 0, 1, 0
    arguments: list[Argument] = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if match["parenthesis"] == "(":
            depth += 1
            if depth == 1:
                arguments = []
        elif match["parenthesis"] == ")":
            depth = max(0, depth - 1)
            if depth == 0 and name:
                commands.append(Command(name.lower(), tuple(arguments), line))
                name = ""
        elif kind in ("level", "comment"):
            continue
        elif depth == 0:
            line += text.count("\n", counted, match.start())
            counted = match.start()
            name = match["plain"] or ""
        elif match["bracket"] is not None:
            arguments.append(Argument(match["bracket"], True))
        elif match["quoted"] is not None:
            arguments.append(Argument(match["quoted"], True))
        else:
            arguments.append(Argument(match["plain"], False))
    return tuple(commands)


@dataclass(slots=True)
class _Target:
    sources: list[str] = field(default_factory=list)
    options: list[Found] = field(default_factory=list)


class CMakeReader:
    """Reads the lists of one project, from the outermost ones inwards."""

    def __init__(self, root: str, lists: Mapping[str, tuple[Command, ...]], kernels: frozenset[str]) -> None:
        self.root, self.lists, self.kernels = root, lists, kernels
        self.by_base: dict[str, list[str]] = {}
        for path in kernels:
            self.by_base.setdefault(os.path.basename(path), []).append(path)
        self.seen: set[str] = set()
        self.count = 0
        self.builds: list[HostBuild] = []
        self.functions: dict[str, tuple[tuple[str, ...], Sequence[Command]]] = {}
        self.targets: dict[str, _Target] = {}
        self.properties: dict[str, list[Found]] = {}

    def read(self) -> tuple[HostBuild, ...]:
        """All builds of kernels that the lists show."""
        for path in self.lists:
            if path not in self.seen and os.path.basename(path).lower() == "cmakelists.txt":
                folder = os.path.dirname(path)
                self.file(path, {"CMAKE_SOURCE_DIR": folder, "PROJECT_SOURCE_DIR": folder}, folder, 0)
        for target in self.targets.values():
            self._build_target(target)
        for kernel, options in self.properties.items():
            how = "set_source_files_properties"
            self.builds.append(HostBuild(tuple(options), options[0].place, how, frozenset((kernel,))))
        return tuple(self.builds)

    def file(self, path: str, variables: dict[str, str], folder: str, depth: int) -> None:
        if depth > MAXIMUM_DEPTH or (path in self.seen and depth == 0):
            return
        self.seen.add(path)
        variables.update(CMAKE_CURRENT_SOURCE_DIR=folder, CMAKE_CURRENT_LIST_DIR=os.path.dirname(path))
        self.run(path, self.lists.get(path, ()), variables, (), depth)

    def run(
        self, path: str, commands: Sequence[Command], variables: dict[str, str], conditions: Path, depth: int
    ) -> None:
        at = 0
        while at < len(commands):
            command = commands[at]
            self.count += 1
            if self.count > MAXIMUM_COMMANDS:
                return
            end = _end(commands, at)
            body = commands[at + 1 : end]
            if command.name == "if":
                self._if(path, commands, at, end, variables, conditions, depth)
            elif command.name in ("function", "macro"):
                names = self._values(command.arguments, variables)
                if names:
                    self.functions[names[0].lower()] = tuple(names[1:]), body
            elif command.name == "foreach":
                self._foreach(path, command, body, variables, conditions, depth)
            elif command.name == "while":
                self.run(path, body, variables, conditions, depth)
            else:
                self._command(path, command, variables, conditions, depth)
            at = end + 1 if end > at else at + 1

    def _if(
        self,
        path: str,
        commands: Sequence[Command],
        at: int,
        end: int,
        variables: dict[str, str],
        conditions: Path,
        depth: int,
    ) -> None:
        parts = [at]
        nested = 0
        for index in range(at + 1, end):
            name = commands[index].name
            nested += (name == "if") - (name == "endif")
            if nested == 0 and name in ("else", "elseif"):
                parts.append(index)
        total = len(parts) + (commands[parts[-1]].name != "else")
        before = dict(variables)
        for number, start in enumerate(parts):
            stop = parts[number + 1] if number + 1 < len(parts) else end
            own = dict(before)
            branch = Branch(f"{path}:{commands[at].line}", number, total)
            self.run(path, commands[start + 1 : stop], own, (*conditions, branch), depth)
            for name, value in own.items():
                if before.get(name) != value:
                    # what only one branch sets is not known behind them
                    variables[name] = HOLE

    def _foreach(
        self,
        path: str,
        command: Command,
        body: Sequence[Command],
        variables: dict[str, str],
        conditions: Path,
        depth: int,
    ) -> None:
        values = self._values(command.arguments, variables)
        if not values:
            return
        name, items = values[0], values[1:]
        if items[:1] == ["IN"]:
            kept = []
            lists = False
            for item in items[1:]:
                if item in ("LISTS", "ITEMS"):
                    lists = item == "LISTS"
                else:
                    kept += variables.get(item, HOLE).split(";") if lists else [item]
            items = kept
        for item in items[:1000]:
            variables[name] = item
            self.run(path, body, variables, conditions, depth)

    def _command(
        self, path: str, command: Command, variables: dict[str, str], conditions: Path, depth: int
    ) -> None:
        name = command.name
        values = self._values(command.arguments, variables)
        place = Place(path, command.line)
        if name == "set" and values:
            end = next(
                (i for i, value in enumerate(values) if value in ("CACHE", "PARENT_SCOPE")), len(values)
            )
            variables[values[0]] = ";".join(values[1:end])[:MAXIMUM_LENGTH]
        elif name == "list" and len(values) > 2 and values[0] == "APPEND":
            parts = [variables.get(values[1], ""), *values[2:]]
            variables[values[1]] = ";".join(part for part in parts if part)[:MAXIMUM_LENGTH]
        elif name == "string" and len(values) > 1 and values[0] in ("APPEND", "CONCAT"):
            start = variables.get(values[1], "") if values[0] == "APPEND" else ""
            variables[values[1]] = (start + "".join(values[2:]))[:MAXIMUM_LENGTH]
        elif name == "file" and len(values) > 2 and values[0].startswith("GLOB"):
            variables[values[1]] = ";".join(self._glob(values[2:], variables))
        elif name in ("get_filename_component", "cmake_path") and values:
            variables[values[0]] = self._component(values)
        elif name == "add_subdirectory" and values:
            folder = self._path(values[0], variables)
            self.file(os.path.join(folder, "CMakeLists.txt"), dict(variables), folder, depth + 1)
        elif name == "include" and values:
            included = self._path(values[0], variables)
            if included in self.lists:
                current = variables.get("CMAKE_CURRENT_LIST_DIR", "")
                self.file(included, variables, variables.get("CMAKE_CURRENT_SOURCE_DIR", ""), depth + 1)
                variables["CMAKE_CURRENT_LIST_DIR"] = current
        elif name == "set_source_files_properties":
            self._properties(values, variables, place, conditions)
        elif name.startswith("target_compile_") or name == "target_include_directories":
            self._target_options(name, values, variables, place, conditions)
        elif name in self.functions and depth < MAXIMUM_DEPTH:
            self._call(path, name, values, variables, conditions, depth)
        else:
            if name in _SOURCES and values:
                target = self.targets.setdefault(values[0], _Target())
                target.sources += [self._path(value, variables) for value in values[1:] if "." in value]
            self._compiling(name, values, variables, place, conditions)

    def _call(
        self, path: str, name: str, values: list[str], variables: dict[str, str], conditions: Path, depth: int
    ) -> None:
        parameters, body = self.functions[name]
        own = {**variables, "ARGN": ";".join(values[len(parameters) :]), "ARGV": ";".join(values)}
        own.update({f"ARGV{index}": value for index, value in enumerate(values)})
        own.update(dict(zip(parameters, values, strict=False)))
        found = len(self.builds)
        self.run(path, body, own, conditions, depth + 1)
        if len(self.builds) == found:
            self._compiling(name, values, variables, Place(path, 0), conditions)

    def _compiling(
        self, name: str, values: Sequence[str], variables: Mapping[str, str], place: Place, conditions: Path
    ) -> None:
        """A command with a kernel's file and options among its arguments compiles that file so."""
        for line in _lines(values) if name == "add_custom_command" else [list(values)]:
            kernels = {kernel for value in line for kernel in self._kernels(value, variables)}
            options = list(self._options(line, variables, place, conditions))
            if kernels and any(option.text[:4] != "-I" for option in options):
                self.builds.append(HostBuild(tuple(options), place, name, frozenset(kernels)))

    def _options(
        self, values: Sequence[str], variables: Mapping[str, str], place: Place, conditions: Path
    ) -> Iterator[Found]:
        remaining = iter(part for value in values for part in (value.split() if " -" in value else [value]))
        for value in remaining:
            if value == "-x":
                next(remaining, None)
                continue
            if _OPTION.match(value) is None:
                continue
            if value in ("-D", "-I"):
                value += next(remaining, "")
            if value.startswith("-I") and HOLE not in value:
                value = f"-I{self._path(value[2:], variables)}"
            yield Found(value.replace('\\"', '"'), place, conditions)

    def _properties(
        self, values: list[str], variables: Mapping[str, str], place: Place, conditions: Path
    ) -> None:
        at = values.index("PROPERTIES") if "PROPERTIES" in values else len(values)
        kernels = {kernel for value in values[:at] for kernel in self._kernels(value, variables)}
        found: list[Found] = []
        for key, value in zip(values[at + 1 :: 2], values[at + 2 :: 2], strict=False):
            parts = [part for each in value.split(";") for part in each.split()]
            if key == "COMPILE_DEFINITIONS":
                found += [Found(f"-D{part.removeprefix('-D')}", place, conditions) for part in parts]
            elif key in ("COMPILE_FLAGS", "COMPILE_OPTIONS"):
                found += self._options(parts, variables, place, conditions)
        for kernel in kernels if found else ():
            self.properties.setdefault(kernel, []).extend(found)

    def _target_options(
        self, name: str, values: list[str], variables: Mapping[str, str], place: Place, conditions: Path
    ) -> None:
        target = self.targets.setdefault(values[0] if values else "", _Target())
        plain = [value for value in values[1:] if value not in _VISIBILITY]
        if name == "target_compile_definitions":
            target.options += [Found(f"-D{each.removeprefix('-D')}", place, conditions) for each in plain]
        elif name == "target_compile_options":
            target.options += self._options(plain, variables, place, conditions)
        elif name == "target_include_directories":
            target.options += self._options([f"-I{each}" for each in plain], variables, place, conditions)

    def _build_target(self, target: _Target) -> None:
        """The options of a target count for its kernels where it has no other sources: else they may be for those."""
        sources = [source for source in target.sources if HOLE not in source]
        kernels = [source for source in sources if source in self.kernels]
        if (
            kernels
            and len(kernels) == len(target.sources)
            and any(o.text[:2] != "-I" for o in target.options)
        ):
            place = target.options[0].place
            how = "target_compile_definitions"
            self.builds.append(HostBuild(tuple(target.options), place, how, frozenset(kernels)))

    def _kernels(self, value: str, variables: Mapping[str, str]) -> Iterator[str]:
        for part in value.split(";"):
            if not part.lower().endswith(KERNEL_SUFFIXES) or part.startswith("-"):
                continue
            path = self._path(part, variables)
            if path in self.kernels:
                yield path
            elif HOLE in part:
                alike = self.by_base.get(os.path.basename(part), [])
                yield from alike if len(alike) == 1 else ()

    def _path(self, value: str, variables: Mapping[str, str]) -> str:
        return os.path.normpath(os.path.join(variables.get("CMAKE_CURRENT_SOURCE_DIR", self.root), value))

    def _glob(self, patterns: Sequence[str], variables: Mapping[str, str]) -> Iterator[str]:
        from fnmatch import fnmatchcase

        for pattern in patterns:
            whole = self._path(pattern, variables)
            yield from sorted(path for path in self.kernels if fnmatchcase(path, whole))

    def _component(self, values: list[str]) -> str:
        if len(values) < 3 or HOLE in values[1]:
            return HOLE
        base = os.path.basename(values[1])
        return {"NAME": base, "NAME_WE": base.split(".")[0], "DIRECTORY": os.path.dirname(values[1])}.get(
            values[2], HOLE
        )

    def _values(self, arguments: Sequence[Argument], variables: Mapping[str, str]) -> list[str]:
        values: list[str] = []
        for argument in arguments:
            text = _expanded(argument.text, variables)
            values += [text] if argument.quoted else [part for part in text.split(";") if part]
        return values


def _expanded(text: str, variables: Mapping[str, str]) -> str:
    for _ in range(8):
        text, count = _VARIABLE.subn(lambda match: variables.get(match[1], HOLE), text)
        if not count or len(text) > MAXIMUM_LENGTH:
            break
    text = re.sub(r"\$<[^<>]*>|\$ENV\{[^}]*\}|\$\{[^}]*\}", HOLE, text)
    return re.sub(r"\\(.)", r"\1", text)[:MAXIMUM_LENGTH]


def _end(commands: Sequence[Command], at: int) -> int:
    """The index of the command that ends the block which begins at `at`; `at` where none begins."""
    name = commands[at].name
    if name not in ("if", "foreach", "function", "macro", "while"):
        return at
    depth = 0
    for index in range(at, len(commands)):
        depth += (commands[index].name == name) - (commands[index].name == f"end{name}")
        if depth == 0:
            return index
    return len(commands)


def _lines(values: Sequence[str]) -> Iterator[list[str]]:
    """The command lines of a custom command; what stands before and after them names files."""
    line: list[str] | None = None
    for value in values:
        if value == "COMMAND":
            if line:
                yield line
            line = []
        elif value in (
            "DEPENDS",
            "COMMENT",
            "VERBATIM",
            "OUTPUT",
            "WORKING_DIRECTORY",
            "MAIN_DEPENDENCY",
            "BYPRODUCTS",
        ):
            if line:
                yield line
            line = None
        elif line is not None:
            line.append(value)
    if line:
        yield line
