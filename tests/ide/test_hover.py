"""The content of hovers: types, reasons, flow, documentation of built-in functions, macros and language versions."""

from __future__ import annotations

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.hover.hover import compute_hover
from openclsp.ide.hover.hover_rendering import render_markdown, render_plain_text
from openclsp.ide.hover.uncertain_names import UNCERTAIN_DECLARATION
from openclsp.semantics.flow.flow_queries import SOLUTION, SOLUTIONS

from ..rules.analysis import NAME, analyse
from ..semantics.units import ROOT, Headers, unit_of

Case = tuple[str, str, str]
"""A dialect, a kernel in which `@` marks the cursor, and the hover's text without the fence and the language version."""


def hover_text(dialect: str, marked: str) -> str | None:
    """The plain text of the hover at `@`, after the diagnostics of the file have been computed."""
    unit = analyse(marked.replace("@", ""), dialect)
    compute_diagnostics(unit)
    found = compute_hover(unit, NAME, marked.index("@"))
    return None if found is None else render_markdown(found, lambda step: f"line {step.line}")


def without_fence_and_version(dialect: str, text: str | None) -> str | None:
    """The type and the lines of a hover's text; checks that the rest is a fence and the language version."""
    if text is None:
        return None
    content, blank, version = text.rsplit("\n", 2)
    assert blank == ""
    assert version == f"*OpenCL C {dialect.removeprefix('CL')}, chosen by the test*"
    if not content.startswith("```"):
        return content
    assert content.startswith("```opencl\n")
    return "".join(content.removeprefix("```opencl\n").split("\n```", 1))


