"""Calls of unknown macros, code in other languages, and names whose meaning decides how code is parsed."""

from __future__ import annotations

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.rules.finding import Severity

from .units import edited, errors_in, unit_of

MISSING = b'#include "missing.h"\n'
KERNEL = b"\nkernel void last(global int *g) { local int *q = g; }\n"
"""A kernel with one error, in its last line."""


def only_the_kernel(text: bytes) -> list[tuple[int, str]]:
    """The error of KERNEL if it follows a text without errors."""
    return [((text + KERNEL).count(b"\n"), "pointer-conversion")]


PROGRAM_SCOPE = (
    b"DEF(acos)",
    b"DEF(acos);",
    b"DEF(DEF(acos))",
    b"DEF(acos, global float *)",
    b"static DEF(acos)",
    b"DEF(acos)\nDEF(sin)\nDEF(cos);",
    b"DEF(int x = 1; x++;)",
    b"DEF(if (x) { return; })",
    b"DEF(for (int i = 0; i < 3; i++) { f(i); } return 3;);",
    b"DEF(float, =, +)",
    b"DEF(\n    int x;\n    int y;\n)",
    b'REGISTER(f, "x", { 1, 2 })',
    b"DEF(acos) { return 1; }",
    b"DEF(float, acos)(float x) { return x; }",
    b"float DEF(acos, 2)(float x) { return x; }",
    b"void DEF(f, T)(global float *p) { DEF(acos, T)(p); p[0] = DEF(T, sin)(1); }",
    b"double MANGLE(__local f)(double x);\ndouble MANGLE(__global f)(double x);",
    b"void f(OUT(int) int *p, PAIR(int, a), IN(x) global float *q);",
    b"float API CALL f(int x) { return x; }",
    b"float f(int x) API(2) { return x; }",
    b"struct s { FIELDS }; struct t { int a; FIELDS }; struct u { int a MORE };\nstruct v { int a, FIELDS };",
    b"struct s { FIELD(int, a) FIELD(int, b) }; struct t { FIELD(int, a) int b MORE; int c END };",
    b"TEST(NAME(int, a)) { a = 1; }\nTEST(NAME(int, a)) { a = 1; b.x = 2; }\nstatic TEST(NAME(int a)) { a++; }",
    b"void f(PARAMETERS) { a = 1; b.x = 2; }\nvoid h(int n, PAIR(int, a), MORE) { a[n] = 1; }",
    b"int f(int a) { C(for) C(if, 1); C(break); C(a, continue); a = C(return); return C(int); }",
    b"int f(int a) { C({ return 1; }) D(a = ) C(return) return 1 + F; }\ntypedef unsigned long long;",
    b"int f(a, b) int a; float *b; { return a; }",
    b"int typedef T; T f(T x);",
    b"void f(int a, ALIGN({8}) int x);",
    b"kernel void k(ARG({ int a; int b; }) global int *p, ARG({1, 2}) int n) { p[0] = n; }",
    b"barrier(CLK_LOCAL_MEM_FENCE);\nint h(int a);\nh(1, 2);\nmin(n, 2);\n",
    b"CALL(global, 1)\nDECL(global, local);\nUNKNOWN(float, local)",
    b"SOURCE(\nkernel void k(global int *a) { a[0] = 1; }\n)\nvoid f(void) { }",
    b"SOURCE(x,\nvoid f(void) { }\nvoid g(void) { }\n);\nSOURCE(y,\n void h(void) { }\n)",
    b"SOURCE(\nvoid f(void) { }\n,\nvoid g(void) { }\n)\nint h(int x);",
    b"SOURCE(x,\nvoid f(void) { }\n)\nSOURCE(y,\nvoid g(void) { }\n)\n",
    b"SHARED(buffer)[256];\nvoid f(void) { local int *p = buffer; }",
    b"TABLE(float2, LOG, 2) = {\n    (float2)(1, 2),\n    (float2)(3, 4),\n};\nTABLE(float, EXP, 2) = { 1, 2 };",
    b"TABLE(float, LOG)[3] = { 1, 2, (float)(3) };\nTABLE(float, EXP)[3] = { 1 };",
    b"constant float TABLE(A)[4] = { 1, 2 };\nconstant float4 TABLE(B) = { 1, 2 };\nconstant int TABLE(C) = 3;",
    b"constant uint CONCAT(NAME, _t)[2] = { 3, 4 };\nstatic constant uint CONCAT(NAME, _u)[2] = { 3, 4 };",
    b"DEF(float) DEF(double)\nstatic constant T table[1] = { 0 };\nDEF(a) DEF(b) DEF(c)\ntypedef int T;",
    b"DEF(a, b) DEF(c, d) OVERLOAD API float f(float x);\nDEF(a, b) DEF(c, d) API T f(int x) { return x; }",
    b"DEF(acos) DEF(sin) kernel void k(global int *p) { p[0] = 1; }\nDEF(a) DEF(b) struct s { int x; };",
    b"float fract(float x, global float *p) BODY(float, 1)\nfloat fract(float x, local float *p) BODY(float, 1)",
    b"OV API float acos(float x) BODY(acos)\nOV API float asin(float x) BODY(asin)\nOV API int f(int x) { return x; }",
    b"float f(int x) API(2)\n__attribute__((pure)) { return x; }\nint h(int x) API(2)\nPURE(3)\n{ return x; }",
    b"global float * RESTRICT API f(global float *p) { return p; }\nglobal float *A B C g(global float *p);",
    b"typedef struct { int a; } S ALIGN(16);\nvoid f(S *p) { p->a = 1; }\nint h(S *p);",
    b"typedef float4 T[2] ALIGNED, *U ALIGN(4);\nvoid f(T *p, U q) { p[0][0] = *q; }",
    b"struct s { int a ALIGN(4); float4 b[2] ALIGN(16), *c ALIGNED, d; };\nint f(struct s *p) { return p->a; }",
    b"constant float t[2] TABLE_ATTRIBUTE = { 1, 2 };\nfloat f(int i) { return t[i]; }",
    b"VECTOR(float, 4) f(int x) PURE CALL { return x; }\nVECTOR(float, 4) h(int x) API(1) API(2) { return x; }",
)


