"""`check --fix` applies the preferred fixes, lists them, and reports the remaining diagnostics."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from openclsp.cli.reusable_units import ReusableUnits
from openclsp.ide.fixes import fix_budget
from openclsp.ide.fixes.project_units import MAXIMUM_OTHER_PROGRAMS
from openclsp.semantics.translation_unit import TranslationUnit

from .conftest import Ran

WRONG = "kernel void k(global int *g) {\n    local int *l = g;\n    *l = 1;\n}\n"
RIGHT = WRONG.replace("local int *l", "global int *l")


def test_the_file_is_written_and_reported(openclsp: Callable[..., Ran], write: Callable[..., Path]) -> None:
    path = write("k.cl", WRONG)
    ran = openclsp("check", "--fix", "k.cl")
    assert path.read_text() == RIGHT
    assert ran.code == 0
    assert "k.cl: fixed error[pointer-conversion]: Point `l` into global" in ran.out
    assert "1 fix applied in k.cl." in ran.out
    assert "No errors" in ran.out


def test_json_tells_what_was_made(openclsp: Callable[..., Ran], write: Callable[..., Path]) -> None:
    write("k.cl", WRONG)
    answer = json.loads(openclsp("check", "--fix", "--format", "json", "k.cl").out)
    (made,) = answer["fixed"]
    assert (made["path"], made["code"], made["title"]) == (
        "k.cl",
        "pointer-conversion",
        "Point `l` into global",
    )
    assert answer["written"] == ["k.cl"]
    assert [file["diagnostics"] for file in answer["files"]] == [[]]


def test_what_needs_a_choice_is_left(openclsp: Callable[..., Ran], write: Callable[..., Path]) -> None:
    text = "kernel void k(constant int *c) {\n    *c = 1;\n}\n"
    path = write("k.cl", text)
    ran = openclsp("check", "--fix", "k.cl")
    assert path.read_text() == text
    assert ran.code == 1
    assert "There are no preferred fixes to apply." in ran.out


@pytest.mark.parametrize(
    ("use", "fix"),
    [
        ("local int *l = tile;\n    l[0] = g[0];", "Point `l` into private"),
        ("((local int *)tile)[0] = g[0];", "Cast to a pointer into private"),
        ("local int *l = (local int *)tile;\n    l[0] = g[0];", "Cast to a pointer into private"),
        ("int *t = tile;\n    local int **l = &t;\n    l[0][0] = g[0];", "Point `*l` into private"),
    ],
)
def test_shared_memory_does_not_become_private_unasked(
    openclsp: Callable[..., Ran], write: Callable[..., Path], use: str, fix: str
) -> None:
    """The array may lack the qualifier `local`."""
    text = f"kernel void k(global int *g) {{\n    int tile[4];\n    {use}\n}}\n"
    path = write("k.cl", text)
    ran = openclsp("check", "--fix", "--std", "CL1.2", "k.cl")
    assert path.read_text() == text
    assert f"fix: {fix}" in ran.out


def test_a_name_of_two_letters_is_not_replaced_unasked(
    openclsp: Callable[..., Ran], write: Callable[..., Path]
) -> None:
    """Half of such a name differs, so that it may as well be the name of another variable."""
    text = (
        "kernel void k(global int *g) {\n    int gx = 1, count = 2;\n    g[0] = px + cuont + gx + count;\n}\n"
    )
    path = write("k.cl", text)
    ran = openclsp("check", "--fix", "k.cl")
    assert path.read_text() == text.replace("cuont", "count")
    assert "`px` is not declared; did you mean `gx`?" in ran.out


def test_a_header_is_changed_only_where_no_other_input_minds(
    openclsp: Callable[..., Ran], write: Callable[..., Path]
) -> None:
    header = write("set.h", "void set(int *a);\n")
    wrong = write("a.cl", '#include "set.h"\nkernel void k(global int *g) {\n    set(g);\n}\n')
    write("b.cl", '#include "set.h"\nkernel void k(global int *g) {\n    int x;\n    set(&x);\n}\n')
    before = wrong.read_text()
    assert openclsp("check", "--fix", "a.cl", "b.cl").code == 1
    assert header.read_text() == "void set(int *a);\n"
    assert wrong.read_text() == before
    # the project's other programs count, whether they are inputs or not
    openclsp("check", "--fix", "a.cl")
    assert header.read_text() == "void set(int *a);\n"
    (wrong.parent / "b.cl").unlink()
    openclsp("check", "--fix", "a.cl")
    assert header.read_text() == "void set(global int *a);\n"


def test_line_ends_and_bytes_that_are_no_text_stay(
    openclsp: Callable[..., Ran], write: Callable[..., Path]
) -> None:
    path = write("k.cl", b"// \xff\r\n" + WRONG.replace("\n", "\r\n").encode())
    openclsp("check", "--fix", "k.cl")
    assert path.read_bytes() == b"// \xff\r\n" + RIGHT.replace("\n", "\r\n").encode()


def test_standard_input_is_no_file(openclsp: Callable[..., Ran]) -> None:
    ran = openclsp("check", "--fix", "-", stdin=WRONG.encode())
    assert ran.code == 2
    assert "standard input" in ran.err


def test_a_header_is_fixed_as_the_kernel_sees_it(
    openclsp: Callable[..., Ran], write: Callable[..., Path]
) -> None:
    write(
        "k.cl", '#define SPACE global\n#include "copy.h"\nkernel void k(global int *g) {\n    copy(g);\n}\n'
    )
    header = write("copy.h", "inline void copy(SPACE int *a) {\n    local int *b = a;\n    *b = 1;\n}\n")
    openclsp("check", "--fix", "copy.h")
    assert "    global int *b = a;\n" in header.read_text()


def test_a_fix_holds_in_every_version_that_is_asked_for(
    openclsp: Callable[..., Ran], write: Callable[..., Path]
) -> None:
    text = "kernel void k(global int *g, local int *l) {\n    local int *p = g;\n    p = l;\n    global int *q = l;\n}\n"
    path = write("k.cl", text)
    openclsp("check", "--fix", "--all-std", "k.cl")
    assert path.read_text() == text.replace("global int *q = l", "local int *q = l")


SHARED = "void set(int *a);\n"
CALLER = '#include "set.h"\nkernel void k(global int *g) {\n    set(g);\n}\n'
MINDING = '#include "set.h"\nkernel void k(global int *g) {\n    int x;\n    set(&x);\n}\n'


def header_fixes(openclsp: Callable[..., Ran]) -> dict[str, bool]:
    """The titles of the fixes of `a.cl` that edit the header, and whether each is preferred."""
    answer = json.loads(openclsp("check", "--format", "json", "a.cl").out)
    return {
        fix["title"]: fix["preferred"]
        for file in answer["files"]
        for each in file["diagnostics"]
        for fix in each["fixes"]
        if any(edit["path"].endswith("set.h") for edit in fix["edits"])
    }


def test_a_fix_of_a_header_is_offered_only_where_no_program_minds(
    openclsp: Callable[..., Ran], write: Callable[..., Path]
) -> None:
    write("set.h", SHARED)
    write("a.cl", CALLER)
    write("other/b.cl", MINDING.replace("set.h", "../set.h"))
    assert "Qualify parameter `a` of `set` as `global`" not in header_fixes(openclsp)
    write("other/b.cl", CALLER.replace("set.h", "../set.h"))
    assert header_fixes(openclsp)["Qualify parameter `a` of `set` as `global`"]


HELPER = "float get(float *p, int i) {\n    return p[i];\n}\n"
PASSES_GLOBAL = '#include "get.h"\nkernel void a(global float *g) {\n    g[0] = get(g, 1);\n}\n'
PASSES_LOCAL = '#include "get.h"\nkernel void b(local float *l) {\n    l[0] = get(l, 1);\n}\n'
PASSES_PRIVATE = (
    '#include "get.h"\nkernel void c(global float *g) {\n    float t[2] = {0};\n    g[0] = get(t, 1);\n}\n'
)


@pytest.mark.parametrize("other", [PASSES_LOCAL, PASSES_PRIVATE])
def test_a_helper_to_which_another_program_passes_another_space_is_copied(
    openclsp: Callable[..., Ran], write: Callable[..., Path], other: str
) -> None:
    header = write("get.h", HELPER)
    kernel = write("a.cl", PASSES_GLOBAL)
    write("b.cl", other)
    assert openclsp("check", "--fix", "a.cl").code == 0
    assert header.read_text().startswith(HELPER)
    assert "float get_global(global float *p, int i)" in header.read_text()
    assert "get_global(g, 1)" in kernel.read_text()
    assert openclsp("check", "--fix", ".").code == 0
    assert "private" not in header.read_text()


def test_a_helper_of_which_two_programs_need_different_copies_gets_both(
    openclsp: Callable[..., Ran], write: Callable[..., Path]
) -> None:
    header = write("get.h", HELPER)
    write("a.cl", PASSES_GLOBAL)
    write("b.cl", PASSES_LOCAL)
    write("c.cl", PASSES_PRIVATE)
    assert openclsp("check", "--fix", ".").code == 0
    assert header.read_text().startswith(HELPER)
    for space in ("global", "local"):
        assert f"float get_{space}({space} float *p, int i)" in header.read_text()


def test_overloads_of_a_helper_serve_the_calls_of_other_programs(
    openclsp: Callable[..., Ran], write: Callable[..., Path]
) -> None:
    write("get.h", HELPER)
    write("a.cl", PASSES_GLOBAL)
    write("b.cl", PASSES_LOCAL)
    shown = openclsp("check", "--std", "CL2.0", ".").out
    assert "Add overloads of `get` for `global` and `local`" in shown


def test_a_fix_of_a_header_that_cannot_be_checked_everywhere_says_so(
    openclsp: Callable[..., Ran], write: Callable[..., Path]
) -> None:
    header = write("set.h", SHARED)
    write("a.cl", CALLER)
    for number in range(MAXIMUM_OTHER_PROGRAMS + 1):
        write(f"b{number}.cl", CALLER)
    title = (
        f"Qualify parameter `a` of `set` as `global` (not checked in b0.cl and {MAXIMUM_OTHER_PROGRAMS} more)"
    )
    assert header_fixes(openclsp)[title] is False
    openclsp("check", "--fix", "a.cl")
    assert header.read_text() == SHARED


def test_several_inputs_that_share_a_header_are_fixed_together(
    openclsp: Callable[..., Ran], write: Callable[..., Path]
) -> None:
    header = write("set.h", SHARED)
    write("a.cl", CALLER)
    write("b.cl", CALLER)
    assert openclsp("check", "--fix", "a.cl", "b.cl").code == 0
    assert header.read_text() == "void set(global int *a);\n"


def test_a_function_that_another_file_declares_is_not_changed_unasked(
    openclsp: Callable[..., Ran], write: Callable[..., Path]
) -> None:
    text = "void set(int *a) {\n    *a = 1;\n}\nkernel void k(global int *g) {\n    set(g);\n}\n"
    file = write("a.cl", text)
    write("b.cl", "void set(int *a);\nkernel void l(global int *g) {\n    int x;\n    set(&x);\n}\n")
    openclsp("check", "--fix", "a.cl")
    assert file.read_text() == text
    shown = openclsp("check", "a.cl").out
    assert "Qualify parameter `a` of `set` as `global` (`set` is also declared in b.cl)" in shown
    file.write_text(f"static {text}")
    openclsp("check", "--fix", "a.cl")
    assert "static void set(global int *a)" in file.read_text()


def test_what_is_left_out_is_said(
    openclsp: Callable[..., Ran], write: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fix_budget, "BASE_TOKENS", 5_000)
    lines = "".join(f"    local int *p{number} = g;\n" for number in range(100))
    write("a.cl", f"kernel void k(global int *g) {{\n{lines}}}\n")
    assert re.search(r"a\.cl: fixes of \d+ diagnostics were skipped", openclsp("check", "a.cl").out)
    (file,) = json.loads(openclsp("check", "--format", "json", "a.cl").out)["files"]
    fixed = [each for each in file["diagnostics"] if each["fixes"]]
    assert fixed
    assert len(fixed) + file["fixesLeftOut"] == 100
    assert "run --fix again for the rest" in openclsp("check", "--fix", "a.cl").out
    answer = json.loads(openclsp("check", "--fix", "--format", "json", "a.cl").out)
    assert answer["fixesLeftOut"]["a.cl"] > 0


def test_a_program_that_is_much_larger_is_not_checked(
    openclsp: Callable[..., Ran], write: Callable[..., Path]
) -> None:
    write("shared.h", "void set(int *a) {\n    *a = 1;\n}\n")
    kernel = '#include "shared.h"\nkernel void k(global int *g) {\n    set(g);\n}\n'
    write("small.cl", kernel)
    write("large.cl", kernel.replace("k(", "other("))
    assert "(not checked in large.cl)" not in openclsp("check", "small.cl").out
    functions = "".join(
        f"int f{number}(int a, int b) {{ return a + b * {number}; }}\n" for number in range(3000)
    )
    write("large.cl", functions + kernel.replace("k(", "other("))
    assert "(not checked in large.cl)" in openclsp("check", "small.cl").out


PROGRAMS = {
    "shared.h": "typedef float real;\n"
    "real first(real *p) { return p[0]; }\n"
    "void store(local real *p, real x) { p[1] = x; }\n",
    "a.cl": '#include "shared.h"\nkernel void a(global real *g) { local real *p = g; p[0] = first(g); }\n',
    "b.cl": '#define WIDE\n#include "shared.h"\nkernel void b(global real *g) { store(g, 1); undeclared_b(g); }\n',
    "c.cl": '#include "shared.h"\nkernel void c(local real *l) { store(l, 2); global real *p = l; p[0] = 1; }\n',
    "d.cl": '#include "shared.h"\nkernel void d(constant real *c, global int *n) { n[0] = c[0]; int *q = n; *q = 1; }\n',
}


def test_one_run_fixes_files_like_a_run_for_each(
    openclsp: Callable[..., Ran], write: Callable[..., Path]
) -> None:
    """A unit that serves several files fixes each of them like a new unit."""
    kernels = [name for name in PROGRAMS if name.endswith(".cl")]
    after = []
    for runs in ([kernels], [[name] for name in kernels]):
        paths = {name: write(name, text) for name, text in PROGRAMS.items()}
        for each in runs:
            openclsp("check", "--fix", "--std", "CL1.2", *each)
        after.append({name: path.read_text() for name, path in paths.items()})
    assert after[0] == after[1]
    assert [name for name, text in PROGRAMS.items() if after[0][name] != text] == [
        "shared.h",
        "a.cl",
        "c.cl",
        "d.cl",
    ]


def test_the_fixes_of_many_files_use_one_unit(
    openclsp: Callable[..., Ran], write: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    write("many.h", "".join(f"int f{number}(int n) {{ return n + {number}; }}\n" for number in range(50)))
    for number in range(20):
        body = f"int *p = g; *p = f{number}(1);"
        write(f"{number:02}.cl", f'#include "many.h"\nkernel void k(global int *g) {{ {body} }}\n')
    used = []
    real = ReusableUnits.give_back

    def give_back(units: ReusableUnits, unit: TranslationUnit) -> None:
        used.append(unit)
        real(units, unit)

    monkeypatch.setattr(ReusableUnits, "give_back", give_back)
    openclsp("check", "--diff", "--std", "CL1.2", "--jobs", "1", ".")
    assert len(used) >= 20
    assert len(set(map(id, used))) == 1
