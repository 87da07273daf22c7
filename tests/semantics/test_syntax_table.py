"""The flat syntax table of an item: its tokens are the item's text."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openclsp.semantics.items.syntax_table import TOO_DEEP, Table
from openclsp.semantics.items.syntax_table_builder import ParsedChunk, build_table, denormalise
from openclsp.semantics.limits import MAXIMUM_DEPTH
from openclsp.source.normalized_identifiers import normalize_identifiers
from openclsp.source.parser import (
    COMMENT,
    TOKEN,
    kind_of,
    parse,
)

WHOLE = b"""\
struct S { int a[3]; float b : 2; };
/* before */ kernel void k(global int *p, ...) { // here
  for (int i = 0; i <= 3 && !p[i]; i++, --p) p->a.b[i] ^= ~i ? -1 : (i << 2) % 3; /* there */
  label: x = (int){1}, y = sizeof(int) >> 1 | 3 & 1; goto label; switch (x) { case 1 ... 2: break; default: ; }
  int (^block)(int) = ^(int q) { return q * *p; }; a += b -= c *= d /= e %= f |= g &= h <<= 1 >>= 2 != 3 == 4;
}
"""
DEEP = b"int x = " + b"(" * (MAXIMUM_DEPTH + 20) + b"1" + b")" * (MAXIMUM_DEPTH + 20) + b";"


@pytest.mark.parametrize(
    "text",
    [
        WHOLE,
        WHOLE.replace(b";", b"", 3),
        WHOLE.replace(b")", b"", 2),
        WHOLE.replace(b"}", b"", 1),
        b"int f( { return 1 + ; }",
        DEEP,
    ],
)
def test_the_text_of_a_token_is_its_source_text(text: bytes) -> None:
    for node in parse(text).root_node.children:
        if kind_of(node) in (COMMENT, TOKEN):
            continue
        table = build_table(node, text)
        base = node.start_byte
        spelled = [text[base + a : base + b] for a, b in zip(table.starts, table.ends, strict=True)]
        assert table.tokens == spelled
        assert [leaf for leaf, text in enumerate(spelled) if not text] == [*table.missing]
        assert table.first == sorted(table.first)


@pytest.mark.parametrize(
    "text", [WHOLE, WHOLE.replace(b";", b"", 3), WHOLE.replace(b"}", b"", 1), b"int f( { return x + ; } y"]
)
def test_the_text_of_a_token_is_its_source_text_after_normalisation(text: bytes) -> None:
    names = normalize_identifiers(text)
    for node in parse(names.text).root_node.children:
        if kind_of(node) in (COMMENT, TOKEN):
            continue
        table = denormalise(build_table(node, names.text), node.start_byte, names, text)
        base = names.real(node.start_byte)
        spelled = [text[base + a : base + b] for a, b in zip(table.starts, table.ends, strict=True)]
        assert table.tokens == spelled
        assert [leaf for leaf, text in enumerate(spelled) if not text] == [*table.missing]


def test_code_nested_too_deeply_is_one_token() -> None:
    (node,) = parse(DEEP).root_node.children
    table = build_table(node, DEEP)
    deep = [row for row, number in enumerate(table.kind) if number == TOO_DEEP]
    assert [table.text(row)[:1] for row in deep] == ["(", "(", ")"]


BODY = b"""\
// before
kernel void k(global int *p, float4 v) {
  int a = 1, *q = p;
  T * b;
  if (a) { a(b)(c); p[0] = a; } else for (int i = 0; i < 3; i++) { v.x = i; T(a); }
  unknown(a) { a = 2; }
  do { a--; } while (a > 0);
  switch (a) { case 1: a = 2; break; default: { p[a] = 1; } }
  struct { int m; } s = { 1 };
  a = ({ int c = a; c + 1; });
  return;
}
"""
PIECES = [
    "-a++",
    "a",
    "x ",
    ";",
    "{",
    "}",
    "(",
    ")",
    "*",
    "=",
    "1",
    ",",
    ".",
    "#",
    "\n",
    "else ",
    "if (a) ",
    "float ",
    "float q",
    "/*",
    "*/",
] + [
    "int d = 1;",
    "a * b;",
    "void f() {",
    "{ }",
    "case 2:",
    "T ",
    "MACRO(1) ",
    '"',
    "[",
    "]",
    "T(a)",
    "kernel ",
]
COLUMNS = (
    "kind",
    "field",
    "first",
    "last",
    "skip",
    "tokens",
    "starts",
    "ends",
    "missing",
    "has_error",
    "has_error_or_missing",
)


def columns(table: Table) -> dict[str, object]:
    return {name: getattr(table, name) for name in COLUMNS}


@given(st.data())
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_nodes_copied_from_an_earlier_table_equal_newly_built_ones(data: st.DataObject) -> None:
    text, before = BODY, None
    at = data.draw(st.integers(0, len(BODY)))
    for piece in data.draw(st.lists(st.sampled_from(PIECES), max_size=8)):
        end = min(at + data.draw(st.sampled_from([0, 0, 0, 1, 4])), len(text))
        text = text[:at] + piece.encode() + text[end:]
        at += data.draw(st.sampled_from([0, len(piece), len(piece), -9]))
        at = max(min(at, len(text)), 0)
        tree = parse(text)
        nodes = [node for node in tree.root_node.children if kind_of(node) not in (COMMENT, TOKEN)]
        tables = [build_table(node, text, tree, before) for node in nodes]
        for node, table in zip(nodes, tables, strict=True):
            assert columns(table) == columns(build_table(node, text))
        whole = len(tables) == 1 and not tables[0].nested
        before = ParsedChunk(text, tree, nodes[0], tables[0]) if whole else None


def test_nested_blocks_are_cut_off_at_the_same_depth_after_an_edit() -> None:
    before, text = None, b"void f() { a; b; c; }"
    for _ in range(MAXIMUM_DEPTH + 20):
        text = text.replace(b"b;", b"{ x = a; b; d; }")
        tree = parse(text)
        (node,) = tree.root_node.children
        table = build_table(node, text, tree, before)
        assert columns(table) == columns(build_table(node, text))
        before = ParsedChunk(text, tree, node, table)


@pytest.mark.parametrize("new", [b" ", b"/* c */", b"d;", b"; }", b"{", b"\n\n"])
@pytest.mark.parametrize(
    "text", [b"void f() { a;    b;   c; }", b"void f(int a,    int b) { if (a) { b; }    else  c; }"]
)
def test_nodes_moved_by_an_edit_are_copied_to_their_new_position(text: bytes, new: bytes) -> None:
    (node,) = parse(text).root_node.children
    before = ParsedChunk(text, parse(text), node, build_table(node, text))
    for at in range(len(text) + 1):
        other = text[:at] + new + text[at:]
        tree = parse(other)
        for node in tree.root_node.children:
            if kind_of(node) not in (COMMENT, TOKEN):
                assert columns(build_table(node, other, tree, before)) == columns(build_table(node, other))
