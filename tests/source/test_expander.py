"""Macro expansion: the examples of C99 6.10.3.5, and difficult cases."""

from __future__ import annotations

import pytest
from openclsp.source.expansion import MAX_STEPS

from .marks import expansion, messages, run


def words(text: str) -> list[str]:
    return text.split()


def test_rescanning_example_3() -> None:
    source = """
#define x 3
#define f(a) f(x * (a))
#undef x
#define x 2
#define g f
#define z z[0]
#define h g(~
#define m(a) a(w)
#define w 0,1
#define t(a) a
#define p() int
#define q(x) x
#define r(x,y) x ## y
#define str(x) # x
f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);
g(x+(3,4)-w) | h 5) & m
(f)^m(m);
p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };
char c[2][6] = { str(hello), str() };
"""
    assert words(expansion(source)) == words("""
f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1);
f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))
^m(0,1);
int i[] = { 1, 23, 4, 5, };
char c[2][6] = { "hello", "" };
""")


def test_stringising_and_pasting_example_4() -> None:
    source = r"""
#define str(s) # s
#define xstr(s) str(s)
#define debug(s, t) printf("x" # s "= %d, x" # t "= %s", \
 x ## s, x ## t)
#define INCFILE(n) vers ## n
#define glue(a, b) a ## b
#define xglue(a, b) glue(a, b)
#define HIGHLOW "hello"
#define LOW LOW ", world"
debug(1, 2);
fputs(str(strncmp("abc\0d", "abc", '\4') // this goes away
 == 0) str(: @\n), s);
xstr(INCFILE(2).h)
glue(HIGH, LOW);
xglue(HIGH, LOW)
"""
    assert words(expansion(source)) == words(r"""
printf("x" "1" "= %d, x" "2" "= %s", x1, x2);
fputs("strncmp(\"abc\\0d\", \"abc\", '\\4') == 0" ": @\n", s);
"vers2.h"
"hello";
"hello" ", world"
""")


def test_placemarkers_example_5() -> None:
    source = "#define t(x,y,z) x ## y ## z\nint j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,),\nt(10,,), t(,11,), t(,,12), t(,,) };"
    assert words(expansion(source)) == words("int j[] = { 123, 45, 67, 89, 10, 11, 12, };")


def test_variable_arguments_example_7() -> None:
    source = """
#define debug(...) fprintf(stderr, __VA_ARGS__)
#define showlist(...) puts(#__VA_ARGS__)
#define report(test, ...) ((test)?puts(#test): printf(__VA_ARGS__))
debug("Flag");
showlist(The first, second, and third items.);
report(x>y, "x is %d but y is %d", x, y);
"""
    assert words(expansion(source)) == words("""
fprintf(stderr, "Flag");
puts("The first, second, and third items.");
((x>y)?puts("x>y"): printf("x is %d but y is %d", x, y));
""")


@pytest.mark.parametrize(
    ("source", "result"),
    [
        ("#define L(f, ...) p(f, ## __VA_ARGS__)\nL(a); L(a,); L(a, b, c);", "p(a); p(a,); p(a, b, c);"),
        ("#define L(f, a...) p(f, ## a)\nL(x); L(x, 1, 2);", "p(x); p(x, 1, 2);"),
        # OpenCL C is strict C99: without a named parameter the comma stays.
        ("#define L(...) p(0, ## __VA_ARGS__)\nL();", "p(0,);"),
        ("#define V(x, ...) f(x __VA_OPT__(,) __VA_ARGS__)\nV(1); V(1, 2);", "f(1); f(1 , 2);"),
        ("#define V(x, ...) a ## __VA_OPT__(x ## b) c\nV(1); V(1, 2);", "a c; a1b c;"),
    ],
)
def test_variadic_macros(source: str, result: str) -> None:
    assert words(expansion(source)) == words(result)


def test_a_name_is_barred_token_by_token() -> None:
    # C99 6.10.3.4p2: the inner f of f(f) may never be expanded again, another f may.
    assert expansion("#define f(x) x f\nf(f)(1) f(2)(3)").split() == ["f", "f(1)", "2", "f(3)"]
    source = "#define foo foo a bar\n#define bar foo b\nfoo bar"
    assert expansion(source) == "foo a foo b foo a bar b"


def test_a_name_at_the_end_of_an_expansion_takes_its_call_from_what_follows() -> None:
    assert expansion("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)") == "2*9*g"