STATEMENTS = (
    b"unroll_for(4)(int i = 0; i < 4; i++) { g[i] = 1; }",
    b"WHEN(g == 0) return;",
    b"LOCK(g) { g[0] = 1; }",
    b"LOCK({ g[0] = 1; return; });",
    b"FOREACH(int x, g) { x; }",
    b"APPLY(+, g[0], 1); APPLY(g[0], +=, 1);",
    b"int y = APPLY(<, g[0], 1);",
    b"APPLY(if (g) return 1; else x++) ;",
    b"APPLY(APPLY(int x; x = 1;), 2)",
    b"APPLY(acos); APPLY(last_function)",
    b"CALL(local, 1); DECLARE(float, __global); x = CALL(constant); CALL(CALL(1, private), 2);",
    b"UNKNOWN(global) g[0] = 1; UNKNOWN(local, x) += 1;",
    b"LOAD(local) int x; for (int i = 0; i < LOAD(global); i++) g[0] = i;",
    b'__asm__ volatile ("x" : "=r"(__global p) : "r"(__local int *l));',
    b"MAC g[0] = 1; MAC g[1] = 2; MAC *g = 3; MAC g = 0; MAC g; MAC *g;",
    b"MAC ALSO g[0] = 1; MAC g = g + 1, *g = 1; { MAC g[0] = 1; MAC g[1] = 2; MAC *g = 1; }",
    b"if (g) MAC *g = 1; else MAC *g = 2; for (MAC g[0] = 1;;) MAC *g = 3; while (g) MAC & g[1];",
    b"MAC g[0]++; MAC ++g[0]; MAC --*g; MAC *g += 1; MAC g++; if (g) MAC g[0] -= 1;",
    b"int4 v; MAC v.x = 1; MAC v.y += 1; MAC abs(1); MAC barrier(1 + 2);",
    b'int n; MAC printf("%d", g[0]); MAC last_function(*g); MAC (n) = 1; MAC abs(&n, n * n);',
)
AROUND_STATEMENTS = (
    b"FOR_EACH(x) { break; }",
    b"FOR_EACH(x) { if (x) continue; }",
    b"SWITCH(x) { case 1: x = 2; break; default: break; }",
    b"FOR_EACH(x) { NEXT(x) { break; } goto done; } done: ;",
    b"LOOP(g, { if (g[0]) break; });",
    b"x = LOOP(g, { continue; });",
    b"LOOP(x, ({ if (x) break; }));",
    b"SWITCH(x, { case 1: x = 2; break; default: break; });",
    b"switch (x) { case 1: SWITCH(g[0], { case 1: break; }); }",
    b"BEGIN_LOOP(x); break; END_LOOP(x);",
    b"BEGIN_LOOP; if (x) { continue; } END_LOOP;",
    b"BEGIN_SWITCH(x); case 1: break; default: x = 2; END_SWITCH;",
    b"switch (x) { case 1: BEGIN_SWITCH(g[0]); case 1: break; END_SWITCH; }",
    b"if (x) goto done; LABEL(done);",
    b"if (x) goto done; DONE;",
)
DECLARATIONS = (
    b"SHARED(float, t, 4); t[0] = 1;",
    b"SHARED(float, t, 4); if (x) { t[0]++; }",
    b"shared(float, t, 4); t[0] = 1;",
    b"DECLARE; zed += 1;",
    b"declare_all; zed += 1;",
    b"DECLARE(4); lats = 1;",
    b"switch (x) { case 1: DECLARE(4); zed = 1; }",
    b"foo(t); t[0] = 1;",
    b"float t[16] ALIGNED; float4 u ALIGN(16) = 1, v ALIGN(16); t[0] = u.x; v.y = t[1];",
)
IN_BODIES = tuple(
    b"void last_function(void);\nvoid f(global int *g) {\n" + statement + b"\n}" for statement in STATEMENTS
)
WITH_PARAMETERS = tuple(
    b"void f(global int *g, int x, int last) {\n" + statement + b"\n}"
    for statement in (*AROUND_STATEMENTS, *DECLARATIONS)
)

