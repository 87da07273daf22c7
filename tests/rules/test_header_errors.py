"""Errors in functions of headers, which editors show at the include directive."""

from __future__ import annotations

from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.rules.runner.unit_findings import SHORT_HEADERS
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document

from ..semantics.units import ROOT, Headers, unit_of

KERNEL = b'#include "h.h"\nkernel void k(global int *a) { a[0] = get(a); }\n'
FAULTY = b"static int get(global int *p) { local int *q = p; int unused; return *q; }\n"
CORRECT = FAULTY.replace(b"local", b"global")


def codes(unit: TranslationUnit) -> list[tuple[str, str]]:
    """The codes of all diagnostics, with their documents."""
    return [(each.code, each.location.document) for each in compute_diagnostics(unit)]


def test_errors_in_functions_of_short_headers_are_reported_and_warnings_are_not() -> None:
    unit = unit_of(KERNEL, "CL1.2", Headers({"h.h": FAULTY}))
    assert codes(unit) == [("pointer-conversion", "/h.h")]
    assert codes(unit_of(KERNEL, "CL1.2", Headers({"h.h": CORRECT}))) == []


def test_errors_in_functions_of_long_headers_are_not_searched_for() -> None:
    headers = Headers({"h.h": FAULTY + b"//" + b"x" * SHORT_HEADERS})
    assert codes(unit_of(KERNEL, "CL1.2", headers)) == []


def test_they_follow_edits_of_the_header_and_of_what_it_uses() -> None:
    headers = Headers({"h.h": CORRECT.replace(b"global int *q", b"SPACE int *q")})
    unit = unit_of(b"#define SPACE global\n" + KERNEL, "CL1.2", headers)
    assert codes(unit) == []
    unit.update(Document.of(ROOT, b"#define SPACE local\n" + KERNEL))
    assert codes(unit) == [("pointer-conversion", "/h.h")]
    headers.texts["h.h"] = CORRECT
    unit.update(unit.document, headers_changed=True)
    assert codes(unit) == []


def test_the_argument_of_a_call_in_a_header_is_checked() -> None:
    text = b"int use(local int *p) { return *p; }\nstatic int get(global int *p) { return use(p); }\n"
    assert codes(unit_of(KERNEL, "CL1.2", Headers({"h.h": text}))) == [("pointer-conversion", "/h.h")]
