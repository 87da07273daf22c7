"""Values of string literals, their source maps, and edits that are written back."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openclsp.host_code.c_literals import literal_runs, read_adjacent_literals, read_c_literal
from openclsp.host_code.host_language import HostLanguage
from openclsp.host_code.host_tree import parse_host_file
from openclsp.host_code.python_literals import Formatting, read_python_literal
from openclsp.host_code.string_edits import edits_of_host
from openclsp.host_code.string_value import PieceKind, StringValue
from openclsp.host_code.stringifying_macros import find_stringified
from openclsp.source.text import Edit


def c_value(source: bytes) -> StringValue:
    found = read_adjacent_literals(source, 0)
    assert found is not None
    return found


def python_value(source: bytes, formatting: Formatting = Formatting.NONE) -> StringValue:
    tree = parse_host_file(source, HostLanguage.PYTHON)
    (node,) = tree.captures("(string) @string")["string"]
    found = read_python_literal(source, node, formatting)
    assert found is not None
    return found


def edited(source: bytes, edits: tuple[Edit, ...] | None) -> bytes | None:
    if edits is None:
        return None
    for edit in sorted(edits, key=lambda each: each.start, reverse=True):
        source = source[: edit.start] + edit.new + source[edit.old_end :]
    return source


@pytest.mark.parametrize(
    ("source", "value"),
    [
        (rb'"a\n\t\"\\\x41\101\u00e9\q"', b'a\n\t"\\AA\xc3\xa9q'),
        (b'"a\\\nb" // comment\n  /* " */ "c"', b"abc"),
        (rb'R"(a\n")" "b"', rb'a\n"b'),
        (b'R"x(a)" )y)x"', b'a)" )y'),
        (b'u8R"(a)" L"b"', b"ab"),
        (b'"a" NAME "b"', b"a${NAME}b"),
        (b'"unclosed\n"', None),
        (b'R"x(unclosed)y"', None),
    ],
)
def test_c_literals(source, value):
    found = read_adjacent_literals(source, 0)
    assert (None if found is None else found.data) == value


@pytest.mark.parametrize(
    ("source", "value"),
    [
        (rb'"a\n\"\x41\N{BULLET}\q"', 'a\n"A\u2022\\q'.encode()),
        (rb"r'a\n'", rb"a\n"),
        (b'"""a\n\\\nb"""', b"a\nb"),
        (rb'b"\u0041\x41"', rb"\u0041A"),
        (b'f"a{x!r:>3}{{b}}"', b"a${x}{b}"),
    ],
)
def test_python_literals(source, value):
    assert python_value(source).data == value


def test_formatted_strings_have_holes():
    assert python_value(b'"%(type)s x = 5 %% 3;"', Formatting.PERCENT).data == b"${type} x = 5 % 3;"
    found = python_value(b'"{0} f() {{ }}"', Formatting.BRACES)
    assert found.data == b"${0} f() { }"
    assert found.pieces[0].kind is PieceKind.HOLE


def test_offsets_map_both_ways():
    source = b'"a\\n" "\\142c"'
    found = c_value(source)
    assert found.data == b"a\nbc"
    assert [source[slice(*found.host_range(at, at + 1))] for at in range(4)] == [b"a", b"\\n", b"\\142", b"c"]
    assert found.host_range(1, 3) == (2, 11)
    assert [found.value_offset(at) for at in (1, 2, 3, 11)] == [0, 1, 1, 3]
    assert found.value_offset(5) is None


def test_an_edit_is_written_as_the_literal_needs_it():
    cases = [
        (b'"ab"', (1, 1, b'"\\\n'), b'"a\\"\\\\\\nb"'),
        (b'"a\\n" "b"', (0, 3, b"x"), b'"x" ""'),
        (b'"a\\n" "b"', (2, 2, b"c\n"), b'"a\\n" "c\\nb"'),
        (b'R"(ab)"', (1, 1, b'"\n'), b'R"(a"\nb)"'),
        (b'R"(ab)"', (1, 1, b')"'), None),
    ]
    for source, edit, expected in cases:
        assert edited(source, edits_of_host(c_value(source), source, *edit)) == expected
    python = [
        (b'"ab"', (1, 1, b'"\n'), b'"a\\"\\nb"'),
        (b'"""ab"""', (1, 1, b'"\n'), b'"""a\\"\nb"""'),
        (b"r'ab'", (1, 1, b"'"), None),
        (b"r'ab'", (2, 2, b"\\"), None),
        (b'f"a{x}b"', (0, 1, b"{"), b'f"{{{x}b"'),
        (b'f"a{x}b"', (0, 3, b""), None),
        (b'b"ab"', (1, 1, b"\xc3\xa9"), b'b"a\\xc3\\xa9b"'),
        (b'Rb"ab"', (1, 1, b"\xc3\xa9"), None),
        (b'Rb"ab"', (1, 1, b"c"), b'Rb"acb"'),
    ]
    for source, edit, expected in python:
        assert edited(source, edits_of_host(python_value(source), source, *edit)) == expected


