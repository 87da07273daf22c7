"""Finds the kernel files and functions that nothing in a project uses, from the text of the project's files.

Code that may be used counts as used. It is only known which kernel files a project uses if its host code names some
of them, and if no other file computes the name of a kernel file or lists the files of a folder.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.host_code.host_language import HostLanguage, host_language_of_file
from openclsp.host_code.host_tokens import blank_literals
from openclsp.host_code.host_words import may_hold_kernel
from openclsp.host_options.kernel_file_names import extract_kernel_functions, kernel_file_stem
from openclsp.project.file_system import FileProblem
from openclsp.project.project_scan import ProjectScan, ScannedFileKind
from openclsp.project.project_texts import read_project_texts
from openclsp.source.word_search import find_word, word_starts
from openclsp.workspace.declarations_elsewhere import extract_function_names, strip_comments
from openclsp.workspace.include_directives import contains_kernel
from openclsp.workspace.include_graph import IncludeGraph

_COMPUTED_NAME: Final = re.compile(
    rb"[%}*$)][\w.-]*\.(?:cl|ocl|opencl|clc)\b|[\"'`]\.(?:cl|ocl|opencl|clc)[\"'`]"
    rb"|(?:ext|suffix|ends)[^\n\"'`]{0,80}[\"'`](?:cl|ocl|opencl|clc)[\"'`]",
    re.IGNORECASE,
)
"""Matches the name of a kernel file that the host computes, a pattern such as `*.cl`, and a bare ending"""
_FILE_NAME: Final = re.compile(rb"(?<![\w.-])[\w.-]*\w\.(?:cl|ocl|opencl|clc)(?!\w)", re.IGNORECASE)
_FILE_ENDING: Final = re.compile(
    rb"\.(?:cl|ocl|opencl|clc|h|hpp|inc|c|cpp|i|txt|bin|spv|bc|il|ptx|aoco|aocx|xo|xclbin)(?!\w)"
)
_SOURCE_ENDING: Final = re.compile(
    rb"_?(?:oclsrc|clh?|src|sources?|str|string|text|program|kernels?|code|bin|binary|spirv)(?![a-z])"
)
"""Matches the end of a variable's name such as `blur_src`, in lower case"""
_CHOICES: Final = (b"argv", b"args[", b"add_argument", b"getenv", b"environ")
"""Words near a kernel file's name that let the user choose another file"""
_NEAR: Final = 200
_BLANKS_AND_BRACKET: Final = re.compile(rb"\s*\(")
_BRACKETS: Final = re.compile(rb"[(){}]")
_PASTED: Final = re.compile(rb"\b(\w*)\s*##\s*(\w*)")


@dataclass(slots=True)
class UnusedCode:
    """The kernel files and functions of one project that nothing in it uses. Not thread-safe.

    `graph` is made from `scan`. The texts of the project are read when the object is created.
    """

    graph: IncludeGraph
    scan: ProjectScan
    _hosts: Mapping[str, bytes] | None = field(init=False)
    """The texts of all files that are not OpenCL C, by path; None if they are not all known"""
    _files: frozenset[str] = field(init=False)
    _functions: dict[tuple[str, str], bool] = field(default_factory=dict)
    _pasted: dict[str, tuple[tuple[bytes, bytes], ...]] = field(default_factory=dict)
    """For each file, the fixed parts of the names that its macros form by `##`"""

    def __post_init__(self) -> None:
        self._hosts = self._read_hosts()
        self._files = self._find_unused_files()

    def contains(self, path: str, function: str) -> bool:
        """Whether no code of the project uses the file at `path`, or its function `function`.

        `function` is empty for code outside of functions, and for a kernel.
        """
        if path in self._files or not function:
            return path in self._files
        key = path, function
        if key not in self._functions:
            self._functions[key] = self._is_unused_function(path, function)
        return self._functions[key]

    def _read_hosts(self) -> Mapping[str, bytes] | None:
        scan = self.scan
        if scan.reached_limit:
            return None
        return read_project_texts(scan.root, self.graph.files, scan.permission, self.graph.opencl_files)

    def _find_unused_files(self) -> frozenset[str]:
        hosts = () if self._hosts is None else self._hosts.values()
        if any(_computes_file_name(data) for data in hosts):
            return frozenset()
        files = self.graph.opencl_files
        kernels = frozenset(path for path, file in files.items() if file.kind is ScannedFileKind.KERNEL)
        bases = {os.fsencode(os.path.basename(path)).lower() for path in kernels}
        names = {name.lower() for data in hosts for name in _FILE_NAME.findall(data)}
        if names.isdisjoint(bases):
            return frozenset()
        # `"_f16.cl"` is the end of a name that the host computes
        ends = tuple(names - bases)
        text = b"\n".join(hosts).lower()
        used = {
            path
            for path in files
            if os.fsencode(os.path.basename(path)).lower().endswith(ends) or _is_named(text, _stem(path))
        }
        used = {each for path in used for each in self.graph.transitive_includes(path)}
        unused = frozenset(self._only_within(frozenset(files) - used, kernels))
        return self._without_named_kernels(unused, used)

    def _only_within(self, unnamed: frozenset[str], kernels: frozenset[str]) -> Iterator[str]:
        """Yields the kernel files in `unnamed`, and the headers that only these include."""
        for path in unnamed:
            if path in kernels or not self.graph.all_includers((path,)).isdisjoint(kernels):
                yield path

    def _without_named_kernels(self, unused: frozenset[str], used: set[str]) -> frozenset[str]:
        """Removes the files with a kernel that only they define and that host code names, and what they include."""
        elsewhere = frozenset[str]().union(*(self._kernels_of(path) for path in used))
        named = [
            path
            for path in unused
            if any(
                find_word(data, name.encode()) >= 0
                for name in self._kernels_of(path) - elsewhere
                for data in (self._hosts or {}).values()
            )
        ]
        return unused.difference(*(self.graph.transitive_includes(path) for path in named))

    def _kernels_of(self, path: str) -> frozenset[str]:
        return extract_kernel_functions(self._read(path))

    def _read(self, path: str) -> bytes:
        read = self.graph.files.read(path, self.graph.permission)
        return b"" if isinstance(read, FileProblem) else read

    def _is_unused_function(self, path: str, function: str) -> bool:
        """Whether no text of the project uses a function of a kernel file, except the function itself.

        The file must be part of a program. The users of a library's function may be outside of the project.
        """
        functions = self.graph.function_names()
        # Most functions are called in their own file. The searches of all files come last.
        return (
            self._hosts is not None
            and functions is not None
            and path in functions
            and function in functions[path].defined | functions[path].static
            and not _may_use(self._read(path), function)
            and self._is_in_program(path)
            and not any(function in functions[each].called for each in functions if each != path)
            and not any(_may_use(self._read(each), function) for each in functions if each != path)
            and not any(self._may_form(each, function.encode()) for each in functions)
            and not any(_may_hold_call(*host, function.encode()) for host in self._hosts.items())
        )

    def _may_form(self, path: str, name: bytes) -> bool:
        """Whether macros of a file may form a name by `##`."""
        if path not in self._pasted:
            data = self._read(path)
            self._pasted[path] = tuple(_PASTED.findall(strip_comments(data))) if b"##" in data else ()
        return any(
            (before and name.startswith(before)) or (after and name.endswith(after))
            for before, after in self._pasted[path]
        )

    def _is_in_program(self, path: str) -> bool:
        """Whether a file is a kernel file, and it or a file that includes it has a kernel."""
        return self.graph.opencl_files[path].kind is ScannedFileKind.KERNEL and any(
            contains_kernel(self._read(each)) for each in (path, *self.graph.all_includers((path,)))
        )


