"""Compares conversions between all address spaces, clang's own included, with clang where it is installed."""

from __future__ import annotations

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.fixes.fixes import compute_fixes
from openclsp.language.dialect import Dialect
from openclsp.language.spaces import NAMED, Space, encloses, overlaps, target_space
from openclsp.rules.finding import Severity

from ..dialects import texts_for
from ..language.clang import needs_clang
from ..oracle.clang import errors_of_texts
from .analysis import analyse, applied

DIALECTS = ("CL1.0", "CL1.2", "CL2.0", "CL3.0-generic")
SPACES = (*NAMED, Space.GLOBAL_DEVICE, Space.GLOBAL_HOST, target_space(1), target_space(3))
SYNONYMS = (
    *(f"__attribute__((opencl_{space.word}))" for space in NAMED),
    "[[clang::opencl_global]]",
    "__attribute__((__opencl_local__))",
    "[[clang::opencl_global_device]]",
    "[[clang::address_space(3)]]",
    "",
)

FORMS = (
    "void f({a} int *a, {b} int *b) {{ a = b; }}",
    "void f({a} int *a, {b} int *b) {{ a = ({a} int *)b; }}",
    "void f({a} int *a, {b} int *b) {{ int c = a == b; }}",
    "void f({a} int *a, {b} int *b) {{ long c = a - b; }}",
    "void f({a} int *a, {b} int *b, int n) {{ int c = *(n ? a : b); }}",
    "void f({a} int *global *a, {b} int *global *b) {{ a = b; }}",
    "void g({a} void *a); void f({b} int *b) {{ g(b); }}",
    "void f({a} {b} int *p);",
    "kernel void k({a} int *a, int *{b} *b);",
    "kernel void k(void) {{ int *{a} a; {b} int b; }}",
    "typedef {a} int t; void f(t *a, {b} int *b) {{ a = b; }}",
)


def programs(forms: tuple[str, ...], qualifiers: tuple[str, ...]) -> list[str]:
    return [form.format(a=a, b=b) + "\n" for form in forms for a in qualifiers for b in qualifiers]


@needs_clang
@pytest.mark.parametrize("dialect", DIALECTS)
def test_clang_refuses_the_same_pairs(dialect: str) -> None:
    every = programs(FORMS, tuple(space.qualifier for space in SPACES)) + programs(FORMS[:1], SYNONYMS)
    texts = texts_for(dialect, every, DIALECTS)
    judged = errors_of_texts(texts, Dialect.of(dialect))
    differ = []
    for text, errors in zip(texts, judged, strict=True):
        found = [
            each for each in compute_diagnostics(analyse(text, dialect)) if each.severity is Severity.ERROR
        ]
        if bool(found) != bool(errors):
            differ.append(f"{text.strip()}  clang: {errors[:1]} here: {[each.message for each in found]}")
    assert not differ, "\n".join(differ[:20])


def test_each_number_is_one_space() -> None:
    assert target_space(7) is target_space(7) and target_space(7) is not target_space(8)


@pytest.mark.parametrize("inner", SPACES)
def test_what_encloses_what(inner: Space) -> None:
    assert encloses(inner, inner) and overlaps(inner, inner)
    assert encloses(Space.GENERIC, inner) == (inner is not Space.CONSTANT)
    assert encloses(Space.GLOBAL, inner) == (inner in (Space.GLOBAL, Space.GLOBAL_DEVICE, Space.GLOBAL_HOST))
    for outer in SPACES:
        assert overlaps(outer, inner) == (encloses(outer, inner) or encloses(inner, outer))


@pytest.mark.parametrize(
    ("before", "title", "after"),
    [
        (
            "void f(__attribute__((opencl_local)) int *l, global int *g) { l = g; }\n",
            "Point `l` into global",
            "void f(global int *l, global int *g) { l = g; }\n",
        ),
        (
            "void f([[clang::address_space(2)]] int *a, global int *g) { a = g; }\n",
            "Point `a` into global",
            "void f(global int *a, global int *g) { a = g; }\n",
        ),
        (
            "void f(HOST int *h) { local int *l = h; }\n",
            "Point `l` into global_host",
            "void f(HOST int *h) { HOST int *l = h; }\n",
        ),
        (
            "void f(HOST int *h, global int *g) { h = g; }\n",
            "Cast to `HOST int *`",
            "void f(HOST int *h, global int *g) { h = (HOST int *)g; }\n",
        ),
        (
            "kernel void k(void) { __attribute__((address_space(1))) int x; }\n",
            "Make `x` private",
            "kernel void k(void) { int x; }\n",
        ),
    ],
)
def test_fixes_change_whole_attributes(before: str, title: str, after: str) -> None:
    before, title, after = (
        text.replace("HOST", Space.GLOBAL_HOST.qualifier) for text in (before, title, after)
    )
    unit = analyse(before, "CL1.2")
    found = [fix for each in compute_diagnostics(unit) for fix in compute_fixes(unit, each)]
    texts = [applied(before, fix) for fix in found if fix.title == title]
    assert texts == [after], [fix.title for fix in found]


def test_an_attribute_that_says_more_is_left_alone() -> None:
    before = "void f(__attribute__((opencl_local, aligned(8))) int *l, global int *g) { l = g; }\n"
    unit = analyse(before, "CL1.2")
    for each in compute_diagnostics(unit):
        for fix in compute_fixes(unit, each):
            assert "aligned(8)" in applied(before, fix), fix.title


@pytest.mark.parametrize(
    ("source", "target", "reason"),
    [
        (
            "global",
            Space.GLOBAL_DEVICE.qualifier,
            "a global pointer converts to global_device only by a cast",
        ),
        (
            Space.GLOBAL_HOST.qualifier,
            Space.GLOBAL_DEVICE.qualifier,
            "global_host and global_device are disjoint",
        ),
    ],
)
def test_the_message_states_whether_a_cast_is_enough(source: str, target: str, reason: str) -> None:
    unit = analyse(f"void f({source} int *a, {target} int *b) {{ b = a; }}\n", "CL1.2")
    (message,) = (each.message for each in compute_diagnostics(unit) if each.severity is Severity.ERROR)
    assert message.endswith(f": {reason}")
