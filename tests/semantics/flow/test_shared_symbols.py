"""Functions that other files may call, and variables that they may set, hold more than the unit shows."""

from __future__ import annotations

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.feature_results import PointerFlow
from openclsp.ide.flow.pointer_flow import compute_flow_at
from openclsp.semantics.database.derived_queries import FLOW
from openclsp.semantics.flow.flow_queries import POINTS_TO, solution
from openclsp.semantics.flow.points_to_values import PointsTo
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.other_files import NO_DECLARATIONS_ELSEWHERE, SEVERAL_FILES, DeclarationsElsewhere

from ..units import ROOT, Headers, edited, unit_of


def rest(included: bool, declared: dict[str, str] | None) -> DeclarationsElsewhere:
    """The rest of a project whose files declare these names."""
    return DeclarationsElsewhere(ROOT, included, lambda: declared)


OWN = b"int load(int *p) { return to_local(p) ? 1 : *p; }\nkernel void k(global int *g) { g[0] = load(g); }\n"
DEFINITION = b"int load(int *p) { return to_local(p) ? 1 : *p; }\n"
PROTOTYPE = b"int load(int *p);\n"
KERNEL = b"kernel void k(global int *g) { g[0] = load(g); }\n"


def unit(
    root: bytes,
    headers: dict[str, bytes] | None = None,
    outside: DeclarationsElsewhere = NO_DECLARATIONS_ELSEWHERE,
) -> TranslationUnit:
    made = unit_of(root, "CL2.0", Headers(headers or {}))
    made.outside = outside
    return made


def told(made: TranslationUnit) -> set[str]:
    """The codes of the findings that depend on the flow."""
    return {each.code for each in compute_diagnostics(made, header_bodies=True)} & {
        "single-space",
        "address-function",
        "several-spaces",
        "empty-pointer",
    }


def flow_of(made: TranslationUnit, text: bytes, part: bytes, document: str = ROOT) -> PointerFlow:
    found = compute_flow_at(made, document, text.index(part))
    assert found is not None
    return found


CLOSED = {"single-space", "address-function"}
SHARED: dict[str, tuple[bytes, dict[str, bytes], DeclarationsElsewhere]] = {
    "a function of a header": (b'#include "h.h"\n' + KERNEL, {"h.h": DEFINITION}, NO_DECLARATIONS_ELSEWHERE),
    "a static function of a header": (
        b'#include "h.h"\n' + KERNEL,
        {"h.h": b"static inline " + DEFINITION},
        NO_DECLARATIONS_ELSEWHERE,
    ),
    "a prototype in a header": (b'#include "h.h"\n' + OWN, {"h.h": PROTOTYPE}, NO_DECLARATIONS_ELSEWHERE),
    "a header that is missing": (b'#include "h.h"\n' + OWN, {}, NO_DECLARATIONS_ELSEWHERE),
    "a prototype in another file": (OWN, {}, rest(False, {"load": "/other.cl"})),
    "prototypes in several files": (OWN, {}, rest(False, {"load": SEVERAL_FILES})),
    "a project that is too large to be read": (OWN, {}, rest(False, None)),
    "a file that others include": (b"static " + OWN, {}, rest(True, {})),
}
NOT_SHARED: dict[str, tuple[bytes, dict[str, bytes], DeclarationsElsewhere]] = {
    "no other declaration": (OWN, {}, NO_DECLARATIONS_ELSEWHERE),
    "a prototype of its own": (PROTOTYPE + OWN, {}, rest(False, {"load": ROOT})),
    "static": (b"static " + OWN, {}, rest(False, {"load": "/other.cl"})),
    "static in a declaration before": (
        b"static " + PROTOTYPE + OWN,
        {},
        rest(False, {"load": "/other.cl"}),
    ),
    "static, and a header is missing": (b'#include "h.h"\nstatic ' + OWN, {}, NO_DECLARATIONS_ELSEWHERE),
    "a header that declares others": (
        b'#include "h.h"\n' + OWN,
        {"h.h": b"int store(int *p);\n"},
        NO_DECLARATIONS_ELSEWHERE,
    ),
}


@pytest.mark.parametrize("name", SHARED)
def test_a_shared_function_has_no_flow_diagnostic(name: str) -> None:
    root, headers, outside = SHARED[name]
    assert not told(unit(root, headers, outside))


@pytest.mark.parametrize("name", NOT_SHARED)
def test_the_unit_knows_all_callers_of_any_other(name: str) -> None:
    root, headers, outside = NOT_SHARED[name]
    assert told(unit(root, headers, outside)) == CLOSED


def test_known_spaces_of_a_shared_parameter_are_shown() -> None:
    text = b'#include "h.h"\n' + OWN
    found = flow_of(unit(text, {"h.h": PROTOTYPE}), text, b"p) ? 1")
    assert (
        [each.word for each in found.spaces] == ["global"]
        and found.unknown
        and found.callable_from_other_files
    )


def test_a_shared_function_begins_the_flow() -> None:
    """A kernel of another file may call `api`, so `helper` gets local memory too."""
    text = b"""\
#include "h.h"
static int helper(int *p) { return *p; }
int api(local int *l) { return helper(l); }
kernel void k(global int *g) { g[0] = helper(g); }
"""
    made = unit(text, {"h.h": b"int api(local int *l);\n"})
    found = flow_of(made, text, b"p) { return *p")
    assert [each.word for each in found.spaces] == ["global", "local"] and not found.unknown
    assert told(made) == {"several-spaces"}


