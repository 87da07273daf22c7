"""Completion at a `|` in a kernel."""

from __future__ import annotations

from pathlib import Path

import pytest
from openclsp.ide.completion.completion import MAXIMUM_CANDIDATES, compute_completions
from openclsp.ide.completion.completion_list import CompletionList
from openclsp.ide.completion.predefined_names import NameKind
from openclsp.ide.completion.resolution import resolve_completion
from openclsp.source.document import Document

from ..rules.analysis import NAME, analyse
from . import units


def _at_cursor(program: str, dialect: str = "CL2.0") -> CompletionList:
    before, cursor, after = program.partition("|")
    assert cursor, "the program marks no cursor"
    return compute_completions(analyse(before + after, dialect), NAME, len(before.encode()))


def _names(program: str, dialect: str = "CL2.0") -> list[str]:
    return [each.name for each in _at_cursor(program, dialect).candidates]


_PROGRAM = """\
#define TILE_SIZE 16
#define ELEMENT(p) (p)[0]
typedef struct { float weight; int4 tint; struct { int depth; }; } tile_t;
constant float table_of_tiles[4];
void tile_helper(global float *p);
kernel void tiling(global tile_t *tiles, local float *tile_cache, int tile_count) {
    for (int tile_index = 0; tile_index < 4; ++tile_index) { int tile_inner = 0; }
    int tile_row = ELEMENT(tiles).tint.x;
    {
        int tile_closed = 1;
    }
    %s
    int tile_later = 3;
}
void tile_after(void) {}
"""


def test_the_names_in_scope_that_begin_with_the_word() -> None:
    found = _at_cursor(_PROGRAM % "tile|")
    names = [each.name for each in found.candidates if each.name.startswith("tile")]
    assert sorted(names) == ["tile_cache", "tile_count", "tile_helper", "tile_row", "tile_t", "tiles"]
    assert not found.incomplete


def test_names_used_alike_are_ordered_by_scope() -> None:
    program = """\
#define name_macro 1
constant int name_file = 1;
void f(int name_parameter) {
    int name_local = 1;
    g(name_local, name_parameter, name_file, name_macro);
    %s
}
"""
    assert _names(program % "int x = na|")[:4] == ["name_local", "name_parameter", "name_file", "name_macro"]


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("ker|", "kernel"),
        ("int kernel_size;\nker|", "kernel"),
        ("__ker|", "__kernel"),
        ("glo|", "global"),
        ("void f(glo|", "global"),
        ("void f(void) { in| }", "int"),
        ("void f(void) { fo| }", "for"),
        ("void f(void) { ret| }", "return"),
        ("void f(void) { int i = get_g| }", "get_global_id"),
        ("void f(void) { int i = get_l| }", "get_local_id"),
        ("void f(void) { ba| }", "barrier"),
        ("void f(void) { barrier(CLK_L| }", "CLK_LOCAL_MEM_FENCE"),
        ("void f(void) { fl| }", "float"),
        ("void f(int count, int colour) { count = count + 1; count += co| }", "count"),
        # the space and the type of the parameter decide
        ("void g(local int *p);\nvoid f(global int *pa, local int *pb) { g(p| }", "pb"),
        ("void g(global int *p);\nvoid f(global int *pa, local int *pb) { g(p| }", "pa"),
        ("void f(float *nf, global float *na, int ni) { na[n| }", "ni"),
        ("float4 f(float4 va, int vb) { return v| }", "va"),
        ("void f(float4 va, int vb) { int x = v| }", "vb"),
    ],
)
def test_the_first_name(program: str, expected: str) -> None:
    assert _names(program)[0] == expected


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        # the members of an unknown struct, and a macro of the host
        ("void f(unknown_t s) { s.alpha = 1; s.al| }", ["alpha"]),
        ("void f(void) { int a = TILE_COUNT; a = TILE_C| }", ["TILE_COUNT"]),
        ("void f(void) { /* TILE_COUNT */ int a = TILE_C| }", []),
        ('void f(void) { printf("TILE_COUNT"); int a = TILE_C| }', []),
        ("void g(void) { int tile_count; }\nvoid f(void) { int a = tile_c| }", []),
        ("#if HOST_SIZE > 1\n#endif\n#ifdef HOST_|\n#endif\n", ["HOST_SIZE"]),
    ],
)
def test_identifiers_of_the_code_that_nothing_declares(program: str, expected: list[str]) -> None:
    assert _names(program) == expected


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("#inc|", ["include"]),
        ("# |", ["define", "include", "ifdef"]),
        ("#pragma |", ["OPENCL", "unroll"]),
        ("#pragma OPENCL EXT|", ["EXTENSION"]),
        ("#pragma OPENCL EXTENSION cl_khr_fp1|", ["cl_khr_fp16"]),
        ("#pragma OPENCL EXTENSION cl_khr_fp64 : |", ["enable", "disable"]),
        ("#pragma OPENCL EXTENSION cl_khr_fp64 : en|", ["enable"]),
        ("#pragma OPENCL FP_CONTRACT |", ["ON", "OFF", "DEFAULT"]),
        ("__attribute__((req|", ["reqd_work_group_size"]),
        ("__attribute__((packed, al|", ["aligned", "always_inline"]),
        ("__attribute__((aligned(8), pac|", ["packed"]),
        ("void f(void) { again: ; goto a| ; after: ; }", ["again", "after"]),
        ("struct node { int a; };\nunion other { int a; };\nstruct n|", ["node"]),
        ("enum e { A };\nvoid f(enum |", ["e"]),
    ],
)
def test_positions_of_certain_names(program: str, expected: list[str]) -> None:
    assert _names(program)[: len(expected)] == expected


