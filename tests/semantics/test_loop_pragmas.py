"""`#pragma unroll` before something else than a loop, after edits."""

from __future__ import annotations

from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.semantics.translation_unit import TranslationUnit

from .units import Headers, edited, unit_of

TEXT = b"""\
kernel void k(global int *p, int n) {
#pragma unroll
    for (int i = 0; i < n; i++)
        p[i] = i;
    p[0] = 1;
}
"""


def reported(unit: TranslationUnit) -> list[tuple[str, int]]:
    return [
        (each.code, unit.document.text.line_of(each.location.start)) for each in compute_diagnostics(unit)
    ]


def test_edits_give_the_diagnostics_of_a_new_unit() -> None:
    unit = unit_of(TEXT)
    texts = [
        TEXT,
        TEXT.replace(b"    p[0] = 1;", b"#pragma unroll 2\n    p[0] = 1;"),
        TEXT.replace(b"    for", b"    n++;\n    for"),
        b"int x(int a);\n" + TEXT.replace(b"    p[0] = 1;", b"#pragma unroll 2\n    p[0] = 1;"),
        TEXT.replace(b"#pragma unroll\n", b""),
        TEXT,
    ]
    for text in texts:
        edited(unit, text)
        assert reported(unit) == reported(unit_of(text))
    assert reported(unit_of(texts[1])) == [("loop-pragma", 5)]
    assert reported(unit_of(texts[2])) == [("loop-pragma", 2)]


def test_a_pragma_in_a_header_within_a_function_is_not_judged() -> None:
    header = b"float s = 0;\n#pragma unroll\nfor (int i = 0; i < n; i++)\n    s += p[i];\n"
    text = b'kernel void k(global float *p, int n) {\n    n++;\n#include "a.h"\n    p[0] = s;\n}\n'
    assert reported(unit_of(text, headers=Headers({"a.h": header}))) == []
