"""A file that a host macro stringifies is checked as its content, at its positions in the file."""

from __future__ import annotations

import pytest
from openclsp.source.code_extraction import code_after, code_of
from openclsp.source.stringified import content_of_stringified
from openclsp.source.text import Edit, Text

KERNEL = b"kernel void k(global int *g) { g[0] = 1; }\n"


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        (b"MSTRINGIFY(\n", b")\n"),
        (b"// about\nSTRINGIFY(\n", b");"),
        (b"#ifndef K\n#define K\nstatic const char* const source = CONVERT_TO_STRING(\n", b");\n#endif\n"),
        (b"const std::string s = QUOTE (\r\n", b")\r\n"),
    ],
)
def test_the_argument_of_the_macro_is_the_code(before: bytes, behind: bytes) -> None:
    data = before + KERNEL + behind
    content = content_of_stringified(data)
    assert content is not None
    assert len(content) == len(data)
    assert content.count(b"\n") == data.count(b"\n")
    assert KERNEL in content
    assert b"(" not in content.replace(KERNEL, b"")


def test_line_ends_written_for_the_string_are_blanks() -> None:
    content = content_of_stringified(b'STRINGIFY(\n\\n#define A 1\\n\nchar *s = "\\n";\n)\n')
    assert content is not None
    assert content.splitlines()[1] == b"  #define A 1  "
    assert content.splitlines()[2] == b'char *s = "\\n";'


@pytest.mark.parametrize(
    "data",
    [
        KERNEL,
        b"STRINGIFY(a);\n" + KERNEL,
        b"MACRO(\n" + KERNEL + b")\n",
        b"STRINGIFY(\n" + KERNEL + b")\n" + KERNEL,
        b"STRINGIFY(\n" + KERNEL,
    ],
)
def test_other_files_are_unchanged(data: bytes) -> None:
    assert content_of_stringified(data) is None


@pytest.mark.parametrize("typed", [b")", b"\n", b" int x;", b"#"])
@pytest.mark.parametrize("closed", [b"", b")\n"])
def test_an_edit_gives_the_result_of_a_new_document(typed: bytes, closed: bytes) -> None:
    before = Text.of(b"STRINGIFY(\n" + KERNEL + closed)
    for at in (0, 9, 10, 11, 20, len(before.data)):
        edit = Edit(at, at, typed)
        after = Text.of(before.data[:at] + typed + before.data[at:])
        found, fresh = code_after(code_of(before), before, edit, after), code_of(after)
        assert (found.text.data, found.raw) == (fresh.text.data, fresh.raw), (at, after.data)


def test_quotes_around_many_lines() -> None:
    first = b'// "about"\nstatic const char * first = "\n' + KERNEL + b'";\n'
    content = content_of_stringified(first + b'const char *second = "\n' + KERNEL + b'";\n')
    assert content is not None
    assert content.count(KERNEL) == 1
    assert content.index(KERNEL) == first.index(KERNEL)
    assert b'"' not in content[content.index(b"\n") :]
    assert content_of_stringified(b'constant char *text = "one line";\n' + KERNEL) is None


@pytest.mark.parametrize(
    ("before", "kept"),
    [
        (b"#ifndef H\n#define H\n", b"#define H"),
        (b"#ifdef PLAIN\n#include <a.h>\n#else\n#define N 1\n", b"#define N 1"),
        (b"#if A\n#if B\n#endif\n#elif C\n#endif\n#if D\n", b"#if A\n#if B\n#endif\n#elif C\n#endif"),
        (b"#endif\n#pragma once\n// #if A\n", b"#endif\n#pragma once\n// #if A"),
    ],
)
@pytest.mark.parametrize(
    "strings",
    [
        b'const char *a = "\n' + KERNEL + b'";\n',
        b"const char *a = STRINGIFY(\n" + KERNEL + b");\nconst char *b = STRINGIFY(\n" + KERNEL + b");\n",
    ],
    ids=["quotes", "two calls"],
)
def test_a_conditional_around_the_string_is_the_hosts(before: bytes, kept: bytes, strings: bytes) -> None:
    data = before + strings + b"#else\n" + KERNEL + b"#endif\n"
    content = content_of_stringified(data)
    assert content is not None
    assert [len(line) for line in content.split(b"\n")] == [len(line) for line in data.split(b"\n")]
    assert content.count(KERNEL) == 1
    lines = content[: content.index(KERNEL)].split(b"\n")
    assert b"\n".join(line for line in lines if line.strip()) == kept


def test_comments_before_are_passed_in_linear_time() -> None:
    comments = b"// about   \n/* STRING */   \n" * 2000
    assert content_of_stringified(comments + KERNEL) is None
    assert content_of_stringified(comments + b"STRINGIFY(\n" + KERNEL + b")\n" + comments[:280]) is not None


def test_names_that_the_host_fills_in_are_names() -> None:
    content = content_of_stringified(
        b'const char *t = "\nkernel void %PREFIXk(global %TYPE *g) { int a = 7 % 2; }\n";\n'
    )
    assert content is not None
    assert b"kernel void  PREFIXk(global  TYPE *g) { int a = 7 % 2; }" in content
