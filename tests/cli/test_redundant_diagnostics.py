"""A hint that occurs often in a file is shown once, with its other places and their causes."""

from __future__ import annotations

import json
from typing import Any

import pytest

STRINGS = """kernel void k(constant char *c, constant char *d) {{
    printf("%s", c);{}
    printf("%s", d);{}
    printf("%s %s", "x", c);{}
}}
"""
IGNORED = " // openclsp: ignore[printf-string]"


def diagnostics_of(openclsp: Any, path: str) -> list[dict[str, Any]]:
    """The diagnostics of one file."""
    ran = openclsp("check", "--format", "json", "--no-fixes", path)
    return [each for file in json.loads(ran.out)["files"] for each in file["diagnostics"]]


def lines(found: dict[str, Any]) -> list[int]:
    """The lines of a diagnostic and of its related places, from 1."""
    spots = (found, *found["related"])
    return [each["range"]["start"]["line"] for each in spots]


@pytest.mark.parametrize(
    ("ignored", "left"), [((0, 0, 0), [2, 3, 4]), ((1, 0, 0), [3, 4]), ((0, 1, 0), [2, 4]), ((1, 1, 0), [4])]
)
def test_an_ignored_place_is_none_of_those_that_are_counted(openclsp, write, ignored, left):
    write("k.cl", STRINGS.format(*(IGNORED if each else "" for each in ignored)))
    (found,) = diagnostics_of(openclsp, "k.cl")
    assert found["code"] == "printf-string"
    places = [line for line in lines(found) if line > 1]
    assert places == left
    ending = {
        1: "it must be a string literal",
        2: "the same at 1 other place in this file",
        3: "at 2 other places in this file",
    }
    assert found["message"].endswith(ending[len(left)])


def test_ignoring_every_place_leaves_nothing_and_every_comment_is_of_use(openclsp, write):
    write("k.cl", STRINGS.format(IGNORED, IGNORED, IGNORED))
    assert diagnostics_of(openclsp, "k.cl") == []


def test_a_fault_of_a_macro_is_reported_at_its_first_use(openclsp, write):
    write(
        "k.cl",
        "#define FIRST(p) ({ int *first = (p); first[0]; })\n"
        "void f(const int *a, const int *b, int *c) {\n"
        "    int x = FIRST(a);\n"
        "    int y = FIRST(b);\n"
        "    int z = FIRST(a) + FIRST(c);\n"
        "    int *d = b;\n"
        "}\n",
    )
    through, plain = diagnostics_of(openclsp, "k.cl")
    assert (through["code"], plain["code"]) == ("discarded-qualifiers", "discarded-qualifiers")
    assert through["message"].endswith("; the same at 2 other places in this file")
    assert {3, 4, 5} <= set(lines(through))
    assert lines(plain)[0] == 6


def test_an_error_is_reported_at_every_use_of_a_macro(openclsp, write):
    write(
        "k.cl",
        "#define FIRST(p) ({ local int *first = (p); first[0]; })\n"
        "void f(global int *a) {\n"
        "    int x = FIRST(a);\n"
        "    int y = FIRST(a);\n"
        "}\n",
    )
    assert [each["code"] for each in diagnostics_of(openclsp, "k.cl")] == [
        "pointer-conversion",
        "pointer-conversion",
    ]


def test_errors_that_only_the_hosts_macros_decide_on_are_one_hint(openclsp, write):
    write("compile_flags.txt", "")
    write(
        "k.cl",
        '#ifndef SIZE\n#error "no SIZE"\n#endif\n#ifndef TYPE\n#error "no TYPE"\n#endif\nkernel void k(void) { }\n',
    )
    (found,) = diagnostics_of(openclsp, "k.cl")
    assert found["code"] == "error-directive"
    assert found["message"] == (
        '"no SIZE"; reached because `SIZE` is not defined here; 1 more such line is reached in this file'
    )
    assert lines(found) == [2, 5]
    write("sizes.cl", "#define SIZE 4\n")
    (found,) = diagnostics_of(openclsp, "k.cl")
    assert (found["message"], lines(found)) == (
        '"no TYPE"; reached because `TYPE` is not defined here',
        [5],
    )


