"""Whether a function is unused, after edits: equal to a first analysis of the same text."""

from __future__ import annotations

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.language.dialect import Dialect
from openclsp.project.option_layers import ConfigurationOrigins
from openclsp.project.option_parser import BuildOptions
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.build_configuration import BuildConfiguration
from openclsp.source.document import Document
from openclsp.workspace.project_file import ProjectConfiguration, SeveritySetting
from openclsp.workspace.units import UnitConfig

from tests.semantics.units import ROOT, Headers, edited

KERNEL = "kernel void k(global int *p) { p[0] = 1; }\n"
HEADER = '#include "h.h"\n'
UNUSED = "static int zero(void) { return 0; }\n"


def unit_of(text: str, headers: Headers | None = None) -> TranslationUnit:
    """The unit of a text in a project that enables the rule."""
    project = ProjectConfiguration(
        ROOT, BuildOptions(), severities=(SeveritySetting("unused-function", "hint", 1),)
    )
    origins = ConfigurationOrigins("chosen by the test")
    unit = UnitConfig(ROOT, BuildConfiguration(Dialect.of("CL2.0")), origins, project=project)
    return TranslationUnit(unit, Document.of(ROOT, text.encode()), headers or Headers({}))


def unused_functions(unit: TranslationUnit) -> list[int]:
    """The lines, from 0, of the functions that are reported."""
    return [
        unit.document.text.line_of(each.location.start)
        for each in compute_diagnostics(unit)
        if each.code == "unused-function"
    ]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (UNUSED, "static int zero(void) { return 0 + }; }\n", []),
        (UNUSED, "static int (zero)(void) { return 0; }\n", [0]),
        (UNUSED, "__attribute__((unused)) static int zero(void) { return 0; }\n", []),
        (UNUSED, "__attribute__((__unused__)) static int zero(void) { return 0; }\n", []),
        (UNUSED, "static int zero(void) { return 0 __attribute__((unused)); }\n", []),
        (UNUSED, "static int zero(void) { 1 x 2; return 0; }\n", []),
    ],
    ids=["brace", "parentheses", "attribute", "spelt __unused__", "attribute in the body", "syntax error"],
)
def test_an_edit_of_the_function(before: str, after: str, expected: list[int]) -> None:
    unit = unit_of(before + KERNEL)
    assert unused_functions(unit) == [0]
    edited(unit, (after + KERNEL).encode())
    assert unused_functions(unit) == expected
    edited(unit, (before + KERNEL).encode())
    assert unused_functions(unit) == [0]


@pytest.mark.parametrize("qualifier", ["static", "inline", "static inline"])
def test_a_qualifier_that_is_added_or_removed(qualifier: str) -> None:
    unit = unit_of("void zero(void) {}\n" + KERNEL)
    assert unused_functions(unit) == []
    edited(unit, f"{qualifier} void zero(void) {{}}\n{KERNEL}".encode())
    assert unused_functions(unit) == [0]
    edited(unit, f"void zero(void) {{}}\n{KERNEL}".encode())
    assert unused_functions(unit) == []


@pytest.mark.parametrize("in_header", [False, True])
def test_a_function_that_moves_between_the_document_and_a_header(in_header: bool) -> None:
    headers = Headers({"h.h": UNUSED.encode() if in_header else b""})
    unit = unit_of(HEADER + ("" if in_header else UNUSED) + KERNEL, headers)
    assert unused_functions(unit) == ([] if in_header else [1])
    headers.texts["h.h"] = b"" if in_header else UNUSED.encode()
    text = HEADER + (UNUSED if in_header else "") + KERNEL
    unit.update(Document.of(ROOT, text.encode()), headers_changed=True)
    assert unused_functions(unit) == ([1] if in_header else [])


def test_a_function_of_a_header_that_ends_within_a_function() -> None:
    """The header's text is then part of the item of the document around the directive."""
    headers = Headers({"h.h": UNUSED.encode()})
    text = HEADER + KERNEL + UNUSED.replace("zero", "one")
    unit = unit_of(text, headers)
    assert unused_functions(unit) == [2]
    for header in (UNUSED + "int two(int n) { if (n) {\n", UNUSED):
        headers.texts["h.h"] = header.encode()
        unit.update(Document.of(ROOT, text.encode()), headers_changed=True)
        assert unused_functions(unit) == unused_functions(unit_of(text, headers))
        assert 0 not in unused_functions(unit)