ORDINARY = (
    b"void f(int template, int this, int class) { int a = template < class; a = class > template; }",
    b"typedef int class; class namespace(class b) { return b; }",
    b"int f(int operator, int x) { int y = operator * (x); return y - operator / (y); }",
    b'/* template<class T> */ // std::vector\nconstant char s[] = "namespace a { std::x";',
    b"#ifdef __cplusplus\nnamespace a {\ntemplate <class T> T f();\n}\n#endif",
    b"__device__ float f(float x) { return x; }",
    b"constexpr constant float c = 1;",
    b"void f(int public, int T, int x) { public: x = T &x; int new = public& x, delete[2] = { [0] = 1, [1] = new &T }; }",
    b"struct S { int x; /* ; public: int y; */ int z; };",
    b"struct public { int x; } const;\nstruct S { struct public private_; int new[2], delete; };",
    b"int f(int n, int protected, int new) { return n ? protected : new; }\nint g(int (f), int delete[]) { return f; }",
    b"void f(int x) { x = sizeof(int) & x; x = (int)x & (const int)x; FOR(public : x) { x = 1; } AUTO(x : x); }",
    b"[[clang::overloadable]] int f(void);",
    b'void f(global int *p) { __asm__ volatile ("" :: "r"(p)); }',
    b"void f(int try, int catch) { int noexcept = try ? 1 : catch; enum e { A, B }; int a[2] = { 1, 2 }, b[] = { 1 }; }",
    b"int f(int a, int b);\nint g(int a) { int x = f(a = 3, 4); for (int i = 0, j = 1; i < j; i++) { x = f(i, j = 2); } return x; }",
    b"void f(float x) { x = 1.0i; x = 1.0fi * 2; float4 v = 1.0i; int i = 1i; i = 2ui; i = 2il; x = 0x1p3J + x; }",
)
"""Programs with words of other languages that are not of another language."""


@pytest.mark.parametrize("text", (*PROGRAM_SCOPE, *IN_BODIES, *WITH_PARAMETERS, *ORDINARY))
def test_unknown_macros_and_ordinary_names_are_not_reported(text: bytes) -> None:
    assert errors_in(text + KERNEL, "CL1.2") == only_the_kernel(text)


@pytest.mark.parametrize(
    "text",
    [
        b"DEF(a) DEF(b)\nDEF(acos)\nDEF(acosh)\n",
        b"float fract(float x, global float *p) BODY(float, 1)\n" * 2,
    ],
)
def test_calls_of_unknown_macros_at_the_end_are_not_reported(text: bytes) -> None:
    assert not errors_in(text, "CL1.2")


