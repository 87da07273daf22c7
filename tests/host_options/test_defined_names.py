"""The names that the text of an OpenCL file defines at program scope, by patterns in its text."""

from __future__ import annotations

import pytest
from openclsp.host_options.defined_names import extract_definitions
from openclsp.host_options.generated_names import GeneratedNames, extract_patterns

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
    "a macro that renames": ("#define scale _vendor_scale\n#define ONE 1\n", "scale _vendor_scale ONE"),
}  # fmt: skip


@pytest.mark.parametrize("title", DEFINED)
def test_defined_names(title: str) -> None:
    text, expected = DEFINED[title]
    assert extract_definitions(text.encode()).names == set(expected.split())


GENERATED = {
    "an argument": ("DEFINE_EXPR(mul_hi, (x * y) >> 32)\n", "mul_hi", "x"),
    "several arguments": ("DECLARE(float, total);\nDECLARE(int,\n        amount)\n", "total amount", "DECLARE"),
    "a short argument": ("DECLARE(float, xy);\n", "", "xy"),
    "behind a function": ("void f(int a) { CALL(in_body); }\nDECLARE(float, total)\n", "total", "in_body"),
    "a function's parameters": ("int scale(int amount, int offset);\nfloat sum(float offset) { return 1; }\n", "", "amount offset"),
    "an attribute": ("__attribute__((overloadable)) int f(int a);\n", "", "overloadable"),
    "a prefix": ("#define DEF(NAME) int my_ ## NAME(int a);\nDEF(add)\nDEF(sub)\n", "my_add my_sub", "my_NAME"),
    "a suffix": ("#define DEF(n, T) T n##_v(T a) { return a; }\nDEF(add, int)\n", "add_v", "n_v"),
    "both": ("#define DEF(n) int a_##n##_b(int a);\nDEF(add)\n", "a_add_b", "a_add"),
    "two arguments": ("#define DEF(n, T) T n##_##T(T a);\nDEF(add, float)\n", "add_float float_add", "add_int"),
}  # fmt: skip


def generated_names(*files: bytes) -> GeneratedNames:
    """The names that the macro calls of these files may declare."""
    return GeneratedNames(
        frozenset(call for data in files for call in extract_definitions(data).calls),
        frozenset(pattern for data in files for pattern in extract_patterns(data)),
    )


@pytest.mark.parametrize("title", GENERATED)
def test_generated_names(title: str) -> None:
    text, expected, absent = GENERATED[title]
    found = generated_names(text.encode())
    assert [name for name in expected.split() if name not in found] == []
    assert [name for name in absent.split() if name in found] == []


def test_names_are_generated_from_calls_in_other_files() -> None:
    """The macro is in a header that the kernels include."""
    header, kernel = b"#define DEF(NAME) int my_ ## NAME(int a);\n", b'#include "header.h"\nDEF(add)\n'
    assert "my_add" in generated_names(header, kernel)
    assert "my_add" not in generated_names(header)
    assert "my_add" not in generated_names(kernel)


def test_thousands_of_calls_and_patterns_are_not_combined() -> None:
    calls = b"".join(b"DEF(name%d, type%d)\n" % (each, each) for each in range(3_000))
    macros = b"".join(b"#define DEF%d(n, T) n##_%d_##T\n" % (each, each) for each in range(3_000))
    found = generated_names(calls, macros)
    assert "name17_2999_type17" in found
    assert "type2999_0_name2999" in found
    assert "name17_2999_type18" not in found
    assert "x" * 10_000 not in found
