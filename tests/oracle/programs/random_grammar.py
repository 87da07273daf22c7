"""Random programs that use the grammar of expressions, declarations and statements densely, one statement a line."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from .program import Program
from .random_expressions import ExpressionWriter
from .random_operands import BASES, FLOAT, INT, WIDTHS, ValueType

_STATEMENTS = 60
_STRINGS = ("text", '"a" "b"', 'STRING(a "b")', '"\\"\\\\"', "__func__", '"%d %s\\n" /* c */ "x"')
_FORMAT = '"%d %v4f %#x %5.3f %%\\n" "%s"'
_REASONS = ('"why"', '"a" "b"')

_PREAMBLE = """\
#define ID(x) x
#define ADD(a, b) ((a) + (b))
#define FIRST(a, ...) a
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define VEC(base, width) CAT(base, width)
#define POINTER(type) private type *
#define NOTHING
#define COUNT(...) COUNT_(__VA_ARGS__, 3, 2, 1)
#define COUNT_(a, b, c, n, ...) n
#define MEMBER(object, name) (object).name
#define GET(r) MEMBER(r, inner).b
#define get(p) ((p)->a)
#define SELF (n + SELF_)
#define SELF_ 1
#define THREE 3
#define HALF .5f
#define LONG_MACRO(a, b) \\
    ((a) \\
     + (b))