def test_both_ends_of_a_call_around_functions_are_needed() -> None:
    begin, end = b"SOURCE(x,\n", b"\n)\n"
    function, other = b"void f(void) { }\n", b"void g(void) { }\n"
    unit = unit_of(function)
    for text, lines in (
        (begin + function, [1]),
        (begin + function + end, []),
        (function + end, [3]),
        (function + end + begin + function, [3]),
        (begin + function + end + other, []),
        (begin + function + other, [1]),
        (begin + function + b"]" + other + end, [3]),
    ):
        edited(unit, text)
        expected = [(line, "syntax-error") for line in lines]
        assert errors_in(text) == expected
        assert [
            (unit.document.text.line_of(each.location.start) + 1, each.code)
            for each in compute_diagnostics(unit)
            if each.severity is Severity.ERROR
        ] == expected


KNOWN = (
    (b"foo(x); zed += 1;", "undeclared-name"),
    (b"zed += 1; DECLARE;", "undeclared-name"),
    (b"{ DECLARE(zed); } zed += 1;", "undeclared-name"),
    (b"if (x) DECLARE(zed); zed += 1;", "undeclared-name"),
    (b"DECLARE(4); x = get_globl_id(0);", "undeclared-name"),
    (b"zed; zed = 1;", "undeclared-name"),
    (b"break; BEGIN(x); END(x);", "misplaced-statement"),
    (b"BEGIN(x); END(x); break;", "misplaced-statement"),
    (b"foo(x); break; bar(x);", "misplaced-statement"),
    (b"{ BEGIN(x); } break; { END(x); }", "misplaced-statement"),
    (b"LOOP(x); break;", "misplaced-statement"),
    (b"BEGIN(x); void (^b)(void) = ^{ break; }; END(x);", "misplaced-statement"),
    (b"LOOP(x, ({ switch (x) { case 1: case 1: break; } }));", "duplicate-case"),
    (b"foo(x); goto done;", "wrong-label"),
)
"""Faults that no macro explains."""


@pytest.mark.parametrize(("statement", "code"), KNOWN)
def test_a_fault_that_no_macro_explains_is_reported(statement: bytes, code: str) -> None:
    text = b"void f(global int *g, int x, int last) {\n" + statement + b"\n}"
    assert {found for _, found in errors_in(text)} == {code}


ATTRIBUTES = (
    b"float API f(float x, %s float *p) {",
    b"API float f(float x, %s float *p) {",
    b"static API float f(float x, %s float *p) {",
    b"static inline API(2) float f(float x, %s float *p) {",
    b"float API(2) f(float x, %s float *p) {",
    b"float f(float x, %s float *p) API {",
    b"float f(float x, %s float *p) API(2) {",
    b"float API CALL f(float x, %s float *p) {",
    b"float __attribute__((API)) f(float x, %s float *p) {",
    b"__attribute__(API) float f(float x, %s float *p) {",
)


@pytest.mark.parametrize("missing", [b"", MISSING])
@pytest.mark.parametrize("head", ATTRIBUTES)
def test_overloads_with_an_unknown_attribute_are_not_reported(head: bytes, missing: bytes) -> None:
    body = b" float t = 0; float r = f(x, &t); *p = t; return r; }\n"
    text = missing + b"".join(head % space + body for space in (b"global", b"local", b"private"))
    text += b"void use(global float *g, local float *l) { f(1, g); f(1, l); }"
    assert errors_in(text + KERNEL, "CL1.2") == only_the_kernel(text)


@pytest.mark.parametrize(
    ("declared", "defined"),
    [(b"", b"API "), (b"API ", b""), (b"API ", b"API ")],
    ids=["defined", "declared", "both"],
)
def test_an_unknown_attribute_makes_no_second_overload(declared: bytes, defined: bytes) -> None:
    overloadable = b"__attribute__((overloadable)) uchar convert_uchar(char x)"
    text = declared + overloadable + b";\n" + defined + overloadable + b" { return (uchar)x; }\n"
    text += b"uchar2 use(char2 x) { return (uchar2)(convert_uchar(x.lo), convert_uchar(x.hi)); }"
    assert errors_in(text + KERNEL, "CL1.2") == only_the_kernel(text)


