"""`check --fix` leaves a declaration alone that code outside of the checked programs may use."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Ran

HEADER = "void put(float *p) {\n    *p = 1;\n}\n"
CALL = "kernel void a(global float *g) {\n    put(g);\n}\n"
FIXED = HEADER.replace("float *p", "global float *p")
OTHER = "kernel void b(global float *g) {\n    float x[2];\n    put(x);\n    g[0] = x[0];\n}\n"


def _fixed(openclsp: Callable[..., Ran], file: Path, *arguments: str) -> bool:
    before = file.read_text()
    openclsp("check", "--fix", *(arguments or ("a.cl",)))
    return file.read_text() != before


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        # only the host knows the path
        ("b.cl", f"#include HEADER\n{OTHER}", "`put` is also used in b.cl"),
        # the host concatenates the files
        ("b.cl", OTHER, "`put` is also used in b.cl"),
        # only another build includes the header
        ("b.cl", f'#ifdef WITH_PUT\n#include "h.h"\n{OTHER}#endif\n', "`put` is also used in b.cl"),
        ("kernels.h", f'#include "h.h"\n{OTHER}', "h.h is also included by kernels.h"),
        ("m.c", '#include "h.h"\nint main(void) { float x; put(&x); }\n', "h.h is also included by m.c"),
        ("m.py", f'SOURCE = """\n#include "h.h"\n{OTHER}"""\n', "h.h is also included by m.py"),
        (
            "m.cpp",
            'const char *source = "#include \\"h.h\\"\\n"\n    "kernel void b() { float x; put(&x); }";\n',
            "h.h is also included by m.cpp",
        ),
    ],
)
def test_a_header_that_other_code_uses_is_not_changed_unasked(
    openclsp: Callable[..., Ran], write: Callable[..., Path], name: str, text: str, reason: str
) -> None:
    header = write("h.h", HEADER)
    write("a.cl", f'#include "h.h"\n{CALL}')
    write(name, text)
    assert not _fixed(openclsp, header)
    assert f"Qualify parameter `p` of `put` as `global` ({reason})" in openclsp("check", "a.cl").out


def test_a_program_that_names_the_header_in_a_macro_is_checked(
    openclsp: Callable[..., Ran], write: Callable[..., Path]
) -> None:
    header = write("h.h", HEADER)
    write("a.cl", f'#include "h.h"\n{CALL}')
    write("b.cl", f'#define HEADER "h.h"\n#include HEADER\n{OTHER}')
    openclsp("check", "--fix", "a.cl")
    assert "void put(float *p)" in header.read_text()
    assert "No errors" in openclsp("check", ".").out


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("b.cl", f"{HEADER}{OTHER}"),
        ("b.cl", f'#include "own.h"\n{OTHER}'),
        ("b.cl", "kernel void b(global float *g) {\n    // put(g)\n    float put = 1;\n    g[0] = put;\n}\n"),
        ("m.c", '#include "other/h.h"\nint main(void) { float x; put(&x); }\n'),
        ("m.c", "// a.cl includes h.h\nint main(void) { float x; put(&x); }\n"),
    ],
)
def test_other_declarations_of_the_name_do_not_matter(
    openclsp: Callable[..., Ran], write: Callable[..., Path], name: str, text: str
) -> None:
    header = write("h.h", HEADER)
    write("own.h", HEADER)
    write("a.cl", f'#include "h.h"\n{CALL}')
    write(name, text)
    assert _fixed(openclsp, header)
    assert header.read_text() == FIXED


@pytest.mark.parametrize(
    ("declaration", "use", "other_use"),
    [
        ("typedef float *Pointer;", "Pointer p = g; *p = 1;", "float x; Pointer p = &x; *p = 1;"),
        ("typedef struct { float *data; } Part;", "Part p; p.data = g;", "float x; Part p; p.data = &x;"),
    ],
)
def test_a_type_that_a_concatenated_file_uses_is_not_changed_unasked(
    openclsp: Callable[..., Ran], write: Callable[..., Path], declaration: str, use: str, other_use: str
) -> None:
    file = write("a.cl", f"{declaration}\nkernel void a(global float *g) {{\n    {use}\n}}\n")
    other = write("b.cl", f"kernel void b(global float *g) {{\n    {other_use}\n}}\n")
    assert not _fixed(openclsp, file)
    other.write_text(f"{declaration}\n{other.read_text()}")
    assert _fixed(openclsp, file)


def test_a_call_in_an_inactive_branch_keeps_its_function(
    openclsp: Callable[..., Ran], write: Callable[..., Path]
) -> None:
    file = write("a.cl", f"{HEADER}#ifdef WITH_B\n{OTHER}#else\n{CALL}#endif\n")
    assert not _fixed(openclsp, file)
    assert "(`put` is also used in an inactive branch in a.cl)" in openclsp("check", "a.cl").out
    # another definition is no use
    file.write_text(f"#ifdef LOCAL\nvoid put(local float *p) {{}}\n#else\n{HEADER}#endif\n{CALL}")
    assert _fixed(openclsp, file)


