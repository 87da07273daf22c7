"""Parses host code with the grammar of its language.

tree-sitter accepts any text: it makes an ERROR node of what it cannot parse, and then continues. Neither
parsing nor the functions here recurse, so deep nesting is harmless.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final

import tree_sitter_c
import tree_sitter_cpp
import tree_sitter_python
from tree_sitter import Language, Node, Parser, Query, QueryCursor, Tree

from openclsp.dataclass import dataclass
from openclsp.host_code.host_language import HostLanguage
from openclsp.host_code.host_words import MAXIMUM_HOST_BYTES
from openclsp.host_code.literal_conditions import keep_one_branch
from openclsp.source.parser import is_text

MAXIMUM_NODE_DEPTH: Final = 2_000
"""Depth of the tree below which nodes are ignored"""
_MAXIMUM_MATCHES: Final = 65_536
"""The maximum number of unfinished matches of a query"""

_POINTERS: Final = {
    HostLanguage.C: tree_sitter_c.language,
    HostLanguage.CPP: tree_sitter_cpp.language,
    HostLanguage.PYTHON: tree_sitter_python.language,
}


@dataclass(frozen=True, slots=True)
class HostTree:
    """A parsed host file. The offsets of nodes are byte offsets in `data`, from 0.

    `problem`: the reason why the text was not parsed, such as "is larger than 4 MB". The tree is then empty.
    For a text that was parsed, even with syntax errors, `problem` is an empty string.
    """

    language: HostLanguage
    data: bytes
    tree: Tree
    problem: str = ""

    @property
    def root(self) -> Node:
        """The root node of the tree."""
        return self.tree.root_node

    def text(self, node: Node) -> bytes:
        """Returns the source text of a node."""
        return self.data[node.start_byte : node.end_byte]

    def captures(self, query: str, within: Node | None = None) -> dict[str, list[Node]]:
        """Returns the nodes that a query captures, by the name of the capture, each list in file order."""
        cursor = QueryCursor(_query(self.language, query), match_limit=_MAXIMUM_MATCHES)
        found = cursor.captures(self.root if within is None else within)
        return {name: sorted(nodes, key=_start) for name, nodes in found.items()}


_NO_OPERANDS: Final = frozenset(("comment", "line_continuation"))


def parse_host_file(data: bytes, language: HostLanguage) -> HostTree:
    """Parses a host file.

    `language` must have a grammar: the caller parses the Python code in a notebook's cells. In C and C++,
    conditional directives between string literals are blanked, and all of their branches but one (see
    `keep_one_branch`).
    """
    problem = ""
    if len(data) > MAXIMUM_HOST_BYTES:
        problem = f"is larger than {MAXIMUM_HOST_BYTES // (1024 * 1024)} MB"
    elif not _is_host_text(data):
        # Error recovery on binary data takes seconds.
        problem = "is binary"
    if not problem and language is not HostLanguage.PYTHON:
        data = keep_one_branch(data)
    parser = Parser(_language(language))
    return HostTree(language, data, parser.parse(b"" if problem else data), problem)


def _is_host_text(data: bytes) -> bool:
    """Whether the bytes are text: UTF-8, or mostly ASCII."""
    try:
        return "\0" not in data.decode()
    except UnicodeDecodeError:
        return is_text(data)


def ancestors(node: Node) -> Iterator[Node]:
    """Yields the ancestors of a node, the nearest first, up to MAXIMUM_NODE_DEPTH of them."""
    for _ in range(MAXIMUM_NODE_DEPTH):
        parent = node.parent
        if parent is None:
            return
        yield parent
        node = parent


def field(node: Node, name: str) -> Node | None:
    """Returns the child of a node in the grammar's field `name`; None if there is none."""
    return node.child_by_field_name(name)


def operands(node: Node) -> list[Node]:
    """Returns the named children of a node, except comments and Python's line continuations (`\\`)."""
    return [each for each in node.named_children if each.type not in _NO_OPERANDS]


@cache
def _language(language: HostLanguage) -> Language:
    return Language(_POINTERS[language]())


@lru_cache(maxsize=64)
def _query(language: HostLanguage, query: str) -> Query:
    made: Query = Query(_language(language), query)
    return made


def _start(node: Node) -> int:
    return node.start_byte