@pytest.mark.parametrize(
    ("text", "line", "code"),
    [
        (b"typedef local float *T ALIGN(8);\nvoid f(global float *g) {\n T x = g;\n}", 3, "pointer-conversion"),
        (b"struct s { local int *a ALIGN(4); };\nvoid f(struct s *p, global int *g) {\n p->a = g;\n}", 3, "pointer-conversion"),
        (b"void f(global int *g) {\n local int t[4] ALIGN(4);\n t = g;\n}", 3, "not-assignable"),
        (b"int a\nCALL(1);\nvoid f(void) { }", 1, "syntax-error"),
    ],
    ids=["type", "member", "array", "another line"],
)  # fmt: skip
def test_what_follows_an_unknown_attribute_of_a_declarator_is_checked(
    text: bytes, line: int, code: str
) -> None:
    assert (line, code) in errors_in(text, "CL1.2")


def test_arguments_of_a_function_with_an_unknown_attribute_are_checked() -> None:
    text = b"float API f(global float *p) { return *p; }\nvoid g(local float *l) { f(l); }\n"
    assert errors_in(text, "CL1.2") == [(2, "pointer-conversion")]


TYPES_OR_VALUES = (
    (b"typedef int T;\nvoid f(global int *g) { T (*x)[4] = g; }", "pointer-conversion"),
    (b"typedef global int *T;\nvoid f(local int *l) { T (x) = l; }", "pointer-conversion"),
    (
        b"float h(global float *p);\nint f(local float *p, int n) { return sizeof((h(p)) - n); }",
        "pointer-conversion",
    ),
    (b"typedef int T;\nvoid f(void) { int T; T = 1; T x; }", "syntax-error"),
    (b"void f(int n, float x) {\nn ^ x; n * x; }", "invalid-operands"),
    (b"enum { N };\nvoid f(int *p) { N * p; N * 2; }", "invalid-operands"),
)


@pytest.mark.parametrize(("text", "code"), TYPES_OR_VALUES)
def test_a_name_parses_as_a_type_where_it_names_a_type(text: bytes, code: str) -> None:
    assert errors_in(text, "CL1.2") == [(2, code)]
    unit = unit_of(b"typedef int unused;\n" + text, "CL1.2")
    compute_diagnostics(unit)
    edited(unit, text)
    assert [each.code for each in compute_diagnostics(unit) if each.severity is Severity.ERROR] == [code]


AT_PROGRAM_SCOPE = (b"T (*p)[4];", b"T (x)[3];", b"/* a */ T (* const p)[4][2];", b"\nT (**p)[N];")


@pytest.mark.parametrize("text", AT_PROGRAM_SCOPE)
def test_a_typedefs_name_before_parentheses_declares_at_program_scope(text: bytes) -> None:
    typedef = b"enum { N = 3 };\ntypedef int T;\n"
    assert [code for _, code in errors_in(typedef + text, "CL1.2")] == ["program-scope-space"]
    unit = unit_of(typedef + b"int y;\n" + KERNEL, "CL1.2")
    for now in (text, b"T p;", text.replace(b"T", b"long_name"), text):
        edited(unit, typedef + now + KERNEL)
        assert compute_diagnostics(unit) == compute_diagnostics(unit_of(typedef + now + KERNEL, "CL1.2"))


def test_a_variable_behind_an_unknown_macro_keeps_its_type() -> None:
    text = b"void f(global int *g) { MAC g[0] = 1;\nlocal int *l = g; MAC g = 0;\nl = g; }\n"
    assert errors_in(text, "CL1.2") == [(2, "pointer-conversion"), (3, "pointer-conversion")]


def test_an_error_that_no_macro_explains_is_reported_behind_an_unknown_word() -> None:
    text = b"void f(int n) { MAC n = n n;\nMAC n = n +; }\n"
    assert errors_in(text, "CL1.2") == [(1, "syntax-error"), (2, "syntax-error")]
    text = b"int f(int n) { MAC(3) n = 1;\nif (n) { return }\nwhile (n) { n++; break }\nMAC { n = }\nMAC return }\n"
    assert errors_in(text, "CL1.2") == [(line, "syntax-error") for line in (2, 3, 4, 5)]


def test_a_qualifier_as_an_argument_of_a_known_function_is_an_error() -> None:
    text = b"void g(int n);\nvoid f(void) { g(local); }\nint h(void) { return sizeof(private); }\n"
    assert errors_in(text, "CL1.2") == [(2, "reserved-name"), (3, "reserved-name")]


