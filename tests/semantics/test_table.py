"""The flat table of an item: its leaves are the item's text."""

from __future__ import annotations

import pytest
from openclsp.semantics.table import MAX_DEPTH, TOO_DEEP, build_table
from openclsp.source.tree import COMMENT, TOKEN, kind_of, parse

WHOLE = b"""\
struct S { int a[3]; float b : 2; };
/* before */ kernel void k(global int *p, ...) { // here
  for (int i = 0; i <= 3 && !p[i]; i++, --p) p->a.b[i] ^= ~i ? -1 : (i << 2) % 3; /* there */
  label: x = (int){1}, y = sizeof(int) >> 1 | 3 & 1; goto label; switch (x) { case 1 ... 2: break; default: ; }
  int (^block)(int) = ^(int q) { return q * *p; }; a += b -= c *= d /= e %= f |= g &= h <<= 1 >>= 2 != 3 == 4;
}
"""
DEEP = b"int x = " + b"(" * (MAX_DEPTH + 20) + b"1" + b")" * (MAX_DEPTH + 20) + b";"


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
def test_a_leaf_is_what_stands_there(text: bytes) -> None:
    for node in parse(text).root_node.children:
        if kind_of(node) in (COMMENT, TOKEN):
            continue
        table = build_table(node, text)
        base = node.start_byte
        spelled = [text[base + a : base + b] for a, b in zip(table.starts, table.ends, strict=True)]
        assert table.leaves == spelled
        assert [leaf for leaf, text in enumerate(spelled) if not text] == [*table.missing]
        assert table.first == sorted(table.first)


def test_what_is_too_deep_is_one_leaf() -> None:
    (node,) = parse(DEEP).root_node.children
    table = build_table(node, DEEP)
    deep = [row for row, number in enumerate(table.kind) if number == TOO_DEEP]
    assert [table.text(row)[:1] for row in deep] == ["(", "(", ")"]