def test_a_branch_that_another_requested_build_includes_is_checked(
    openclsp: Callable[..., Ran], write: Callable[..., Path]
) -> None:
    write("openclsp.toml", '[variants.a]\n[variants.b]\ndefines = { WITH_B = "1" }\n')
    call = OTHER.replace("put(x)", "put(g)")
    file = write("a.cl", f"{HEADER}#ifdef WITH_B\n{call}#endif\n{CALL}")
    assert _fixed(openclsp, file, "--all-variants", "a.cl")


TWO_BUILDS = """import pyopencl as cl
source = open("a.cl").read()
first = cl.Program(context, source).build("{first}")
second = cl.Program(context, source).build("{second}")
"""


@pytest.mark.parametrize(
    ("second", "fixed"),
    [("-DSPACE=local", False), ("-DSPACE=local -cl-std=CL2.0", False), ("-DSPACE=global -DOTHER", True)],
)
def test_a_fix_must_hold_in_every_build_of_the_host(
    openclsp: Callable[..., Ran], write: Callable[..., Path], second: str, fixed: bool
) -> None:
    file = write("a.cl", f"{HEADER}{CALL.replace('global', 'SPACE')}")
    write("m.py", TWO_BUILDS.format(first="-DSPACE=global", second=second))
    assert ("`put` as `global`" in openclsp("check", "a.cl").out) == fixed
    assert _fixed(openclsp, file) == fixed


@pytest.mark.parametrize(("number", "fixed"), [(25, True), (26, False)])
def test_a_fix_in_too_many_builds_says_that_it_is_unchecked(
    openclsp: Callable[..., Ran], write: Callable[..., Path], number: int, fixed: bool
) -> None:
    variants = "".join(f"[variants.v{n}]\ndefines = {{ N = '{n}' }}\n" for n in range(number))
    write("openclsp.toml", variants)
    file = write("a.cl", f"{HEADER}{CALL}")
    unchecked = "as `global` (not checked in a.cl with v1 and 24 more)"
    assert (unchecked not in openclsp("check", "a.cl").out) == fixed
    assert _fixed(openclsp, file) == fixed


def test_programs_outside_of_a_submodule_are_checked(
    openclsp: Callable[..., Ran], write: Callable[..., Path]
) -> None:
    write("common/.git", "gitdir: ../.git/modules/common\n")
    header = write("common/h.h", HEADER)
    write("a.cl", f'#include "common/h.h"\n{CALL}')
    write("b.cl", f'#include "common/h.h"\n{OTHER}')
    openclsp("check", "--fix", "a.cl")
    assert "void put(float *p)" in header.read_text()
    assert "No errors" in openclsp("check", ".").out


def test_a_header_with_another_path_is_not_changed_unasked(
    openclsp: Callable[..., Ran], write: Callable[..., Path], folder: Path
) -> None:
    header = write("common/h.h", HEADER)
    link = folder / "lib" / "h.h"
    link.parent.mkdir()
    link.symlink_to(header)
    names = ["common/h.h", "lib/h.h"]
    for name, other in (names, reversed(names)):
        write("a.cl", f'#include "{name}"\n{CALL}')
        write("b.cl", f'#include "{other}"\n{OTHER}')
        assert not _fixed(openclsp, header)
        assert f"(h.h is also ../{other}, a link)" in openclsp("check", "a.cl").out


LOCAL = "    local float *q = p;\n    *q = 1;\n"


@pytest.mark.parametrize(
    "text",
    [
        # a macro in the edited function
        (
            "#ifdef X\n#define SPACE local\n#else\n#define SPACE global\n#endif\n"
            f"void put(SPACE float *p) {{\n{LOCAL}}}\n"
        ),
        # a typedef of a typedef
        (
            "#ifdef X\ntypedef local float *Pointer;\n#else\ntypedef global float *Pointer;\n#endif\n"
            f"typedef Pointer Part;\nvoid put(Part p) {{\n{LOCAL}}}\n"
        ),
        # the function's own parameters
        f"kernel void k(\n#ifdef X\nlocal float *p\n#else\nglobal float *p\n#endif\n) {{\n{LOCAL}}}\n",
        # its only branch, in which a macro is used
        (
            "#define SPACE global\n#ifdef X\n#undef SPACE\n#define SPACE local\n#endif\n"
            f"#define P SPACE float *p\nvoid put(P) {{\n{LOCAL}}}\n"
        ),
    ],
)
def test_a_fix_that_is_wrong_in_another_build_is_not_applied(
    openclsp: Callable[..., Ran], write: Callable[..., Path], text: str
) -> None:
    file = write("a.cl", text)
    assert not _fixed(openclsp, file)
    assert "Point `q` into global (wrong if `X` is defined)" in openclsp("check", "a.cl").out
    # if the build is known, the code is checked only in this build
    assert _fixed(openclsp, file, "-D", "X", "a.cl") is False
    assert "local float *q" in file.read_text()