def test_a_reserved_word_as_a_variable_name_is_reported_once() -> None:
    text = b"void f(global int *g) {\nint local; local = 1;\nint private; private[0] = g;\n%s\n}"
    for more in (b"", b"int global; global++; g[0] = 2;", b"float4 constant; constant.x = 1;"):
        found = {each.code for each in compute_diagnostics(unit_of(text % more, "CL1.2"))}
        assert found - {"syntax-error"} == {"reserved-name"}


RESERVED = (
    b"void f(global int *local) { local[0] = 1; if (local[1]) local[2]++; }",
    b"void f(int n, int *constant /* a */) // b\n{ n = constant[0] + n; constant[1] = 2; }",
    b"struct s { int a; };\nvoid f(global struct s *global) { global->a = 1; (*global).a = 2; }",
    b"kernel void f(global int *__local, const int n) { __local[n] += 1; }",
    b"void f(int local) { int a = local; }",
    b"void f(int local, float x[2]);",
    b"void f(float x[2], int local[2]) { local[0] = 1; }",
    b"void local(int x) { }",
    b"int private() { return 1; }",
    b"int *local(void) { return 0; }",
    b"kernel void global(global int *p) { }",
    b"int constant(int *x, int);",
    b"void f(void) { goto local; local: ; }",
    b"void f(int n) { switch (n) { case 1: global: n = 1; } }",
)


@pytest.mark.parametrize("text", RESERVED)
def test_a_qualifier_as_a_name_is_one_error(text: bytes) -> None:
    (found,) = compute_diagnostics(unit_of(text + b"\n", "CL1.2"))
    assert (found.code, found.severity) == ("reserved-name", Severity.ERROR)


def test_the_use_of_a_name_that_no_declaration_declares_is_an_error() -> None:
    text = b"void f(int private) {\n  private = 1;\n  int local;\n  local[0] = 1;\n  local[1] = 1;\n}\n"
    assert errors_in(text, "CL1.2") == [(2, "reserved-name"), (4, "reserved-name")]


QUALIFIERS = (
    b"kernel void k(global int *g, local int *l) { local int a[2]; private int b = 1; l[b] = g[0]; for (local int *r = l;;) a[b] = 1; %s }",
    b"int global *f(int local *p) { constant int *q = 0; switch (p[0]) { case 1: p[1] = 1; local int *z = p; } return q = 0; %s }",
    b"int f(int private) { global int (*q)[2] = 0; return (global int *)q == (global int *)0 ? 1 : 2; %s }",
)


@pytest.mark.parametrize("text", QUALIFIERS)
@pytest.mark.parametrize("fault", [b"", b"break"])
def test_a_qualifier_is_no_name_beside_a_syntax_error(text: bytes, fault: bytes) -> None:
    found = compute_diagnostics(unit_of(text % fault, "CL1.2"))
    assert not [each for each in found if each.code == "reserved-name" and each.severity is Severity.ERROR]


def test_a_variable_may_shadow_a_type() -> None:
    text = b"typedef int T;\nint f(int T) { T = 3; int b = (T) - 1; { T = b * T; } return T; }"
    assert errors_in(text, "CL1.2") == []


def test_bit_integers_are_types() -> None:
    text = b"""\
_BitInt(8) h(_BitInt(8) a, unsigned _BitInt(16) b) { _BitInt(8) c = a; return c + (_BitInt(8))1; }
struct s { _BitInt(3) a; unsigned _BitInt(3) b[2]; };
void f(global _BitInt(32) *g, local unsigned _BitInt(32) *l) {
    for (unsigned _BitInt(4) i = 0; i < 3; i++) g[i] = sizeof(unsigned _BitInt(9));
    l = (local unsigned _BitInt(32) *)g;
}
"""
    assert errors_in(text, "CL1.2") == [(5, "pointer-cast")]