def test_a_kernel_of_a_header_begins_the_flow() -> None:
    text = b"""\
static int helper(int *p) { return *p; }
#include "kernels.h"
kernel void k(global int *g) { g[0] = helper(g); }
"""
    made = unit(text, {"kernels.h": b"kernel void other(local int *l) { l[0] = helper(l); }\n"})
    assert told(made) == {"several-spaces"}
    assert "empty-pointer" in told(
        unit(b'#include "kernels.h"\n', {"kernels.h": b"kernel void k() { int *p = 0; *p = 1; }\n"})
    )


USE = b"kernel void k(global int *g) { *kept = 1; int *q = kept; g[0] = to_global(q) ? 1 : 0; }\n"
UNKNOWN_VARIABLES: dict[str, tuple[bytes, dict[str, bytes], DeclarationsElsewhere]] = {
    "extern": (b"extern int *global kept;\n" + USE, {}, NO_DECLARATIONS_ELSEWHERE),
    "extern, and defined": (
        b"extern int *global kept;\nint *global kept = 0;\n" + USE,
        {},
        NO_DECLARATIONS_ELSEWHERE,
    ),
    "extern in a header": (
        b'#include "h.h"\nint *global kept = 0;\n' + USE,
        {"h.h": b"extern int *global kept;\n"},
        NO_DECLARATIONS_ELSEWHERE,
    ),
    "defined in a header": (
        b'#include "h.h"\n' + USE,
        {"h.h": b"static int *global kept;\n"},
        NO_DECLARATIONS_ELSEWHERE,
    ),
    "extern in another file": (b"int *global kept;\n" + USE, {}, rest(False, {"kept": "/other.cl"})),
    "a file that others include": (b"int *global kept;\n" + USE, {}, rest(True, {})),
    "a header is missing": (b'#include "h.h"\nint *global kept;\n' + USE, {}, NO_DECLARATIONS_ELSEWHERE),
    "an array": (
        b"extern int *global kept[4];\n" + USE.replace(b"kept", b"kept[1]"),
        {},
        NO_DECLARATIONS_ELSEWHERE,
    ),
    "a struct": (
        b'#include "h.h"\n' + USE.replace(b"kept", b"kept.p"),
        {"h.h": b"struct S { int *p; }; extern global struct S kept;\n"},
        NO_DECLARATIONS_ELSEWHERE,
    ),
}


@pytest.mark.parametrize("name", UNKNOWN_VARIABLES)
def test_a_variable_that_another_file_may_set_is_not_known(name: str) -> None:
    root, headers, outside = UNKNOWN_VARIABLES[name]
    assert not told(unit(root, headers, outside))


@pytest.mark.parametrize("declared", [b"int *global kept;\n", b"static int *global kept;\n"])
def test_a_variable_of_one_file_alone_holds_what_that_stores(declared: bytes) -> None:
    assert told(unit(declared + USE)) == {"empty-pointer"}


def held(made: TranslationUnit) -> dict[object, PointsTo]:
    solution(made, FLOW)
    return {item.key: made.database.read(POINTS_TO, item.key) for item in made.items}


def test_after_edits_of_declarations_it_is_as_afresh() -> None:
    headers = {"h.h": PROTOTYPE, "e.h": b"extern int *global kept;\n"}
    variable = b"int *global kept;\n"
    texts = [
        variable + OWN + USE.replace(b"void k", b"void m"),
        b'#include "h.h"\n' + variable + OWN + USE.replace(b"void k", b"void m"),
        b'#include "e.h"\n' + variable + OWN + USE.replace(b"void k", b"void m"),
        b"static " + variable + b"static " + OWN + USE.replace(b"void k", b"void m"),
        b"extern " + variable + variable + OWN + USE.replace(b"void k", b"void m"),
        b'#include "none.h"\n' + variable + OWN + USE.replace(b"void k", b"void m"),
        variable + OWN + USE.replace(b"void k", b"void m"),
    ]
    made = unit(texts[0], headers)
    held(made)
    for text in texts[1:]:
        edited(made, text)
        assert held(made) == held(unit(text, headers))


def test_after_a_change_elsewhere_in_the_project_it_is_as_afresh() -> None:
    outside = rest(False, {"load": "/other.cl"})
    made = unit(OWN)
    assert told(made) == CLOSED
    for now in (outside, NO_DECLARATIONS_ELSEWHERE, rest(True, {})):
        made.outside = now
        assert told(made) == told(unit(OWN, outside=now))
        assert held(made) == held(unit(OWN, outside=now))


def test_a_prototype_in_a_header_that_is_edited() -> None:
    headers = Headers({"h.h": b"int store(int *p);\n"})
    text = b'#include "h.h"\n' + OWN
    made = unit_of(text, "CL2.0", headers)
    assert told(made) == CLOSED
    headers.texts["h.h"] = PROTOTYPE
    made.update(made.document)
    assert not told(made)
    headers.texts["h.h"] = b""
    made.update(made.document)
    assert told(made) == CLOSED
