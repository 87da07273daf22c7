"""The names that the text of an OpenCL file defines at program scope, by patterns in its text."""

from __future__ import annotations

import pytest
from openclsp.host_options.defined_names import extract_defined_names

DEFINED = {
    "a macro": ("#define SIZE 16\n", "SIZE"),
    "a macro with parameters": ("#if 0\n# define MAX(a, b) ((a) > (b) ? (a) : (b))\n#endif\n", "MAX"),
    "a type": ("typedef struct { int x; } Point;\ntypedef float real;\n", "Point real"),
    "a function": ("static float scale(float x)\n{\n    return x;\n}\n", "scale"),
    "a prototype": ("float scale(float x);\n__attribute__((pure)) int *of(int (*a)[2]);\n", "scale of"),
    "a variable": ("global int total;\n", "total"),
    "an array": ("constant float weights[4] = { 1.f, 2.f, 3.f, 4.f };\n", "weights"),
    "a type of arrays": ("typedef int row_t[4][WIDTH];\n", "row_t"),
    "an array of unknown size": ("__constant int offsets[] = { F(1, 2), (3) };\n", "offsets"),
    "several declarators": (
        "global int a = 1, *b, c[2][N(3, 4)] = {{0, 1}, {2, 3}}, d = (1, 2);\n",
        "a b c d",
    ),
    "over several lines": ("__constant\nfloat4\nweights\n[2]\n= { 0 };\n", "weights"),
    "indented": ("  __constant const int mask = 4;\n", "mask"),
    "with attributes": ("constant int x __attribute__((aligned(8))) = 3;\n", "x"),
    "behind a comment": ("/* a; */ constant /* b; { */ int x = 1; // }\nconstant int y = 2;\n", "x y"),
    "a pointer": ("global int *global pointer;\n", "pointer"),
    "a sampler": ("const sampler_t s = CLK_FILTER_NEAREST | CLK_ADDRESS_CLAMP;\n", "s"),
    "a declaration of a variable": ("extern constant int x;\n", "x"),
    "a variable of a structure": (
        "constant struct Pair { int a, b; } pairs[] = { { 1, 2 } };\nstruct Other { int c; };\n",
        "pairs",
    ),
    "enumerators": ("enum Colour { RED, GREEN = F(1, 2), BLUE } colour;\nenum { LAST };\n", "RED GREEN BLUE LAST colour"),
    "enumerators of a type": ("typedef enum { ON = 1, OFF } State;\n", "State ON OFF"),
    "behind a function": ("void f(int a) { int b; { int c; } }\nconstant int d = 1;\n", "f d"),
    "both branches": (
        "#ifdef A\nvoid f(int a) {\n#else\nvoid g(int b) {\n#endif\n    int c;\n}\nconstant int d = 1;\n",
        "f g d",
    ),
    "in a macro's arguments": ("STRINGIFY(\nconstant int a = f(1);\nconstant int b[2] = {1, 2};\n)\n", "a b"),
    "in a raw string": ('R"CLC(\nconstant int a = 1;\n)CLC"\n', "a"),
    "parameters": ("kernel void k(\n__constant float *w,\nconst int n)\n{\n}\n", "k"),
    "variables of functions": ("kernel void k() {\n    constant int a = 1;\nlocal int b;\n    int c, d[2];\n}\n", "k"),
    "a forward declaration": ("struct Node;\nunion U;\n", ""),
    "a name that a macro forms": ("float NAME(f);\nfloat NAME(g)(float x);\n", ""),
    "calls of macros": ("DECLARE(float, x);\nLOAD;\n", ""),
}  # fmt: skip


@pytest.mark.parametrize("title", DEFINED)
def test_defined_names(title: str) -> None:
    text, expected = DEFINED[title]
    assert extract_defined_names(text.encode()) == set(expected.split())
