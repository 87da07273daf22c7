"""An exceeded limit of the analysis is a diagnostic at its place and causes no false ones elsewhere."""

from __future__ import annotations

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.feature_results import Diagnostic
from openclsp.language.dialect import Dialect
from openclsp.project.file_system import DocumentStore
from openclsp.project.option_layers import ConfigurationOrigins
from openclsp.project.read_permission import ReadPermission
from openclsp.rules.finding import Severity
from openclsp.rules.runner.incomplete_analysis import INCOMPLETE_ANALYSIS_CODES
from openclsp.rules.runner.rule_registry import CODES
from openclsp.semantics.items import unit_part
from openclsp.semantics.limits import (
    MAXIMUM_CHUNK,
    MAXIMUM_DEPTH,
    MAXIMUM_LEVELS,
    MAXIMUM_OVERLOADS,
    MAXIMUM_TEXT,
)
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source import incremental_preprocessing, line_reader
from openclsp.source.build_configuration import BuildConfiguration
from openclsp.source.document import Document
from openclsp.source.text import Text
from openclsp.workspace.include_loader import IncludeLoader
from openclsp.workspace.units import UnitConfig

from ..interpreted import interpreted

NAME = "/folder/kernel.cl"
FAULT = b"\nkernel void k(global int *g) { local int *l = g; }\n"
DOUBLING = b"#define A0 n = 1;\n" + b"".join(b"#define A%d A%d A%d\n" % (i + 1, i, i) for i in range(15))


def unit_of(data: bytes) -> TranslationUnit:
    configuration = BuildConfiguration(Dialect.of("CL1.2"))
    document = Document.of(NAME, data)
    permission = ReadPermission.for_named_paths(("/folder",), resolve=str)
    loader = IncludeLoader(configuration, permission, DocumentStore(open_documents={NAME: document}))
    return TranslationUnit(
        UnitConfig(NAME, configuration, ConfigurationOrigins("chosen by the test")), document, loader
    )


def found(data: bytes) -> list[tuple[str, int]]:
    return said(compute_diagnostics(unit_of(data)))


def said(answers: tuple[Diagnostic, ...]) -> list[tuple[str, int]]:
    return [(each.code, each.location.start) for each in answers]


def test_the_codes_of_incomplete_analyses_have_pages() -> None:
    assert set(CODES) >= INCOMPLETE_ANALYSIS_CODES


@pytest.mark.parametrize("count", [1, 12, 13, 16, 17, 100, 200, 500, 5_000])
@pytest.mark.parametrize(
    ("before", "bracket"),
    [
        (b"void f(void) ", b"{"),
        (b"int x = ", b"("),
        (b"int a", b"["),
        (b"constant int a[] = ", b"{"),
        (b"void f(int n) { n = ", b"("),
        (b"void f(int n) { ", b"{\n"),
        (b"void f(int *n) { n", b"["),
        (b"void f(void) { float *n; n", b"["),
        (b"void f(int *n) { n", b"]"),
    ],
)
def test_a_bracket_that_is_not_closed_is_an_error_however_many(
    before: bytes, bracket: bytes, count: int
) -> None:
    answers = compute_diagnostics(unit_of(before + bracket * count))
    assert "syntax-error" in {each.code for each in answers}


@pytest.mark.parametrize(
    "nested",
    [
        b"n = " + b"(" * 300 + b"1" + b")" * 300 + b";",
        b"n = " + b"~" * 300 + b"1;",
        b"n = 1" + b" + n" * 300 + b";",
        b"if (n) ; " + b"else if (n) ; " * 300,
        b"{" * 300 + b"}" * 300,
        b"n = " + b"n ? 1 : " * 300 + b"2;",
        b"int a[] = " + b"{" * 300 + b"1" + b"}" * 300 + b";",
        b"while (n) " * 300 + b";",
    ],
    ids=lambda nested: nested[:12].decode(),
)
def test_code_nested_too_deeply_is_one_analysis_limit(nested: bytes) -> None:
    codes = [code for code, _ in found(b"void f(int n) { " + nested + b" }" + FAULT)]
    assert codes == ["analysis-limit", "pointer-conversion"]
    assert MAXIMUM_DEPTH < 300


def test_calls_of_a_function_with_too_many_overloads() -> None:
    overloads = b"".join(
        b"__attribute__((overloadable)) int f(struct s%d *a);\n" % number
        for number in range(MAXIMUM_OVERLOADS)
    )
    one_more = b"__attribute__((overloadable)) int f(int a, int b);\n"
    call = b"void g(int n) { f(n); }\n"
    assert [code for code, _ in found(overloads + call)] == ["no-matching-overload"]
    assert [code for code, _ in found(overloads + one_more + call)] == ["analysis-limit"]


def test_pointers_to_pointers_beyond_the_bound() -> None:
    within = b"*" * MAXIMUM_LEVELS
    typedef = (
        b"typedef int " + b"*" * 16 + b"p16; void g(void) { p16 " + b"*" * (MAXIMUM_LEVELS - 16) + b"q; }"
    )
    assert [code for code, _ in found(b"void f(void) { int " + within + b"p; }" + typedef + FAULT)] == [
        "pointer-conversion"
    ]
    stars = b"*" + within
    assert [code for code, _ in found(b"void f(void) { int " + stars + b"p; }" + FAULT)] == [
        "analysis-limit",
        "pointer-conversion",
    ]


