"""Where the text is cut into top-level things."""

from __future__ import annotations

from itertools import pairwise

import pytest
from openclsp.source.chunks import chunk_end


def chunks(text: str) -> list[str]:
    data = text.encode()
    ends = [0]
    while ends[-1] < len(data):
        ends.append(chunk_end(data, ends[-1]))
    return [data[start:end].decode() for start, end in pairwise(ends)]


@pytest.mark.parametrize(
    "head",
    [
        "typedef struct A\n",
        "typedef struct A // of the host\n",
        "typedef struct A /* = */ ",
        "typedef struct // {{\n",
        "typedef union /* a */ A /* b */\n",
    ],
)
def test_a_comment_before_the_brace_leaves_a_definition_whole(head: str) -> None:
    definition = head + "{\n  int x;\n} A;"
    assert chunks(definition + "\nvoid f(void) { }") == [definition, "\nvoid f(void) { }"]


def test_an_open_brace_ends_before_a_function_that_an_empty_macro_left_a_blank_before() -> None:
    unclosed, following = "void f(int n)\n{ if (n) {\n  n = 1;\n}\n", " void g(int n)\n{ }"
    assert chunks(unclosed + following) == [unclosed, following]
