"""`layout FILE:LINE:COLUMN`."""

from __future__ import annotations

import json

KERNEL = """\
struct inner { char tag; int *p; };
kernel void k(int n) { struct inner i; }
"""


def test_text(openclsp, write):
    write("k.cl", KERNEL)
    ran = openclsp("layout", "k.cl:2:24")
    assert ran.code == 0
    assert ran.out.splitlines() == [
        "struct inner  k.cl:1:1",
        "  on 32-bit devices: 8 bytes, 3 of them padding, aligned to 4",
        "    offset  size  member",
        "         0     1  char tag",
        "         1     3  padding",
        "         4     4  private int *p",
        "  on 64-bit devices: 16 bytes, 7 of them padding, aligned to 8",
        "    offset  size  member",
        "         0     1  char tag",
        "         1     7  padding",
        "         8     8  private int *p",
        "OpenCL C 1.2, the default of OpenCL compilers",
    ]


def test_json(openclsp, write):
    write("k.cl", KERNEL)
    found = json.loads(openclsp("layout", "--format", "json", "k.cl:1:8").out)
    assert (found["version"], found["name"], found["path"]) == (1, "struct inner", "k.cl")
    assert found["range"]["start"] == {"line": 1, "column": 1}
    assert [(each["address_bits"], each["size"]) for each in found["layouts"]] == [(32, 8), (64, 16)]
    assert found["layouts"][1]["members"][1:] == [
        {"name": "", "declaration": None, "depth": 0, "bit_offset": 8, "bits": 56, "bit_field": False},
        {
            "name": "p",
            "declaration": "private int *p",
            "depth": 0,
            "bit_offset": 64,
            "bits": 64,
            "bit_field": False,
        },
    ]


def test_there_is_none(openclsp, write):
    write("k.cl", KERNEL)
    ran = openclsp("layout", "k.cl:2:19")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "openclsp: there is no struct or union at k.cl:2:19\n"


def test_an_unknown_layout(openclsp, write):
    write("k.cl", "struct s { UNKNOWN a; };\n")
    ran = openclsp("layout", "k.cl:1:8")
    assert "  The size of a member is not known, so neither is the layout." in ran.out.splitlines()
    assert json.loads(openclsp("layout", "--format", "json", "k.cl:1:8").out)["layouts"] == []
