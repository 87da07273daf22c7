"""Undefined names: an error for an obvious misspelling, otherwise one hint that hides nothing else."""

from __future__ import annotations

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.language.dialect import Dialect
from openclsp.language.near_names import (
    differs_in_index,
    edits,
    is_certain_misspelling,
    near,
    near_in_language,
)
from openclsp.rules.finding import Severity

from .units import Headers, answers, edited, unit_of

DIALECT = Dialect.of("CL2.0")


def reported(text: bytes, headers: Headers | None = None) -> list[tuple[str, str]]:
    return [(each.code, each.message) for each in compute_diagnostics(unit_of(text, headers=headers))]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("flaot4", "float4"),
        ("kernl", "kernel"),
        ("gloabl", "global"),
        ("cosnt", "const"),
        ("retrun", "return"),
        ("itn", "int"),
        ("voidd", "void"),
        ("imgae2d_t", "image2d_t"),
        ("unsinged", "unsigned"),
    ],
)
def test_a_misspelling_has_a_near_name(name: str, meant: str) -> None:
    assert near_in_language(name, DIALECT) == (meant,)


@pytest.mark.parametrize(
    "name",
    [
        "float_t",
        "ullong",
        "ufloat",
        "int32",
        "uint32_t",
        "Double",
        "float5",
        "cfloat4",
        "real",
        "vec4",
        "u32",
        "in",
        "FLAOT4",
        "T",
        "signal",
        "const_t",
        "bfloat16",
    ],
)
def test_an_intended_name_has_no_near_name(name: str) -> None:
    assert near_in_language(name, DIALECT) == ()


def test_edits() -> None:
    assert edits("flaot", "float", 2) == 1
    assert edits("floot", "float", 2) == 1
    assert edits("flt", "float", 2) == 2
    assert edits("kernel", "global", 2) == 3
    assert near("partcile", ["particle", "particles"]) == ("particle",)


@pytest.mark.parametrize(
    ("name", "other", "expected"),
    [
        ("speed_x", "speed_y", True),
        ("dxp", "dzp", True),
        ("dxm", "dxp", True),
        ("vec_a", "vec_f", True),
        ("c_max", "d_max", True),
        ("tmp1", "tmp2", True),
        ("lpz", "lp1", True),
        ("tmp", "tmp1", True),
        ("cuont", "count", False),
        ("mul42", "mul24", False),
        ("raw", "row", False),
        ("rows", "row", False),
        ("inde", "index", False),
        ("lisz", "lidz", False),
    ],
)
def test_names_that_differ_in_an_index(name: str, other: str, expected: bool) -> None:
    assert differs_in_index(name, other) is expected
    assert differs_in_index(other, name) is expected


@pytest.mark.parametrize(
    ("name", "other", "expected"),
    [
        ("cuont", "count", True),
        ("tmep_1", "temp_1", True),
        ("globalid", "global_id", True),
        ("inde", "index", True),
        ("get_globl_id", "get_global_id", True),
        ("numItms", "numItems", True),
        ("read_imagff", "read_imagef", True),
        ("width_im", "width_in", False),
        ("widthIm", "widthIn", False),
        ("width_in", "width_int", False),
        ("raw", "row", False),
        ("tid", "gid", False),
        ("value", "values", False),
        ("items", "item", False),
        ("read_index", "load_index", False),
        ("speed_x", "speed_y", False),
        ("tmp1", "tmp2", False),
    ],
)
def test_certain_misspellings(name: str, other: str, expected: bool) -> None:
    assert is_certain_misspelling(name, other) is expected
    assert is_certain_misspelling(other, name) is expected


def test_a_typedef_of_the_file_is_near() -> None:
    text = b"typedef struct { int a; } particle;\nvoid f(global partcile *p) { }\n"
    assert reported(text) == [("unknown-name", "unknown type `partcile`; did you mean `particle`?")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"int f(foo x);", "`foo` is not defined in this file or its includes; passed by the host?"),
        (b"foo x;", "`foo` is not defined in this file or its includes; passed by the host?"),
        (
            b"struct s { whlie a; };",
            "`whlie` is not defined in this file or its includes; passed by the host?",
        ),
        (
            b"void f(void) { foo x; }",
            "`foo` is not defined in this file or its includes; passed by the host?",
        ),
        (b"void f(flot x) { }", "unknown type `flot`; did you mean `float`?"),
        (b"int f(int x) { retrun x; }", "unknown name `retrun`; did you mean `return`?"),
        (b"int f(int x) { retrun y; }", "unknown name `retrun`; did you mean `return`?"),
    ],
)
def test_a_statement_keyword_is_suggested_only_where_it_fits(text: bytes, message: str) -> None:
    assert ("unknown-name", message) in reported(text)


