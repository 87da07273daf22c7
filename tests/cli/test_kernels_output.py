"""`check --kernels`."""

from __future__ import annotations

import json

KERNEL = """\
constant float weights[4] = { 1, 2, 3, 4 };
float helper(float x) { return x * weights[0]; }
kernel void k(global float *out, local float *tile, constant int *c) {
    local int a[8], b[TILE];
    out[0] = helper(tile[0]) + mystery(c[0]);
}
"""


def test_every_field_of_the_json(openclsp, write):
    write("k.cl", KERNEL)
    ran = openclsp("check", "--kernels", "--format", "json", "k.cl")
    (found,) = json.loads(ran.out)["kernels"]
    assert found == {
        "name": "k",
        "path": "k.cl",
        "range": {"start": {"line": 3, "column": 13}, "end": {"line": 3, "column": 14}},
        "builds": ["CL1.2"],
        "spaces": ["global", "local", "constant"],
        "arguments": [
            {"name": "out", "declaration": "global float *out", "spaces": ["global"], "bytes": 8},
            {"name": "tile", "declaration": "local float *tile", "spaces": ["local"], "bytes": 8},
            {"name": "c", "declaration": "constant int *c", "spaces": ["constant"], "bytes": 8},
        ],
        "local": {
            "bytes": 32,
            "complete": False,
            "variables": [
                {"name": "a", "function": "k", "bytes": 32, "why": None},
                {"name": "b", "function": "k", "bytes": None, "why": "`TILE` is not known here"},
            ],
            "givenByHost": ["tile"],
            "givenBytes": [],
        },
        "constant": {
            "bytes": 16,
            "complete": False,
            "variables": [{"name": "weights", "function": None, "bytes": 16, "why": None}],
        },
        "unknown": [],
        "constantArguments": {"arguments": 1, "variables": 1, "count": 2, "limit": 8, "limitGiven": False},
        "functions": ["helper"],
        "notSeen": ["mystery"],
        "passed": [],
    }


HOST = """\
#include <CL/cl2.hpp>
void run(cl::Program program, cl::Buffer buffer) {
    cl::Kernel k(program, "k");
    k.setArg(0, buffer);
    k.setArg(1, cl::Local(16 * sizeof(float)));
}
"""


def test_local_memory_that_the_host_gives(openclsp, write):
    write("openclsp.toml", "[device.limits]\nlocal-mem-size = 90\n")
    write("k.cl", KERNEL)
    write("host.cpp", HOST)
    out = openclsp("check", "--kernels", "k.cl").out
    assert "at least 32 bytes, plus 64 bytes that the host sets for tile\n" in out
    assert "its variables and the arguments that the host sizes need 96 bytes; the device has 90" in out
    write("other.cpp", HOST.replace("16 *", "8 *"))
    (found,) = json.loads(openclsp("check", "--kernels", "--format", "json", "k.cl").out)["kernels"]
    assert found["local"]["givenBytes"] == [{"name": "tile", "bytes": [32, 64], "complete": True}]
    write("third.cpp", HOST.replace("16 *", "count *"))
    out = openclsp("check", "--kernels", "k.cl").out
    assert "32 or 64 bytes or a computed number that the host sets for tile" in out
    assert "the host sets 32 or 64 bytes or a computed number" in openclsp("hover", "k.cl:5:22").out


def test_local_memory_of_a_kernel_in_a_string(openclsp, write):
    write("host.cpp", f'const char *source = R"({KERNEL})";\n' + HOST)
    assert "plus 64 bytes that the host sets for tile\n" in openclsp("check", "--kernels", "host.cpp").out


def test_without_the_option_nothing_is_said(openclsp, write):
    write("k.cl", KERNEL)
    assert "kernels" not in json.loads(openclsp("check", "--format", "json", "k.cl").out)
    assert "kernel k" not in openclsp("check", "k.cl").out


def test_text(openclsp, write):
    write("openclsp.toml", "[device.limits]\nlocal-mem-size = 31\n")
    write("k.cl", KERNEL)
    out = openclsp("check", "--kernels", "--no-fixes", "k.cl").out.splitlines()
    assert out[: out.index("")] == [
        "k.cl:3:13: kernel k (CL1.2)",
        "  arguments global, local, constant; 24 bytes",
        "  local     at least 32 bytes, plus the size that the host sets for tile",
        "            32  a, in k",
        "             ?  b, in k: `TILE` is not known here",
        (
            "  constant  at least 16 bytes; 1 argument and 1 variable, which may count as 2 constant arguments"
            " (every device has 8)"
        ),
        "            16  weights",
        "  functions helper",
        "  not seen  mystery: the kernel may use more than is shown",
        "  limit     local memory: its variables need 32 bytes; the device has 31 (local-mem-size in openclsp.toml)",
    ]


def test_builds_with_equal_summaries_are_reported_together(openclsp, write):
    write("openclsp.toml", "[variants.small]\ndefines = { N = 4 }\n[variants.large]\ndefines = { N = 8 }\n")
    write("k.cl", "kernel void k(void) { local int a[N]; }\nkernel void same(global int *g) {}\n")
    found = json.loads(openclsp("check", "--kernels", "--all-variants", "--format", "json", "k.cl").out)[
        "kernels"
    ]
    assert [(each["name"], each["builds"], each["local"]["bytes"]) for each in found] == [
        ("k", ["small"], 16),
        ("k", ["large"], 32),
        ("same", ["small", "large"], 0),
    ]


def test_a_kernel_of_a_header_is_reported_once(openclsp, write):
    write("h.clh", "kernel void k(global int *g) {}\n")
    write("a.cl", '#include "h.clh"\n')
    write("b.cl", '#include "h.clh"\n')
    found = json.loads(openclsp("check", "--kernels", "--format", "json", "a.cl", "b.cl").out)["kernels"]
    assert [(each["name"], each["path"]) for each in found] == [("k", "h.clh")]
