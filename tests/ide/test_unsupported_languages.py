"""An edit turns a document into another language, and back into OpenCL C."""

from __future__ import annotations

from pathlib import Path

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.diagnostics.per_item_diagnostics import create_per_item_diagnostics
from openclsp.source.document import Document

from .units import analyse

HOST = 'char *s = "__kernel void k(__global float4 *in) {}";\nint n = 3;\n'
"""Checked as OpenCL C it has two errors"""
TEXTS = {
    "a qualifier next to the string": (HOST, HOST + "void f(global int *p);\n"),
    "a qualifier before the variable": (HOST, HOST.replace("char", "constant char")),
    "another string": (HOST, HOST.replace("__kernel void k(__global float4 *in) {}", "text")),
    "a macro": ('#define S "__kernel void k() {}"\n', '#define S "__kernel void k() {}"\nint n = 3;\n'),
    "a number in a template": (
        "template <int N = 3> int f() { return N; }\n",
        "template <int N = 4> int f() { return N; }\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), TEXTS.values(), ids=TEXTS)
def test_the_verdict_follows_edits(tmp_path: Path, before: str, after: str) -> None:
    unit = analyse(tmp_path, before)
    shown = compute_diagnostics(unit)
    for text in (after, before, after):
        unit.update(Document.of(unit.document.name, text.encode()))
        assert compute_diagnostics(unit) == compute_diagnostics(analyse(tmp_path, text))
        assert (create_per_item_diagnostics(unit) is None) == (
            create_per_item_diagnostics(analyse(tmp_path, text)) is None
        )
    unit.update(Document.of(unit.document.name, before.encode()))
    assert compute_diagnostics(unit) == shown
