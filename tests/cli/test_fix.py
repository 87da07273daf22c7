"""`check --fix`: what is clearly right is written, and told; the rest is reported as ever."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from .conftest import Ran

WRONG = "kernel void k(global int *g) {\n    local int *l = g;\n    *l = 1;\n}\n"
RIGHT = WRONG.replace("local int *l", "global int *l")


def test_the_file_is_written_and_told(openclsp: Callable[..., Ran], write: Callable[..., Path]) -> None:
    path = write("k.cl", WRONG)
    ran = openclsp("check", "--fix", "k.cl")
    assert path.read_text() == RIGHT
    assert ran.code == 0
    assert "k.cl: fixed error[pointer-conversion]: Point `l` into global" in ran.out
    assert "1 fix made in k.cl." in ran.out
    assert "No errors" in ran.out


def test_json_tells_what_was_made(openclsp: Callable[..., Ran], write: Callable[..., Path]) -> None:
    write("k.cl", WRONG)
    answer = json.loads(openclsp("check", "--fix", "--format", "json", "k.cl").out)
    (made,) = answer["fixed"]
    assert (made["path"], made["code"], made["title"]) == (
        "k.cl",
        "pointer-conversion",
        "Point `l` into global",
    )
    assert answer["written"] == ["k.cl"]
    assert [file["diagnostics"] for file in answer["files"]] == [[]]


def test_what_needs_a_choice_is_left(openclsp: Callable[..., Ran], write: Callable[..., Path]) -> None:
    text = "kernel void k(constant int *c) {\n    *c = 1;\n}\n"
    path = write("k.cl", text)
    ran = openclsp("check", "--fix", "k.cl")
    assert path.read_text() == text
    assert ran.code == 1
    assert "There is nothing that can be fixed without a choice." in ran.out


def test_a_header_is_changed_only_where_no_other_input_minds(
    openclsp: Callable[..., Ran], write: Callable[..., Path]
) -> None:
    header = write("set.h", "void set(int *a);\n")
    wrong = write("a.cl", '#include "set.h"\nkernel void k(global int *g) {\n    set(g);\n}\n')
    write("b.cl", '#include "set.h"\nkernel void k(global int *g) {\n    int x;\n    set(&x);\n}\n')
    before = wrong.read_text()
    assert openclsp("check", "--fix", "a.cl", "b.cl").code == 1
    assert header.read_text() == "void set(int *a);\n"
    assert wrong.read_text() == before
    openclsp("check", "--fix", "a.cl")
    assert header.read_text() == "void set(global int *a);\n"


def test_line_ends_and_bytes_that_are_no_text_stay(
    openclsp: Callable[..., Ran], write: Callable[..., Path]
) -> None:
    path = write("k.cl", b"// \xff\r\n" + WRONG.replace("\n", "\r\n").encode())
    openclsp("check", "--fix", "k.cl")
    assert path.read_bytes() == b"// \xff\r\n" + RIGHT.replace("\n", "\r\n").encode()


def test_standard_input_is_no_file(openclsp: Callable[..., Ran]) -> None:
    ran = openclsp("check", "--fix", "-", stdin=WRONG.encode())
    assert ran.code == 2
    assert "standard input" in ran.err


def test_a_header_is_fixed_as_the_kernel_sees_it(
    openclsp: Callable[..., Ran], write: Callable[..., Path]
) -> None:
    write(
        "k.cl", '#define SPACE global\n#include "copy.h"\nkernel void k(global int *g) {\n    copy(g);\n}\n'
    )
    header = write("copy.h", "inline void copy(SPACE int *a) {\n    local int *b = a;\n    *b = 1;\n}\n")
    openclsp("check", "--fix", "copy.h")
    assert "    global int *b = a;\n" in header.read_text()


def test_a_fix_holds_in_every_version_that_is_asked_for(
    openclsp: Callable[..., Ran], write: Callable[..., Path]
) -> None:
    text = "kernel void k(global int *g, local int *l) {\n    local int *p = g;\n    p = l;\n    global int *q = l;\n}\n"
    path = write("k.cl", text)
    openclsp("check", "--fix", "--all-std", "k.cl")
    assert path.read_text() == text.replace("global int *q = l", "local int *q = l")
