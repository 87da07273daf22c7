"""Finding the names that a text declares without preprocessing it."""

from __future__ import annotations

import pytest
from openclsp.workspace.declared_names import extract_declared_names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("#define N 4\n  # define F(x) x\n", "N F"),
        ("typedef float real;", "real"),
        ("typedef struct { int a; float b; } pair;", "pair"),
        ("typedef struct pair_s\n{\n  int a;\n} pair_t;", "pair_s pair_t"),
        ("typedef int row[4];", "row"),
        ("typedef int (^work)(int);", "work"),
        ("union bits { int i; float f; };", "bits"),
        ("float scaled(float a, global float *p);", "scaled"),
        ("static inline float4\n", ""),
        ("static inline float4 scaled(\n    float a)\n{\n    if (a) { f(a); }\n}", "scaled"),
        ("__constant float table[4] = {1, 2, 3, 4};", "table"),
        ("constant sampler_t nearest = 0;", "nearest"),
        ("enum { ONE, TWO = 2,\n THREE };", "ONE TWO THREE"),
        ("", ""),
    ],
)
def test_declared(text: str, names: str) -> None:
    assert extract_declared_names(text.encode()) == frozenset(names.encode().split())
