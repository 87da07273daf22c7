"""Finds the OpenCL C programs in the strings of a host file.

A string is a program if it defines a kernel, or if a comment before it marks it (`// language=OpenCL`). The
program includes the strings that the host joins with it, if their order is known.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from openclsp.host_code.c_literals import literal_runs
from openclsp.host_code.c_strings import CStrings
from openclsp.host_code.host_language import STRING_ONLY_LANGUAGES, HostLanguage
from openclsp.host_code.host_program import NO_PROGRAMS, HostProgram, HostPrograms, make_program
from openclsp.host_code.host_tree import HostTree, ancestors, field, parse_host_file
from openclsp.host_code.host_words import includes_kernel, may_hold_kernel
from openclsp.host_code.kernel_builders import find_built_programs
from openclsp.host_code.python_strings import PythonStrings
from openclsp.host_code.scanned_literals import scan_strings
from openclsp.host_code.string_evaluator import StringEvaluator, VariableKey
from openclsp.host_code.string_roots import is_docstring, string_root
from openclsp.host_code.string_value import PieceKind, StringValue
from openclsp.host_code.stringifying_macros import blank_stringified, find_stringified, literal_ranges
from openclsp.source.comments import without_comments_and_literals

MAXIMUM_PROGRAMS: Final = 500
"""The maximum number of programs of one host file that are analysed"""
_OTHERS: Final = " (comment) @comment (preproc_arg) @macro (preproc_include path: (string_literal)) @included"
_LITERALS: Final = {
    HostLanguage.C: "(string_literal) @literal" + _OTHERS,
    HostLanguage.CPP: "[(string_literal) (raw_string_literal)] @literal" + _OTHERS,
    HostLanguage.PYTHON: "(string) @literal (comment) @comment",
}
_LISTS: Final = frozenset(("compound_statement", "initializer_list", "init_declarator"))
"""The kinds of nodes in which an `#include` takes the place of an expression"""
_WORD: Final = re.compile(rb"(?:__)?(?<!@)kernel\b")
"""Matches the word `kernel`, but not `@kernel`, which belongs to OCCA's language"""
_DEFINITION: Final = re.compile(
    rb"\b(?<!@)(?:__)?kernel\b[^;{}]{0,400}?\bvoid\b(?:[^;{}()]|\$\{\w*\}){0,200}?(?:\w|\$\{\w*\})\s*\("
)
"""A kernel's definition up to its parameters"""
_PYTHON_STRING: Final = re.compile(rb"\"{3}[\s\S]*?(?:\"{3}|\Z)|'{3}[\s\S]*?(?:'{3}|\Z)")
"""A string within Python code; the code itself is in a string of the host"""
_MARK: Final = re.compile(
    rb"(?://|/\*|\#)\s*(?:language\s*[=:]\s*)?opencl(?:\s*c)?\s*(?:\*/\s*)?\Z", re.IGNORECASE
)
"""A comment that marks the string after it as OpenCL C"""
_BUILDER: Final = re.compile(
    rb"(?:clCreateProgramWithSource|(?:\w*[.:])*(?:Program|program|create_with_source|build_with_source|create_program\w*|createProgram\w*|\w*program_from_source\w*|RawKernel|RawModule)\b)"
)
_BUILDING_DECLARATION: Final = re.compile(
    rb"\s*(?:const\s+)?(?:cl::|compute::|boost::compute::)?[pP]rogram\b"
)
_NEAR_CALLS: Final = 8
"""The number of ancestors of an argument among which its call is searched"""


def find_programs(data: bytes, language: HostLanguage) -> HostPrograms:
    """Finds the programs in the text of a host file.

    A file that contains none of the words of a kernel is not searched further.
    """
    if language is HostLanguage.NOTEBOOK or not may_hold_kernel(data):
        return NO_PROGRAMS
    if language in STRING_ONLY_LANGUAGES:
        return HostPrograms(tuple(_scanned_programs(data, language))[:MAXIMUM_PROGRAMS])
    if language is HostLanguage.C and b'R"' in data:
        # Raw strings are an extension of GNU C.
        language = HostLanguage.CPP
    stringified = () if language is HostLanguage.PYTHON else tuple(find_stringified(data))
    literal = language is HostLanguage.PYTHON or bool(stringified) or _has_kernel_literal(data)
    if not literal and not includes_kernel(data):
        return NO_PROGRAMS
    tree = parse_host_file(blank_stringified(data, stringified) if stringified else data, language)
    if tree.problem:
        return HostPrograms((), tree.problem)
    evaluator: StringEvaluator
    if language is HostLanguage.PYTHON:
        evaluator = PythonStrings(tree)
    else:
        evaluator = CStrings(tree, {each.start: each.value for each in stringified})
    finder = _ProgramFinder(tree, evaluator)
    for node in finder.seeds():
        finder.add_expression(node)
    for each in stringified:
        finder.add_stringified(each.start, each.value)
    if isinstance(evaluator, PythonStrings):
        for value in find_built_programs(evaluator):
            finder.add_value(value, marked=True, complete=False)
    return HostPrograms(tuple(finder.programs())[:MAXIMUM_PROGRAMS])