def test_a_call_over_several_lines_stands_on_its_first_and_the_rest_of_its_last_line_stays() -> None:
    unit = run("#define ADD(a, b) a + b\nx = ADD(1, // one\n\n   /* two */ 2\n  ) * 3;\ny;\n")
    assert unit.text == b"\nx = 1 + 2\n\n\n    * 3;\ny;\n"


def test_a_name_and_its_call_may_stand_on_different_lines() -> None:
    assert run("#define F(a) [a]\nF\n(1) F\n2;\n").text == b"\n[1]\n    F\n2;\n"


def test_a_line_joined_by_backslashes_is_one_line_for_macros() -> None:
    assert run("#define ADD(a, b) a + b\nx = ADD(1, \\\n  2) \\\n - AD\\\nD(3,4);\n").text == (
        b"\nx = 1 + 2\n     \\\n - 3 + 4\n      ;\n"
    )


@pytest.mark.parametrize(
    "call",
    [
        "ADD(1, /*\n*/ 2 \\\n)",
        "ADD(1 /*\n*/ \\\n, \\\n 2)",
        "ADD(1 /*\n*/, /*\n*/ \\\n 2 // c \\\n d\n)",
        "A\\\nDD /*\n*/ \\\n(1, 2\\\n)",
    ],
)
def test_a_line_joined_by_a_comment_and_backslashes_is_one_line(call: str) -> None:
    assert run(f"#define ADD(a, b) a + b\n{call};\n").text.split() == b"1 + 2 ;".split()


def test_a_definition_joined_by_a_comment_and_backslashes_is_one_line() -> None:
    assert expansion("#define X /*\n*/ 1 \\\n + 2 // c \\\n d\nX") == "1 + 2"


def test_only_a_variadic_argument_that_is_not_written_removes_the_comma() -> None:
    source = "#define F(x, ...) f(x, ##__VA_ARGS__)\n#define G(x, y...) f(x, ##y)\nF(1) F(1,) F(1,2) G(1) G(1,) G()"
    assert expansion(source) == "f(1) f(1,) f(1,2) f(1) f(1,) f()"


def test_a_name_that_its_own_expansion_passes_on_is_not_expanded() -> None:
    assert expansion("#define I(x) H(x\n#define H(x) x(1)\nI(I))") == "I(1)"


def test_a_directive_within_a_call_is_obeyed() -> None:
    source = "#define F(a) <a>\nF(1\n#if 0\n, 2\n#else\n#define TWO 2\n+ TWO\n#endif\n) TWO"
    assert expansion(source) == "<1 + 2>\n2"


def test_a_comment_that_opens_behind_an_expansion_stays_open() -> None:
    unit = run("#define ONE 1\na = ONE; /* ONE\n ONE */ b = ONE;\n")
    assert unit.text == b"\na = 1; /* ONE\n ONE */ b = 1;\n"


@pytest.mark.parametrize(
    ("source", "result"),
    [
        ("#define E 0x1e\n#define P +1\nE P; E+1", "0x1e +1; 0x1e +1"),
        ("#define M -\n#define N\n-M- -N- -M-1", "- - - - - - - -1"),
        ("#define A &\n&A& A&&", "& & & & &&"),
        ("#define N\n/N/ 1 /N* 2", "/ / 1 / * 2"),
        ("#define I i\nIN int\nx I I1;", "IN int\nx i I1;"),
        ("#define D .\n1 D 5 D D D", "1 . 5 . . ."),
        ("#define X 1\nX.5 aX X2", "1 .5 aX X2"),
    ],
)
def test_tokens_that_would_join_are_separated_by_a_blank(source: str, result: str) -> None:
    assert expansion(source) == result


def test_pragma_operators_leave_the_text() -> None:
    unit = run(
        '#define UNROLL(n) _Pragma("unroll n") for\n{ _Pragma("OPENCL FP_CONTRACT \\"ON\\"") UNROLL(4) (;;); }'
    )
    assert unit.text.split() == b"{ for (;;); }".split()
    assert [pragma.text for pragma in unit.pragmas] == ['OPENCL FP_CONTRACT "ON"', "unroll n"]
    assert [unit.text[pragma.offset :].split()[0] for pragma in unit.pragmas] == [b"for", b"for"]


def test_a_raw_string_is_one_token() -> None:
    assert expansion('#define A 1\n#define S(x) #x\nR"(A\nA)" A') == 'R"(A\nA)" 1'