#define STRING(x) #x
#define DECLARE(type, name, value) type name = value
#define SWAP(type, a, b) do { type t_ = (a); (a) = (b); (b) = t_; } while (0)
#define LOOP(i, n) for (int i = 0; i < (n); ++i)
enum e { E_ONE = 1, E_TWO = E_ONE << 1, E_THREE, };
typedef enum e e_t;
typedef enum { E_FOUR = 'a', E_FIVE } enum_t;
typedef int T, *T_pointer, T_array[4];
typedef int ints_t[4];
typedef int (*row_pointer_t)[4];
typedef int function_t(int, float);
typedef void nothing_t;
int __attribute__((overloadable)) overloaded_(int a);
function_t plain;
nothing_t empty(nothing_t) { }
struct record {
    int a; struct inner { int b; float2 q[2]; } inner; uchar list[4]; float f; float4 v; union { uint u; uchar4 w; }; int2 pair;
    enum { NESTED = 3 } e; int T; private struct record *self;
} __attribute__((aligned(16)));
typedef struct record record_t;
int (plain)(int a, float b) { return a + (int)b; }
int (wrapped(int (a), float (b)[2], T (c), private int *(d), const T ((e)), float (f[3]))) { return a + (int)b[0] + c + *d + e + (int)f[1]; }
int (*row_of(int (*a)[4]))[4] { return a; }
typedef struct named { int a; };
struct spare { ; int a;; T (b), c; };
struct record make(int a) { struct record r = { .a = a, .inner = { .b = 1, .q[1] = 2, .q = { { 1, 2 } } }, .list = { [1 ... 2] = 3 } }; return r; }
constant int constants[] = { 1, 2, [3] = 4, };
constant float4 constant_vector = (float4)(1, 2, 3, 4);
constant char *constant text = "a" "b\\n\\x41" STRING(c "d");
constant struct inner constant_inner = { 1, { (float2)(1, 2), { 3, 4 } } };
"""

_OVERLOAD = "{0} __attribute__((overloadable)) overloaded({0}_t a) {{ return a; }}"
_HEAD = """\
kernel __attribute__((reqd_work_group_size(8, 1, 1))) __attribute__((vec_type_hint(float4)))
void k(global uchar *restrict bytes, global int *const ints, const global float *floats, local float4 *tile, int n) {
    int i = 0, *ip = &i, **deep = &ip, matrix[3][4] = { { 1 }, [2] = { 4, 5 } }, (*rows)[4] = matrix;
    struct record record = { 1, { 2 } }, records[3] = { { 1 }, [1].inner.b = 2 }, *record_pointer = &records[1];"""


class _Writer:
    """Writes one program, determined by the seed."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._expressions = ExpressionWriter(self._chance)
        self._count = 0

    def program(self) -> str:
        """Returns the whole text."""
        return "\n".join([*self._head(), *(f"    {self._statement(3)}" for _ in range(_STATEMENTS)), "}", ""])

    def types(self) -> str:
        """Returns a program that declares variables with the types of expressions."""
        head = self._head()
        made = [f"    __typeof__({self._any(3)}) typed_{number};" for number in range(_STATEMENTS)]
        return "\n".join([*head, *made, "}", ""])

    def _head(self) -> list[str]:
        """The lines before the first statement."""
        types = [ValueType(base, width) for base in BASES for width in (1, *WIDTHS)]
        lines = [_PREAMBLE.rstrip()]
        lines += [f"typedef {each.name} {each.name}_t;" for each in types]
        lines += [_OVERLOAD.format(each.name) for each in types]
        lines.append(_HEAD)
        known = self._expressions
        for each in types:
            name = each.name
            lines.append(f"    {name} {name}_v, {name}_w, {name}_a[4], *{name}_p = &{name}_v;")
            known.variables[each] = [f"{name}_v", f"{name}_w"]
            known.arrays[each] = [f"{name}_a"]
            known.pointers[each] = [f"{name}_p"]
        known.variables[INT] += ["n", "i"]
        known.pointers[INT].append("ip")
        return lines

    def _name(self) -> str:
        self._count += 1
        return f"x{self._count}"

    def _any(self, depth: int = 3) -> str:
        return self._expressions.expression(self._expressions.type(), depth)

    def _int(self, depth: int = 2) -> str:
        return self._expressions.expression(INT, depth)

    def _declaration(self) -> str:
        """A declaration of one variable or several."""
        known = self._expressions
        type_ = known.type()
        spelled, name, other = known.spelled(type_), self._name(), self._name()
        plain = known.spelled(type_, plain=True)
        value = known.assigned(type_, 3)
        return known.pick(
            (
                f"{spelled} {name} = {value};",
                f"{spelled} {name} = {value}, {other} = {known.assigned(type_, 1)};",
                f"{plain} {name} = {value}, *{other} = &{name}, {name}_a[2] = {{ {name}, *{other} }};",
                f"const {plain} {name}[] = {{ {value}, {known.assigned(type_, 1)}, }};",
                f"{plain} {name}[2][2] = {{ [1] = {{ {value} }}, [0][1] = {known.assigned(type_, 1)} }}, (*{other})[2] = {name};",
                f"{plain} ({name}) = ({value}), (*{other}) = &({name});",
                f"{plain} const *const {name} = {known.pointer(type_, 2)};",
                f"private {plain} *{name} = {known.pointer(type_, 2)}, **{other} = &{name};",
                f"{plain} *{name}[2] = {{ {known.pointer(type_, 1)}, {known.pointer(type_, 0)} }}, *(*{other})[2] = &{name};",
                f"{plain} {name} __attribute__((aligned(16))) = {value};",
                f"__attribute__((aligned(8))) {plain} {name} = {value};",
                f"{plain} __attribute__((unused)) {name} = {value};",
                f"register {spelled} {name} = {value};",
                f"DECLARE({plain}, {name}, ({value}));",
                f"__typeof__({value}) {name} = {value};",
                f"typedef {spelled} {name}; {name} {other} = ({name})({value});",
                f"typedef {plain} *{name}, {other}[2]; {name} {name}_p = {known.pointer(type_, 1)}; {other} {name}_a = {{ {value} }};",
                f"struct {{ {plain} a, b[2]; }} {name} = {{ {value}, {{ {known.assigned(type_, 1)} }} }}, *{other} = &{name};",
                f"struct {name} {{ {plain} T; struct {name} *next; }} {other} = {{ .T = {value}, .next = &{other} }};",
                f"union {{ {plain} a; uchar b[sizeof({plain})]; }} {name} = {{ .b[0] = {self._int()} }};",
                f"enum {name} {{ {name}_a = 1, {name}_b = sizeof({spelled}) }} {other} = {name}_b;",
                f"record_t {name} = {{ .inner.q = {{ [1] = (float2)(1, 2) }}, .v = {known.assigned(ValueType('float', 4), 1)}, .w.x = 1 }};",
                f"int {name}[] = {{ [3] = {self._int()}, 1, [0 ... 1] = {self._int()} }};",
                f"constant {plain} *{name} = 0, *constant *{other} = 0;",
                f"global int (*{name})[4] = (global int (*)[4])ints; {self._int()} + (*{name})[1] + {name}[1][2];",
                f"local {plain} {name}, {other}[4];",
                f"constant char *{name} = {known.pick(_STRINGS)};",
                f"row_pointer_t {name} = matrix, {other} = &matrix[1];",
                f"ints_t {name} = {{ 1, 2 }}, *{other} = &{name};",
            )
        )

    def _shadowing(self) -> str:
        """A block in which a typedef name denotes something else."""
        known = self._expressions
        return known.pick(
            (
                f"{{ int T = {self._int()}; T = (T) + (T) * T; T += (T) - 1; (T)++; (T) & n; }}",
                "{ int T = 1; { T: T = 2; if (T) goto T; } n = (T)[ints] + ints[(T)]; }",
                "{ enum { T = 5 }; n = T * n + (T) - (T) & T; int a[T]; a[T - 1] = (T); }",
                "{ typedef float T; T x = (T)(n) * (T)n; n = sizeof(T) * sizeof x; T *p = &x; *p = (T)(*p) + 1; }",
                "{ struct T { T T; } T = { 1 }; struct T *p = &T; n = T.T + p->T * (T).T; }",
                "for (int T = 0; T < 3; T++) n += T * (T) + (T) - 1;",
                f"for (T T = {self._int()}; T; ) {{ T--; break; }}",
                "{ T T = n; T * n; (T) * n; T ? (T) : n; }",
                "{ int record_t = 2, real = (record_t) * (record_t) + record_t; n = real; }",
                "{ int record = 1; n = record * (record) - sizeof(record); }",
                "{ T_array T = { 1 }; T_pointer p = T; n = T[1] * *T + *p * (*T); }",
            )
        )

    def _labelled(self) -> str:
        """A statement after `case` labels, not in a block."""
        label = self._expressions.pick(("case 1:", "default:", "case 1 ... 3:", "case 1: case 2:", ""))
        body = self._expressions.pick(
            (
                f"{self._any(1)};",
                ";",
                "n--;",
                "{ n = 1; break; }",
                "while (n) n--;",
                "if (n) i = 1; else break;",
            )
        )
        return f"{label} {body}"

    def _statement(self, depth: int) -> str:
        """A statement or declaration on one line."""
        known = self._expressions
        if depth <= 0:
            return known.pick(
                (f"{self._any(1)};", f"{self._assignment()}", ";", "{ }", "break;" if depth < -1 else "n--;")
            )

        def inner() -> str:
            return self._statement(depth - 1)

        label, name = self._name(), self._name()
        made: list[Callable[[], str]] = [
            *([lambda: f"{self._any()};"] * 4),
            *([self._assignment] * 4),
            *([self._declaration] * 6),
            *([self._shadowing] * 2),
            lambda: f"(void)({self._any()});",
            lambda: f"{self._any(2)}, {self._any(2)};",
            lambda: (
                f"if ({self._int()}) {inner()} else {inner()}"
                if not self._chance.random() < 0.2
                else f"if ({self._int()}) {inner()}"
            ),
            lambda: (
                f"if ({self._int()}) {{ {inner()} }} else if ({self._int()}) {{ {inner()} {inner()} }} else ;"
            ),
            lambda: (
                f"for (int {name} = {self._int()}, *{name}_p = &{name}; {name} < {self._int(1)}; ++{name}, ++*{name}_p) {inner()}"
            ),
            lambda: f"for ({self._any(1)}; {self._int()}; {self._any(1)}, {self._any(1)}) {inner()}",
            lambda: f"for ({self._declaration()} ; ) {{ {inner()} break; }}".replace("; ;", ";;", 1),
            lambda: "for (;;) { for (;;) break; continue; }",
            lambda: f"LOOP({name}, {self._int(1)}) LOOP({name}_, 2) {{ {inner()} }}",
            lambda: f"while ({self._int()}) {{ {inner()} if ({self._int(1)}) break; else continue; }}",
            lambda: f"do {{ {inner()} }} while ({self._int()});",
            lambda: f"do {self._any(2)}; while ({self._int(1)});",
            lambda: (
                f"switch ({self._int()}) {{ case 0: {inner()} case 1: case 2 ... 4: {{ {self._any(1)}; }} break; default: {{ {inner()} }} case 'a': ; }}"
            ),
            lambda: (
                f"switch ({self._int()}) {{ case E_ONE + 4: if ({self._int()}) {{ case 17: {self._any(1)}; }} else {self._any(1)}; break; case (3 * 7) - 1: case sizeof(T) * 100: case (T)33: for (;;) {{ case 300: break; }} }}"
            ),
            lambda: f"switch ({self._int()}) {{ default: switch (n) {{ case 1: {self._any(1)}; break; }} }}",
            lambda: f"switch ({self._int()}) {self._labelled()}",
            lambda: (
                f"switch ({self._int()}) if ({self._int(1)}) case 1: {self._any(1)}; else case 2 ... 4: n--;"
            ),
            lambda: (
                f"switch ({self._int()}) {{ do case 1: {self._any(1)}; while (n); if (n) case 2: case 3: {self._any(1)}; else default: ; n++; }}"
            ),
            lambda: (
                f'switch ({self._int()}) {{ case 1: {self._any(1)}; struct {name} {{ int a; }}; case 2: typedef int {name}_t; _Static_assert(1, ""); }}'
            ),
            lambda: f"switch ({self._int()}) for (;;) {{ case 1: break; default: continue; }}",
            lambda: (
                f"if (n) {label}: {self._any(1)}; else {label}_: if (n) goto {label}; else goto {label}_;"
            ),
            lambda: (
                f"{{ do {label}: {self._any(1)}; while (n); while (n) {label}_: {{ goto {label}; }} goto {label}_; }}"
            ),
            lambda: f"{{ {label}: struct {name} {{ int a; }}; goto {label}; }}",
            lambda: f"{{ goto {label}; {label}: }}",
            lambda: (
                f"<% int {name}<:2:> = <% {self._int(1)}, <:1:> = 2 %>; {name}<:n & 1:> = {name}<:0:>; %>"
            ),
            lambda: f"n = wrapped({self._int(1)}, float_a, 1, &n, 2, float_a) + (*row_of(matrix))[1];",
            lambda: (
                f"n = __alignof__({known.spelled(known.type())}) + __alignof__(n) + __alignof__ n + _Alignof(T);"
            ),
            lambda: (
                f"(int){{ {self._int(1)} }} = 3; (struct inner){{ 1 }}.b += 2; _Generic(n, int: n, default: i) = 1; ints[n, i] = 2;"
            ),
            lambda: (
                f'{{ constant int *{name} = L"a" "b"; int {label}[] = L"ab"; n = {name}[1] + {label}[0]; }}'
            ),
            lambda: f"{{ {inner()} {inner()} }}",
            lambda: f"{label}: {self._any(2)};",
            lambda: f"{label}: if ({self._int()}) goto {label}; else {{ goto {label}_; }} {label}_: ;",
            lambda: f"SWAP(int, n, {known.variables[INT][0]});",
            lambda: f"if ({self._int()}) SWAP(int, n, i); else {self._any(1)};",
            lambda: (
                f'printf("%d %v4f %#x %5.3f %%\\n" "%s", {self._int(1)}, {known.cast(ValueType("float", 4), 1)}, n, {known.cast(FLOAT, 1)}, "s");'
            ),
            lambda: f"barrier(CLK_LOCAL_MEM_FENCE | {known.pick(('CLK_GLOBAL_MEM_FENCE', '0'))});",
            lambda: f"tile[get_local_id(0)] = {known.cast(ValueType('float', 4), 2)};",
            lambda: f"ints[{self._int()}] = bytes[{self._int(1)}] << 8 | (uint)(bytes)[{self._int(1)}];",
            lambda: f"vstore4({known.cast(ValueType('float', 4), 1)}, {self._int(1)}, float_p);",
            lambda: (
                f"{known.pick(('atomic_add', 'atomic_xchg', 'atom_add'))}(&ints[{self._int(1)}], {self._int(1)});"
            ),
            lambda: (
                f"_Static_assert(sizeof({known.spelled(known.type())}) > 0 && E_TWO == 2, {known.pick(_REASONS)});"
            ),
            lambda: (
                f"{{ struct {name} {{ int a; }}; struct {name} *{label} = 0; {label} = ({self._int(1)}) ? {label} : (struct {name} *)0; }}"
            ),
            lambda: (
                f"{{ event_t {name} = async_work_group_copy(tile, (const global float4 *)floats, {self._int(1)}, 0); wait_group_events(1, &{name}); }}"
            ),
            lambda: f"{{ const sampler_t {name} = CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST; }}",
            lambda: f"{{ extern int {name}(int, float *); typedef int {label}(int); {label} {name}_; }}",
            lambda: f"if ({self._int()}) return; else if ({self._int(1)}) return;",
            lambda: f"{self._any(1)}; ; ;",
        ]
        return self._chance.choice(made)()

    def _assignment(self) -> str:
        known = self._expressions
        type_ = known.type()
        target = known.object(type_, 2)
        if type_.width == 1 or self._chance.random() < 0.7:
            sign = known.pick(
                ("=", "=", "=", "+=", "*=", "-=", *(("|=", "<<=", "%=", "^=") if type_.is_integer else ()))
            )
            return f"{target} {sign} {known.expression(type_, 3)};"
        if type_.width == 2:
            return f"{target}.{known.pick(('yx', 'xy', 's10'))} = {known.expression(type_, 3)};"
        return f"{known.postfixed(type_)}.{known.pick(('hi', 'lo'))}.x = {known.expression(ValueType(type_.base), 2)};"


def random_grammar(count: int, seed: int) -> Iterator[Program]:
    """Yields this number of programs; another seed gives others."""
    for number in range(seed, seed + count):
        yield Program(f"grammar-{number}", _Writer(number).program())


def random_types(count: int, seed: int) -> Iterator[Program]:
    """Yields programs with variables `typed_…` that have the types of random expressions."""
    for number in range(seed, seed + count):
        yield Program(f"types-{number}", _Writer(number).types())