def test_names_that_another_opencl_file_of_the_project_defines_are_left_out(openclsp, write):
    kernel = "kernel void k(global REAL *p, vector_t v, OTHER o) { p[0] = 1; }\n"
    write("k.cl", kernel)
    write("compile_flags.txt", "")
    (found,) = diagnostics_of(openclsp, "k.cl")
    assert found["message"].startswith("`REAL`, `vector_t` and `OTHER` are not defined")
    write("types.cl", "#define REAL float\ntypedef struct { float x; } vector_t;\n")
    (found,) = diagnostics_of(openclsp, "k.cl")
    assert found["message"].startswith("`OTHER` is not defined")
    write("host.c", 'void f(char *out, const char *type) { sprintf(out, "-DOTHER=%s", type); }\n')
    assert diagnostics_of(openclsp, "k.cl") == []
    write("host.c", "")
    (found,) = diagnostics_of(openclsp, "k.cl")
    assert found["message"].startswith("`OTHER` is not defined")
    write("other.h", "typedef unsigned int OTHER;\n")
    assert diagnostics_of(openclsp, "k.cl") == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("host.cpp", 'void f(Map &texts) { texts["other_t"] = "float"; }\n'),
        ("host.cpp", 'auto defines = Defines{{"MIDDLE", width}}; auto t = texts["other_t"] = "float";\n'),
        ("host.py", "replaced['other_t'] = name\n"),
        ("host.cpp", 'Program &p = cache.program(context, "k", "other_t", type_name(x), "N", n);\n'),
        ("host.cpp", 'Macros all{{"other_t", names[type]}};\n'),
        ("other.hpp", "typedef struct { int x; } other_t;\n"),
    ],
)
def test_a_name_that_the_host_seems_to_replace_or_to_declare_is_left_out(openclsp, write, path, text):
    write("k.cl", "kernel void k(global other_t *p) { p[0] = p[1]; }\n")
    write("compile_flags.txt", "")
    (found,) = diagnostics_of(openclsp, "k.cl")
    assert found["message"].startswith("`other_t` is not defined")
    write(path, text)
    assert diagnostics_of(openclsp, "k.cl") == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("types.cl", "#ifndef itype\n#define itype int\n#endif\n"),
        ("host.cpp", 'auto &program = cache.program(context, "k", "itype", itype);\n'),
        ("host.py", "options = [f'-Ditype={kind}']\n"),
    ],
)
def test_a_name_that_resembles_a_known_one_is_left_out_as_well(openclsp, write, path, text):
    write("k.cl", "#define dtype float\nkernel void k(global itype *p, global dtype *q) { p[0] = p[1]; }\n")
    write("compile_flags.txt", "")
    (found,) = diagnostics_of(openclsp, "k.cl")
    assert found["message"] == "unknown type `itype`; did you mean `dtype`?"
    write(path, text)
    assert diagnostics_of(openclsp, "k.cl") == []


@pytest.mark.parametrize(
    "text", ['if (texts["OTHER_T"] == x) g("Other_t");', 'f("OTHER_TYPE", "THE OTHER");']
)
def test_a_text_that_holds_a_name_among_others_leaves_none_out(openclsp, write, text):
    write("k.cl", "kernel void k(global OTHER *p, global other_t *q) { p[0] = p[1]; }\n")
    write("compile_flags.txt", "")
    write("host.cpp", text)
    (found,) = diagnostics_of(openclsp, "k.cl")
    assert found["message"].startswith("`OTHER` and `other_t` are not defined")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("host.cpp", 'void f(Programs &all) { all.add_header("made/types.h", text_of_types()); }\n'),
        ("host.cpp", 'const char *names[] = {"made/types.h"}; // for clCompileProgram\n'),
        ("host.py", "headers = {'made/types.h': types}\n"),
    ],
)
def test_a_header_that_the_host_names_is_made_by_it(openclsp, write, path, text):
    write(
        "k.cl",
        '#include "made/types.h"\n#include <types.h>\nkernel void k(global real *p) { local int *q = p; }\n',
    )
    write("compile_flags.txt", "")
    assert "include-not-found" in [each["code"] for each in diagnostics_of(openclsp, "k.cl")]
    write(path, text)
    assert "include-not-found" not in [each["code"] for each in diagnostics_of(openclsp, "k.cl")]


