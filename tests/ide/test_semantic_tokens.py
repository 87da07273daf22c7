"""Semantic tokens of a kernel: a mark states the kind and modifiers, or `nothing`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from openclsp.ide.tokens.semantic_tokens import compute_semantic_tokens
from openclsp.source.text import Encoding

from ..semantics.units import ROOT, Headers, unit_of
from .tokens import decoded, tokens
from .units import analyse

_MARK = re.compile(r"//\s*(\^+) (.*)")


def check(program: str, dialect: str = "CL2.0", headers: dict[str, bytes] | None = None) -> None:
    """Compares the tokens of a program with the marks below its lines."""
    lines = program.split("\n")
    unit = unit_of(program.encode(), dialect, Headers(headers or {}))
    found = {(each.row, each.column): each for each in tokens(unit)}
    marked = 0
    row = 0
    for number, line in enumerate(lines):
        mark = _MARK.match(line.strip())
        if mark is None:
            row = number
            continue
        start = line.index("^")
        token = found.get((row, start))
        meaning = "nothing" if token is None else token.meaning
        assert meaning == mark[2], f"{lines[row][start : start + len(mark[1])]!r} in {lines[row]!r}"
        assert token is None or token.length == len(mark[1]), lines[row]
        marked += 1
    assert marked


def test_names_have_the_memory_that_they_show() -> None:
    check(
        """\
constant int table[2] = {1, 2};
//           ^^^^^ variable declaration definition readonly constant
global int counter;
//         ^^^^^^^ variable declaration definition global
kernel void k(global int *g, local float4 *l, int n, image2d_t im) {
//          ^ function declaration definition kernel
//                        ^ parameter declaration definition global
//                                         ^ parameter declaration definition local
//                                                ^ parameter declaration definition
//                                                             ^^ parameter declaration definition
    int plain = g[n];
//      ^^^^^ variable declaration definition
//              ^ parameter global
//                ^ parameter
    int array[4];
//      ^^^^^ variable declaration definition private
    local int shared[4];
//            ^^^^^^ variable declaration definition local
    const int fixed = table[0];
//            ^^^^^ variable declaration definition readonly
    int *any = &plain;
//       ^^^ variable declaration definition private generic
//              ^^^^^ variable private
    plain = array[0] + shared[1] + counter;
//  ^^^^^ variable
//          ^^^^^ variable private
//                     ^^^^^^ variable local
//                                 ^^^^^^^ variable global
    l[0].xy = 0;
//       ^^ property local
    int **more = &any;
//                ^^^ variable private
}
"""
    )


def test_members_lie_in_their_object() -> None:
    check(
        """\
typedef struct S { global int *to; int count; int list[3]; } S;
//             ^ struct declaration definition
//                             ^^ property declaration global
//                                     ^^^^^ property declaration
//                                                           ^ type declaration
kernel void k(global S *g, constant struct S *c) {
//                   ^ type
//                                         ^ struct
    S own = { .count = 1 };
//             ^^^^^ property
    own.list[0] = g->count + c->count + *own.to;
//  ^^^ variable
//      ^^^^ property private
//                   ^^^^^ property global
//                              ^^^^^ property readonly constant
//                                           ^^ property global
    own.nothing = 1;
//      ^^^^^^^ nothing
}
"""
    )


def test_words_of_the_language() -> None:
    check(
        """\
enum shape { ROUND = 1 };
//   ^^^^^ enum declaration definition
//           ^^^^^ enumMember declaration readonly
__kernel void k(__global uint *g, __local unsigned int *l) {
//              ^^^^^^^^ keyword global
//                       ^^^^ type defaultLibrary
//                                        ^^^^^^^^ type defaultLibrary
    size_t i = get_global_id(0); /* one */
//             ^^^^^^^^^^^^^ function defaultLibrary
//                           ^ number
//                               ^^^^^^^^^ comment
    if (i < ROUND) goto end;
//  ^^ keyword
//          ^^^^^ enumMember readonly
//                      ^^^ label
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_relaxed, memory_scope_work_item);
//                         ^^^^^^^^^^^^^^^^^^^ macro defaultLibrary
//                                              ^^^^^^^^^^^^^^^^^^^^ enumMember readonly defaultLibrary
    printf("a %d\\n", g[i]);
//         ^^^^^^^^ string
    static int calls;
//             ^^^^^ variable declaration definition static global
    calls++;
//  ^^^^^ variable static global
    end: unknown_thing(also_unknown);
//  ^^^ label
//       ^^^^^^^^^^^^^ nothing
//                     ^^^^^^^^^^^^ nothing
}
"""
    )


def test_macros_and_what_is_written_in_their_arguments() -> None:
    check(
        """\
#define SPACE global
//      ^^^^^ macro declaration definition
#define LOAD(p, i) ((p)[(i)] + N) // and
//           ^ parameter
//                   ^ parameter
//                             ^ macro
//                                ^^^^^^ comment
#define N 16
//        ^^ number
kernel void k(SPACE int *g, local int *l) {
//            ^^^^^ macro global
//                       ^ parameter declaration definition global
    int a[N] = { LOAD(g, 0), LOAD(
//      ^ variable declaration definition private
//        ^ macro
//               ^^^^ macro
//                    ^ parameter global
        l /* which */, LOAD(g, N)) };
//      ^ parameter local
//        ^^^^^^^^^^^ comment
//                     ^^^^ macro
//                          ^ parameter global
//                             ^ macro
}
"""
    )


def test_directives_and_what_they_leave_out() -> None:
    check(
        """\