def test_a_missing_header_makes_it_a_hint() -> None:
    found = compute_diagnostics(unit_of(b'#include "a.h"\nkernl void f() { }\n'))
    assert [(each.code, each.severity) for each in found] == [
        ("include-not-found", Severity.HINT),
        ("unknown-name", Severity.HINT),
    ]


def test_a_guess_makes_it_a_hint() -> None:
    text = b"#ifdef HOST\ntypedef float flaot;\n#endif\nvoid f(flaot x) { }\n"
    assert [each.severity for each in compute_diagnostics(unit_of(text))] == [Severity.HINT]


def test_one_hint_for_a_name_in_a_file() -> None:
    found = compute_diagnostics(unit_of(b"void f(REAL x, REAL y);\nvoid g(REAL x) { REAL z; }\n"))
    assert [each.location.start for each in found] == [7]


def test_errors_independent_of_the_name_are_still_reported() -> None:
    text = b"INLINE void f(REAL x, global int *g) {\n    local int *l = g;\n}\n"
    assert [each.code for each in compute_diagnostics(unit_of(text))] == [
        "unknown-name",
        "pointer-conversion",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"void g(int); void f(int a) { g(a)\n a = 1; }", "`;` is missing after `)`"),
        (b"void g(int, int); void f(int a) { g(a, a)\n a = 1; }", "`;` is missing after `)`"),
        (b"kernel void f(void) { barrier(CLK_LOCAL_MEM_FENCE)\n }", "`;` is missing after `)`"),
        (b"void g(int, int); void f(int a, int b) { g(a b); }", "`,` is missing after `a`"),
    ],
)
def test_a_token_missing_next_to_a_known_name_is_a_syntax_error(text: bytes, message: str) -> None:
    assert ("syntax-error", message) in reported(text)


@pytest.mark.parametrize("body", [b"STEP(a)", b"STEP (a)\n a = 1;", b"if (a) { DONE }"])
def test_an_unknown_macro_is_no_error(body: bytes) -> None:
    found = compute_diagnostics(unit_of(b"void f(int a) { " + body + b" }"))
    assert [each.severity for each in found] == [Severity.HINT]


def test_a_header_after_blank_lines_is_visible_to_the_code_after_it() -> None:
    headers = Headers({"a.h": b"typedef int element;\n"})
    assert reported(b'/* first */\n\n#include "a.h"\n\nelement f(element x);\n', headers) == []
    assert reported(b'int g(void);\n\n#include "a.h"\nelement f(element x);\n', headers) == []


def test_an_edit_that_declares_a_name_takes_effect() -> None:
    user = b"void f(global partcile *p) { }\n"
    heads = [
        b"",
        b"typedef int particle;\n",
        b"typedef int partcile;\n",
        b'#include "a.h"\n',
        b"#define partcile int\n",
        b"#ifdef HOST\ntypedef int partcile;\n#endif\n",
        b"#define particle int\n",
        b"",
    ]
    unit = unit_of(user)
    for head in heads:
        edited(unit, head + user)
        assert answers(unit) == answers(unit_of(head + user)), head


def test_a_macro_that_makes_the_names_of_functions_declares_none() -> None:
    text = b"""inline int FUNC(add)(int a, int b) { return a + b; }
inline float FUNC(scale)(float a) { return FUNC(add)(a, 1); }
kernel void k(global int *g) { local int *l = g; }
"""
    assert [code for code, _ in reported(text)] == ["unknown-name", "pointer-conversion"]


def test_an_unknown_operator_is_reported_once_and_silences_its_syntax_error() -> None:
    text = b"""kernel void k(global int *g, int n) {
    int in = 3;
    if (in COMPARE n) g[0] = in COMPARE 2;
    local int *l = g;
}
"""
    codes = [code for code, _ in reported(text)]
    assert codes == ["unknown-name", "pointer-conversion"]


def test_a_syntax_error_next_to_known_names_is_an_error() -> None:
    assert "syntax-error" in [code for code, _ in reported(b"void f(int a, int b) { int c = a b 3; }")]


def test_an_unknown_word_may_make_functions_overloadable() -> None:
    text = b"""OVER uint f(global uint *p);
OVER uint f(local uint *p);
OVER uint g(local uint *p);
kernel void k(global uint *g1, local uint *l1) { f(g1); f(l1); g(g1); }
"""
    assert [code for code, _ in reported(text)] == ["unknown-name", "pointer-conversion"]