@pytest.mark.parametrize(
    "text",
    [
        '#include "made/types.h"\n',
        '  #  include\t"made/types.h"\n',
        'puts("made/types.h is missing");',
        'f("other.h")',
    ],
)
def test_a_header_that_the_host_itself_includes_is_not_made_by_it(openclsp, write, text):
    write("k.cl", '#include "made/types.h"\nkernel void k(global int *p) { p[0] = 1; }\n')
    write("compile_flags.txt", "")
    write("host.cpp", text)
    assert [each["code"] for each in diagnostics_of(openclsp, "k.cl")] == ["include-not-found"]


def test_paths_of_another_machine_are_reported_once(openclsp, write):
    write("compile_flags.txt", "")
    write("a.cl", '#include "C:/Users/me/project/sizes.h"\nkernel void a(void) { }\n')
    write("b.cl", '#include "C:/Users/me/project/kernels/b.h"\nkernel void b(void) { }\n')
    write("c.cl", '#include "/home/me/project/c.h"\nkernel void c(void) { }\n')
    write("d.cl", '#include "other/d.h"\nkernel void d(void) { }\n')
    ran = openclsp("check", ".", "--no-fixes")
    assert ran.out.count("include-not-found]") == 0
    assert "Not found in 3 files: `C:/Users/me/project/sizes.h`" in ran.out


def test_the_limit_of_expansions_is_reported_once(openclsp, write):
    doubled = "#define A0 x\n" + "".join(f"#define A{n} A{n - 1} + A{n - 1}\n" for n in range(1, 25))
    write(
        "k.cl",
        f"{doubled}int f(int x) {{ return A24; }}\nint g(int x) {{\n  return 1;\n}}\nint h(int x) {{ return A23; }}\n",
    )
    shown = openclsp("check", "k.cl").out
    assert shown.count("expansion-too-large]") == 1 and "similar at 1 other place in this file" in shown


def test_a_file_that_redefines_macros_is_reported_once(openclsp, write):
    write("k.cl", "#define MAXFLOAT 1\nint f(void);\n#define INFINITY 2\nint g(void);\n#define SCHAR_MIN 3\n")
    shown = openclsp("check", "k.cl").out
    assert shown.count("macro-redefined]") == 1 and "similar at 2 other places in this file" in shown
    assert "3 warnings" in shown
    assert len(diagnostics_of(openclsp, "k.cl")) == 3


def test_a_habit_is_shown_once_for_each_file(openclsp, write):
    text = "kernel void k(global const int *p) {\n    global int *q = p;\n    q[0] = 1;\n    global int *r = p + 1;\n}\n"
    write("k.cl", text)
    write("other.cl", text.replace("= p", "= -2 + p"))
    shown = openclsp("check", ".").out
    assert shown.count("discarded-qualifiers]") == 2
    assert shown.count("similar at 1 other place in this file") == 2 and "4 warnings" in shown
    assert len(diagnostics_of(openclsp, "k.cl")) == 2
    write("copy.cl", text)
    assert openclsp("check", ".").out.count("discarded-qualifiers]") == 2


def test_a_copied_line_whose_variable_has_another_name_is_shown_once(openclsp, write):
    body = "    global int *src_row = p + get_global_id(0);\n    src_row[0] = 1;\n"
    write("k.cl", f"kernel void k(global const int *p) {{\n{body}}}\n")
    write("wide.cl", f"kernel void k(global const int *p) {{\n{body.replace('src_row', 'src_vec4')}}}\n")
    shown = openclsp("check", "--no-fixes", ".").out
    assert shown.count("discarded-qualifiers]") == 1
    assert "The same fault is at ./wide.cl:2:28." in shown and "2 warnings" in shown
    assert len(diagnostics_of(openclsp, "wide.cl")) == 1
    write("wide.cl", f"kernel void k(global const int *p) {{\n{body.replace('+', '-')}}}\n")
    assert openclsp("check", "--no-fixes", ".").out.count("discarded-qualifiers]") == 2


def test_pointers_that_work_without_the_generic_address_space_are_one_hint(openclsp, write):
    body = "    int *q = p;\n    q[0] = 1;\n"
    write("k.cl", f"kernel void k(global int *p) {{\n{body}}}\nkernel void l(global int *p) {{\n{body}}}\n")
    shown = openclsp("check", "--std", "CL2.0", "k.cl").out
    assert shown.count("single-space]") == 1 and "2 hints" in shown


