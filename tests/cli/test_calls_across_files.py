"""Calls that lead through functions of a header, and into kernels of a header."""

from __future__ import annotations

import json

HEADER = """int odd(int n);
int even(int n) {
    return n == 0 ? 1 : odd(n - 1);
}
kernel void reduce(global int *g) {
    local int sum;
    sum = g[0];
}
"""
KERNEL = """#include "calls.h"
int odd(int n) {
    return n == 0 ? 0 : even(n - 1);
}
kernel void k(global int *g) {
    g[0] = even(3);
    reduce(g);
}
"""


def test_a_circle_through_a_header_and_a_call_of_its_kernel(openclsp, write):
    write("calls.h", HEADER)
    write("k.cl", KERNEL)
    ran = openclsp("check", "--format", "json", "k.cl")
    assert ran.code == 0
    found = {
        (file["path"].rpartition("/")[2], each["code"], each["range"]["start"]["line"])
        for file in json.loads(ran.out)["files"]
        for each in file["diagnostics"]
    }
    circle = {("calls.h", "recursion", 3), ("k.cl", "recursion", 3)}
    assert found == {*circle, ("k.cl", "kernel-call", 7)}