def test_a_function_of_the_program_hides_a_built_in_one_with_the_same_parameters() -> None:
    text = b"""float __attribute__((overloadable)) sin(float x) { return x; }
kernel void k(global float *g) { g[0] = sin(g[0]); g[1] = sin((float2)(1.0f)).x; }
"""
    assert reported(text) == []


def test_a_macro_with_arguments_may_be_a_type() -> None:
    text = b"""kernel void k(const global float *src, global float *g) {
    if (g) {
        VECTOR(DATA, 4) src[SIZE];
        src[0] = 1;
    }
    src[0] = 1;
}
"""
    assert [code for code, _ in reported(text) if code != "unknown-name"] == ["write-to-constant"]


def test_a_macro_may_be_the_head_of_a_loop() -> None:
    text = b"""kernel void k(global float *g, int n) {
    unroll_for(4)(int i = 0; i < n; i++) { g[i] = 1; }
    repeat(int j = 0; j < n; j++) { g[j] = 2; }
    local float *l = g;
}
"""
    assert [code for code, _ in reported(text) if code != "unknown-name"] == ["pointer-conversion"]


def test_a_macro_alone_before_a_statement() -> None:
    text = b"""void f(int n) {
    LOAD
    for (int i = 0; i < n; ++i) n = 2;
    SYNC
    if (n) return;
}
"""
    assert reported(text) == [
        (
            "unknown-name",
            "`LOAD` and `SYNC` are not defined in this file or its includes; passed by the host?",
        )
    ]
    missing = b"void f(int n) {\n    n\n    if (n) return;\n}\n"
    assert reported(missing) == [("syntax-error", "`;` is missing after `n`")]


def test_macros_that_add_arguments_in_both_branches() -> None:
    text = b"""void f(int n, int m) {
    if (n)
        g(n, m
          MORE);
    else
        h(n, m
          MORE);
}
"""
    assert [code for code, _ in reported(text)] == ["unknown-name"]


def test_a_host_that_supplies_names_may_supply_the_pragma_for_half() -> None:
    kernel = b"kernel void k(global half *h, global float *f) { half x = h[%s]; f[0] = x; }\n"
    assert "half-storage" in [code for code, _ in reported(kernel % b"0")]
    assert "half-storage" not in [code for code, _ in reported(kernel % b"INDEX")]


def test_other_capitals_make_another_name() -> None:
    assert near("dstT", ("dstST",)) == ()


def test_the_macro_between_type_and_name_is_reported() -> None:
    text = b"char2 _OVERLOADABLE vload2(int offset, const global char *p) { return (char2)(p[0], p[1]); }\n"
    message = "`_OVERLOADABLE` is not defined in this file or its includes; passed by the host?"
    assert reported(text) == [("unknown-name", message)]


@pytest.mark.parametrize("name", ["f", "compute", "a_function_with_a_rather_long_name"])
@pytest.mark.parametrize(
    "macro", ["I", "INLINE", "FORCE_INLINE_MACRO", "A_MACRO_OF_THE_HOST_WITH_A_LONG_NAME"]
)
def test_a_macro_between_type_and_name_may_be_of_any_length(macro: str, name: str) -> None:
    text = f"static float {macro} {name}(global float *p) {{ return *p; }}\n".encode()
    assert [each.severity for each in compute_diagnostics(unit_of(text))] == [Severity.HINT]


@pytest.mark.parametrize("extension", ["cl_intel_channels", "cl_altera_channels"])
def test_the_keyword_of_an_extension_is_known_where_it_is_enabled(extension: str) -> None:
    text = b"typedef int vec;\nchannel vec a __attribute__((depth(8)));\nchannel float4 b[2];\n"
    pragma = f"#pragma OPENCL EXTENSION {extension} : enable\n".encode()
    assert [code for code, _ in reported(text)] == ["unknown-name"]
    assert reported(pragma + text) == []


def test_the_content_of_a_string_is_no_name() -> None:
    assert [code for code, _ in reported(b'void f(int a) { "x" = 1; }')] == ["syntax-error"]


def test_a_member_that_is_pasted_of_a_macro_with_unknown_value_is_unknown() -> None:
    text = b"""
        #define PASTE_(a, b) a##b
        #define PASTE(a, b) PASTE_(a, b)
        struct s { int first; };
        int f(int8 v, struct s s) {
            return PASTE(v.s, LAST) + PASTE(s.field_, LAST) + v.sLIST;
        }
        """
    found = compute_diagnostics(unit_of(text, defines=(("LAST", "LAST"),)))
    assert [(each.code, "sLIST" in each.message) for each in found] == [("unknown-member", True)]
