"""Evaluation of `#if` conditions, and the macros that they read."""

from __future__ import annotations

import pytest

from .marks import expansion, messages, run


def holds(condition: str, **options: object) -> bool:
    return expansion(f"#if {condition}\nyes\n#endif", **options) == "yes"


@pytest.mark.parametrize(
    "condition",
    [
        "1",
        "1 + 2 * 3 == 7",
        "(1 ? 2 : 3) == 2",
        "0 ? 1/0 : 1",
        "1 || 1/0",
        "!(0 && 1/0)",
        "-1 > 0u",  # C99 6.10.1p4: the usual arithmetic conversions, in uintmax_t
        "-1 < 0",
        "0x7fffffffffffffff + 1 < 0",
        "18446744073709551615 > 1",
        "-7 / 2 == -3 && -7 % 2 == -1",
        "1 << 3 >> 1 == 4",
        "~0 == -1",
        "'a' == 97 && '\\n' == 10 && '\\x41' == 65 && '\\0' == 0",
        "010 == 8 && 0b11 == 3",
        "!UNDEFINED",
        "UNDEFINED + 1",
        "defined(__LINE__) && defined __FILE__ && !defined(UNDEFINED)",
        "2 > 1 == 1",
        "(5 & 3) == 1 && (5 | 3) == 7 && (5 ^ 3) == 6",
        "1 ? 0 ? 0 : 1 : 0",
        "__has_attribute(noinline) && __has_attribute(__noinline__) && !__has_attribute(whatever)",
        "__has_extension(c_atomic) && !__has_feature(c_atomic) && __has_feature(blocks)",
        "1 ? 2 : (1, 0)",
    ],
)
def test_true_conditions(condition: str) -> None:
    assert holds(condition)
    assert messages(f"#if {condition}\n#endif") == []


def test_macros_are_expanded_but_not_the_operand_of_defined() -> None:
    source = (
        "#define A 0\n#define B A + 1\n#define HAS_A defined(A)\n#if defined A && B && HAS_A\nyes\n#endif"
    )
    assert expansion(source) == "yes"


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("1 / 0", "division by zero in preprocessor expression"),
        ("1 % (2 - 2)", "remainder by zero in preprocessor expression"),
        ("", "expected value in expression"),
        ("1 +", "expected value in expression"),
        ("(1", "expected ')' in preprocessor expression"),
        ("1 2", "token is not a valid binary operator in a preprocessor subexpression"),
        ("1.5", "floating point literal in preprocessor expression"),
        ("0x", "invalid integer constant in preprocessor expression"),
        ("1 ? 2", "expected ':' in preprocessor expression"),
        ('"a"', "invalid token at start of a preprocessor expression"),
        ("08", "invalid digit in octal constant"),
        ("1, 2", "expected end of line in preprocessor expression"),
        ("''", "empty character constant in preprocessor expression"),
        ("defined", "macro name missing"),
        ("defined(", "macro name missing"),
        ("defined()", "macro name must be an identifier"),
        ("defined 1 || HOST", "macro name must be an identifier"),
        ("HOST && defined", "macro name missing"),
        ("defined(A", "missing ')' after 'defined'"),
        ("defined(A B)", "missing ')' after 'defined'"),
        ("__has_include", "missing '(' after '__has_include'"),
        ("__has_include()", 'expected "FILENAME" or <FILENAME>'),
        ('__has_include("h"', "missing ')' after '__has_include'"),
        ("__has_builtin(a", "missing ')' after '__has_builtin'"),
        ("__has_builtin", "missing '(' after '__has_builtin'"),
        ('__has_attribute "a"', "missing '(' after '__has_attribute'"),
        ("99999999999999999999", "integer literal is too large to be represented in any integer type"),
    ],
)
def test_invalid_conditions_are_false_and_reported(condition: str, message: str) -> None:
    assert messages(f"#if {condition}\nno\n#endif") == [f"1: error[condition] {message}"]
    assert not holds(condition)


@pytest.mark.parametrize("argument", ["1", "", "x y", "a::b"])
def test_feature_checks_take_one_name(argument: str) -> None:
    (message,) = messages(f"#if __has_builtin({argument})\n#endif")
    assert message == "1: error[condition] '__has_builtin' takes one identifier in parentheses"