def test_pointers_at_program_scope_are_only_counted(openclsp, write):
    write("k.cl", "global int *p;\nkernel void k(void) {\n}\nglobal int *q;\n")
    write("l.cl", "global float *r;\n")
    shown = openclsp("check", "--std", "CL2.0", ".").out
    assert shown.count("program-scope-pointer]") == 0 and "3 information" in shown
    assert "not shown: about pointers at program scope with the default address space" in shown
    assert openclsp("check", "--std", "CL2.0", "k.cl").out.count("program-scope-pointer]") == 2


def test_a_barrier_that_orders_no_write_is_only_counted(openclsp, write):
    body = "    float f = {read};\n    barrier(CLK_LOCAL_MEM_FENCE);\n    row[0] = f;\n    g[1] = row[1];\n"
    head = "kernel void k(global float *g, local float *row) {\n"
    write("k.cl", f"{head}{body.format(read='g[0]')}}}\n")
    write("l.cl", f"{head}{body.format(read='g[0] = 1')}}}\n")
    shown = openclsp("check", ".").out
    assert shown.count("barrier-fence]") == 1 and "l.cl:3" in shown
    assert "1 diagnostic is not shown: about barriers that order no write of memory: ./k.cl." in shown
    assert openclsp("check", "k.cl").out.count("information[barrier-fence]") == 1


def test_a_macro_that_is_defined_anew_for_each_kernel_is_only_counted(openclsp, write):
    kernel = "#define TILE {n}\nkernel void k{n}(global int *p) {{\n    p[0] = TILE;\n}}\n"
    write("k.cl", kernel.format(n=4) + kernel.format(n=8))
    write("l.cl", "#define SIZE 1\n#define SIZE 2\nint f(void);\n")
    shown = openclsp("check", ".").out
    assert shown.count("macro-redefined]") == 1 and "l.cl:2" in shown
    assert "1 diagnostic is not shown: about macros that are defined anew for each kernel: ./k.cl." in shown
    assert len(diagnostics_of(openclsp, "k.cl")) == 1


def test_a_constant_in_another_precision_is_only_counted(openclsp, write):
    write("k.cl", "#define M_PI 3.14159265f\n#define M_E (2.718282f) // float\n")
    write("l.cl", "#define M_PI 3.1415f\nint f(void);\n")
    write("m.cl", "#define M_PI 1\nint f(void);\n")
    write("n.cl", "#define M_PI 3.14159265f * 2\nint f(void);\n")
    shown = openclsp("check", "--no-fixes", ".").out
    assert (
        "2 diagnostics are not shown: about constants that are redefined in another precision: ./k.cl."
        in shown
    )
    assert [file in shown for file in ("./l.cl:1", "./m.cl:1", "./n.cl:1")] == [True, True, True]


def test_limits_of_the_analysis_are_in_the_summary(openclsp, write):
    write("k.cl", f"void f(void) {{\n    int {'*' * 33}y = 0;\n}}\n")
    shown = openclsp("check", "--no-fixes", ".").out.splitlines()
    assert "1 diagnostic is not shown: about parts that exceed a limit of the analysis: ./k.cl." in shown
    assert "./k.cl was not checked completely." in shown
    assert "warning[analysis-limit]" in openclsp("check", "--no-fixes", "k.cl").out


def test_included_kernels_have_their_own_macros(openclsp, write):
    write("a.cl", "#define N 4\nint f(void) { return N; }\n")
    write("b.cl", "#define N 8\nint g(void) { return N; }\n")
    write("all.cl", '#include "a.cl"\n#include "b.cl"\nkernel void k(global int *p) { *p = f() + g(); }\n')
    shown = openclsp("check", "--no-fixes", ".").out
    assert "1 diagnostic is not shown: about macros that are defined anew for each kernel: " in shown
    write("a.cl", "#define N 4\nint f(void);\n")
    assert "warning[macro-redefined]" in openclsp("check", "--no-fixes", ".").out


def test_macros_of_the_language_are_counted_in_a_file_that_defines_them(openclsp, write):
    defined = ["CHAR_BIT 9", "FLT_MAX 1", "MAXFLOAT 1", "INFINITY 2", "NAN 3"]
    write("some.cl", "".join(f"#define {each}\n" for each in defined[:4]) + "int f(void);\n")
    assert "macro-redefined]" in openclsp("check", "--no-fixes", ".").out
    write("all.cl", "".join(f"#define {each} // here\n" for each in defined) + "int g(void);\n")
    shown = openclsp("check", "--no-fixes", ".").out
    notice = "5 diagnostics are not shown: about macros of the language in a file that defines many of them: ./all.cl."
    assert notice in shown.splitlines() and shown.count("macro-redefined]") == 1