def test_an_escape_sequence_of_several_bytes_is_not_cut():
    source = rb'"\u00e9"'
    assert edits_of_host(c_value(source), source, 0, 1, b"x") is None


TEXTS = st.text(st.sampled_from("ab1 \n\t\"'\\(){}%$x;/*é"), max_size=6)


@settings(max_examples=60, deadline=None)
@given(
    TEXTS,
    st.integers(0, 6),
    st.integers(0, 6),
    TEXTS,
    st.sampled_from(["", "r"]),
    st.sampled_from(['"', '"""']),
)
def test_edited_python_literals_have_the_wanted_value(text, one, other, new, prefix, quote):
    written = repr(text)[1:-1].replace('"', '\\"') if not prefix else "plain"
    source = f"{prefix}{quote}{written}{quote}".encode()
    value = python_value(source)
    start, end = sorted((min(one, len(value.data)), min(other, len(value.data))))
    result = edited(source, edits_of_host(value, source, start, end, new.encode()))
    if result is not None:
        assert ast.literal_eval(result.decode()).encode() == (
            value.data[:start] + new.encode() + value.data[end:]
        )


@settings(max_examples=60, deadline=None)
@given(TEXTS, TEXTS, st.integers(0, 12), st.integers(0, 12), TEXTS)
def test_edited_c_literals_have_the_wanted_value(first, second, one, other, new):
    source = b" ".join(
        b'"%s"' % each.encode("unicode_escape").replace(b'"', b'\\"') for each in (first, second)
    )
    value = c_value(source)
    start, end = sorted((min(one, len(value.data)), min(other, len(value.data))))
    result = edited(source, edits_of_host(value, source, start, end, new.encode()))
    if result is not None:
        assert c_value(result).data == value.data[:start] + new.encode() + value.data[end:]


def test_arguments_of_stringifying_macros():
    source = (
        b"#define INNER(x, ...) #__VA_ARGS__\n#define KERNEL(...) INNER(0, __VA_ARGS__)\n"
        b'const char *a = KERNEL(kernel void f(global int *p) { /* ) */ p[0] = (")"); } \\n#define X 1);\n'
        b'call("__kernel void g(__global int *p)");\n'
    )
    (found,) = find_stringified(source)
    assert found.value.data == (b'kernel void f(global int *p) { /* ) */ p[0] = (")"); } \n#define X 1')
    assert source[found.start : found.start + 7] == b"KERNEL("


@pytest.mark.parametrize("name", ["STRINGIFY", "MY_STRINGIZE", "BOOST_COMPUTE_STRINGIZE_SOURCE", "QUOTE"])
def test_stringifying_macros_of_headers(name):
    source = b"auto s = %s(int f(int n); __kernel void k(int n) { });" % name.encode()
    (found,) = find_stringified(source)
    assert found.value.data == b"int f(int n); __kernel void k(int n) { }"


def test_escapes_in_arguments_of_stringifying_macros():
    source = b"auto s = STRINGIFY(\\n\\x23if A \\n kernel void a(int n) { printf(\"%d\\n\", '\\n'); } \\n\\043endif\\n);"
    (found,) = find_stringified(source)
    assert found.value.data == b"\n#if A \n kernel void a(int n) { printf(\"%d\\n\", '\\n'); } \n#endif\n"
    at = found.value.data.index(b"int n")
    edit = edits_of_host(found.value, source, at, at, b"const ")
    assert edited(source, edit) == source.replace(b"int n", b"const int n")
    assert edits_of_host(found.value, source, at, at, b"\\x23") is None


def test_literals_of_a_macro_body_have_holes_for_parameters():
    body = b'"__kernel void f(" type " *x) {" #n "}"'
    assert [each.data for each in literal_runs(body, 0, len(body))] == [b"__kernel void f(${type} *x) {${n}}"]


def test_a_long_literal_is_read():
    source = b'"' + b"a\\n" * 20_000 + b'"'
    found = read_c_literal(source, 0)
    assert found is not None
    assert len(found.data) == 40_000