TYPES: dict[str, Case] = {
    "the operand of sizeof": (
        "CL1.2",
        "kernel void k(global int *p) { p[0] = sizeof(@int); }",
        "int\n- 4 bytes, aligned to 4",
    ),
    "the type of a cast": (
        "CL1.2",
        "kernel void k(global int *p) { p[0] = (@size_t)3; }",
        "size_t\n- 8 bytes, aligned to 8 (on 32-bit devices 4 bytes, aligned to 4)",
    ),
    "the pointer type of a cast": (
        "CL1.2",
        "kernel void k(global float *p) { global int *q = (global @int *)p; q[0] = 1; }",
        """\
global int *
- `global`, its pointee: written
- 8 bytes, aligned to 8 (on 32-bit devices 4 bytes, aligned to 4)""",
    ),
    "a pointer to global": (
        "CL1.2",
        "kernel void k(global int *@p) { *p = 1; }",
        """\
global int *private p
- `private`, the object itself: function parameters and results are private
- `global`, its pointee: written""",
    ),
    "an array": (
        "CL1.2",
        "kernel void k(void) { local int @a[4]; a[0] = 1; }",
        """\
local int a[4]
- `local`, the object itself: written
- 16 bytes, aligned to 4""",
    ),
    "an element": (
        "CL1.2",
        "kernel void k(void) { local int a[4]; a@[0] = 1; }",
        """\
local int
- `local`, the object itself: written""",
    ),
    "a use of a name": (
        "CL1.2",
        "kernel void k(global int *p) { @p[0] = 1; }",
        """\
global int *private p
- `private`, the object itself: function parameters and results are private
- `global`, its pointee: written""",
    ),
    "a pointee without a space in 1.2": (
        "CL1.2",
        "void f(int *@p) { *p = 1; }",
        """\
private int *private p
- `private`, the object itself: function parameters and results are private
- `private`, its pointee: an unqualified pointee is private where there is no generic address space""",
    ),
    "a space from a typedef": (
        "CL1.2",
        """\
typedef global int *ptr;
kernel void k(ptr @p) { *p = 1; }
""",
        """\
global int *private p
- `private`, the object itself: function parameters and results are private
- `global`, its pointee: from the typedef""",
    ),
    "the name of a typedef": (
        "CL1.2",
        """\
typedef global int *ptr;
kernel void k(@ptr p) { *p = 1; }
""",
        """\
typedef global int *ptr
- `private`, the object itself: the space depends on the use of the typedef
- `global`, its pointee: written
- 8 bytes, aligned to 8 (on 32-bit devices 4 bytes, aligned to 4)""",
    ),
    "a typedef without a space": (
        "CL1.2",
        """\
typedef int *ptr;
void f(ptr @p) { *p = 1; }
""",
        """\
private int *private p
- `private`, the object itself: function parameters and results are private
- `private`, its pointee: from the typedef, whose pointee has no qualifier: private here, generic with the generic address space""",
    ),
    "a member": (
        "CL1.2",
        """\
struct s { int n; };
void f(global struct s *p) { p->@n = 1; }
""",
        """\
global int n
- `global`, the object itself: a member is in the space of its object
- offset 0 in `struct s`, 4 bytes""",
    ),
    "a function": (
        "CL1.2",
        "global int *@f(global int *p, int n);",
        """\
global int *f(global int *p, int n)
- `global`, its pointee: written""",
    ),
    "a call": (
        "CL1.2",
        """\
global int *f(global int *p);
void g(global int *q) { @f(q)[0] = 1; }
""",
        """\
global int *f(global int *p)
- `global`, its pointee: written""",
    ),
    "a constant at program scope": (
        "CL1.2",
        "constant int @a = 1;",
        """\
constant int a
- `constant`, the object itself: written""",
    ),
    "a global at program scope": (
        "CL2.0",
        "int @a = 1;",
        """\
global int a
- `global`, the object itself: program-scope and static variables are global unless qualified""",
    ),
    "a static variable": (
        "CL2.0",
        "void f(void) { static int @n; n = 1; }",
        """\
global int n
- `global`, the object itself: program-scope and static variables are global unless qualified""",
    ),
    "a string literal": (
        "CL1.2",
        'void f(void) { constant char *s = @"abc"; }',
        """\
constant char[4]
- `constant`, the object itself: string literals are constant""",
    ),
    "a number": (
        "CL1.2",
        "void f(void) { int n = @42; }",
        """\
int
- value `42`, `0x2a`""",
    ),
    "an operator": (
        "CL1.2",
        "void f(float x) { float y = x @+ 1; }",
        """\
float""",
    ),
    "an array parameter": (
        "CL2.0",
        "void f(int @a[4]) { a[0] = 1; }",
        """\
private int *private a
- `private`, the object itself: function parameters and results are private
- `private`, its pointee: the elements of an unqualified array parameter are private, as in clang""",
    ),
    "three levels": (
        "CL1.2",
        "void f(global int *local *private @p) { **p = 1; }",
        """\
global int *local *private p
- `private`, the object itself: written
- `local`, its pointee: written
- `global`, the pointee's pointee: written""",
    ),
    "four levels": (
        "CL1.2",
        "void f(global int *local *private *private @p) { ***p = 1; }",
        """\
global int *local *private *private p
- `private`, the object itself: written
- `private`, its pointee: written
- `local`, the pointee's pointee: written
- `global`, level 3: written""",
    ),
    "a qualifier that two declarators share": (
        "CL1.2",
        "kernel void k(void) { local int x, *@y; y = &x; }",
        """\
local int *private y
- `private`, the object itself: variables in functions are private unless qualified
- `local`, its pointee: written
- `local` applies to the pointee of `y`; `x` itself is in local memory""",
    ),
    "an enumerator": (
        "CL1.2",
        """\
enum e { A, B };
constant int x = @B;
""",
        """\
int B
- value `1`""",
    ),
    "the declaration of an enumerator of a function": (
        "CL1.2",
        "void f(void) { enum { A = 16, @B }; }",
        """\
int B
- value `17`, `0x11`""",
    ),
    "an image": (
        "CL1.2",
        "kernel void k(read_only image2d_t @i) { }",
        """\
private read_only image2d_t i
- `private`, the object itself: function parameters and results are private""",
    ),
    "a block variable": (
        "CL2.0",
        "void f(void) { int (^@b)(int) = ^(int n) { return n; }; b(1); }",
        """\
int (^private const b)(int)
- `private`, the object itself: variables in functions are private unless qualified""",
    ),
    "components of a vector": (
        "CL1.2",
        "void f(global float4 *v) { v->@xy = 1; }",
        """\
global float2
- `global`, the object itself: written""",
    ),
    "the tag of a structure": (
        "CL1.2",
        """\
struct s { int n; };
void f(global struct @s *p);
""",
        """\
struct s {
    int n;  // offset 0, 4 bytes
}
- 4 bytes, aligned to 4""",
    ),
}