def test_operators_from_macros() -> None:
    source = """#define NAME "h"
#define HAS_NAME __has_include(NAME)
#define HAS(name) __has_include(name)
#define IS(name) defined name
#if HAS_NAME && HAS("h") && HAS(<h>) && HAS(NAME) && !HAS("i") && IS(HAS) && IS((HAS))
yes
#endif
"""
    unit = run(source, {"h": ""})
    assert unit.problems == unit.guesses == ()
    assert unit.text.strip() == b"yes"
    assert messages("#define IS defined\n#if IS\n#endif") == ["2: error[condition] macro name missing"]


def test_a_condition_on_a_name_defined_nowhere_is_a_guess() -> None:
    source = "#ifdef HOST\nint a;\nvoid f(int p);\n#define C\n#else\nint b;\n#endif\n"
    unit = run(source)
    (guess,) = unit.guesses
    assert [(read.name, source[read.start : read.end]) for read in guess.names] == [("HOST", "HOST")]
    assert guess.hidden == {"a", "f", "C"}
    assert unit.inactive == ((1, 4),)


@pytest.mark.parametrize(
    "source",
    [
        "#ifndef GUARD_H\n#define GUARD_H\nint a;\n#endif",
        "#ifndef SIZE\n#define SIZE 64\n#endif\n#if SIZE > 32\n#endif",
        "#ifdef __NV_CL_C_VERSION\nint a;\n#endif",
        "#define A 1\n#if A || HOST\n#endif",
    ],
)
def test_what_is_no_guess(source: str) -> None:
    assert run(source, known=frozenset(["__NV_CL_C_VERSION"])).guesses == ()


def test_a_call_of_a_macro_defined_nowhere_is_a_guess() -> None:
    unit = run("#if AT_LEAST(2, 0)\nint a;\n#else\nint b;\n#endif\n")
    (guess,) = unit.guesses
    assert [read.name for read in guess.names] == ["AT_LEAST"]
    assert guess.hidden == {"a"}
    assert unit.problems == ()


@pytest.mark.parametrize(
    "condition",
    ["1 || MAX(2, (3))", "1 || (SHIFT(A, 2) > 0 && A)", "!(0 && MAX(2, 3) + 1)", "1 ? 1 : MAX(0)"],
)
def test_a_call_without_effect_on_the_value_is_no_error(condition: str) -> None:
    assert holds(condition)
    unit = run(f"#if {condition}\n#endif\n")
    assert unit.problems == unit.guesses == ()


def test_a_call_of_a_macro_that_is_certainly_undefined() -> None:
    source = "#define MAX(a, b) a\n#undef MAX\n#if 1 || MAX(2, 3)\nyes\n#endif\n"
    assert messages(source) == ["3: error[condition] function-like macro 'MAX' is not defined"]
    assert expansion(source) == ""
    assert messages("#if 1 || MAX(2, 3\n#endif") == []


def test_an_attribute_that_is_not_known_is_a_guess() -> None:
    (guess,) = run("#define HAS(x) __has_attribute(x)\n#if HAS(noinline) && HAS(whatever)\n#endif").guesses
    assert [read.name for read in guess.names] == ["whatever"]


def test_an_error_under_a_guess_is_a_hint() -> None:
    source = "#ifndef WIDTH\n#error WIDTH is to be passed by the host\n#endif\n#error always\n"
    assert messages(source) == [
        "2: hint[error-directive] WIDTH is to be passed by the host; reached because `WIDTH` is not defined here",
        "4: error[error-directive] always",
    ]


def test_names_hidden_by_a_guess() -> None:
    source = """#if HOST
typedef struct tag { int member; } alias;
enum color { red, green = 2 };
constant float table[] = { x, y };
kernel void k(global int *parameter) { int local_name = used(parameter); }
#define MACRO
#endif
"""
    assert run(source).hidden_names == {"tag", "alias", "color", "red", "green", "table", "k", "MACRO"}


def test_names_hidden_in_headers_that_a_guess_left_out() -> None:
    source = '#ifdef HOST\n#include "a.h"\n#include <metal>\n#endif\n'
    unit = run(source, {"a.h": '#include "b.h"\nint a;\n', "b.h": '#include "a.h"\nint b;\n'})
    assert unit.hidden_names == {"a", "b"}
    assert not unit.has_unknown_include
    assert run(source, {}).has_unknown_include
