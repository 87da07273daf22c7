"""Reader for `.clangd` files, which add and remove compile options.

It supports `CompileFlags` with `Add` and `Remove`, and `If` with `PathMatch` and `PathExclude`. All `.clangd`
files from the project's root down to the kernel's folder apply; the one nearest to the kernel has the highest
precedence.
"""

from __future__ import annotations

import os.path
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from openclsp.dataclass import dataclass
from openclsp.project.file_system import FileProblem, FileSystem
from openclsp.project.nesting_limit import MAXIMUM_NESTING, find_yaml_nesting_fault
from openclsp.project.option_layers import OptionLayer
from openclsp.project.option_parser import BuildOptions, parse_build_options
from openclsp.project.project_roots import (
    enclosing_folders,
    is_readable_configuration_file,
    read_permission_of_folder,
)
from openclsp.project.regular_expression import RegularExpression

if TYPE_CHECKING:
    from yaml import Node

FILE_NAME: Final = ".clangd"
MAXIMUM_SIZE: Final = 64 * 1024
"""Limit in bytes; PyYAML reads some 100 KB per second."""


@dataclass(frozen=True, slots=True)
class _Fragment:
    """One YAML document of a `.clangd` file.

    It contains the options to add, each with its line, the options to remove, and the path patterns.
    """

    added: tuple[tuple[str, int], ...] = ()
    removed: tuple[str, ...] = ()
    matching: tuple[str, ...] = ()
    excluding: tuple[str, ...] = ()

    def applies_to(self, path: str) -> bool:
        """Whether the fragment applies to a path, relative to the fragment's folder and with `/`."""
        return (not self.matching or any(_matches_path(each, path) for each in self.matching)) and not any(
            _matches_path(each, path) for each in self.excluding
        )


@dataclass(frozen=True, slots=True)
class ClangdOptions:
    """The combined options of all `.clangd` files for one kernel."""

    layers: tuple[OptionLayer, ...] = ()
    removed: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


def read_clangd_files(path: str, root: str, files: FileSystem) -> ClangdOptions:
    """Combines the `.clangd` files from the folder of `path` upwards to the folder `root` (included)."""
    layers: list[OptionLayer] = []
    removed: list[str] = []
    problems: list[str] = []
    for name in reversed(list(_find_clangd_files(path, root, files))):
        data = files.read(name, read_permission_of_folder(root, files))
        if isinstance(data, FileProblem):
            problems.append(f"{name} {data.reason}")
            continue
        fragments, faults = _parse_clangd_file(name, data)
        problems += faults
        folder = os.path.dirname(name)
        relative = os.path.relpath(path, folder).replace(os.sep, "/")
        for fragment in fragments:
            if not fragment.applies_to(relative):
                continue
            removed += fragment.removed
            for option, line in fragment.added:
                parsed = parse_build_options([option], folder)
                problems += [f"{name}:{line}: {problem.message}" for problem in parsed.problems]
                if parsed.options != BuildOptions():
                    where = f"in {os.path.relpath(name, root)}:{line}"
                    layers.append(OptionLayer(where, parsed.options, path=name, line=line))
    return ClangdOptions(tuple(layers), tuple(removed), tuple(problems))


def _find_clangd_files(path: str, root: str, files: FileSystem) -> Iterator[str]:
    permission = read_permission_of_folder(root, files)
    for folder in enclosing_folders(path):
        if files.locate(folder, permission) is None:
            return
        name = os.path.join(folder, FILE_NAME)
        if is_readable_configuration_file(name, permission, files):
            yield name


def _matches_path(pattern: str, path: str) -> bool:
    expression = _compile_expression(pattern)
    return expression is not None and expression.search(path) is not None


@lru_cache(maxsize=64)
def _compile_expression(pattern: str) -> RegularExpression | None:
    try:
        return RegularExpression.compile_pattern(f"^(?:{pattern})$")
    except ValueError:
        return None


@lru_cache(maxsize=16)
def _parse_clangd_file(name: str, data: bytes) -> tuple[tuple[_Fragment, ...], tuple[str, ...]]:
    import yaml

    if len(data) > MAXIMUM_SIZE:
        return (), (f"{name} is larger than 64 KB; it is not used",)
    text = data.decode("utf-8-sig", "replace")
    too_deep = find_yaml_nesting_fault(text)
    if too_deep:
        return (), (
            f"{name}:{too_deep}: it is nested more than {MAXIMUM_NESTING} deep; the file is not used",
        )
    try:
        documents = list(yaml.compose_all(text, Loader=yaml.SafeLoader))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        message = getattr(error, "problem", None) or "the text is not YAML"
        return (), (f"{name}:{mark.line + 1 if mark else 1}: {message}; the file is not used",)
    fragments = tuple(_convert_fragment(document) for document in documents if document is not None)
    patterns = (each for fragment in fragments for each in (*fragment.matching, *fragment.excluding))
    return fragments, tuple(
        f"{name}:1: '{each[:60]}' is not a supported regular expression, or is too large; it matches nothing"
        for each in dict.fromkeys(patterns)
        if _compile_expression(each) is None
    )


def _convert_fragment(document: Node) -> _Fragment:
    condition = _entry(document, "If")
    flags = _entry(document, "CompileFlags")
    return _Fragment(
        tuple(_scalars(_entry(flags, "Add"))),
        tuple(text for text, _ in _scalars(_entry(flags, "Remove"))),
        tuple(text for text, _ in _scalars(_entry(condition, "PathMatch"))),
        tuple(text for text, _ in _scalars(_entry(condition, "PathExclude"))),
    )


def _entry(node: Node | None, key: str) -> Node | None:
    from yaml import MappingNode

    if not isinstance(node, MappingNode):
        return None
    return next((value for name, value in node.value if name.value == key), None)


def _scalars(node: Node | None) -> Iterator[tuple[str, int]]:
    """Yields the string of a scalar node, or the strings of a sequence node, each with its line from 1."""
    from yaml import ScalarNode, SequenceNode

    if isinstance(node, ScalarNode):
        yield node.value, node.start_mark.line + 1
    elif isinstance(node, SequenceNode):
        for each in node.value:
            if isinstance(each, ScalarNode):
                yield each.value, each.start_mark.line + 1
