"""The queries of grammar/queries, joined with those of the installed tree-sitter-c."""

from __future__ import annotations

from pathlib import Path

import pytest
import tree_sitter
import tree_sitter_c
from openclsp import _grammar

QUERIES = Path(__file__).parents[2] / "grammar" / "queries"
LANGUAGE = tree_sitter.Language(_grammar.language())

KERNEL = b"""\
#include "a.h"
#include "b.h"
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void scale(global float4 *restrict out, read_only pipe int queue, CONST int n) {
    local float tile[16];
    int (^block)(int) = ^(int x) { return x + n; };
    out[0] = (float4)(1.0f, 2.0f, 3.0f, 4.0f).xyzw;
    UNROLL(4)
    for (int i = 0; i < n; i++) block(i);
}
"""


def joined(name: str) -> tree_sitter.Query:
    """A query of ours, appended to C's query of the same name if there is one."""
    of_c = {"highlights": tree_sitter_c.HIGHLIGHTS_QUERY}.get(name, "")
    query: tree_sitter.Query = tree_sitter.Query(
        LANGUAGE, of_c + "\n" + (QUERIES / f"{name}.scm").read_text()
    )
    return query


def matches(name: str, source: bytes) -> list[tuple[int, tree_sitter.Node, str]]:
    """Returns (pattern, node, capture) in the order of the patterns; the last one for a node takes effect."""
    tree = tree_sitter.Parser(LANGUAGE).parse(source)
    assert not tree.root_node.has_error
    found = tree_sitter.QueryCursor(joined(name)).matches(tree.root_node)
    return sorted(
        (
            (pattern, node, capture)
            for pattern, captures in found
            for capture, nodes in captures.items()
            for node in nodes
        ),
        key=lambda match: match[0],
    )


def highlights(source: bytes) -> dict[str, str]:
    """Returns the capture of each node by its text; the last pattern, and the last node of a text, take effect."""
    return {
        source[node.start_byte : node.end_byte].decode(): capture
        for _, node, capture in matches("highlights", source)
    }


@pytest.mark.parametrize("name", ["highlights", "folds", "locals"])
def test_query_compiles(name: str) -> None:
    assert joined(name).pattern_count > 0


def test_highlights_of_opencl() -> None:
    of = highlights(KERNEL)
    keywords = [
        "__kernel",
        "global",
        "restrict",
        "read_only",
        "pipe",
        "local",
        "__attribute__",
        "for",
        "return",
    ]
    assert {word: of.get(word) for word in keywords} == dict.fromkeys(keywords, "keyword")
    assert of["float4"] == of["float"] == of["int"] == "type"
    assert of["reqd_work_group_size"] == "attribute"
    assert of["scale"] == of["block"] == "function"
    assert of["^"] == "operator"
    assert of["xyzw"] == "property"
    assert of["CONST"] == "constant"
    assert of["UNROLL"] == "function.special"
    assert of["tile"] == "variable"


def test_names_that_are_keywords_elsewhere_are_not_highlighted_as_such() -> None:
    of = highlights(b"void f(int pipe) { pipe = 1; }\n")
    assert of["pipe"] == "variable"


def test_folds() -> None:
    folded = {
        (node.type, node.start_point.row, node.end_point.row) for _, node, _ in matches("folds", KERNEL)
    }
    assert ("compound_statement", 3, 9) in folded
    assert {("preproc_include", 0, 1), ("preproc_include", 1, 2)} <= folded


def test_locals() -> None:
    found = matches("locals", KERNEL)
    by_capture = {
        capture: {node.text.decode() for _, node, name in found if name == capture and node.text is not None}
        for capture in ("local.definition", "local.reference")
    }
    assert {"out", "queue", "n", "tile", "block", "x", "i", "scale"} <= by_capture["local.definition"]
    assert {"n", "i", "out"} <= by_capture["local.reference"]
    scopes = [node.type for _, node, name in found if name == "local.scope"]
    assert sorted(set(scopes)) == [
        "block_literal",
        "compound_statement",
        "for_statement",
        "function_definition",
        "translation_unit",
    ]