def test_macros_in_a_header_are_those_that_its_includer_defines_now(tmp_path: Path) -> None:
    header = str(tmp_path / "h.h")
    text = '#define TILE_OUTER 1\n#include "h.h"\n#undef TILE_CLOSED\n'
    unit = units.analyse(tmp_path, text, {"h.h": "#define TILE_CLOSED 2\nint tile;\n"})

    def macros() -> list[str]:
        found = compute_completions(unit, header, 0).candidates
        return [each.name for each in found if each.kind is NameKind.MACRO and each.is_own]

    assert macros() == ["TILE_CLOSED", "TILE_OUTER"]
    unit.update(Document.of(unit.document.name, text.partition("\n")[2].encode()))
    assert macros() == ["TILE_CLOSED"]


def test_headers_by_folder() -> None:
    asked = []

    def list_headers(folder: str, angled: bool) -> list[tuple[str, bool]]:
        asked.append((folder, angled))
        return [("tile.h", False), ("types", True)]

    def completed(line: str) -> list[tuple[str, str]]:
        before, _, after = line.partition("|")
        unit = analyse(before + after + "\n", "CL2.0")
        found = compute_completions(unit, NAME, len(before), list_headers=list_headers)
        return [(each.name, each.insertion) for each in found.candidates]

    assert completed('#include "|') == [("tile.h", 'tile.h"'), ("types/", "")]
    assert completed('#include "|"') == [("tile.h", "tile.h"), ("types/", "")]
    assert completed('#include "sub/ti|') == [("tile.h", 'tile.h"')]
    assert completed("#include <t|") == [("tile.h", "tile.h>"), ("types/", "")]
    assert asked == [("", False), ("", False), ("sub", False), ("", True)]
    assert completed('#include "a.h" // |') == []


def test_snippets_only_if_asked_for() -> None:
    program = "void f(void) { loc| }"
    unit = analyse(program.replace("|", ""), "CL2.0")
    found = compute_completions(unit, NAME, program.index("|"), snippets=True)
    (tile,) = [each for each in found.candidates if each.kind is NameKind.SNIPPET]
    assert "barrier(CLK_LOCAL_MEM_FENCE);" in tile.insertion
    assert found.candidates[0].name == "local"
    assert all(each.kind is not NameKind.SNIPPET for each in _at_cursor(program).candidates)