#include "types.h"
//       ^^^^^^^^^ string
#ifdef KNOWN
//     ^^^^^ macro
    vec_t a = 1; vec_t b;
//  ^^^^^ type
#elif defined(__OPENCL_VERSION__) && NOBODY
//    ^^^^^^^ keyword
//            ^^^^^^^^^^^^^^^^^^ macro defaultLibrary
//                                   ^^^^^^ nothing
    int left out;
//  ^^^^^^^^^^^^^ comment disabled
#endif
""",
        headers={"types.h": b"#define KNOWN\ntypedef int vec_t;\n"},
    )


def test_a_generic_pointer_has_the_one_space_that_it_holds_here() -> None:
    check(
        """\
int sum(int *p) { return *p; }
//           ^ parameter declaration definition global generic
//                        ^ parameter global generic
int both(int *p) { return *p; }
//            ^ parameter declaration definition generic
typedef struct { int *any; } S;
//                    ^^^ property declaration generic
kernel void k(global int *g, local int *l) {
    S s; s.any = l;
//         ^^^ property local generic
    int *v = g;
//       ^ variable declaration definition global generic
    v = sum(v) ? l : v;
//  ^ variable generic
//          ^ variable global generic
//                   ^ variable global generic
    if (to_local(v)) both(v);
//                        ^ variable local generic
    both(g);
}
"""
    )


def test_a_pointer_without_generic_space_is_private_in_1_2() -> None:
    check(
        """\
void f(int *p) { }
//          ^ parameter declaration definition private
""",
        "CL1.2",
    )


def test_a_token_is_on_one_line() -> None:
    unit = unit_of(b"/* a\n   b\n*/ int x; // c\\\nd\n")
    assert [(each.row, each.column, each.length) for each in tokens(unit)] == [
        (0, 0, 4),
        (1, 0, 4),
        (2, 0, 2),
        (2, 3, 3),
        (2, 7, 1),
        (2, 10, 5),
        (3, 0, 1),
    ]


def test_a_backslash_may_divide_the_marks_of_a_comment() -> None:
    unit = unit_of(b"/\\\n/ a\n/\\\n* b *\\\n/ int x; /\\\n/ c\nint y; /* d *\\\n/\n")
    assert [(each.row, each.column, each.length) for each in tokens(unit)] == [
        *((0, 0, 2), (1, 0, 3), (2, 0, 2), (3, 0, 6), (4, 0, 1)),
        *((4, 2, 3), (4, 6, 1), (4, 9, 2), (5, 0, 3)),
        *((6, 0, 3), (6, 4, 1), (6, 7, 7), (7, 0, 1)),
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_comment_ends_with_its_line_though_the_text_ends_there_too(encoding: Encoding) -> None:
    line = "int x; // é\\"
    found = decoded(compute_semantic_tokens(unit_of(f"{line}\n".encode()), ROOT, encoding).numbers)
    assert found[-1].column == line.index("//")
    assert found[-1].length == len(line.encode() if encoding == "utf-8" else line) - line.index("//")


def test_a_spliced_line_that_several_items_share_is_read_once() -> None:
    unit = unit_of(b"#define A 1\nconstant int x = A;\\\nconstant int y = A; constant int z = 2;\n")
    assert [(each.row, each.column, each.length) for each in tokens(unit)] == [
        *((0, 0, 7), (0, 8, 1), (0, 10, 1)),
        *((1, 0, 8), (1, 9, 3), (1, 13, 1), (1, 17, 1)),
        *((2, 0, 8), (2, 9, 3), (2, 13, 1), (2, 17, 1)),
        *((2, 20, 8), (2, 29, 3), (2, 33, 1), (2, 37, 1)),
    ]


def test_two_items_on_one_line_of_macros() -> None:
    check(
        """\
#define DECL(n) global int n##_x; global int n##_y;
DECL(a) DECL(
//      ^^^^ macro
    b) global int c = 1;
//                ^ variable declaration definition global
void f(void) { a_x = b_y; }
//             ^^^ variable global
//                   ^^^ variable global
"""
    )


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_units_of_the_encoding(encoding: str) -> None:
    line = "/* é𝄞 */ int x; // é𝄞"
    unit = unit_of(line.encode())
    found = decoded(compute_semantic_tokens(unit, ROOT, encoding).numbers)  # type: ignore[arg-type]
    width = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
    coded = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[encoding]

    def units(text: str) -> int:
        return len(text.encode(coded)) // width

    assert [(each.column, each.length) for each in found] == [
        (0, units("/* é𝄞 */")),
        (units("/* é𝄞 */ "), 3),
        (units("/* é𝄞 */ int "), 1),
        (units("/* é𝄞 */ int x; "), units("// é𝄞")),
    ]


def test_a_document_that_stands_within_a_struct(tmp_path: Path) -> None:
    root = 'struct S {\n#include "members.h"\n};\nvoid f(struct S *s) { s->list[0] = 1; }\n'
    members = "global int *to; // where\nint list[2];\n#if 0\nint none;\n#endif\n"
    unit = analyse(tmp_path, root, {"members.h": members})
    found = [(each.row, each.column, each.meaning) for each in tokens(unit, str(tmp_path / "members.h"))]
    assert found == [
        (0, 0, "keyword global"),
        (0, 7, "type defaultLibrary"),
        (0, 12, "property declaration global"),
        (0, 16, "comment"),
        (1, 0, "type defaultLibrary"),
        (1, 4, "property declaration"),
        (1, 9, "number"),
        (2, 0, "keyword"),
        (2, 4, "number"),
        (3, 0, "type defaultLibrary"),
        (4, 0, "keyword"),
    ]