@pytest.mark.parametrize(("dialect", "marked", "expected"), TYPES.values(), ids=TYPES)
def test_a_hover_shows_the_type_and_why_each_level_has_its_space(
    dialect: str, marked: str, expected: str
) -> None:
    assert without_fence_and_version(dialect, hover_text(dialect, marked)) == expected


FLOWS: dict[str, Case] = {
    "no caller": (
        "CL2.0",
        "void f(int *@p) { *p = 1; }",
        """\
generic int *private p
- `private`, the object itself: function parameters and results are private
- `generic`, its pointee: an unqualified pointee is generic where the generic address space exists
- **holds an unknown pointer**
  - no kernel of this file reaches `f`""",
    ),
    "a typedef without a space in 2.0": (
        "CL2.0",
        """\
typedef int *ptr;
void f(ptr @p) { *p = 1; }
""",
        """\
generic int *private p
- `private`, the object itself: function parameters and results are private
- `generic`, its pointee: from the typedef, whose pointee has no qualifier: generic here, private without the generic address space
- **holds an unknown pointer**
  - no kernel of this file reaches `f`""",
    ),
    "two callers": (
        "CL2.0",
        """\
void f(int *@p) { *p = 1; }
kernel void k(global int *g, local int *l) {
    f(g);
    f(l);
}
""",
        """\
generic int *private p
- `private`, the object itself: function parameters and results are private
- `generic`, its pointee: an unqualified pointee is generic where the generic address space exists
- **holds {global, local}**
  - `global`: kernel parameter `g` (line 2) → argument of `f` (line 3) → parameter `p` (line 1)
  - `local`: kernel parameter `l` (line 2) → argument of `f` (line 4) → parameter `p` (line 1)
  - global from `k` (line 3)
  - local from `k` (line 4)""",
    ),
    "a use of the pointer": (
        "CL2.0",
        """\
void f(int *p) { *@p = 1; }
kernel void k(global int *g) {
    f(g);
}
""",
        """\
generic int *private p
- `private`, the object itself: function parameters and results are private
- `generic`, its pointee: an unqualified pointee is generic where the generic address space exists
- **holds {global}**
  - `global`: kernel parameter `g` (line 2) → argument of `f` (line 3) → parameter `p` (line 1)""",
    ),
    "a null pointer": (
        "CL2.0",
        """\
kernel void k(void) {
    int *p = 0;
    *@p = 1;
}
""",
        """\
generic int *private p
- `private`, the object itself: variables in functions are private unless qualified
- `generic`, its pointee: an unqualified pointee is generic where the generic address space exists
- **holds null**""",
    ),
    "the result of an undefined function": (
        "CL2.0",
        """\
int *given(void);
kernel void k(void) {
    int *p = given();
    *@p = 1;
}
""",
        """\
generic int *private p
- `private`, the object itself: variables in functions are private unless qualified
- `generic`, its pointee: an unqualified pointee is generic where the generic address space exists
- **holds an unknown pointer**""",
    ),
    "a returned pointer": (
        "CL2.0",
        """\
int *pick(int *p) { return p; }
kernel void k(global int *g) {
    int *r = pick(g);
    *@r = 1;
}
""",
        """\
generic int *private r
- `private`, the object itself: variables in functions are private unless qualified
- `generic`, its pointee: an unqualified pointee is generic where the generic address space exists
- **holds {global}**
  - `global`: kernel parameter `g` (line 2) → returned by `pick` (line 3) → `r` (line 3)""",
    ),
    "a private pointer to what would be generic": (
        "CL1.2",
        """\
kernel void k(global int *g) {
    int *@p = g;
    *p = 1;
}
""",
        """\
private int *private p
- `private`, the object itself: variables in functions are private unless qualified
- `private`, its pointee: an unqualified pointee is private where there is no generic address space
- **no address space is specified: if it were generic, it would hold {global}**
  - `global`: kernel parameter `g` (line 1) → `p` (line 2)""",
    ),
}