def test_the_word_is_replaced_to_its_end() -> None:
    found = _at_cursor("void f(int count) { cou|nted = 1; }")
    assert (found.end - found.start, found.candidates[0].name) == (len("counted"), "count")


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("til|", "tile_row"),
        ("TIL|", "TILE_SIZE"),
        ("table|", "table_of_tiles"),
        ("gid|", "get_global_id"),
        ("work_group_b|", "work_group_barrier"),
        ("glob|", "global"),
        ("__glob|", "__global"),
        ("flo|", "float4"),
        ("image2|", "image2d_t"),
        ("memory_order_r|", "memory_order_release"),
        ("CLK_L|", "CLK_LOCAL_MEM_FENCE"),
        ("ret|", "return"),
        ("tili|", "tiling"),
    ],
)
def test_names_of_the_program_and_words_of_the_language(typed: str, expected: str) -> None:
    assert expected in _names(_PROGRAM % typed)


@pytest.mark.parametrize(
    "broken",
    [
        "foo(tile_row, til|",
        "if (til|",
        "for (int i = 0; til|",
        "for (int i = til|",
        "tile_cache[get_global_id(til|",
        "tile_row = til|",
        "tile_row = a ? til|",
        "switch (tile_row) { case 1: til|",
        "float2 v = (float2)(til|",
        "int a[] = { 1, til|",
        "do { til|",
        "return til|",
        "(til|",
        "{ { til|",
        ") til|",
    ],
)
def test_in_text_that_breaks_off(broken: str) -> None:
    assert "tile_row" in _names(_PROGRAM % broken)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("tiles->|", ["weight", "tint", "depth"]),
        ("tiles->w|", ["weight"]),
        ("tiles[0].|", ["weight", "tint", "depth"]),
        ("(*tiles).|;", ["weight", "tint", "depth"]),
        ("(tiles + 1)->|", ["weight", "tint", "depth"]),
        ("foo(tile_row, tiles[tile_row].|", ["weight", "tint", "depth"]),
        ("if (tiles->|) {", ["weight", "tint", "depth"]),
        ("tiles\n->|", ["weight", "tint", "depth"]),
        (
            "tiles->tint.|",
            ["x", "y", "z", "w", "lo", "hi", "even", "odd", "s0", "s1", "s2", "s3"]
            + ["xy", "yz", "zw", "xz", "xyz", "yzw", "xyzw"],
        ),
        ("tiles->tint.l|", ["lo"]),
        ("float2 v; v.|", ["x", "y", "lo", "hi", "even", "odd", "s0", "s1", "xy"]),
        ("float3 v; v.z|", ["z", "zx", "zy", "zz"]),
        ("float4 v; v.ww|", ["ww", "wwx", "wwy", "wwz", "www"]),
        ("tile_row.|", []),
        ("tile_row->|", []),
        ("nothing.|", []),
        ("tiles[0]->|", []),
    ],
)
def test_members_and_components(typed: str, expected: list[str]) -> None:
    assert _names(_PROGRAM % typed) == expected


def test_a_dot_behind_a_pointer_becomes_an_arrow() -> None:
    found = _at_cursor(_PROGRAM % "tiles.|").candidates
    assert [(each.name, each.needs_arrow) for each in found] == [
        ("weight", True),
        ("tint", True),
        ("depth", True),
    ]


@pytest.mark.parametrize(
    "quiet",
    [
        "// til|",
        "/* til|",
        "/* til| */",
        "/*\n til|\n*/",
        'printf("til|");',
        'printf("til|',
        "'t|'",
        "12e|",
        "0x1f|",
        "1.|",
    ],
)
def test_nothing_in_comments_literals_and_numbers(quiet: str) -> None:
    assert _names(_PROGRAM % quiet) == []


