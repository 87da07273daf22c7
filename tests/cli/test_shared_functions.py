"""Diagnostics of a helper that several kernels call hold for all of them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from openclsp.cli import reusable_units
from openclsp.ide.flow import project_flow
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.workspace.project_programs import MAXIMUM_SHARING_PROGRAMS
from openclsp.workspace.units import UnitConfig

from ..interpreted import interpreted

HELPER = "int load(int *p) { return to_local(p) ? 1 : *p; }\n"
FLOW_CODES = {"single-space", "address-function", "several-spaces"}


def flow_codes(ran: Any) -> dict[str, set[str]]:
    """The codes of the findings that depend on the flow, by file."""
    found = {
        file["path"]: {each["code"] for each in file["diagnostics"]} & FLOW_CODES
        for file in json.loads(ran.out)["files"]
    }
    return {path: codes for path, codes in found.items() if codes}


CHECK = ("check", "--std", "CL2.0", "--format", "json")


def test_a_helper_of_a_header(openclsp: Any, write: Any) -> None:
    """What each kernel passes is known, so the helper is told what all of them pass."""
    write("load.h", HELPER)
    write("a.cl", '#include "load.h"\nkernel void a(global int *g) { g[0] = load(g); }\n')
    write("b.cl", '#include "load.h"\nkernel void b(local int *l) { l[0] = load(l); }\n')
    for path in ("load.h", "a.cl", "b.cl"):
        assert set().union(*flow_codes(openclsp(*CHECK, path)).values()) == {"several-spaces"}
    write("b.cl", '#include "load.h"\nkernel void b(global int *l) { l[0] = load(l); }\n')
    assert flow_codes(openclsp(*CHECK, "load.h")) == {"load.h": {"single-space", "address-function"}}
    write(
        "b.cl", '#include "missing.h"\n#include "load.h"\nkernel void b(local int *l) { l[0] = load(l); }\n'
    )
    assert flow_codes(openclsp(*CHECK, "load.h")) == {}


def test_a_helper_of_a_header_that_a_host_string_includes(openclsp: Any, write: Any) -> None:
    """The program in the string may pass anything."""
    write("load.h", HELPER)
    write("a.cl", '#include "load.h"\nkernel void a(global int *g) { g[0] = load(g); }\n')
    assert flow_codes(openclsp(*CHECK, "a.cl")) == {"load.h": {"single-space", "address-function"}}
    program = '#include "load.h"\nkernel void b(global int *g) { local int a[4]; a[0] = 1; g[0] = load(a); }'
    write("host.cpp", f'const char *s = R"({program})";')
    for path in ("host.cpp", "a.cl", "load.h"):
        assert flow_codes(openclsp(*CHECK, path)) == {}


@pytest.mark.parametrize(
    ("passed", "codes"),
    [("l", {"several-spaces"}), ("g", {"single-space", "address-function"})],
)
def test_a_text_that_is_no_file_counts_as_a_program(
    openclsp: Any, write: Any, passed: str, codes: set[str]
) -> None:
    write("load.h", HELPER)
    write("a.cl", '#include "load.h"\nkernel void a(global int *g) { g[0] = load(g); }\n')
    text = f'#include "load.h"\nkernel void b(global int *g, local int *l) {{ g[0] = load({passed}); }}\n'
    ran = openclsp(*CHECK, "--stdin-path", "b.cl", "-", stdin=text.encode())
    assert flow_codes(ran) == {"load.h": codes}


def test_a_helper_that_the_programs_expand_differently(openclsp: Any, write: Any) -> None:
    """Its graphs cannot be joined: unknown and silent."""
    write("load.h", "int load(int *p) { return EXTRA *p; }\n")
    write("a.cl", '#define EXTRA\n#include "load.h"\nkernel void a(global int *g) { g[0] = load(g); }\n')
    write("b.cl", '#define EXTRA 1 +\n#include "load.h"\nkernel void b(global int *g) { g[0] = load(g); }\n')
    assert flow_codes(openclsp(*CHECK, "load.h", "a.cl", "b.cl")) == {}


def test_a_prototype_in_another_file(openclsp: Any, write: Any) -> None:
    write("a.cl", HELPER + "kernel void a(global int *g) { g[0] = load(g); }\n")
    arguments = (*CHECK, "a.cl")
    assert flow_codes(openclsp(*arguments)) == {"a.cl": {"single-space", "address-function"}}
    # declared elsewhere, and called by nobody there: its callers are not in the project
    write("b.cl", "int load(int *p);\nkernel void b(local int *l) { l[0] = 1; }\n")
    assert flow_codes(openclsp(*arguments)) == {}
    assert "other files may call `load`" in openclsp("hover", "--std", "CL2.0", "a.cl:1:15").out
    write("b.cl", "int load(int *p);\nkernel void b(local int *l) { l[0] = load(l); }\n")
    assert flow_codes(openclsp(*arguments)) == {"a.cl": {"several-spaces"}}
    # two definitions: which one it calls is not known
    write("c.cl", HELPER)
    assert flow_codes(openclsp(*arguments)) == {}


def test_a_kernel_file_that_another_includes(openclsp: Any, write: Any) -> None:
    write("a.cl", HELPER + "kernel void a(global int *g) { g[0] = load(g); }\n")
    write("b.cl", '#include "a.cl"\nkernel void b(local int *l) { l[0] = load(l); }\n')
    assert flow_codes(openclsp(*CHECK, "a.cl")) == {"a.cl": {"several-spaces"}}


def test_the_callers_of_other_files_are_witnesses(openclsp: Any, write: Any) -> None:
    write("load.h", HELPER)
    write("a.cl", '#include "load.h"\nkernel void a(global int *g) { g[0] = load(g); }\n')
    write("b.cl", '#include "load.h"\nkernel void b(local int *l) { l[0] = load(l); }\n')
    shown = openclsp("flow", "--std", "CL2.0", "--format", "text", "load.h:1:15").out
    assert "global  kernel a  a.cl:2" in shown and "local   kernel b  b.cl:2" in shown
    assert "argument of `load` at b.cl:2:43" in shown


def test_fix_leaves_a_shared_helper_alone(openclsp: Any, write: Any) -> None:
    path = write("load.h", HELPER)
    write("a.cl", '#include "load.h"\nkernel void a(global int *g) { g[0] = load(g); }\n')
    write("b.cl", '#include "load.h"\nkernel void b(local int *l) { l[0] = load(l); }\n')
    openclsp("check", "--std", "CL2.0", "--fix", "a.cl")
    assert path.read_text(encoding="utf-8") == HELPER


@interpreted(reusable_units)
def test_programs_that_include_one_header_are_read_with_one_unit(
    openclsp: Any, write: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("shared.h", "int first(const int *p) { return to_local(p) ? 0 : *p; }\n")
    for number in range(6):
        write(f"k{number}.cl", '#include "shared.h"\nkernel void k(global int *g) { g[0] = first(g); }\n')
    made: list[str] = []

    def make(target: UnitConfig, *rest: Any, **options: Any) -> TranslationUnit:
        made.append(target.root)
        return TranslationUnit(target, *rest, **options)

    monkeypatch.setattr(reusable_units, "TranslationUnit", make)
    openclsp("check", "--jobs", "1", "--std", "CL2.0", ".")
    # one for the files and one for the programs beside each
    assert len(made) == 2


@interpreted(reusable_units)
@interpreted(project_flow)
def test_a_program_beside_too_many_is_read_once(
    openclsp: Any, write: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What its own functions get is known as a whole program, but takes no unit beside that of the file."""
    write("kept.h", "static int *kept;\nstatic int first(const int *p) { return *p; }\n")
    spaces = "global", "local"
    for number in range(MAXIMUM_SHARING_PROGRAMS + 1):
        space = spaces[number % 2]
        through = "(int *)(ulong)kept" if number % 3 == 0 else "kept"
        write(
            f"k{number}.cl",
            f'#include "kept.h"\nstatic {HELPER}'
            f"kernel void k({space} int *g, local int *l) {{ kept = g; *l = first(l); *g = load({through}); }}\n",
        )
    made: list[str] = []

    def make(target: UnitConfig, *rest: Any, **options: Any) -> TranslationUnit:
        made.append(target.root)
        return TranslationUnit(target, *rest, **options)

    monkeypatch.setattr(reusable_units, "TranslationUnit", make)
    ran = openclsp(*CHECK, "--no-fixes", "--jobs", "1", ".")
    assert set().union(*flow_codes(ran).values()) == {"single-space", "address-function"}
    assert len(made) == 1
    monkeypatch.setattr(project_flow, "flow_as_program", lambda *arguments: None)
    assert openclsp(*CHECK, "--no-fixes", "--jobs", "1", ".").out == ran.out
    assert len(made) == 3
