"""Interpreter for CMake lists, limited to the constructs that pass build options to kernels.

It evaluates variables, conditions, loops, functions and source folders. It runs no program. All other
constructs have an unknown value.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from openclsp.host_options.cmake_builds import CMakeBuildCollector
from openclsp.host_options.cmake_commands import CMakeArgument, CMakeCommand, find_block_end
from openclsp.host_options.host_build import HostBuild
from openclsp.host_options.host_lexer import ConditionBranch
from openclsp.host_options.option_splitter import UNKNOWN_TEXT
from openclsp.host_options.symbolic_text import HostPlace, PathCondition

MAXIMUM_COMMANDS: Final = 200_000
"""Maximum commands per project; each repetition of a loop body counts"""
MAXIMUM_DEPTH: Final = 24
MAXIMUM_LENGTH: Final = 100_000
"""Maximum characters of a variable"""

_VARIABLE: Final = re.compile(r"\$\{([^{}$]*)\}")
_REFERENCE: Final = re.compile(r"\$<[^<>]*>|\$(?:ENV)?\{[^}]*(?:\}|\Z)")
_ESCAPED: Final = re.compile(r"\\(.)")


class CMakeInterpreter:
    """Interprets the CMake lists of one project, beginning with those in the outermost folders."""

    def __init__(
        self, root: str, lists: Mapping[str, tuple[CMakeCommand, ...]], kernels: frozenset[str]
    ) -> None:
        self.lists, self.kernels = lists, kernels
        self.visited_files: set[str] = set()
        self.command_count = 0
        self.builds = CMakeBuildCollector(root, kernels)
        self.functions: dict[str, tuple[tuple[str, ...], Sequence[CMakeCommand]]] = {}

    def interpret_lists(self) -> tuple[HostBuild, ...]:
        """Returns all builds of kernels in the lists."""
        for path in self.lists:
            if path not in self.visited_files and os.path.basename(path).lower() == "cmakelists.txt":
                folder = os.path.dirname(path)
                self.interpret_file(
                    path, {"CMAKE_SOURCE_DIR": folder, "PROJECT_SOURCE_DIR": folder}, folder, 0
                )
        return self.builds.all_builds()

    def interpret_file(self, path: str, variables: dict[str, str], folder: str, depth: int) -> None:
        """Interprets the list file `path`, whose source folder is `folder`.

        `depth` is the number of nested includes, subfolders and function calls that lead to the file.
        """
        if depth > MAXIMUM_DEPTH or (path in self.visited_files and depth == 0):
            return
        self.visited_files.add(path)
        variables.update(CMAKE_CURRENT_SOURCE_DIR=folder, CMAKE_CURRENT_LIST_DIR=os.path.dirname(path))
        self.interpret_commands(path, self.lists.get(path, ()), variables, (), depth)

    def interpret_commands(
        self,
        path: str,
        commands: Sequence[CMakeCommand],
        variables: dict[str, str],
        conditions: PathCondition,
        depth: int,
    ) -> None:
        """Interprets commands of the file `path` under the path condition `conditions`.

        `depth` is the number of nested includes, subfolders and function calls.
        """
        at = 0
        while at < len(commands):
            command = commands[at]
            self.command_count += 1
            if self.command_count > MAXIMUM_COMMANDS:
                return
            end = find_block_end(commands, at)
            body = commands[at + 1 : end]
            if command.name == "if":
                self._interpret_if(path, commands, at, end, variables, conditions, depth)
            elif command.name in ("function", "macro"):
                names = self._values(command.arguments, variables)
                if names:
                    self.functions[names[0].lower()] = tuple(names[1:]), body
            elif command.name == "foreach":
                self._interpret_foreach(path, command, body, variables, conditions, depth)
            elif command.name == "while":
                self.interpret_commands(path, body, variables, conditions, depth)
            else:
                self._interpret_command(path, command, variables, conditions, depth)
            at = end + 1 if end > at else at + 1

    def _interpret_if(
        self,
        path: str,
        commands: Sequence[CMakeCommand],
        at: int,
        end: int,
        variables: dict[str, str],
        conditions: PathCondition,
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
            branch = ConditionBranch(f"{path}:{commands[at].line}", number, total)
            self.interpret_commands(path, commands[start + 1 : stop], own, (*conditions, branch), depth)
            # The value is unknown after the `if` if any branch changes the variable.
            if own != before:
                changed = [name for name, value in own.items() if before.get(name) != value]
                variables.update(dict.fromkeys(changed, UNKNOWN_TEXT))

    def _interpret_foreach(
        self,
        path: str,
        command: CMakeCommand,
        body: Sequence[CMakeCommand],
        variables: dict[str, str],
        conditions: PathCondition,
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
                    kept += variables.get(item, UNKNOWN_TEXT).split(";") if lists else [item]
            items = kept
        for item in items[:1000]:
            variables[name] = item
            self.interpret_commands(path, body, variables, conditions, depth)

    def _interpret_command(
        self,
        path: str,
        command: CMakeCommand,
        variables: dict[str, str],
        conditions: PathCondition,
        depth: int,
    ) -> None:
        name = command.name
        values = self._values(command.arguments, variables)
        place = HostPlace(path, command.line)
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
            # A subfolder has its own scope of variables; an included file shares the scope.
            folder = self.builds.resolve_path(values[0], variables)
            self.interpret_file(os.path.join(folder, "CMakeLists.txt"), dict(variables), folder, depth + 1)
        elif name == "include" and values:
            included = self.builds.resolve_path(values[0], variables)
            if included in self.lists:
                current = variables.get("CMAKE_CURRENT_LIST_DIR", "")
                self.interpret_file(
                    included, variables, variables.get("CMAKE_CURRENT_SOURCE_DIR", ""), depth + 1
                )
                variables["CMAKE_CURRENT_LIST_DIR"] = current
        elif name == "set_source_files_properties":
            self.builds.add_source_properties(values, variables, place, conditions)
        elif name.startswith("target_compile_") or name == "target_include_directories":
            self.builds.add_target_options(name, values, variables, place, conditions)
        elif name in self.functions and depth < MAXIMUM_DEPTH:
            self._interpret_call(path, name, values, variables, conditions, depth)
        else:
            self.builds.add_sources(name, values, variables)
            self.builds.add_command(name, values, variables, place, conditions)

    def _interpret_call(
        self,
        path: str,
        name: str,
        values: list[str],
        variables: dict[str, str],
        conditions: PathCondition,
        depth: int,
    ) -> None:
        parameters, body = self.functions[name]
        own = {**variables, "ARGN": ";".join(values[len(parameters) :]), "ARGV": ";".join(values)}
        own.update({f"ARGV{index}": value for index, value in enumerate(values)})
        own.update(dict(zip(parameters, values, strict=False)))
        found = len(self.builds)
        self.interpret_commands(path, body, own, conditions, depth + 1)
        # The body contains no build that is understood: the call itself may name the kernel and its options.
        if len(self.builds) == found:
            self.builds.add_command(name, values, variables, HostPlace(path, 0), conditions)

    def _glob(self, patterns: Sequence[str], variables: Mapping[str, str]) -> Iterator[str]:
        from fnmatch import fnmatchcase

        for pattern in patterns:
            whole = self.builds.resolve_path(pattern, variables)
            yield from sorted(path for path in self.kernels if fnmatchcase(path, whole))

    def _component(self, values: list[str]) -> str:
        if len(values) < 3 or UNKNOWN_TEXT in values[1]:
            return UNKNOWN_TEXT
        base = os.path.basename(values[1])
        return {"NAME": base, "NAME_WE": base.split(".")[0], "DIRECTORY": os.path.dirname(values[1])}.get(
            values[2], UNKNOWN_TEXT
        )

    def _values(self, arguments: Sequence[CMakeArgument], variables: Mapping[str, str]) -> list[str]:
        values: list[str] = []
        for argument in arguments:
            text = _expand_variables(argument.text, variables)
            values += [text] if argument.quoted else [part for part in text.split(";") if part]
        return values


def _expand_variables(text: str, variables: Mapping[str, str]) -> str:
    for _ in range(8 if "$" in text else 0):
        parts: list[str] = []
        length = behind = 0
        for match in _VARIABLE.finditer(text):
            parts += text[behind : match.start()], variables.get(match[1], UNKNOWN_TEXT)
            length += len(parts[-2]) + len(parts[-1])
            behind = match.end()
            # a hundred references to a long value would be ten megabytes
            if length > MAXIMUM_LENGTH:
                return UNKNOWN_TEXT
        if not parts:
            break
        text = "".join(parts) + text[behind:]
    if "$" in text:
        text = _REFERENCE.sub(UNKNOWN_TEXT, text)
    return (_ESCAPED.sub(r"\1", text) if "\\" in text else text)[:MAXIMUM_LENGTH]