def test_special_macros() -> None:
    source = '#define HERE __LINE__\n__LINE__ HERE __COUNTER__ __COUNTER__ __INCLUDE_LEVEL__\n#define ID(x) x\nID(\n__LINE__\n)\n#line 100 "other.cl"\n__LINE__ __FILE__'
    assert expansion(source) == '2 2 0 1 0\n5\n100 "other.cl"'
    assert expansion("__FILE__") == '"k.cl"'


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("#define F(a) a\nF(1, 2)", "2: error[macro-arguments] too many arguments provided to function-like macro invocation of 'F'"),
        ("#define F(a, b) a\nF(1)", "2: error[macro-arguments] too few arguments provided to function-like macro invocation of 'F'"),
        ("#define C(a, b) a ## b\nC(+, x)", "2: error[invalid-paste] pasting formed '+x', an invalid preprocessing token"),
        ("#define F(a) a\nx = F(1;\ny;", "2: error[unterminated-macro-call] unterminated function-like macro invocation of 'F'"),
        ("#define A 1\n#define A 2", "2: warning[macro-redefined] 'A' macro redefined: it was `A 1`"),
        ("#define __LINE__ 2", "1: warning[macro-redefined] redefining builtin macro '__LINE__'"),
        ("#define F(a) #b", "1: error[macro-definition] '#' is not followed by a macro parameter"),
        ("#define F ## b", "1: error[macro-definition] '##' cannot appear at either end of a macro expansion"),
        ("#define F(a, a) b", "1: error[macro-definition] duplicate macro parameter name 'a'"),
        ("#define F(a", "1: error[macro-definition] missing ')' in macro parameter list"),
        ("#define defined 1", "1: error[macro-definition] 'defined' cannot be used as a macro name"),
        ("#define 1", "1: error[macro-definition] macro name must be an identifier"),
        ("#define", "1: error[directive] macro name missing"),
        ("#define A+1", "1: warning[macro-definition] C99 requires white space after the macro name 'A'"),
        ('_Pragma "a"', "1: error[pragma-operator] _Pragma takes a parenthesized string literal"),
        ("#define P _Pragma\nP", "2: error[pragma-operator] _Pragma takes a parenthesized string literal"),
        ("#define F(x) x\nF(_Pragma 1)", "2: error[pragma-operator] _Pragma takes a parenthesized string literal"),
    ],
)  # fmt: skip
def test_faults(source: str, found: str) -> None:
    assert messages(source) == [found]


def test_a_definition_may_be_repeated_word_by_word() -> None:
    assert messages("#define A(x) x + 1\n#define A(x)   x /* */ + 1\n") == []


def test_a_call_that_is_not_closed_leaves_the_rest_as_it_is_written() -> None:
    source = "#define F(a) a\n#define B 2\nx = F(1;\ny = B;\n"
    assert run(source).text == b"\n\nx = F(1;\ny = 2;\n"


@pytest.mark.parametrize("seed", ["#define A0 x x\n", "#define A0\n"])
def test_a_macro_that_doubles_forty_times_is_left_unexpanded(seed: str) -> None:
    doubling = "".join(f"#define A{n} A{n - 1} A{n - 1}\n" for n in range(1, 41))
    unit = run(seed + doubling + "int y = A40; int z = A2;\n" * 9)
    assert [problem.code for problem in unit.problems] == ["expansion-too-large"]
    assert b"int y = A40;" in unit.text
    assert b"z = A2" not in unit.text
    # the first invocation uses up its bound, and the others the much smaller ones after it
    assert unit.trace.steps < 1.5 * MAX_STEPS


@pytest.mark.parametrize(
    "source",
    [
        "#define F(x) x x\n" + "F(" * 60 + "a" + ")" * 60,
        "#define F(x) x\n" + "F(" * 9000 + "a" + ")" * 9000,
        "#define C(a, b) a ## b\n#define D(a) C(a, a)\n" + "D(" * 60 + "a" + ")" * 60,
        "#define S(x) #x\n#define T(x) S(x)\n" + "T(" * 60 + '"\\"' + ")" * 60,
        "#if " + "(" * 9000 + "1" + ")" * 9000 + "\n#endif",
        "#if " + "1 ? " * 9000 + "1\n#endif",
        "#define F(x) x\n" + "F(F(F(\n" * 300,
    ],
)
def test_deep_nesting_ends_in_a_problem_and_not_in_a_crash(source: str) -> None:
    assert len(run(source).problems) == 1
