"""Diagnostics of a program with unknown language version: those common to all versions, computed only for items that have any."""

from __future__ import annotations

import itertools

from openclsp.ide.diagnostics.diagnostics import compute_all_diagnostics, compute_diagnostics
from openclsp.ide.diagnostics.version_intersection import intersect_diagnostics
from openclsp.ide.feature_results import Diagnostic, Location
from openclsp.language.dialect import Dialect
from openclsp.project.file_system import DocumentStore
from openclsp.project.option_layers import ConfigurationOrigins
from openclsp.project.read_permission import ReadPermission
from openclsp.rules.finding import Severity
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.build_configuration import BuildConfiguration
from openclsp.source.document import Document
from openclsp.source.text import Text
from openclsp.workspace.include_loader import IncludeLoader
from openclsp.workspace.units import UnitConfig

from ..fuzz.test_growth import calls_of

NAME = "/folder/kernel.cl"
HEALTHY = b"".join(b"int f%d(int a) { int b = a + %d; return b * a; }\n" % (i, i) for i in range(200))
FAULT = b"kernel void k(global int *g) { local int *l = g; }\n"


def unit_of(data: bytes, standard: str = "CL1.2", *others: str) -> TranslationUnit:
    configuration = BuildConfiguration(Dialect.of(standard))
    document = Document.of(NAME, data)
    permission = ReadPermission.for_named_paths(("/folder",), resolve=str)
    loader = IncludeLoader(configuration, permission, DocumentStore(open_documents={NAME: document}))
    dialects = tuple(map(Dialect.of, others))
    unit = UnitConfig(
        NAME, configuration, ConfigurationOrigins("chosen by the test"), other_dialects=dialects
    )
    return TranslationUnit(unit, document, loader)


def codes(unit: TranslationUnit) -> list[str]:
    return [each.code for each in compute_diagnostics(unit)]


def test_only_the_items_with_diagnostics_are_judged_in_other_versions() -> None:
    unit = unit_of(HEALTHY + FAULT, "CL1.2", "CL2.0")
    assert codes(unit) == ["pointer-conversion"]
    other = unit.as_dialect(Dialect.of("CL2.0"))
    assert other.typed_tokens < unit.typed_tokens / 20


def test_an_edit_judges_only_its_item_in_other_versions() -> None:
    unit = unit_of(HEALTHY + FAULT, "CL1.2", "CL2.0")
    compute_diagnostics(unit)
    other = unit.as_dialect(Dialect.of("CL2.0"))
    before = other.typed_tokens
    for number in range(3):
        edited = HEALTHY.replace(b"b = a + 7;", b"b = a + x%d;" % number) + FAULT
        unit.update(Document(NAME, Text.of(edited)), headers_changed=False)
        assert codes(unit) == codes(unit_of(edited, "CL1.2", "CL2.0"))
    assert unit.as_dialect(Dialect.of("CL2.0")) is other
    assert other.typed_tokens - before < unit.typed_tokens / 20


def test_items_that_the_versions_spell_in_different_ways_are_compared() -> None:
    different = (
        b"#if __OPENCL_VERSION__ < 200\nvoid f(global int *g) { local int *l = g; }\n"
        b"#else\nvoid h(global int *g) { local int *l = g; }\n#endif\n"
    )
    assert codes(unit_of(different, "CL1.2", "CL2.0")) == []
    assert codes(unit_of(FAULT + different, "CL1.2", "CL2.0")) == ["pointer-conversion"]


def test_the_answer_is_that_of_all_items() -> None:
    texts = (
        HEALTHY + FAULT,
        b"void f(int *p) {}\nkernel void k(global int *g) { f(g); barrier(1); }\n",
        b"#define F(g) { local int *l = g; unknown(l); }\nvoid f(global int *g) F(g)\nvoid h(global int *g) F(g)\n",
        b"int *f(void);\nint f(void);\nglobal int *g;\nkernel void k(local int *p) { g = p; }\n",
    )
    for text, (one, other) in itertools.product(
        texts, itertools.permutations(("CL1.2", "CL2.0", "CL3.0"), 2)
    ):
        together = unit_of(text, one, other)
        compared = intersect_diagnostics(
            compute_all_diagnostics(unit_of(text, one)), compute_all_diagnostics(unit_of(text, other))
        )
        reported = [(each.code, each.location, each.severity) for each in compute_diagnostics(together)]
        assert set(reported) <= {(each.code, each.location, each.severity) for each in compared}
        assert {each for each in reported if each[2] is Severity.ERROR} == {
            (each.code, each.location, each.severity) for each in compared if each.severity is Severity.ERROR
        }


def test_of_hints_with_one_message_only_the_first_is_searched_in_other_versions() -> None:
    unit = unit_of(HEALTHY.replace(b"int f", b"UNKNOWN int f"), "CL1.2", "CL2.0")
    assert codes(unit) == ["unknown-name"]
    other = unit.as_dialect(Dialect.of("CL2.0"))
    assert other.typed_tokens < unit.typed_tokens / 20


def test_a_hint_whose_first_place_is_in_one_version_only_is_searched_at_the_others() -> None:
    only = b"#if __OPENCL_VERSION__ %s 200\nUNKNOWN void f(void) {}\n#endif\n"
    always = b"UNKNOWN void g(void) {}\n"
    for condition, one, other in ((b"<", "CL1.2", "CL2.0"), (b">=", "CL2.0", "CL1.2")):
        assert codes(unit_of(only % condition + always, one, other)) == ["unknown-name"]
        assert codes(unit_of(only % condition, one, other)) == []


def test_comparing_takes_no_square_of_the_diagnostics() -> None:
    def many(count: int) -> list[Diagnostic]:
        return [
            Diagnostic(
                "unknown-name", Severity.HINT, f"name {number}", Location(NAME, number, number + 2_000)
            )
            for number in range(count)
        ]

    small, large = (calls_of(lambda n=n: intersect_diagnostics(many(n), many(n))) for n in (200, 400))
    assert large < 2.2 * small
    assert len(intersect_diagnostics(many(400), many(200))) == 400
