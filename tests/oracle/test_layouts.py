"""Layouts, member by member, against clang's `-fdump-record-layouts`."""

from __future__ import annotations

from pathlib import Path

import pytest
from openclsp.language.dialect import Dialect

from ..language.clang import needs_clang
from .layouts import compare_file
from .sizes import program

KERNEL = """\
#pragma OPENCL EXTENSION __cl_clang_bitfields : enable
#pragma pack(push, 2)
struct packed { char c; int i __attribute__((aligned(8))); int b : 5; int : 0; short d : 9; };
#pragma pack(pop)
struct __attribute__((packed)) nested {
    char c;
    float3 v;
    size_t s;
    struct { int x; half h; };
    union { int q; char r; } u[3];
    struct packed inner;
};
typedef struct { char c; global int *p; struct nested n; } unnamed;
kernel void k(global unnamed *u) { struct within { char c; long l; } w; u->c = sizeof(w); }
"""


@needs_clang
def test_members_of_every_kind(tmp_path: Path) -> None:
    file = tmp_path / "k.cl"
    file.write_text(KERNEL)
    outcome = compare_file(file, tmp_path, Dialect.of("CL2.0"), ())
    assert outcome.differing == []
    assert outcome.unknown == 0
    # of each type but the unnamed union, which only an array holds, at both widths
    assert outcome.compared >= 10


@needs_clang
@pytest.mark.parametrize("seed", range(2))
def test_members_of_structures_made_by_chance(tmp_path: Path, seed: int) -> None:
    file = tmp_path / "k.cl"
    file.write_text(program(seed)[0])
    outcome = compare_file(file, tmp_path, Dialect.of("CL2.0"), ())
    assert outcome.differing == []
    assert outcome.compared > 40
