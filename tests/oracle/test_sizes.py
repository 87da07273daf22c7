"""Compares sizes and alignments of types with clang."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from openclsp.language.dialect import Dialect
from openclsp.semantics.types.sizes import Layout, total_size

from ..language.clang import needs_clang
from .sizes import TYPES, differences, layouts, refused

STRUCTURES = """\
struct empty_end { char a; };
struct mixed { char a; int b; char c; double d; short e; };
struct of_three { float3 p; float w; };
struct nested { char tag; struct mixed inner; char last; };
struct rows { char c[3]; int m[2][5]; };
struct pointers { global int *a; local float *b; char c; constant char *d; };
union either { char c[5]; int i; double d; };
struct holds_union { char c; union either e; };
struct anonymous { char c; union { int i; long l; }; char d; };
struct anonymous_rows { char c; struct { char a; short b; }; char d; };
typedef struct { uchar a; ushort b; } unnamed;
struct of_typedef { char c; unnamed u[3]; };
enum colour { RED, GREEN };
struct of_enum { char c; enum colour e; };
typedef int4 quad;
struct of_quad { char c; quad q; };
struct __attribute__((packed)) packed_before { char c; int i; short s; };
struct packed_behind { char c; long l; } __attribute__((packed));
struct packed_member { char c; int i __attribute__((packed)); short s; };
struct aligned_all { char c; } __attribute__((aligned(32)));
struct aligned_member { char c; char d __attribute__((aligned(16))); char e; };
struct aligned_two { char c; __attribute__((aligned(8))) char d, e; };
struct packed_aligned { char c; int i; long l; } __attribute__((packed, aligned(4)));
struct packed_with_aligned { char c; int i __attribute__((aligned(8))); char d; } __attribute__((__packed__));
struct in_packed { char c; struct mixed m; } __attribute__((packed));
struct greatest { char c; } __attribute__((aligned));
struct aligned_pointer { char c; global int *p __attribute__((aligned(64))), *q; };
struct aligned_pointers { global int *p[2] __attribute__((aligned(32))); };
struct packed_pointer { char c; global int *p __attribute__((packed)); };
typedef int wide __attribute__((aligned(16)));
typedef wide as_wide;
typedef long low __attribute__((aligned(2)));
typedef struct { char c; } cell __attribute__((aligned(8)));
struct of_wide { char c; wide w; char d; as_wide e; wide *p; char f[3]; low g; cell h, i; };
struct packed_wide { char c; wide w; cell d; } __attribute__((packed));
union aligned_union { char c; int i; } __attribute__((aligned(16)));
struct sized_by { char c[sizeof(struct mixed)]; char d[sizeof(int[3])]; };
struct forty { char c[sizeof(struct sized_by) > 20 ? 40 : 4]; };
"""

WHOLE = re.compile(r"^(?:struct|union|enum)(?: __attribute__\(\(\w+\)\))? (\w+)", re.MULTILINE)


def names() -> list[str]:
    tags = [
        f"{match[0].split()[0]} {match[1]}" for match in WHOLE.finditer(STRUCTURES) if "{" not in match[1]
    ]
    pointers = ["global int *", "local char *", "void *"]
    return [
        *TYPES,
        *tags,
        "unnamed",
        "quad",
        *pointers,
        "float[7]",
        "int3[3][2]",
        "quad[3]",
        "unnamed[2][5]",
        "struct mixed[5]",
    ]


@needs_clang
@pytest.mark.parametrize("dialect", ["CL1.2", "CL2.0", "CL3.0"])
def test_every_size_is_clangs(dialect: str) -> None:
    found = layouts(STRUCTURES, names(), Dialect.of(dialect))
    assert None not in found
    assert refused(STRUCTURES, names(), found, Dialect.of(dialect)) == []


@needs_clang
def test_atomic_types_have_the_size_of_what_they_hold() -> None:
    types = [
        f"atomic_{each}" for each in ("int", "uint", "long", "ulong", "float", "double", "flag", "size_t")
    ]
    found = layouts("", types, Dialect.of("CL2.0"))
    assert None not in found
    assert refused("", types, found, Dialect.of("CL2.0")) == []


@needs_clang
@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("seed", range(4))
def test_structures_made_by_chance_lie_as_clangs(seed: int, bits: int) -> None:
    """For many more structures: `python -m tests.oracle.sizes --count 1000`."""
    assert list(differences(seed, replace(Dialect.of("CL2.0"), address_bits=bits))) == []


@pytest.mark.parametrize(
    "text, type_",
    [
        ("struct s { TILE t; };\n", "struct s"),
        ("struct s;\n", "struct s"),
        ("struct s { int a : WIDTH; };\n", "struct s"),
        ("struct s { int a; } __attribute__((aligned(WIDTH)));\n", "struct s"),
        ("struct s { struct s again; };\n", "struct s"),
        ("", "int[WIDTH]"),
        ("", "sampler_t"),
    ],
    ids=[
        "unknown type",
        "incomplete",
        "unknown width of a bit-field",
        "unknown alignment",
        "holds itself",
        "unknown bound",
        "opaque",
    ],
)
def test_what_is_not_known_has_no_size(text: str, type_: str) -> None:
    assert layouts(text, [type_], Dialect.of("CL2.0")) == [None]


def test_a_structure_of_another_address_width() -> None:
    from openclsp.semantics.types.sizes import layout_of
    from openclsp.semantics.types.type_model import VOID, pointer_to

    assert layout_of(pointer_to(VOID), lambda record: None, 32) == Layout(4, 4)


def test_the_greatest_alignment_comes_first() -> None:
    assert total_size([Layout(1, 1), Layout(8, 8), Layout(2, 2)]) == 11
    assert total_size([Layout(3, 16), Layout(16, 16)]) == 19
    assert total_size([]) == 0