@pytest.mark.parametrize(("dialect", "marked", "expected"), FLOWS.values(), ids=FLOWS)
def test_a_hover_over_a_generic_pointer_shows_what_it_holds(dialect: str, marked: str, expected: str) -> None:
    assert without_fence_and_version(dialect, hover_text(dialect, marked)) == expected


BUILT_INS: dict[str, Case] = {
    "spaces of a pointer argument in 1.2": (
        "CL1.2",
        "void f(float x, local float *l) { x = @fract(x, l); }",
        """\
float fract(float, local float *)
- x - floor(x), always less than 1; also stores floor(x) through the pointer.
- one of 54 overloads in OpenCL C 1.2: argument 2 points into global, local or private""",
    ),
    "spaces of a pointer argument in 2.0": (
        "CL2.0",
        "void f(float x, local float *l) { x = @fract(x, l); }",
        """\
float fract(float, generic float *)
- x - floor(x), always less than 1; also stores floor(x) through the pointer.
- one of 18 overloads in OpenCL C 2.0: argument 2 points into generic (global, local or private)""",
    ),
    "a function without overloads": (
        "CL1.2",
        "void f(void) { @barrier(CLK_LOCAL_MEM_FENCE); }",
        """\
void barrier(cl_mem_fence_flags)
- Waits until all work-items of the work-group reach the barrier; their accesses to the memory that the flags name are then visible to all of them. Either all work-items of the group must reach it, or none.""",
    ),
    "a work-item function": (
        "CL1.2",
        "void f(void) { size_t i = @get_global_id(0); }",
        """\
size_t get_global_id(uint)
- Returns the global index of this work-item in the given dimension, including the offset.""",
    ),
    "a function of a later version": (
        "CL2.0",
        "void f(int *p) { @to_global(p); }",
        """\
global int *to_global(generic int *)
- `global`, its pointee: from the expression's operands
- Converts the pointer to one into global if its object is there; otherwise returns a null pointer.
- since OpenCL C 2.0""",
    ),
    "a function that the version does not have": (
        "CL1.2",
        "void f(int *p) { @to_global(p); }",
        """\
- Converts the pointer to one into global if its object is there; otherwise returns a null pointer.
- since OpenCL C 2.0""",
    ),
    "two pointer arguments": (
        "CL1.2",
        "void f(local float *l, const global float *g) { @async_work_group_copy(l, g, 4, 0); }",
        """\
event_t async_work_group_copy(local float *, global const float *, size_t, event_t)
- Starts an asynchronous copy of `num_gentypes` elements between global and local memory, which all work-items of the work-group perform together. Wait for the returned event before you use the data.
- one of 132 overloads in OpenCL C 1.2: pointers into (local, global) and (global, local)""",
    ),
    "a conversion": (
        "CL1.2",
        "void f(float4 v) { int4 n = @convert_int4(v); }",
        """\
int4 convert_int4(float4)
- Converts to `int4`, element by element; conversion to an integer truncates the fraction.
- one of 11 overloads in OpenCL C 1.2""",
    ),
}


@pytest.mark.parametrize(("dialect", "marked", "expected"), BUILT_INS.values(), ids=BUILT_INS)
def test_a_hover_over_a_built_in_function_shows_its_documentation(
    dialect: str, marked: str, expected: str
) -> None:
    assert without_fence_and_version(dialect, hover_text(dialect, marked)) == expected


