"""Directives: active lines, and the diagnostics of invalid directives."""

from __future__ import annotations

import pytest

from .marks import expansion, messages, run


def test_branches() -> None:
    source = """
#define A
#ifdef A
1
#elif 1/0
no
#else
no
#endif
#ifndef A
no
#if 1
no
#else
no
#endif
#elif 0
no
#elif 1
2
#endif
#if 0
no /*
#endif
*/ no
#elifdef A
3
#endif
#if 0
#elifndef A
no
#else
4 // don't
#endif
%:if 1
5
%:endif
"""
    assert expansion(source) == "1\n2\n3\n4 // don't\n5"


def test_inactive_lines() -> None:
    source = "#if 0\na\nb\n#else\nc\n#endif\n#if 1\n#else\nd\n#endif\n"
    assert run(source).inactive == ((1, 3), (8, 9))


def test_directives_and_inactive_lines_are_blank_and_rows_are_lines() -> None:
    assert run("#define A \\\n 1\nx\n#if 0\ny\n#endif\nA").text == b"\n\nx\n\n\n\n1\n"


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_rows_end_in_line_feeds(ending: str) -> None:
    source = ending.join(["#define A 1", "a /* c", "d */", "A", "e"])
    assert run(source).text == b"\na /* c\nd */\n1\ne\n"


def test_a_file_without_macros_expands_to_itself() -> None:
    source = b"kernel void k(global int *p) {\n  *p = 0; // \xff\f\n}\n"
    unit = run(source)
    assert unit.text == source
    assert not any(unit.source_map.rows)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("#if 1\n", "1: error[unterminated-conditional] unterminated conditional directive"),
        ("#endif\n", "1: error[directive] #endif without #if"),
        ("#else\n", "1: error[directive] #else without #if"),
        ("#elif 1\n", "1: error[directive] #elif without #if"),
        ("#if 1\n#else\n#else\n#endif", "3: error[directive] #else after #else"),
        ("#if 0\n#else\n#elif 1\n#endif", "3: error[directive] #elif after #else"),
        ("#ifdef\n#endif", "1: error[directive] macro name missing"),
        ("#ifdef 1\n#endif", "1: error[directive] macro name must be an identifier"),
        ("#ifdef __LINE__ x\n#endif", "1: warning[extra-tokens] extra tokens at end of #ifdef directive"),
        ("#undef A B", "1: warning[extra-tokens] extra tokens at end of #undef directive"),
        ("#if 1\n#endif junk", "2: warning[extra-tokens] extra tokens at end of #endif directive"),
        ("#if 0\n#else junk\n#endif", "2: warning[extra-tokens] extra tokens at end of #else directive"),
        ("a /* b", "1: error[unterminated-comment] unterminated /* comment"),
        ("#define A /* b\n", "1: error[unterminated-comment] unterminated /* comment"),
        ("#if 0\n#endif /* b\nint a;\n", "2: error[unterminated-comment] unterminated /* comment"),
        ("#foo bar", "1: error[unknown-directive] invalid preprocessing directive '#foo'"),
        ("#warning  look   out // now", "1: warning[warning-directive] look out"),
        ("#line x", "1: error[directive] #line directive requires a positive integer argument"),
        ("#line 4 f", "1: error[directive] invalid filename for #line directive"),
        ("#define L 4 5\n#line L", "2: error[directive] invalid filename for #line directive"),
        ('#line 4 L"f"', "1: error[directive] invalid filename for #line directive"),
        ('#line 4 "f" g', "1: warning[extra-tokens] extra tokens at end of #line directive"),
        ("# 4 f", "1: error[directive] invalid filename for line marker directive"),
        ('# 4 "f" x', "1: error[directive] invalid flag line marker directive"),
        ('# 4 "f" 5', "1: error[directive] invalid flag line marker directive"),
        ("#include 1", '1: error[directive] expected "FILENAME" or <FILENAME>'),
        ("#include <k.h", "1: error[directive] expected '>'"),
        ("#undef defined", "1: error[directive] 'defined' cannot be used as a macro name"),
        ("#undef __LINE__", "1: warning[macro-redefined] undefining builtin macro '__LINE__'"),
        ("#ident x", "1: error[directive] invalid #ident directive"),
        ("#sccs", "1: error[directive] invalid #sccs directive"),
        ('#ident "a" b', "1: warning[extra-tokens] extra tokens at end of #ident directive"),
        ("#assert a(b)", "1: error[unknown-directive] invalid preprocessing directive '#assert'"),
        ("#unassert a", "1: error[unknown-directive] invalid preprocessing directive '#unassert'"),
        ("#pragma once x", "1: warning[extra-tokens] extra tokens at end of #pragma once directive"),
        ("#pragma push_macro(A)", "1: error[directive] pragma push_macro requires a parenthesized string"),
        ('#pragma pop_macro("A"', "1: error[directive] pragma pop_macro requires a parenthesized string"),
        ('#pragma GCC error "no"', "1: error[error-directive] no"),
        ('#pragma GCC warning("a" "b")', "1: warning[warning-directive] ab"),
    ],
)
def test_faults(source: str, found: str) -> None:
    assert messages(source) == [found]


@pytest.mark.parametrize(
    "include", ['"h" x', "<h> x", '"h";', "H x", "H;", "<h>// c\n#include <h>;"], ids=lambda include: include
)
def test_tokens_after_an_included_name_are_extra(include: str) -> None:
    source = f"#include {include}\nA"
    if include.startswith("H"):
        source = "#define H <h>\n" + source
    assert expansion(source, {"h": "#define A 1"}) == "1"
    line = source.count("\n", 0, source.index("A"))
    expected = f"{line}: warning[extra-tokens] extra tokens at end of #include directive"
    assert messages(source, {"h": "#define A 1"}) == [expected]


@pytest.mark.parametrize("source", ["#\n", "# /* nothing */\n", "#ident \"x\"\n", "#ifdef defined\n#endif\n", "# 4 \"f\" 1 3\n", "#line 4 \"f\"\n", "#if 0\n#foo\n#error\n#endif\n", "/* */ # define A\nA"])  # fmt: skip
def test_directives_that_are_no_fault(source: str) -> None:
    assert messages(source) == []


def test_pragmas_are_kept_by_place() -> None:
    source = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\nint a;\n#pragma unroll\nint b;\n"
    unit = run(source)
    assert [(pragma.text, unit.text[pragma.offset :]) for pragma in unit.pragmas] == [
        ("OPENCL EXTENSION cl_khr_fp64 : enable", b"\nint a;\n\nint b;\n"),
        ("unroll", b"\nint b;\n"),
    ]


def test_options_define_and_undefine() -> None:
    source = "A B F(1) __OPENCL_VERSION__\n#ifdef C\nno\n#endif"
    unit = expansion(
        source,
        predefined={"__OPENCL_VERSION__": "120", "F(x)": "<x>", "C": "1"},
        defines=(("A", "1"), ("B", "")),
        undefines=("C",),
    )
    assert unit == "1  <1> 120"


def test_pushed_macros_come_back() -> None:
    source = '#define A 1\n#pragma push_macro("A")\n#undef A\n#define A 2\nA\n#pragma pop_macro("A")\nA'
    assert expansion(source) == "2\n1"
