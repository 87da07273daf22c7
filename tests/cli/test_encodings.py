"""Encodings of files: byte order marks, UTF-16, UTF-32 and invalid UTF-8."""

from __future__ import annotations

import json

import pytest

FAULTY = "kernel void k(global int *g) { local int *l = g; }\n"
MARK = b"\xef\xbb\xbf"


def places(ran):
    """(path, line, column) of each diagnostic and of each edit."""
    for file in json.loads(ran.out)["files"]:
        for found in file["diagnostics"]:
            start = found["range"]["start"]
            yield file["path"], start["line"], start["column"]
            for fix in found["fixes"]:
                for edit in fix["edits"]:
                    start = edit["range"]["start"]
                    yield edit["path"], start["line"], start["column"]


def test_a_byte_order_mark_is_no_column(openclsp, write):
    write("k.cl", FAULTY)
    without = list(places(openclsp("check", "--format", "json", "k.cl")))
    write("k.cl", MARK + FAULTY.encode())
    ran = openclsp("check", "--format", "json", "k.cl")
    assert list(places(ran)) == without
    assert openclsp("hover", "k.cl:1:47").out.splitlines()[0] == "global int *private g"
    ran = openclsp("check", "--format", "json", "-", stdin=MARK + FAULTY.encode())
    assert [place[1:] for place in places(ran)] == [place[1:] for place in without]


def test_nor_in_a_header(openclsp, write):
    write("k.cl", '#include "part.clh"\nkernel void k(global int *g) { f(g); }\n')
    write("part.clh", FAULTY.replace("kernel void k", "void f"))
    without = list(places(openclsp("check", "--format", "json", "k.cl")))
    write("part.clh", MARK + FAULTY.replace("kernel void k", "void f").encode())
    assert list(places(openclsp("check", "--format", "json", "k.cl"))) == without
    assert without


@pytest.mark.parametrize("directive", ["#define SPACE local\n", '#include "space.clh"\n'])
def test_a_directive_after_a_byte_order_mark_counts(openclsp, write, directive):
    write("space.clh", MARK + b"#define SPACE local\n")
    write("k.cl", MARK + (directive + FAULTY.replace("local", "SPACE")).encode())
    ran = openclsp("check", "--format", "json", "--no-fixes", "k.cl")
    assert list(places(ran)) == [("k.cl", 2, 47)]
    # a header is found through a kernel that begins so
    assert openclsp("check", "space.clh").out.endswith("included by k.cl.\n") is ("include" in directive)


def test_a_fix_keeps_the_byte_order_mark(openclsp, write):
    path = write("k.cl", MARK + FAULTY.encode())
    assert openclsp("check", "--fix", "k.cl").code == 0
    assert path.read_bytes() == MARK + FAULTY.replace("local", "global").encode()
    path = write("k.cl", FAULTY.replace("kernel", "kernel  ").encode())
    assert openclsp("check", "--fix", "k.cl").code == 0
    assert path.read_bytes() == FAULTY.replace("kernel", "kernel  ").replace("local", "global").encode()


ENCODINGS = {
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16",
    "utf-32": "UTF-32",
    "utf-32-le": "UTF-32",
    "utf-32-be": "UTF-32",
}


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("comment", ["", "// größer 漢字\n"], ids=["ascii", "letters"])
def test_wide_encodings_are_one_clear_error(openclsp, write, encoding, comment):
    data = (comment + FAULTY).encode(encoding)
    path = write("k.cl", data)
    for options in ((), ("--fix",)):
        ran = openclsp("check", *options, "k.cl")
        assert ran.code == 2
        assert "error[" not in ran.out
        assert "hint[" not in ran.out
        (line,) = ran.err.splitlines()
        assert line.startswith(f"openclsp: k.cl is {ENCODINGS[encoding]} text")
    assert path.read_bytes() == data
    ran = openclsp("check", "--format", "json", "-", stdin=data)
    assert [each["path"] for each in json.loads(ran.out)["notChecked"]] == ["-"]


def test_so_is_a_header_in_one(openclsp, write):
    write("part.clh", FAULTY.encode("utf-16"))
    write("k.cl", '#include "part.clh"\nkernel void k(global thing *g) { f(g); }\n')
    ran = openclsp("check", "--no-fixes", "k.cl")
    assert ran.code == 1
    assert "k.cl:1:10: error[directive]: 'part.clh': the file is UTF-16 text" in ran.out
    assert "1 error" in ran.out


@pytest.mark.parametrize("data", [b"", b"\n", b"\0" * 64, b"k\0", b"\0\0", bytes(range(256)) * 8])
def test_what_is_no_such_text_is_looked_at(openclsp, write, data):
    write("k.cl", data)
    assert openclsp("check", "k.cl").code in (0, 1)


def test_latin_1_in_comments_and_strings_changes_nothing(openclsp, write):
    write("k.cl", b"// \xe4\n" + FAULTY.encode() + b'/* gr\xf6\xdfer */ constant char s[] = "\xfc";\n')
    ran = openclsp("check", "--format", "json", "--no-fixes", "k.cl")
    assert list(places(ran)) == [("k.cl", 2, 47)]


def test_a_zero_byte_is_a_blank(openclsp, write):
    write("k.cl", "kernel void k(global int *g) { int\0 x = 1; g[0] =\0\0 x; }\n")
    assert openclsp("check", "k.cl").out.startswith("No errors")
