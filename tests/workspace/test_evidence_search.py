"""Incremental search for evidence of the language version equals a first search."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openclsp.project.option_parser import BuildOptions
from openclsp.source.document import Document
from openclsp.workspace.evidence_search import EvidenceSearch
from openclsp.workspace.language_evidence import LanguageEvidence
from openclsp.workspace.unit_preparation import plan_unit

_LINES = (
    "kernel void k(global atomic_int *a) {",
    "    work_group_barrier(1);",
    "    int x = memory_scope_all_devices;",
    "}",
    "typedef int atomic_int;",
    "global int counter;",
    "    float4 v = sub_group_broadcast(v, 0);",
    "    float v = 1.0f;",
    "#define atomic_int int",
    "#undef atomic_int",
    "#define WAIT work_group_barrier(1)",
    "    WAIT;",
    "#ifdef UNKNOWN",
    "#if 1",
    "#else",
    "#endif",
    "/*",
    "*/",
    "// atomic_int",
    "    x = ^{",
    "",
)

_BETWEEN = "int one(int a, int b)\n{\n    return a + b * 2 - (a & b);\n}\n\n" * 8
"""More than what is judged together"""


def found(
    text: str,
    search: EvidenceSearch | None = None,
    name: str = "/w/k.cl",
    opened: Mapping[str, Document] | None = None,
) -> LanguageEvidence | None:
    document = Document.of(name, text.encode())
    return plan_unit(name, document=document, search=search, opened=opened).evidence


@settings(deadline=None)
@given(st.lists(st.lists(st.sampled_from(_LINES), max_size=8), min_size=2, max_size=5))
def test_a_text_that_changes_is_judged_as_if_new(versions: list[list[str]]) -> None:
    search = EvidenceSearch()
    for lines in versions:
        text = "\n".join(lines)
        assert found(text, search) == found(text)


@settings(deadline=None)
@given(st.permutations(_LINES), st.integers(0, len(_LINES) - 1), st.sampled_from(_LINES))
def test_a_line_that_is_typed_character_by_character(lines: list[str], at: int, line: str) -> None:
    search = EvidenceSearch()
    for end in range(len(line) + 1):
        text = "\n".join([*lines[:at], line[:end], *lines[at:]])
        assert found(text, search) == found(text)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.sampled_from(_LINES), min_size=4, max_size=8),
    st.lists(
        st.tuples(st.floats(0, 1), st.integers(0, 4), st.sampled_from((*_LINES, "{", "}", "^", "(", "\n"))),
        max_size=5,
    ),
)
def test_edits_far_from_the_evidence(lines: list[str], edits: list[tuple[float, int, str]]) -> None:
    search = EvidenceSearch()
    text = "\n".join(f"{line}\n{_BETWEEN}" for line in lines)
    assert found(text, search) == found(text)
    for share, removed, new in edits:
        at = round(share * len(text))
        text = text[:at] + new + text[at + removed :]
        assert found(text, search) == found(text)


def test_a_comment_that_ends_far_above_what_it_hid() -> None:
    hidden = _BETWEEN + "kernel void k(global atomic_int *a) {}\n"
    versions = [
        f"int first;\n/*\n{hidden}*/\n",
        f"int first;\n/* */\n{hidden}*/\n",
        f"int first;\n/*\n{hidden}*/\n",
        f"int first;\n\n{hidden}*/\n",
        f"int first;\n//\\\n{hidden}*/\n",
        f"int first;\n/* \\\n{hidden}*/\n",
    ]
    search = EvidenceSearch()
    shown = [found(text, search) for text in versions]
    assert shown == [found(text) for text in versions]
    assert [each is not None for each in shown] == [False, True, False, True, True, False]


def test_evidence_moves_with_its_line() -> None:
    search = EvidenceSearch()
    kernel = "kernel void k(global atomic_int *a) {\n}\n"
    first = found(kernel, search)
    assert first is not None and first.line == 1
    later = found("\n// …\n" + kernel, search)
    assert later is not None and later.line == 3


def test_evidence_in_what_is_included(tmp_path: Path) -> None:
    name, header = str(tmp_path / "k.cl"), tmp_path / "counter.h"
    kernel = '#include "counter.h"\nkernel void k(global int *a) {}\n'
    header.write_text("#pragma once\ninline void count(global atomic_int *a) {}\n")
    document = Document.of(name, kernel.encode())
    reason = plan_unit(name, document=document).unit_config.dialect_explanation
    assert (
        reason == "OpenCL C 2.0, because `atomic_int` in line 2 of counter.h requires OpenCL C 2.0 or later"
    )
    header.write_text("#pragma once\ninline void count(global int *a) {}\n")
    assert plan_unit(name, document=document).evidence is None


def test_a_header_that_declares_the_name(tmp_path: Path) -> None:
    (tmp_path / "compat.h").write_text("typedef int atomic_int;\n")
    text = '#include "compat.h"\nkernel void k(global atomic_int *a) {}\n'
    assert found(text, name=str(tmp_path / "k.cl")) is None


def test_an_open_header_counts_as_it_is_in_the_editor(tmp_path: Path) -> None:
    name, header = str(tmp_path / "k.cl"), str(tmp_path / "counter.h")
    Path(header).write_text("\n")
    kernel, search = '#include "counter.h"\nkernel void k() {}\n', EvidenceSearch()
    assert found(kernel, search, name) is None
    edited = {header: Document.of(header, b"void f(atomic_int *a);\n")}
    shown = found(kernel, search, name, edited)
    assert shown is not None and (shown.document, shown.line) == (header, 1)
    assert found(kernel, search, name) is None


def test_a_header_outside_the_project_is_not_read(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / ".git").mkdir()
    (tmp_path / "secret.h").write_text("void f(atomic_int *a);\n")
    name = str(project / "k.cl")
    document = Document.of(name, b'#include "../secret.h"\nkernel void k() {}\n')
    planned = plan_unit(name, document=document, workspace_folders=[str(project)], client=BuildOptions())
    assert planned.evidence is None


def test_headers_that_include_each_other(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text('#include "b.h"\n')
    (tmp_path / "b.h").write_text('#include "a.h"\nvoid f(atomic_int *a);\n')
    assert found('#include "a.h"\n', name=str(tmp_path / "k.cl")) is not None


def test_a_closed_document_is_forgotten() -> None:
    search = EvidenceSearch()
    found("void f(atomic_int *a);", search)
    search.forget_document("/w/k.cl")
    search.forget_document("/w/other.cl")
    assert found("void f(int *a);", search) is None


@pytest.mark.parametrize(
    ("text", "is_evidence"),
    [
        ("void f(float4 x) { float4 y = sub_group_broadcast(x, 0); }", True),
        ("kernel void k(global float4 *x) { x[0] = sub_group_broadcast(x[1], 0); }", True),
        ("kernel void k(global const uint2 *restrict x) { uint2 y = sub_group_broadcast(x[1], 0u); }", True),
        ("void f(void) { float4 x[4]; x[0] = sub_group_broadcast(x[1], 0); }", True),
        ("void f(int i) { float4 y = sub_group_broadcast((float4)(1, f(2), 3, 4), i); }", True),
        ("void f(float4 x, float4 z) { z = z * x; z = sub_group_broadcast(x, 0); }", True),
        ("#define CAST(x) sub_group_broadcast(x, 0)\nvoid f(float4 x) { x = CAST(x); }", True),
        ("void f(float x) { float y = sub_group_broadcast(x, 0); }", False),
        ("kernel void k(global float *x) { x[0] = sub_group_broadcast(x[1], 0); }", False),
        ("void f(float4 x) { float y = sub_group_broadcast(x.x, 0); }", False),
        ("void f(float4 x) { float y = sub_group_broadcast((float)1, 0); }", False),
        ("void g(float4 x) {\n}\nvoid f(T x) { x = sub_group_broadcast(x, 0); }", False),
        ("void f(float4 x) { { float x = 1; x = sub_group_broadcast(x, 0); } }", False),
        ("void f(float4 x) { { real x = 1; x = sub_group_broadcast(x, 0); } }", False),
        (
            "float4 sub_group_broadcast(float4 x, uint i);\nvoid f(float4 x) { x = sub_group_broadcast(x, 0); }",
            False,
        ),
        ("// float4 x; sub_group_broadcast(x, 0)", False),
    ],
)
def test_an_overload_for_vectors(text: str, is_evidence: bool) -> None:
    evidence = found(text)
    assert (evidence is not None) == is_evidence
    if evidence is not None:
        assert (evidence.standard, evidence.construct) == ("CL2.0", "this form of `sub_group_broadcast`")
