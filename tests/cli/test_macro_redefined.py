"""Redefined macros: the earlier definition is shown; nothing is reported where the host sets the value."""

from __future__ import annotations

import json

HOST = """#include <CL/cl.h>
void build(cl_program program, int n) {
    char options[99];
    const char *source = read_file("k.cl");
    sprintf(options, "-DWIDTH=%d -DHEIGHT=4", n);
    clBuildProgram(program, 0, NULL, options, NULL, NULL);
}
"""


def redefined(openclsp, *arguments: str):
    document = json.loads(openclsp("check", "--format", "json", *arguments, "k.cl").out)
    return [
        (each["range"]["start"]["line"], each["message"],
         [(related["path"], related["range"]["start"]["line"]) for related in each["related"]])
        for file in document["files"]
        for each in file["diagnostics"]
        if each["code"] == "macro-redefined"
    ]  # fmt: skip


def test_the_earlier_definition_is_shown(openclsp, write) -> None:
    write("a.h", "\n#define DEPTH 1\n")
    write("k.cl", '#include "a.h"\n#define SIZE(a) (a)\n\n#define SIZE(a) a\n#define DEPTH 2\n')
    assert redefined(openclsp) == [
        (4, "'SIZE' macro redefined: it was `SIZE(a) (a)`", [("k.cl", 2)]),
        (5, "'DEPTH' macro redefined: it was `DEPTH 1`", [("a.h", 2)]),
    ]


def test_a_value_that_the_host_computes_is_not_known(openclsp, write) -> None:
    write("host.c", HOST)
    write("k.cl", "#define WIDTH 8\n#define HEIGHT 8\n")
    assert redefined(openclsp) == [(2, "'HEIGHT' macro redefined: it was `HEIGHT 4`", [])]


def test_a_value_of_the_command_line(openclsp, write) -> None:
    write("k.cl", "#define WIDTH 8\n")
    assert redefined(openclsp, "-D", "WIDTH=4") == [(1, "'WIDTH' macro redefined: it was `WIDTH 4`", [])]