@pytest.mark.parametrize(
    "text",
    [
        (
            f"#ifdef X\ntypedef double real;\n#else\ntypedef float real;\n#endif\n"
            f"void put(global real *p) {{\n{LOCAL.replace('float', 'real')}}}\n"
        ),
        f"#ifdef X\n#define SPACE local\n#else\n#define SPACE global\n#endif\nvoid put(global float *p) {{\n{LOCAL}}}\n",
    ],
)
def test_a_fix_that_is_correct_in_every_branch_is_applied(
    openclsp: Callable[..., Ran], write: Callable[..., Path], text: str
) -> None:
    assert _fixed(openclsp, write("a.cl", text))


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("typedef global float Place;\n#ifdef X\nint other;\n#endif\n", True),
        ("#ifdef X\ntypedef local float Place;\n#else\ntypedef global float Place;\n#endif\n", False),
    ],
)
def test_a_declaration_that_an_include_within_a_function_brings(
    openclsp: Callable[..., Ran], write: Callable[..., Path], text: str, fixed: bool
) -> None:
    """The header ends the function, declares a type, and begins another function."""
    write("h.h", "int n;\n}\ntypedef Place Real;\nvoid g(void) {\n")
    file = write("a.cl", f'{text}void f(void) {{\n#include "h.h"\n}}\nvoid put(Real *p) {{\n{LOCAL}}}\n')
    assert _fixed(openclsp, file) is fixed


MEMORY = "kernel void k(global float *g, float *t) {\n    add(t);\n    g[0] = t[0];\n}\n"


def test_a_kernel_parameter_for_which_the_host_passes_local_memory(
    openclsp: Callable[..., Ran], write: Callable[..., Path]
) -> None:
    file = write("k.cl", f"void add(float *t) {{\n    t[0] += t[1];\n}}\n{MEMORY}")
    host = write(
        "m.c",
        '#include <CL/cl.h>\nvoid run(cl_program p, cl_mem b) {\n    cl_kernel k = clCreateKernel(p, "k", 0);\n'
        "    clSetKernelArg(k, 0, sizeof(cl_mem), &b);\n    clSetKernelArg(k, 1, 256, NULL);\n}\n",
    )
    assert not _fixed(openclsp, file, "k.cl")
    assert "(host code passes another argument)" in openclsp("check", "k.cl").out
    host.write_text(host.read_text().replace("256, NULL", "sizeof(cl_mem), &b"))
    assert _fixed(openclsp, file, "k.cl")


def test_a_kernel_parameter_of_a_program_in_a_string(
    openclsp: Callable[..., Ran], write: Callable[..., Path]
) -> None:
    program = f"void add(float *t) {{\n    t[0] += t[1];\n}}\n{MEMORY}"
    text = (
        f'import pyopencl as cl\nprogram = cl.Program(context, """\n{program}""").build()\n'
        "program.k(queue, (16,), None, buffer, cl.LocalMemory(64))\n"
    )
    file = write("m.py", text)
    assert not _fixed(openclsp, file, "m.py")
    file.write_text(text.replace("cl.LocalMemory(64)", "cl.Buffer(context, 0, 64)"))
    assert _fixed(openclsp, file, "m.py")


@pytest.mark.parametrize("last", [OTHER, "kernel void b(global float *g) {\n    g[0] = 1;\n}\n"])
def test_a_string_that_two_programs_share_is_not_changed_unasked(
    openclsp: Callable[..., Ran], write: Callable[..., Path], last: str
) -> None:
    file = write(
        "m.py",
        f'import pyopencl as cl\nSHARED = """\n{HEADER}"""\nA = SHARED + """\n{CALL}"""\nB = SHARED + """\n{last}"""\n'
        "cl.Program(context, A).build()\ncl.Program(context, B).build()\n",
    )
    assert not _fixed(openclsp, file, "m.py")
    assert "(another program in m.py contains this text)" in openclsp("check", "m.py").out


def test_the_strings_of_two_programs_are_fixed(
    openclsp: Callable[..., Ran], write: Callable[..., Path]
) -> None:
    programs = "".join(
        f'cl.Program(context, """\n{HEADER}{CALL}""").build()\n'.replace("a(", f"{name}(") for name in "ab"
    )
    file = write("m.py", f"import pyopencl as cl\n{programs}")
    assert _fixed(openclsp, file, "m.py")
    assert file.read_text().count("void put(global float *p)") == 2
    assert not _fixed(openclsp, file, "m.py")


def test_a_parameter_with_the_name_of_a_sampler_is_no_use_of_it(
    openclsp: Callable[..., Ran], write: Callable[..., Path]
) -> None:
    sampler = "sampler_t s = CLK_FILTER_NEAREST;\n"
    body = "(read_only image2d_t i, SAMPLER global float4 *g) { *g = read_imagef(i, s, (int2)0); }\n"
    file = write("a.cl", f"{sampler}kernel void a{body}".replace("SAMPLER ", ""))
    write("b.cl", f"kernel void b{body}".replace("SAMPLER", "sampler_t s,"))
    assert _fixed(openclsp, file)
    file.write_text(f"{sampler}kernel void a{body}".replace("SAMPLER ", ""))
    write("b.cl", f"kernel void b{body}".replace("SAMPLER ", ""))
    assert not _fixed(openclsp, file)