@pytest.mark.parametrize("typed", ["/* a */ til|", 'printf("%d", til|', "/* a\n b */ til|", "x = 1; til|"])
def test_behind_a_comment_or_literal(typed: str) -> None:
    assert "tile_row" in _names(_PROGRAM % typed)


@pytest.mark.parametrize(
    ("typed", "there", "absent"),
    [
        ("\n#ifd|\n", "ifdef", "tile_row"),
        ("\n#ifdef TIL|\n", "TILE_SIZE", "tile_row"),
        ("\n#if def|\n", "defined", "default"),
        ("\n#define X get_gl|\n", "get_global_id", "tile_row"),
    ],
)
def test_directives(typed: str, there: str, absent: str) -> None:
    found = _names(_PROGRAM % typed)
    assert there in found
    assert absent not in found


@pytest.mark.parametrize(
    ("typed", "name", "dialects"),
    [
        ("to_g|", "to_global", ["CL2.0", "CL3.0"]),
        ("pip|", "pipe", ["CL2.0", "CL3.0"]),
        ("generi|", "generic", []),
        ("queue|", "queue_t", ["CL2.0", "CL3.0"]),
        ("atomic_fet|", "atomic_fetch_add", ["CL2.0", "CL3.0"]),
        ("barr|", "barrier", ["CL1.2", "CL2.0", "CL3.0"]),
    ],
)
def test_words_of_the_dialect_alone(typed: str, name: str, dialects: list[str]) -> None:
    everywhere = ["CL1.2", "CL2.0", "CL3.0"]
    assert [each for each in everywhere if name in _names(_PROGRAM % typed, each)] == dialects


def test_at_program_scope() -> None:
    assert "kernel" in _names("ker|")
    assert "first" in _names("typedef int first;\nfi|")
    assert "second" not in _names("sec|\ntypedef int second;\n")


def test_what_a_block_literal_sees() -> None:
    names = _names("void f(int outer) { void (^b)(int) = ^(int other) { o| }; }")
    assert {"outer", "other"} <= set(names)


def test_of_equal_names_the_innermost() -> None:
    found = _at_cursor("void f(int value) { { float4 value; val| } }").candidates
    assert [(each.name, each.detail) for each in found if each.name == "value"] == [
        ("value", "private float4 value")
    ]


def test_a_long_list_is_cut_and_said_to_be() -> None:
    found = _at_cursor("void f(int count) { | }")
    assert len(found.candidates) == MAXIMUM_CANDIDATES
    assert found.incomplete
    assert found.candidates[0].name == "count"


def test_the_word_begins_where_its_first_letter_stands() -> None:
    program = "void f(int größe, int count) { /* ä */ cou| }"
    assert _at_cursor(program).start == len(program.partition("cou|")[0].encode())


def test_inactive_text_has_the_names_of_the_program() -> None:
    assert "helper" in _names("void helper(void);\n#if 0\nvoid f(void) { hel| }\n#endif\n")


def test_a_resolved_candidate() -> None:
    unit = analyse("int twice(int x) { return 2 * x; }\nvoid barrier_of_mine(local int *p);\n", "CL1.2")
    own, builtin = resolve_completion(unit, "barrier_of_mine"), resolve_completion(unit, "fract")
    assert own is not None
    assert own.detail == "void barrier_of_mine(local int *p)"
    assert builtin is not None
    assert builtin.detail.startswith("float fract(float x, ")
    assert "overloads)" in builtin.detail
    assert "x - floor(x)" in builtin.text
    assert resolve_completion(unit, "nothing_of_the_kind") is None


def test_a_function_of_the_program_is_distinguished_from_a_variable() -> None:
    kinds = {each.name: each.kind for each in _at_cursor(_PROGRAM % "t|").candidates}
    assert kinds["tiling"] is NameKind.FUNCTION
    assert kinds["tile_t"] is NameKind.TYPE
    assert kinds["tile_row"] is NameKind.VARIABLE