MACROS: dict[str, Case] = {
    "an object-like macro": (
        "CL1.2",
        """\
#define SIZE 16
kernel void k(void) { local int a[@SIZE]; }
""",
        """\
int
- value `16`, `0x10`
- macro `SIZE`: `SIZE 16`
- expands to `16`""",
    ),
    "a function-like macro": (
        "CL1.2",
        """\
#define LOAD(p, i) ((p)[i])
void f(global int *g) { int n = @LOAD(g, 1); }
""",
        """\
global int
- `global`, the object itself: written
- macro `LOAD`: `LOAD(p, i) ((p)[i])`
- expands to `((g)[1])`""",
    ),
    "a macro for a space": (
        "CL1.2",
        """\
#define SPACE local
kernel void k(void) { @SPACE int x; x = 1; }
""",
        """\
local int x
- `local`, the object itself: written
- macro `SPACE`: `SPACE local`
- expands to `local`""",
    ),
    "an empty macro": (
        "CL1.2",
        """\
#define EMPTY
@EMPTY kernel void k(void) { }
""",
        "- macro `EMPTY`: `EMPTY`",
    ),
    "the definition itself": (
        "CL1.2",
        """\
#define @SIZE 16
""",
        "- macro `SIZE`: `SIZE 16`",
    ),
    "a predefined macro": (
        "CL1.2",
        "constant int v = @__OPENCL_VERSION__;",
        """\
int
- value `120`, `0x78`
- macro `__OPENCL_VERSION__`: `__OPENCL_VERSION__ 120`
- expands to `120`""",
    ),
    "a macro of the language": (
        "CL1.2",
        "void f(void) { barrier(@CLK_LOCAL_MEM_FENCE); }",
        """\
int
- value `1`
- macro `CLK_LOCAL_MEM_FENCE`: `CLK_LOCAL_MEM_FENCE 0x01`
- expands to `0x01`""",
    ),
    "a reinterpretation": (
        "CL1.2",
        "void f(float x) { int n = @as_int(x); }",
        """\
int
- macro `as_int`: `as_int(x) __builtin_astype((x), int)`
- expands to `__builtin_astype((x), int)`""",
    ),
}


@pytest.mark.parametrize(("dialect", "marked", "expected"), MACROS.values(), ids=MACROS)
def test_a_hover_over_a_macro_shows_its_definition_and_expansion(
    dialect: str, marked: str, expected: str
) -> None:
    assert without_fence_and_version(dialect, hover_text(dialect, marked)) == expected


@pytest.mark.parametrize(
    "marked",
    [
        "int f(void);\n@\n",
        "void f(void) { @return; }",
        "void f(void) { int n = @UNKNOWN; }",
        "/* int @p */ void f(void);",
    ],
    ids=["a blank line", "a keyword", "an unknown name", "a comment"],
)
def test_there_is_no_hover_over_what_has_no_type(marked: str) -> None:
    assert hover_text("CL1.2", marked) is None


@pytest.mark.parametrize(
    ("dialect", "version"),
    [
        ("CL1.0", "OpenCL C 1.0"),
        ("CL1.1", "OpenCL C 1.1"),
        ("CL1.2", "OpenCL C 1.2"),
        ("CL2.0", "OpenCL C 2.0"),
        ("CL3.0", "OpenCL C 3.0"),
        ("CL3.0-generic", "OpenCL C 3.0 without the generic address space"),
        ("CL3.0-globals", "OpenCL C 3.0 without program-scope global variables"),
    ],
)
def test_a_hover_ends_with_the_language_version_and_its_source(dialect: str, version: str) -> None:
    text = hover_text(dialect, "kernel void k(global int *@p) { }")
    assert text is not None
    assert text.endswith(f"\n\n*{version}, chosen by the test*")


KERNEL = b"""\
typedef struct { int member; } record;
void take(int *generic, record r, int number)
{
  int sum = number + r.member;
  *generic = sum;
}
kernel void k(global int *in) { take(in, (record){ 0 }, 1); }
"""


@pytest.mark.parametrize(
    ("word", "type_", "follows"),
    [
        ("number + r", "private int number", False),
        ("member;\n  *", "private int member", False),
        ("r.member", "private record r", False),
        ("sum =", "private int sum", False),
        ("generic, record", "generic int *private generic", True),
        ("generic = sum", "generic int *private generic", True),
        ("in, (rec", "global int *private in", False),
    ],
)
def test_only_a_hover_over_a_generic_pointer_solves_the_flow_of_the_file(
    word: str, type_: str, follows: bool
) -> None:
    unit = unit_of(KERNEL, dialect="CL2.0")
    found = compute_hover(unit, ROOT, KERNEL.index(word.encode()))
    assert found is not None
    assert found.type == type_
    assert (found.flow is not None) == follows
    assert (SOLUTION in (unit.caches.get(SOLUTIONS) or ())) == follows