FOREIGN = (
    b"template <class T> T f(T a) { return a; }",
    b"__device__ float f(float x) { return x; }",
    b"__global__ void k(float *p) { p[blockIdx.x] = 1; }",
    b"class A { public: int x; };",
    b"namespace a { int f(); }",
    b"using namespace std;",
    b"float3 operator+(float3 a, float3 b) { return a; }",
    b"void f(int *p) { float *q = reinterpret_cast<float *>(p); }",
    b"void f() { std::vector<int> v; }",
    b"void f() { k<<<1, 2>>>(3); }",
    b"void f(device float *x [[buffer(0)]]) {}",
    b"[numthreads(8, 8, 1)] void main(uint3 id) {}",
    b"struct S { public: int x; private: int y; };",
    b"struct S {\n  float4 a;\n  int b[2];\nprivate:\n  int y;\n};",
    b"struct S { int a; };\nstruct T : public S { int b; };",
    b"struct S { int x; int get() const { return x; } };",
    b"float h(const float4& x) { return x.x; }",
    b"float h(int n, float &x) { return x; }",
    b"const real& h(const real *x);",
    b"void h(int *a) { for (auto &x : a) { x = 1; } }",
    b"void h(int *a) { for (const auto x : a) { h(x); } }",
    b"constexpr int N = 3;",
    b"void h(int n) { float *p = new float[n]; }",
    b"void h(float *p) { delete[] p; }",
    b"void h(int n) { auto add = [&](int x) { return x + n; }; }",
    b"int h(int n, int m = 3) { return n + m; }",
    b"int h(global int *p = 0, float const x /* = 0 */ = f(1, 2), uint m=2u);",
    b"void h(void) { int n{3}; }",
    b"constant uint n { 3u };",
    b"kernel void h(global int *p) { const float4 a{1.0f, 2.0f}; }",
    b"constexpr int N = 3;\nkernel void h(global int *p) { *p = N; }",
    b"kernel void h(global int *p) { try { *p = 0; } catch (...) { } }",
    b"kernel void h(global int *p) noexcept { *p = 0; }",
    b'extern "C" kernel void h(global int *p) { *p = 0; }',
)


@pytest.mark.parametrize("text", FOREIGN)
def test_code_in_another_language_has_one_diagnostic(text: bytes) -> None:
    found = compute_diagnostics(unit_of(text + b"\nint *f(global int *g) { return g; }\n", "CL1.2"))
    assert [each.code for each in found] == ["cpp-for-opencl"]


OLD_STYLE = (
    b"int f(a) int a; { return a; }",
    b"int f(a, b) int a; global float *b; { b[0] = 1; return a; }",
    b"kernel void f(a, b, n) global int *a, *b; uint n; { a[n] = b[n]; }",
    b"typedef int T;\nstatic int f(a, b) T a[2]; T *b; { T c = a[0]; return c + *b; }",
    b"int f(a)\n  unsigned a; // the first\n{ return a; }\nint g(void) { return f(1); }",
)


@pytest.mark.parametrize("text", OLD_STYLE)
def test_a_definition_without_a_prototype_declares_its_parameters(text: bytes) -> None:
    assert compute_diagnostics(unit_of(text + b"\n", "CL1.2")) == ()


OLD_STYLE_OF_UNKNOWN_TYPE = (
    b"real f(x, y) real x; global real *y; { return x + y[0]; }",
    b"static real f(x, y, z) const real x, z; real y[2]; { return x + y[0] + z; }",
    b"API(int) f(x, y) int x; int *y; { return x + y[0]; }",
    b"float API(A(2), 3) f(x) /* (a) */ real x; // (b)\n{ return x; }",
    b"API(int) const f(x, y) /* (x); */ int (*x)[2]; int y; { return y; }",
    b"struct S { int a; };\nstruct S f(s) struct S s; { return s; }",
    b"typedef int T;\nT f(x) T x; { return x; }",
)


@pytest.mark.parametrize("text", OLD_STYLE_OF_UNKNOWN_TYPE)
def test_a_definition_without_a_prototype_may_have_a_result_of_unknown_type(text: bytes) -> None:
    text = MISSING + text + b"\nkernel void k(global real *g, local real *l) { f(1, g); }"
    assert errors_in(text + KERNEL, "CL1.2") == only_the_kernel(text)


@pytest.mark.parametrize("declared", [b"global real c", b"void g(int a);\nglobal int c"])
def test_declarations_of_other_names_are_no_parameters(declared: bytes) -> None:
    text = MISSING + b"EXPORT DECLARE(a, b)\n" + declared + b";\nvoid f(void) { }"
    assert errors_in(text, "CL1.2") == [(3 + declared.count(b"\n"), "program-scope-space")]
