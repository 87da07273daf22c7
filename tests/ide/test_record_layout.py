"""Layouts of structs and unions, at a position and of a whole document."""

from __future__ import annotations

import pytest
from openclsp.ide.layout.layout_text import describe_devices, describe_size, layout_table
from openclsp.ide.layout.record_layout import MAXIMUM_ROWS, RecordLayout, compute_layout_at, compute_layouts

from ..rules.analysis import NAME, analyse
from ..semantics.units import ROOT, Headers, unit_of

PROGRAM = """\
#pragma OPENCL EXTENSION __cl_clang_bitfields : enable
struct inner { char tag; float3 at; };
typedef struct { char c; size_t n; struct inner in; union { int i; char b[3]; }; uint f : 3, g : 7; } outer;
kernel void k(global outer *o, local struct inner *s) { o->c = sizeof(outer) + s[0].tag; }
"""


def layout_at(marked: str, mark: str = "@") -> RecordLayout | None:
    """The layout at the mark."""
    return compute_layout_at(analyse(marked.replace(mark, ""), "CL2.0"), NAME, marked.index(mark))


def table(layout: RecordLayout, number: int = 0) -> list[str]:
    """The table of one of the devices, without its headings."""
    return [" ".join(row) for row in layout_table(layout.devices[number])[1:]]


def test_the_members_with_offset_size_and_padding() -> None:
    layout = layout_at(PROGRAM.replace("struct inner {", "struct @inner {"))
    assert layout is not None
    assert layout.name == "struct inner"
    assert [words for words, _ in describe_devices(layout)] == ["on 32- and 64-bit devices"]
    assert describe_size(layout.devices[0]) == "32 bytes, 15 of them padding, aligned to 16"
    assert table(layout) == ["0 1 char tag", "1 15 padding", "16 16 float3 at"]


def test_nested_members_and_bit_fields_on_devices_of_both_widths() -> None:
    layout = layout_at(PROGRAM.replace("*o,", "*@o,"))
    assert layout is not None
    assert layout.name == "outer"
    assert [words for words, _ in describe_devices(layout)] == ["on 32-bit devices", "on 64-bit devices"]
    assert table(layout) == [
        "0 1 char c",
        "1 3 padding",
        "4 4 size_t n",
        "8 8 padding",
        "16 32 struct inner in",
        "16 1   char tag",
        "17 15   padding",
        "32 16   float3 at",
        "48 4 union (unnamed)",
        "48 4   int i",
        "48 3   char b[3]",
        "52:0 3 bits uint f",
        "52:3 7 bits uint g",
        "54 10 padding",
    ]
    assert table(layout, 1)[1:4] == ["1 7 padding", "8 8 size_t n", "16 32 struct inner in"]


@pytest.mark.parametrize(
    ("place", "name"),
    [
        ("@outer *o", "outer"),
        ("@o->c", "outer"),
        ("o->@c", "outer"),
        ("@s[0]", "struct inner"),
        ("s[0].@tag", "struct inner"),
        ("sizeof(@outer)", "outer"),
        ("struct @inner *s", "struct inner"),
        ("@struct { char c", "outer"),
        ("char @c;", "outer"),
        ("struct inner @in;", "struct inner"),
        ("@int i;", "union (unnamed)"),
    ],
)
def test_what_a_position_names(place: str, name: str) -> None:
    written = place.replace("@", "")
    if place.startswith("@struct"):
        written = "struct { char c"
    assert PROGRAM.count(written) >= 1
    layout = layout_at(PROGRAM.replace(written, place, 1))
    assert layout is not None
    assert layout.name == name


@pytest.mark.parametrize("marked", ["int @x;", "// struct @s { int a; };", "kernel void k(int @n) { }", "@"])
def test_there_is_none(marked: str) -> None:
    assert layout_at(marked) is None


@pytest.mark.parametrize(
    "marked",
    [
        "struct @s { UNKNOWN a; };",
        "struct @s { int a[COUNT]; };",
        "struct @s { struct s again; };",
        "struct @s { sampler_t a; };",
        "struct @s { int a; } __attribute__((aligned(COUNT)));",
        "#pragma pack(COUNT)\nstruct @s { char a; int b; };",
    ],
)
def test_an_unknown_layout_is_empty(marked: str) -> None:
    layout = layout_at(marked)
    assert layout is not None
    assert layout.devices == ()


@pytest.mark.parametrize(
    ("pragma", "size"),
    [
        ("", 8),
        ("#pragma pack(1)", 5),
        ("#pragma pack(push, 2)", 6),
        ("#pragma pack(push, name, 1)\n#pragma pack(pop)", 8),
        ("#pragma pack(1)\n#pragma pack(push, 2)\n#pragma pack(pop)", 5),
        ("#pragma pack(push, outer, 1)\n#pragma pack(push, 2)\n#pragma pack(pop, outer)", 8),
        ("#pragma pack(1)\n#pragma pack()", 8),
        ('_Pragma("pack(2)")', 6),
    ],
)
def test_pragma_pack(pragma: str, size: int) -> None:
    layout = layout_at(f"{pragma}\nstruct @s {{ char a; int b; }};")
    assert layout is not None
    assert {each.size for each in layout.devices} == {size}


def test_long_long_has_128_bits() -> None:
    layout = layout_at(
        "typedef unsigned long long wide;\nstruct @s { long long a; int b; wide c[2]; char d; };"
    )
    assert layout is not None
    (device, *_) = layout.devices
    assert (device.size, device.alignment) == (80, 16)
    assert [each.offset // 8 for each in device.rows if each.declaration] == [0, 16, 32, 64]


def test_pragma_pack_in_a_header_lasts_until_it_is_undone() -> None:
    headers = Headers({"push.h": b"#pragma pack(push, 1)\n", "pop.h": b"#pragma pack(pop)\n"})
    struct = "struct %s { char a; int b; };\n"
    text = f'{struct % "a"}#include "push.h"\n{struct % "b"}#include "pop.h"\n{struct % "c"}'
    layouts = compute_layouts(unit_of(text.encode(), headers=headers), ROOT)
    assert [(each.name, each.devices[0].size) for each in layouts] == [
        ("struct a", 8),
        ("struct b", 5),
        ("struct c", 8),
    ]


def test_sizes_follow_an_edit_of_a_pragma() -> None:
    from ..semantics.units import edited

    text = b"#pragma pack(1)\nstruct s { char a; int b; };\nconstant int n = sizeof(struct s);\n"
    unit = unit_of(text)
    assert next(iter(compute_layouts(unit, ROOT))).devices[0].size == 5
    edited(unit, text.replace(b"pack(1)", b"pack(2)"))
    assert next(iter(compute_layouts(unit, ROOT))).devices[0].size == 6


def test_many_nested_members_are_bounded() -> None:
    text = "struct s0 { int a, b, c, d, e, f, g, h, i, j; };\n"
    for depth in range(1, 40):
        members = " ".join(f"struct s{depth - 1} m{number};" for number in range(2))
        text += f"struct s{depth} {{ {members} }};\n"
    layout = layout_at(text.replace("struct s30 {", "struct @s30 {"))
    assert layout is not None
    assert layout.devices[0].size == 40 << 30
    assert MAXIMUM_ROWS <= len(layout.devices[0].rows) <= MAXIMUM_ROWS + 40