def test_a_redefinition_in_copies_of_a_file_is_shown_once(openclsp, write):
    text = "#define N 1\n#define N 2\nint f(void);\n"
    write("k.cl", text)
    write("l.cl", text)
    shown = openclsp("check", "--no-fixes", ".").out
    assert shown.count("macro-redefined]") == 1 and "The same fault is at ./l.cl:2:9." in shown


def test_a_function_between_two_definitions_need_not_use_the_macro(openclsp, write):
    write(
        "k.cl",
        "#define N 4\nkernel void k(void) {\n}\n#define N 8\nkernel void l(global int *p) { p[N] = N; }\n",
    )
    write(
        "l.cl", "#define N 4\nstruct S { int i; };\n#define N 8\nkernel void m(global int *p) { p[N] = N; }\n"
    )
    write("m.cl", "#define N 4\n#define NOOP(x) (void)(x)\nint f(int);\n#define N 9\n")
    shown = openclsp("check", "--no-fixes", ".").out
    assert "1 diagnostic is not shown: about macros that are defined anew for each kernel: ./k.cl." in shown
    assert "l.cl:3:9" in shown and "m.cl:4:9" in shown


def test_a_kernel_that_host_code_embeds_is_a_copy(openclsp, write):
    lines = ["kernel void k(global const int *p) {", "    global int *q = p;", "}"]
    write("k.cl", "\n".join(lines) + "\n")
    write("embedded.h", "const char *text =\n" + "\n".join(f'    "{each}\\n"' for each in lines) + ";\n")
    shown = openclsp("check", "--no-fixes", ".").out
    assert shown.count("discarded-qualifiers]") == 1 and "The same fault is at " in shown


def test_the_qualifier_generic_is_only_counted(openclsp, write):
    write(
        "k.cl", "void f(__generic int *p) { *p = 1; }\nkernel void k(global int *p) { int a; f(p); f(&a); }\n"
    )
    shown = openclsp("check", "--no-fixes", "--std", "CL2.0", ".").out
    assert "[generic-qualifier]" not in shown and "not shown: about pointers that need no generic" in shown
    assert "[generic-qualifier]" in openclsp("check", "--no-fixes", "--std", "CL2.0", "k.cl").out


def test_a_finding_in_a_line_with_an_error_waits_for_its_correction(openclsp, write):
    write(
        "k.cl",
        "kernel void exp(global float *p, int n) {\n    p[n] = exp(p[n]);\n}\n"
        "kernel void k(global const int *p) {\n    global int *q = p;\n}\n",
    )
    shown = openclsp("check", "--no-fixes", ".").out
    assert (
        "error[" in shown
        and "place" not in shown
        and "recursion]" not in shown
        and "warning[discarded-qualifiers]" in shown
    )
    assert "recursion" in [each["code"] for each in diagnostics_of(openclsp, "k.cl")]


def test_the_calls_of_a_cycle_are_shown_once(openclsp, write):
    write(
        "k.cl",
        "int odd(int n);\nint even(int n) {\n    return n == 0 ? 1 : odd(n - 1);\n}\n\n"
        "int odd(int n) {\n    return n == 0 ? 0 : even(n - 1);\n}\n",
    )
    shown = openclsp("check", "--no-fixes", "k.cl").out
    assert shown.count("warning[recursion]") == 1 and "similar at 1 other place in this file" in shown


def test_functions_that_several_spaces_reach_are_shown_once_for_each_file(openclsp, write):
    write(
        "k.cl",
        "float first(const float *p) { return p[0]; }\n\n\n\n\n"
        "float second(const float *q) { return q[1]; }\n\n\n\n\n"
        "kernel void k(global float *a, local float *b) {\n"
        "    a[0] = first(a) + first(b) + second(a) + second(b);\n}\n",
    )
    shown = openclsp("check", "--no-fixes", "--std", "CL2.0", ".").out
    assert shown.count("hint[several-spaces]") == 1 and "similar at 1 other place in this file" in shown