DECLARATIONS = """\
/** A sample in space. */
typedef struct { char tag; float3 at; size_t n; } sample;
typedef enum { RED, GREEN = 16, BLUE = -1 } colour;
/**
 * Adds samples up.
 * @param data the samples
 * @param n how many
 * @return the sum
 */
float sum(global const sample *data, const int n, constant float **weights) { return data->n + n; }
#define FIRST(p) (p[0].tag + 2)
"""
ADDED: dict[str, tuple[str, str]] = {
    "a variable of an unnamed struct": (
        "void f(void) { sample @s; }",
        """\
private sample s
- `private`, the object itself: variables in functions are private unless qualified
- 48 bytes, aligned to 16""",
    ),
    "a typedef of an unnamed struct": (
        "void f(void) { @sample s; }",
        """\
typedef struct {
    char tag;  // offset 0, 1 byte
    float3 at;  // offset 16, 16 bytes
    size_t n;  // offset 32, 8 bytes
} sample
A sample in space.

- `private`, the object itself: the space depends on the use of the typedef
- 48 bytes, aligned to 16""",
    ),
    "a member with padding after it": (
        "void f(sample s) { int n = s.@tag; }",
        """\
private char tag
- `private`, the object itself: a member is in the space of its object
- offset 0 in `sample`, 1 byte, then 15 bytes of padding""",
    ),
    "a member with a comment, at another offset on other devices": (
        "typedef struct { size_t a; /** The second. */ int b; } pair; void f(pair s) { int n = s.@b; }",
        """\
private int b
The second.

- `private`, the object itself: a member is in the space of its object
- offset 8 (on 32-bit devices 4) in `pair`, 4 bytes, then 4 bytes of padding""",
    ),
    "a typedef of an unnamed enumeration": (
        "void f(void) { @colour c; }",
        """\
typedef enum { RED, GREEN, BLUE } colour
- `private`, the object itself: the space depends on the use of the typedef
- 4 bytes, aligned to 4""",
    ),
    "a variable of an unnamed enumeration": (
        "void f(void) { colour @c; }",
        """\
private colour c
- `private`, the object itself: variables in functions are private unless qualified""",
    ),
    "a call of a function of the program": (
        "void f(global sample *p) { float x = @sum(p, 1, 0); }",
        """\
float sum(global const sample *data, const int n, constant float *private *weights)
Adds samples up.

`data`: the samples

`n`: how many

Returns the sum
""",
    ),
    "the star of a dereferenced pointer": (
        "void f(global float *p) { @*p = 1; }",
        """\
global float
- `global`, the object itself: written""",
    ),
    "a pointer to pointers": (
        "void f(global float **pp) { *@pp = 0; }",
        """\
global float *private *private pp
- `private`, the object itself: function parameters and results are private
- `private`, its pointee: an unqualified pointee is private where there is no generic address space
- `global`, the pointee's pointee: written""",
    ),
    "elements of an array that are pointers": (
        "void f(void) { global int *a[4]; @a[1] = 0; }",
        """\
global int *private a[4]
- `private`, the object itself: variables in functions are private unless qualified
- `global`, its pointee: written""",
    ),
    "a floating literal": (
        "void f(void) { float a = @0.1f; }",
        """\
float
- value `0.10000000149011612`, bits `0x3dcccccd`""",
    ),
    "a hexadecimal floating literal": (
        "void f(void) { float a = @0x1.8p1f; }",
        """\
float
- value `3.0`, bits `0x40400000`""",
    ),
    "a floating literal that is too great": (
        "void f(void) { float a = @1e39f; }",
        """\
float
- value `inf`, bits `0x7f800000`""",
    ),
    "a character": ("void f(void) { int a = @'a'; }", "int\n- value `97`, `0x61`"),
    "the size of a type": ("void f(void) { int a = @sizeof(sample); }", "size_t\n- value `48`, `0x30`"),
    "a constant expression": ("void f(void) { int a = 3 * 16 @- 100; }", "int\n- value `-52`, `0xffffffcc`"),
    "a vector type": ("void f(void) { @float3 a; }", "float3\n- 16 bytes, aligned to 16"),
    "a type as wide as an address": (
        "void f(void) { @size_t a; }",
        """\
size_t
- 8 bytes, aligned to 8 (on 32-bit devices 4 bytes, aligned to 4)
- another name of `ulong` on 64-bit devices""",
    ),
    "an attribute": (
        "kernel __attribute__((@__reqd_work_group_size__(8, 1, 1))) void k(void) { }",
        "- attribute `__reqd_work_group_size__`: The kernel runs only in work-groups of exactly this size.",
    ),
    "a kernel": (
        "kernel void @k(global int *p) { }",
        "kernel void k(global int *p)",
    ),
    "a macro that a comment describes": (
        """\
/// The number of lanes.
#define LANES 4
void f(void) { int n = @LANES; }
""",
        """\
int
The number of lanes.

- value `4`
- macro `LANES`: `LANES 4`
- expands to `4`""",
    ),
}