def _computes_file_name(data: bytes) -> bool:
    """Whether a text may compute the name of a kernel file, find it in a folder, or let the user choose it."""
    return _COMPUTED_NAME.search(data) is not None or any(
        word in data[max(0, match.start() - _NEAR) : match.end() + _NEAR]
        for match in _FILE_NAME.finditer(data)
        for word in _CHOICES
    )


def _stem(path: str) -> bytes:
    return os.fsencode(kernel_file_stem(os.path.basename(path)).lower())


def _is_named(text: bytes, stem: bytes) -> bool:
    """Whether a text in lower case may name a file by its name without ending.

    The text has the name with an ending, as a string or at the end of a path, or in a variable such as `blur_src`.
    """
    variable = re.sub(rb"\W", b"_", stem)
    return (
        _has_before(text, stem, _FILE_ENDING)
        or _has_before(text, variable, _SOURCE_ENDING)
        or any(
            text[at + len(stem) : at + len(stem) + 1] in (b'"', b"'", b"`") for at in word_starts(text, stem)
        )
    )


def _has_before(text: bytes, word: bytes, ending: re.Pattern[bytes]) -> bool:
    at = text.find(word)
    while at >= 0:
        if ending.match(text, at + len(word)) is not None:
            return True
        at = text.find(word, at + 1)
    return False


def _may_hold_call(path: str, data: bytes, name: bytes) -> bool:
    """Whether a text that is not OpenCL C may call a function of OpenCL C.

    Host code can only do so in a string, or in a kernel that it turns into a string. Its comments do not count.
    """
    if find_word(data, name) < 0:
        return False
    language = host_language_of_file(path)
    if language not in (HostLanguage.C, HostLanguage.CPP, HostLanguage.PYTHON):
        return True
    code = blank_literals(data, language).code
    if may_hold_kernel(data) and find_word(code, name) >= 0:
        return True
    return any(code[at : at + 1] == b'"' for at in word_starts(data, name))


def _may_use(data: bytes, function: str) -> bool:
    """Whether a text uses a function outside of the function's own body."""
    name = function.encode()
    if find_word(data, name) < 0:
        return False
    code = _without_body(strip_comments(data), name)
    return function in extract_function_names(code).called or any(
        _BLANKS_AND_BRACKET.match(code, at + len(name)) is None for at in word_starts(code, name)
    )


def _without_body(code: bytes, name: bytes) -> bytes:
    """Replaces the body of each definition of a function by `;`.

    A body with directives stays: its braces may belong to several branches.
    """
    parts: list[bytes] = []
    begin = 0
    for at in word_starts(code, name):
        if at < begin:
            continue
        parameters = _end_of_brackets(code, at + len(name), b"()")
        body = -1 if parameters < 0 else _end_of_brackets(code, parameters, b"{}")
        if body >= 0 and b"#" not in code[parameters:body]:
            parts += code[begin:parameters], b";"
            begin = body
    return b"".join((*parts, code[begin:]))


def _end_of_brackets(code: bytes, start: int, brackets: bytes) -> int:
    """Returns the offset after the brackets that begin at the first byte after blanks; -1 if none begin there."""
    depth = 0
    for match in _BRACKETS.finditer(code, start):
        if not depth and (match[0] != brackets[:1] or code[start : match.start()].strip()):
            return -1
        depth += (match[0] == brackets[:1]) - (match[0] == brackets[1:])
        if not depth:
            return match.end()
    return -1