def test_no_place_lies_behind_the_end_of_the_document() -> None:
    data = b"\x01\\"
    assert [each.location.end for each in compute_diagnostics(unit_of(data))] == [len(data)]


def test_a_function_that_is_too_large() -> None:
    large = b"void f(int n) {" + b" n;" * (MAXIMUM_CHUNK // 3) + b"}"
    assert found(large + FAULT)[0] == ("analysis-limit", 0)
    assert [code for code, _ in found(large + FAULT)] == ["analysis-limit", "pointer-conversion"]


def test_what_a_large_function_declares_is_unknown() -> None:
    large = b"typedef struct {" + b" int a;" * (MAXIMUM_CHUNK // 7) + b"} t;"
    answers = compute_diagnostics(unit_of(large + b"\nvoid f(t *a) { a->x = 1; g(a); }\n"))
    assert [each.code for each in answers if each.severity is not Severity.HINT] == ["analysis-limit"]


def test_a_text_that_is_too_long() -> None:
    comment = b"/*" + b" " * MAXIMUM_TEXT + b"*/"
    assert {code for code, _ in found(comment + b"int x;" + FAULT)} == {"analysis-limit"}


@interpreted(unit_part)
def test_too_many_declarations_and_edits_across_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unit_part, "MAXIMUM_CHUNKS", 50)
    many = b";" * 49
    within, beyond = many + FAULT, b";" + many + FAULT
    assert [code for code, _ in found(within)] == ["pointer-conversion"]
    unit = unit_of(within)
    for data in (beyond, within, b"int" + beyond, b"int x" + within, within):
        unit.update(Document(NAME, Text.of(data)), headers_changed=False)
        assert said(compute_diagnostics(unit)) == found(data)
    assert found(beyond) == [("analysis-limit", len(many) + 2)]


@interpreted(line_reader)
def test_macros_that_bring_too_much_into_one_document(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_reader, "MAXIMUM_PRODUCED_BYTES", 2_000)
    uses = b"".join(b"void f%d(int n) { A6 }\n" % number for number in range(20))
    unit = unit_of(DOUBLING + uses + FAULT)
    assert len(unit.preprocessed.text) < 4_000
    assert [each.code for each in unit.preprocessed.problems] == ["expansion-too-large"]


@interpreted(line_reader)
def test_the_arguments_of_a_macro_that_is_not_expanded_may_be_parts_of_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rounds = b"#define ROUND(x, y) x ## 0 += y ## 1\n"
    body = b"void g(int n) { int tmp0 = n, tmp1 = n; ROUND(tmp, tmp); n = tpm0; }\n"
    assert [code for code, _ in found(DOUBLING + rounds + body)] == ["undeclared-name"]
    monkeypatch.setattr(line_reader, "MAXIMUM_PRODUCED_BYTES", 2_000)
    uses = b"".join(b"void f%d(int n) { A6 }\n" % number for number in range(20))
    codes = {code for code, _ in found(DOUBLING + rounds + uses + body)}
    assert codes == {"expansion-too-large"}


@interpreted(line_reader)
def test_a_macro_that_is_not_expanded_may_bring_an_attribute(monkeypatch: pytest.MonkeyPatch) -> None:
    api = b"#define API __attribute__((overloadable))\n"
    functions = (
        b"float API twice(float x) { return x + x; }\nkernel API void k(global float *p) { p[0] = 1; }\n"
    )
    monkeypatch.setattr(line_reader, "MAXIMUM_PRODUCED_BYTES", 2_000)
    uses = b"".join(b"void f%d(int n) { A6 }\n" % number for number in range(20))
    codes = {code for code, _ in found(DOUBLING + api + uses + functions)}
    assert codes == {"expansion-too-large"}


@interpreted(line_reader)
def test_edits_across_the_bound_of_macros(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (line_reader, incremental_preprocessing):
        monkeypatch.setattr(module, "MAXIMUM_PRODUCED_BYTES", 2_000)
    use = b"void f%d(int n) {\nA6\n}\n"
    data = DOUBLING + b"".join(use % number for number in range(4))
    unit = unit_of(data)
    moved = data.replace(b"{\nA6", b"{\n A6", 1)
    for changed in (moved, data + use % 9, data, moved, data + use % 9 + use % 10, moved, data):
        unit.update(Document(NAME, Text.of(changed)), headers_changed=False)
        fresh = unit_of(changed).preprocessed
        assert unit.preprocessed.text == fresh.text
        assert unit.preprocessed.problems == fresh.problems


@interpreted(line_reader)
def test_reused_rows_count_towards_the_bound_of_macros(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (line_reader, incremental_preprocessing):
        monkeypatch.setattr(module, "MAXIMUM_PRODUCED_BYTES", 2_000)
    uses = (
        b"".join(b"void f%d(int n) {\nA6\n}\n" % number for number in range(3))
        + b"void g(int n) {\nB\nB\nB\n}\n"
    )
    empty, small, large = (b"#define B %b\n" % text for text in (b"", b"A2", b"A6"))
    unit = unit_of(DOUBLING + empty + uses)
    for define in (small, large, empty, large, small, large, small):
        unit.update(Document(NAME, Text.of(DOUBLING + define + uses)), headers_changed=False)
        fresh = unit_of(DOUBLING + define + uses).preprocessed
        assert unit.preprocessed.text == fresh.text
        assert unit.preprocessed.problems == fresh.problems
