"""Splitting a text into top-level chunks."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openclsp.source.chunks import FunctionBraces, chunk_end


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


def test_a_brace_among_parameters_is_a_macros() -> None:
    function = "kernel void k(int a, ARG({ int b; }) global int *p) { p[0] = 1; }"
    assert chunks(function + "\nint x;") == [function, "\nint x;"]
    unfinished = ["void f(int a, { a = 1; }", "\nvoid g(int b) { }"]
    assert chunks("".join(unfinished)) == unfinished


def test_code_in_the_arguments_of_a_call_is_not_the_head_of_the_function_after_it() -> None:
    call = "IF_HALF(int f(half a) { int b = 1; return a != b; }) "
    functions = [call + "int f(float a) { return 1; }", " int f(int a) { return 2; }"]
    assert chunks("".join(functions)) == functions


FUNCTION = b"""\
/* { */ kernel void run(global int *p, int n) // {
{
  if (n) { p[0] = '{'; } // }
  else { p[1] = "}"[0]; /* } */ p[2] = (int){1}; }

  for (int i = 0; i < n; i++)
  {
    int f(int a, /* ( */
          int b);
    p[i] = i;
  }
}"""
PIECES = [
    "a",
    ";",
    "{",
    "}",
    "/*",
    "*/",
    "//",
    "'",
    '"',
    "\n",
    "\\",
    " kernel",
    "\nkernel void g()",
    "\nint g(int x,",
    ") {",
] + ["{ }", "\nvoid g() { }", "/* a */", "'{'", '"}"', "struct S {", "= {", "float x = 1;"]


@given(st.data())
def test_the_end_after_an_edit_in_a_body_is_found_at_once_where_it_is_found(data: st.DataObject) -> None:
    before, behind = b"int z;", data.draw(st.sampled_from([b"", b"\n", b"\nvoid h() { }", b"*/ }"]))
    chunk = FUNCTION
    braces = FunctionBraces(chunk)
    for _ in range(data.draw(st.integers(1, 6))):
        first = data.draw(st.integers(1, len(chunk)))
        last = data.draw(st.integers(first, min(first + 3, len(chunk))))
        new = (
            data.draw(st.sampled_from(PIECES)).encode() if last == first or data.draw(st.booleans()) else b""
        )
        text = before + chunk[:first] + new + chunk[last:] + behind
        end = braces.end_after(text, len(before), first, last, first + len(new))
        fresh = chunk_end(text, len(before))
        assert end in (-1, fresh)
        chunk = text[len(before) : fresh]
        if end < 0:
            braces = FunctionBraces(chunk)
        assert braces.text == chunk
        assert end < 0 or braces.end_after(text, len(before), fresh - 8, fresh - 8, fresh - 8) in (-1, fresh)


def test_a_letter_in_a_body_needs_no_look_at_the_rest_of_it() -> None:
    braces, at = FunctionBraces(FUNCTION), FUNCTION.index(b"p[i]")
    text = FUNCTION[:at] + b"x" + FUNCTION[at:] + b" void h() { }"
    assert braces.end_after(text, 0, at, at, at + 1) == len(FUNCTION) + 1
    assert braces.end_after(text, 0, at + 1, at + 1, at + 1) == len(FUNCTION) + 1
