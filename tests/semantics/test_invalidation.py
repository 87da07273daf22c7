"""The work that an edit causes for declarations, counted in computed queries."""

from __future__ import annotations

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.semantics.translation_unit import TranslationUnit

from .units import Headers, edited, unit_of

KERNEL = b"""\
typedef struct { global float *data; int count; } buffer;
constant float weights[2] = { 0.5f, 0.5f };

// scales one element
float scale(global const float *p, int i) {
    return p[i] * weights[i & 1];
}

void store(buffer *b, int i, float x) {
    b->data[i] = x;
}

float sum(global const float *p, int n) {
    float total = 0.0f;
    for (int i = 0; i < n; i++) total += scale(p, i);
    return total;
}

kernel void run(global float *out, global const float *in, int n) {
    buffer b;
    b.data = out;
    b.count = n;
    store(&b, 0, sum(in, n));
}
"""


def analysed_again(unit: TranslationUnit, text: bytes) -> dict[str, int]:
    """The number of times that each query is computed when the unit takes this text."""
    compute_diagnostics(unit)
    unit.database.computed.clear()
    edited(unit, text)
    compute_diagnostics(unit)
    return dict(unit.database.computed)


@pytest.fixture
def unit() -> TranslationUnit:
    return unit_of(KERNEL)


def test_typing_in_a_body_analyses_that_function_alone(unit: TranslationUnit) -> None:
    computed = analysed_again(unit, KERNEL.replace(b"total += ", b"total -= "))
    assert computed == {"pass": 1, "body findings": 1, "flow": 1, "flow findings": 1}


@pytest.mark.parametrize(
    "text",
    [
        KERNEL.replace(b"// scales one element", b"// scales an element of p"),
        KERNEL.replace(b"\n\nvoid store", b"\n\n\n\n/* new */\nvoid store"),
        b"// a first line\n" + KERNEL,
        KERNEL.replace(b"float total = 0.0f;", b"float  total =  0.0f; // so far"),
    ],
    ids=["comment", "blank lines", "first line", "inside a body"],
)
def test_comments_and_blanks_analyse_nothing(unit: TranslationUnit, text: bytes) -> None:
    assert analysed_again(unit, text) == {}


def test_a_changed_signature_checks_its_calls_again_and_types_no_caller(unit: TranslationUnit) -> None:
    computed = analysed_again(unit, KERNEL.replace(b"scale(global const float *p", b"scale(const float *p"))
    once = ("head", "exports", "result signatures", "body findings", "invalid", "declarations")
    assert {name: computed.get(name) for name in once} == dict.fromkeys(once, 1)


def test_a_result_of_another_type_analyses_the_callers_bodies(unit: TranslationUnit) -> None:
    computed = analysed_again(unit, KERNEL.replace(b"float scale(", b"int scale("))
    assert computed["body findings"] == 2


def test_a_changed_member_invalidates_queries_that_read_the_members(unit: TranslationUnit) -> None:
    computed = analysed_again(unit, KERNEL.replace(b"int count; }", b"long count; }"))
    # the struct itself, `store` and `run`; `store` names it in its signature, so that its exports are checked too
    assert computed["body findings"] == 3


def test_a_new_declaration_invalidates_queries_that_looked_up_its_name(unit: TranslationUnit) -> None:
    computed = analysed_again(
        unit, KERNEL.replace(b"float sum(", b"float scale(local float *p);\n\nfloat sum(")
    )
    # the new one; `sum`, which calls `scale`; and `scale` itself, which asks whether it was declared before
    assert computed["body findings"] == 3


def test_a_declaration_of_another_name_invalidates_nothing(unit: TranslationUnit) -> None:
    computed = analysed_again(
        unit, KERNEL.replace(b"float sum(", b"float other(local float *p);\n\nfloat sum(")
    )
    assert computed["body findings"] == 1


def test_a_new_name_invalidates_failed_lookups_of_it() -> None:
    unit = unit_of(b"void f(global int *g) { later(g); }\n")
    computed = analysed_again(unit, b"void later(local int *l);\nvoid f(global int *g) { later(g); }\n")
    assert computed["body findings"] == 2
    assert [each.code for each in compute_diagnostics(unit)] == ["pointer-conversion"]


def test_removing_the_last_of_two_declarations_brings_the_first_back() -> None:
    two = b"typedef global int *T;\ntypedef local int *T;\nvoid f(T t, global int *g) { t = g; }\n"
    unit = unit_of(two)
    compute_diagnostics(unit)
    one = two.replace(b"typedef local int *T;\n", b"")
    edited(unit, one)
    assert [each.code for each in compute_diagnostics(unit)] == []


def test_an_unclosed_brace_leaves_the_other_functions_alone(unit: TranslationUnit) -> None:
    text = KERNEL.replace(b"float x) {\n", b"float x) { if (x) {\n")
    computed = analysed_again(unit, text)
    assert computed["body findings"] == 1


def test_an_unchanged_header_is_not_analysed_again() -> None:
    headers = Headers({"h.h": b"typedef global float *buffer;\nfloat first(buffer b) { return b[0]; }\n"})
    text = b'#include "h.h"\nkernel void k(buffer b) { b[1] = first(b); }\n'
    unit = unit_of(text, headers=headers)
    computed = analysed_again(unit, text.replace(b"b[1]", b"b[2]"))
    assert computed == {"pass": 1, "body findings": 1, "flow": 1, "flow findings": 1}