@pytest.mark.parametrize(("marked", "expected"), ADDED.values(), ids=ADDED)
def test_a_hover_shows_signatures_layouts_values_and_comments(marked: str, expected: str) -> None:
    text = hover_text("CL1.2", f"{DECLARATIONS.replace('@', chr(92))}{marked}")
    assert without_fence_and_version("CL1.2", text) == expected


def test_a_hover_in_the_body_of_a_macro_is_that_of_its_first_use() -> None:
    text = """\
typedef struct { char tag; } sample;
#define FIRST(p) \\
    (p[0].@tag + 2)
void f(global sample *s) { int n = FIRST(s); }
"""
    assert (
        without_fence_and_version("CL1.2", hover_text("CL1.2", text))
        == """\
global char tag
- `global`, the object itself: a member is in the space of its object
- offset 0 in `sample`, 1 byte
- as in the macro's use in line 4"""
    )
    assert hover_text("CL1.2", text.replace("FIRST(s)", "0")) is None


def test_a_hover_on_an_include_shows_the_file() -> None:
    text = b'#include "types.h"\n#include <missing.h>\nkernel void k(number n) { }\n'
    unit = unit_of(text, headers=Headers({"types.h": b"typedef int number;\n"}))
    found = compute_hover(unit, ROOT, text.index(b"types"))
    assert found is not None
    assert [note.rsplit("/", 1)[-1] for note in found.notes] == ["types.h`"]
    assert text[found.location.start : found.location.end] == b'"types.h"'
    missing = compute_hover(unit, ROOT, text.index(b"missing"))
    assert missing is not None
    assert missing.notes == ("the file was not found, or may not be read",)


def test_plain_text_contains_no_markdown() -> None:
    unit = analyse(DECLARATIONS + "void f(global sample *p) { float x = sum(p, 1, 0); }", "CL1.2")
    found = compute_hover(unit, NAME, len(DECLARATIONS) + len("void f(global sample *p) { float x = s"))
    assert found is not None
    assert (
        render_plain_text(found)
        == """\
float sum(global const sample *data, const int n, constant float *private *weights)
Adds samples up.
data: the samples
n: how many
Returns the sum

OpenCL C 1.2, chosen by the test"""
    )


@pytest.mark.parametrize(
    ("declared", "used"),
    [
        ("kernel void k(\n#ifdef HALF\nglobal half *p\n#else\nlocal float *p\n#endif\n) {", "p[0] = 1; }"),
        ("kernel void k(local float *a) {\n#ifdef HALF\n#else\nlocal float *p = a;\n#endif\n", "p[0] = 1; }"),
        ("#ifdef HALF\n#else\nconstant float *constant p = 0;\n#endif\n", "float f(void) { return p[0]; }"),
    ],
)
def test_a_name_from_a_branch_that_a_missing_header_decides(declared: str, used: str) -> None:
    missing = '#include "missing.h"\n'
    for header in ("", missing):
        text = header + declared + used
        unit = analyse(text, "CL1.2")
        found = compute_hover(unit, NAME, text.index(used) + used.index("p["))
        assert found is not None
        assert found.spaces == (("constant", "constant") if "constant" in text else ("private", "local"))
        assert (UNCERTAIN_DECLARATION in found.notes) is bool(header)
