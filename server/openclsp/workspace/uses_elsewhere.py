"""Searches the files of a project for uses of declarations that no analysed program contains.

Host code may concatenate files, or include a header in a program that it computes. The text alone shows that such
a program uses a declaration.
"""

from __future__ import annotations

import os.path
from collections.abc import Container, Iterable
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.project.file_system import FileProblem
from openclsp.project.project_scan import HOST_CODE_KINDS, ScannedFileKind
from openclsp.source.code_extraction import code_of
from openclsp.source.text import Text
from openclsp.workspace.declarations_elsewhere import extract_function_names
from openclsp.workspace.include_directives import IncludeName, resolve_include
from openclsp.workspace.include_graph import IncludeGraph
from openclsp.workspace.used_names import extract_used_names

_C_KINDS: Final = frozenset((ScannedFileKind.C, ScannedFileKind.CPP, ScannedFileKind.HEADER))
_HOST_KINDS: Final = (*HOST_CODE_KINDS, ScannedFileKind.OTHER_HOST)


@dataclass(frozen=True, slots=True)
class SharedNames:
    """Names of program-scope declarations, which other files may use.

    - `functions`: names of functions
    - `others`: names of types and variables
    """

    functions: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.functions or self.others)


def find_declaring_file(graph: IncludeGraph, function: str, besides: Container[str]) -> str:
    """Returns the first file that declares a function without a body, or "" if there is none.

    The files in `besides` are skipped.
    """
    for path in sorted(graph.opencl_files):
        data = b"" if path in besides else graph.files.read(path, graph.permission)
        if isinstance(data, FileProblem) or function.encode() not in data:
            continue
        if function in extract_function_names(data).external:
            return path
    return ""


def find_using_file(graph: IncludeGraph, names: SharedNames, besides: frozenset[str]) -> tuple[str, str]:
    """Returns a name, and the first OpenCL C file that uses this name without declaring it; or empty strings.

    The files in `besides` are skipped, and so are files that include a declaration of the name.
    """
    known = graph.function_names() if names.functions else None
    for path in sorted(graph.opencl_files):
        functions = names.functions
        if known is not None:
            functions &= known[path].called
        if path in besides:
            continue
        others = names.others
        if others:
            used = graph.used_names.data_of_file(graph.opencl_files[path], graph.permission, graph.files)
            others = frozenset() if isinstance(used, FileProblem) else others & used
        if not (functions or others):
            continue
        data = graph.files.read(path, graph.permission)
        if isinstance(data, FileProblem):
            continue
        for name in find_used_names(data, SharedNames(functions, others)):
            if name.encode() not in graph.names_declared_in(graph.transitive_includes(path) - besides):
                return name, path
    return "", ""


def find_used_names(data: bytes, names: SharedNames) -> list[str]:
    """Returns the names that a text uses but does not declare, sorted: functions that it calls come first."""
    functions = [each for each in sorted(names.functions) if each.encode() in data]
    others = [each for each in sorted(names.others) if each.encode() in data]
    found: list[str] = []
    if functions:
        known = extract_function_names(data)
        own = known.defined | known.static | known.declared | known.macros
        found += [each for each in functions if each in known.called and each not in own]
    if others:
        used = extract_used_names(data)
        found += [each for each in others if each in used]
    return found


def find_host_includer(graph: IncludeGraph, header: str, programs: Iterable[str]) -> str:
    """Returns the first host file with an include directive for a header, or ""; the directive may be in a string.

    Host code that includes a header which in turn includes `header` counts too. `programs` are the host files
    of analysed programs; of the directives in such a file, one belongs to the analysed program.
    """
    analysed = frozenset(programs)
    shared = {header} | {
        each for each in graph.all_includers((header,)) if graph.opencl_files[each].kind in _C_KINDS
    }
    known = frozenset(file.path for file in graph.scanned_files(*ScannedFileKind))
    literals = frozenset(each for each in shared if _is_literal(graph, each))
    by_name: dict[str, list[str]] = {}
    for path in shared:
        by_name.setdefault(os.path.basename(path), []).append(path)
    for file in graph.scanned_files(*_HOST_KINDS):
        if file.path in graph.opencl_files:
            continue
        read = graph.host_includes.data_of_file(file, graph.permission, graph.files)
        included = [
            target
            for name in (() if isinstance(read, FileProblem) else read)
            if os.path.basename(name) in by_name
            for target in resolve_include(file.path, IncludeName(name, from_macro=False), known, by_name)
            if target in shared and not (target in literals and file.kind in _C_KINDS)
        ]
        if len(included) > (file.path in analysed):
            return file.path
    return ""


def _is_literal(graph: IncludeGraph, path: str) -> bool:
    """Whether a file is a string literal, as which host code includes it."""
    data = graph.files.read(path, graph.permission)
    return not isinstance(data, FileProblem) and code_of(Text.of(data)).raw
