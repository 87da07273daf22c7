"""The range of `#pragma OPENCL EXTENSION`, tested with the type half, which needs cl_khr_fp16."""

from __future__ import annotations

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.semantics.translation_unit import TranslationUnit

from .units import Headers, edited, unit_of

_ON = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
_OFF = "#pragma OPENCL EXTENSION cl_khr_fp16 : disable\n"
_ONE = "half one(void);\n"
_TWO = "half two(void);\n"


def _reported(unit: TranslationUnit) -> list[str]:
    """The functions for which half-storage is reported."""
    data = unit.document.text.data
    found = [each for each in compute_diagnostics(unit) if each.code == "half-storage"]
    return [data[each.location.start : each.location.end].decode() for each in found]


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        (_ONE, ["one"]),
        (_ON + _ONE, []),
        (_ONE + _ON + _TWO, ["one"]),
        (_ON + _ONE + _OFF + _TWO, ["two"]),
        (_ON + _OFF + _ONE + _ON + _TWO, ["one"]),
        (_ON + "#pragma OPENCL EXTENSION all : disable\n" + _ONE, ["one"]),
        ("#pragma OPENCL EXTENSION all : enable\n" + _ONE, ["one"]),
        ("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" + _ONE, ["one"]),
        ('_Pragma("OPENCL EXTENSION cl_khr_fp16:enable")\n' + _ONE, []),
        ("#pragma unroll\n" + _ONE, ["one"]),
    ],
)
def test_a_pragma_applies_to_the_code_after_it(text: str, reported: list[str]) -> None:
    assert _reported(unit_of(text.encode(), "CL1.2")) == reported


def test_a_pragma_in_a_function_applies_to_the_rest_of_it() -> None:
    text = f"void f(void) {{\n{_ON}    half h;\n}}\n{_OFF}{_ONE}"
    assert _reported(unit_of(text.encode(), "CL1.2")) == ["one"]


def test_a_pragma_in_a_function_applies_from_its_line_on() -> None:
    text = f"void f(half a) {{\n half b;\n{_ON} half c;\n{{\n{_OFF} half d;\n}} half e;\n{_ON} half g;\n}}\n{_TWO}"
    unit = unit_of(text.encode(), "CL1.2")
    assert _reported(unit) == ["a", "b", "d", "e"]
    edited(unit, text.replace("half b;", "half b; half more;").encode())
    assert _reported(unit) == ["a", "b", "more", "d", "e"]
    edited(unit, text.replace(_ON + " half c;", " half c;").encode())
    assert _reported(unit) == ["a", "b", "c", "d", "e"]
    edited(unit, text.replace(_OFF, "").encode())
    assert _reported(unit) == ["a", "b"]


def test_an_operators_pragma_in_a_function_applies_from_its_place_on() -> None:
    text = f'#define OFF _Pragma("OPENCL EXTENSION all : disable")\n{_ON}void f(void) {{ half a; OFF half b; }}\n'
    assert _reported(unit_of(text.encode(), "CL1.2")) == ["b"]


def test_a_headers_pragma_applies_to_the_code_after_it() -> None:
    headers = Headers({"on.h": _ON.encode(), "nothing.h": b"\n"})
    assert _reported(unit_of(f'#include "on.h"\n{_ONE}'.encode(), "CL1.2", headers)) == []
    assert _reported(unit_of(f'{_ONE}#include "on.h"\n{_TWO}'.encode(), "CL1.2", headers)) == ["one"]
    assert _reported(unit_of(f'#include "nothing.h"\n{_ONE}'.encode(), "CL1.2", headers)) == ["one"]


@pytest.mark.parametrize(
    "before", ['#include "missing.h"\n', f"#if HOST_HAS_HALF\n{_ON}#endif\n"], ids=["header", "branch"]
)
def test_nothing_is_reported_where_the_pragma_may_be_in_a_missing_header(before: str) -> None:
    assert _reported(unit_of((before + _ONE).encode(), "CL1.2")) == []


def test_an_edit_of_the_pragma_invalidates_uses_of_half() -> None:
    unit = unit_of((_ONE + "void f(void) {}\n" + _TWO).encode(), "CL1.2")
    assert _reported(unit) == ["one", "two"]
    edited(unit, (_ONE + "void f(void) {}\n" + _ON + _TWO).encode())
    assert _reported(unit) == ["one"]
    edited(unit, (_ON + _ONE + "void f(void) {}\n" + _TWO).encode())
    assert _reported(unit) == []
    edited(unit, (_ONE + "void f(void) {}\n" + _TWO).encode())
    assert _reported(unit) == ["one", "two"]


@pytest.mark.parametrize(("dialect", "codes"), [("CL1.0", []), ("CL1.2", ["ambiguous-call"])])
def test_an_unsuffixed_literal_is_a_float_before_1_2(dialect: str, codes: list[str]) -> None:
    text = "void f(float x) { x = max(x, 1.0); }\n"
    assert [each.code for each in compute_diagnostics(unit_of(text.encode(), dialect))] == codes
    enabled = f"#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n{text}"
    assert [each.code for each in compute_diagnostics(unit_of(enabled.encode(), dialect))] == [
        "ambiguous-call"
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("enable", "disable"),
        ("pragma", "pragm"),
        ("_fp16", "_fp64"),
        ("fp16", "fp1 6"),
        (" EXT", "; EXT"),
        ("\n", " // \n"),
    ],
)
def test_an_edit_of_an_unread_pragma_takes_effect(old: str, new: str) -> None:
    text = "int first;\n#if 0\n" + _ON + "#endif\n" + _ONE
    at = text.index(old, text.index("#pragma"))
    other = text[:at] + new + text[at + len(old) :]
    unit = unit_of(text.encode(), "CL1.2")
    assert _reported(unit) == []
    for now in (other, text, text + _TWO, other):
        edited(unit, now.encode())
        assert _reported(unit) == _reported(unit_of(now.encode(), "CL1.2"))