def _scanned_programs(data: bytes, language: HostLanguage) -> Iterator[HostProgram]:
    for each in scan_strings(data, language):
        if is_program(each.value.data) or (each.comment and _MARK.match(each.comment)):
            yield make_program(each.value, is_complete=False, is_part=each.value.has_holes)


class _ProgramFinder:
    """Collects the strings that are programs, and the longer strings that contain them."""

    def __init__(self, tree: HostTree, evaluator: StringEvaluator) -> None:
        self._tree, self._evaluator = tree, evaluator
        self._values: list[tuple[StringValue, bool, bool]] = []
        self._visited: set[tuple[int, int]] = set()
        self._chains: set[tuple[VariableKey, int, frozenset[int]]] = set()
        self._marked: set[int] = set()
        self._names: dict[bytes, list[Node]] | None = None
        self._by_value: dict[tuple[int, int], VariableKey] = {
            _span(each.value): key for key, found in evaluator.contributions.items() for each in found
        }

    def seeds(self) -> Iterator[Node]:
        """Yields the nodes that may be programs, or parts of programs.

        It yields each literal that contains the word `kernel` or follows a comment such as `/* OpenCL */`. A
        directive `#include "add.cl"` in place of a literal is also yielded. Macro bodies that contain the
        word `kernel` are not yielded; this method adds their programs itself.
        """
        found = self._tree.captures(_LITERALS[self._tree.language])
        literals = found.get("literal", [])
        marks = [each.end_byte for each in found.get("comment", ()) if _MARK.match(self._tree.text(each))]
        next_mark = 0
        for node in literals:
            text = self._tree.text(node)
            while next_mark < len(marks) and marks[next_mark] <= node.start_byte:
                between = self._tree.data[marks[next_mark] : node.start_byte]
                if b";" not in between and len(between) < 200:
                    self._marked.add(node.start_byte)
                next_mark += 1
            if node.start_byte in self._marked or _WORD.search(text):
                yield node
        for node in found.get("included", ()):
            parent = node.parent
            if parent is not None and parent.type in _LISTS and includes_kernel(self._tree.text(node)):
                self._marked.add(node.start_byte)
                yield node
        for node in found.get("macro", ()):
            if _WORD.search(self._tree.text(node)):
                self._add_macro(node)

    def add_expression(self, node: Node) -> None:
        """Adds the programs that contain the text of `node`, which is a string literal or a use of a variable."""
        root = string_root(self._tree, node)
        span = root.start_byte, root.end_byte
        marked = node.start_byte in self._marked
        if span in self._visited or (is_docstring(self._tree, root) and not marked):
            return
        self._visited.add(span)
        key = self._variable_of(root)
        if key is None:
            value = self._evaluator.evaluate(root)
            if value is not None:
                self.add_value(value, marked, self._is_built(root))
            elements = root.parent
            holder = None if elements is None else self._variable_of(elements)
            if holder is not None:
                # An element of a list that the host may join.
                self._add_uses(holder[1])
            return
        for chain in self._evaluator.chains(key):
            part = next((each for each in chain if _span(each.value) == span), None)
            if part is None:
                continue
            # A kernel that is appended under a condition makes a separate program with the unconditional parts.
            chosen: frozenset[int] = frozenset()
            if not part.branches <= chain[0].branches and self._begins_kernel(part.value):
                chosen = part.branches
            if (key, chain[0].start, chosen) in self._chains:
                continue
            self._chains.add((key, chain[0].start, chosen))
            value = self._evaluator.chain_value(key, chain, chosen=chosen)
            uses = self._uses(key[1])
            joined = [each for each in uses if self._is_joined(each)]
            if value is not None:
                is_part = len(self._evaluator.chains(key)) > 1 or bool(joined)
                self.add_value(value, marked, any(map(self._is_built, uses)), is_part)
            for use in joined:
                self.add_expression(use)

    def add_stringified(self, start: int, value: StringValue) -> None:
        """Adds the argument of a stringifying macro, and the longer strings that contain it."""
        self.add_value(value, marked=False, complete=False)
        node = self._tree.root.descendant_for_byte_range(start, start + 1)
        if node is not None and node.type == "identifier":
            self.add_expression(node)

    def programs(self) -> Iterator[HostProgram]:
        """Yields the programs in order, without those that are part of another program."""
        kept: dict[frozenset[int], tuple[StringValue, bool, bool]] = {}
        for value, complete, is_part in self._values:
            # Of several values that consist of the same literals, the last one results from the most operations.
            literals = frozenset(each.start for each in value.literals) | {
                each.host_start for each in value.pieces if each.literal < 0 and each.kind is PieceKind.COPIED
            }
            kept[literals] = value, complete, is_part
        sets = sorted(kept, key=len, reverse=True)
        by_literal: dict[int, list[frozenset[int]]] = defaultdict(list)
        maximal = []
        for each in sets:
            if any(each < other for other in by_literal[min(each)]) if each else True:
                continue
            maximal.append(each)
            for literal in each:
                by_literal[literal].append(each)
        programs = [
            make_program(value, is_complete=complete and not value.has_holes, is_part=is_part)
            for value, complete, is_part in map(kept.__getitem__, maximal)
        ]
        yield from sorted(programs, key=lambda each: (each.start, each.end))

    def _add_macro(self, node: Node) -> None:
        for value in literal_runs(self._tree.data, node.start_byte, node.end_byte):
            self.add_value(value, marked=False, complete=False)
        name = node.parent and field(node.parent, "name")
        if name is not None:
            self._add_uses(self._tree.text(name))

    def add_value(self, value: StringValue, marked: bool, complete: bool, is_part: bool = False) -> None:
        """Records a value as a program if it defines a kernel, or if a comment marks it (`marked`).

        `complete` becomes `HostProgram.is_complete`; `is_part` is passed to `make_program`.
        """
        if marked or is_program(value.data):
            self._values.append((value, complete, is_part))

    def _add_uses(self, name: bytes) -> None:
        """Adds the longer strings that use the variable or macro `name`."""
        for use in self._uses(name):
            if self._is_joined(use):
                self.add_expression(use)

    def _is_joined(self, use: Node) -> bool:
        """Whether a use of a variable is part of a longer string or of another variable's value."""
        if _span(string_root(self._tree, use)) != _span(use):
            return True
        key = self._variable_of(use)
        return key is not None and key[1] != self._tree.text(use)

    def _uses(self, name: bytes) -> list[Node]:
        if self._names is None:
            self._names = defaultdict(list)
            # `cl::Program p(context, source)` may be a declaration of a function, with `source` as a type.
            cpp = self._tree.language is HostLanguage.CPP
            query = "[(identifier) (type_identifier)] @name" if cpp else "(identifier) @name"
            for node in self._tree.captures(query).get("name", ()):
                self._names[self._tree.text(node)].append(node)
        return self._names.get(name, [])

    def _variable_of(self, root: Node) -> VariableKey | None:
        """Returns the variable that the expression `root` is assigned or appended to; None if there is none."""
        return self._by_value.get(_span(root))

    def _begins_kernel(self, node: Node) -> bool:
        value = self._evaluator.evaluate(node)
        return value is not None and _DEFINITION.search(value.data) is not None

    def _is_built(self, node: Node) -> bool:
        """Whether an expression is an argument of a call that builds a program."""
        for parent in _parents(node, _NEAR_CALLS):
            function = field(parent, "function")
            if function is not None and _BUILDER.match(self._tree.text(function)):
                return True
            if parent.type == "declaration" and _BUILDING_DECLARATION.match(self._tree.text(parent)):
                return True
        return False


def _has_kernel_literal(data: bytes) -> bool:
    """Whether C code has a literal with the word `kernel`, or a comment that marks a string as OpenCL C.

    The headers of OpenCL's C++ bindings have neither, but their comments explain kernels. For them, this test
    saves 0.5 s of parsing.
    """
    return any(
        _MARK.match(data, start, end) if data[start : start + 1] == b"/" else _WORD.search(data, start, end)
        for start, end in literal_ranges(data)
    )


def is_program(text: bytes) -> bool:
    """Whether a string's value defines a kernel, outside of Python strings in the value."""
    if b'"""' in text or b"'''" in text:
        text = _PYTHON_STRING.sub(b"", text)
    return b"{" in text and _DEFINITION.search(without_comments_and_literals(text)) is not None


def _parents(node: Node, count: int) -> Iterator[Node]:
    for parent, _ in zip(ancestors(node), range(count), strict=False):
        yield parent


def _span(node: Node) -> tuple[int, int]:
    return node.start_byte, node.end_byte
