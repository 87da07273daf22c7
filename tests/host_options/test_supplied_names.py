"""Names that host code may define for kernels, found by patterns where no build is followed."""

from __future__ import annotations

import pytest
from openclsp.host_options.supplied_names import extract_supplied_names
from openclsp.project.project_scan import ScannedFile, ScannedFileKind


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('s += " -DSIZE=" + n;', "SIZE"),
        ('s += " -D size=" + n;', "size"),
        ('s += " -D\tsize=" + n;', "size"),
        ('s << "-D" << "size=" << n;', "size"),
        ("options = ['-D', 'size=4']", "size"),
        ('printf(s, "-D "\n    "size=%d", n);', "size"),
        ('constants.push_back(constant("px", padding.x));', "px"),
        ('scene.push_str("__constant Triangle triangles[");', "triangles"),
        ('s += "  constant unsigned long count = " + n;', "count"),
        ("text += '__constant float4 *table;'", "table"),
        ('text = "#define nx %d\\n#define dx %g\\n" % (3, 0.5)', "nx"),
        ('text = "#define nx %d\\n#define dx %g\\n" % (3, 0.5)', "dx"),
        ('define("nx", 3); void define(string name, int n) { text += "#define " + name; }', "nx"),
        ('o = [f"-D{k}={v}" for k, v in dict(nx=3).items()]', "nx"),
        ('o << "-D" << name << "=" << n; entries = { {nx, 3} };', "nx"),
    ],
)
def test_a_macro_in_options_that_reach_no_known_build_may_be_defined(text: str, name: str) -> None:
    file = ScannedFile("/host.cpp", ScannedFileKind.CPP, len(text), 0)
    assert name in extract_supplied_names(file, text.encode())


@pytest.mark.parametrize(
    "text", ['s += "-D" "SIZE=4"; nx = 3;', 's = ["-D", "SIZE=4"]; nx = 3', "#define nx {3}"]
)
def test_words_of_a_file_that_computes_no_names_are_not_defined(text: str) -> None:
    file = ScannedFile("/host.cpp", ScannedFileKind.CPP, len(text), 0)
    assert "nx" not in extract_supplied_names(file, text.encode())


PRELUDE = """
#define lanes 4
constant int table[4] = { 1, 2, 3, 4 };
float square(float x) { return x * x; }
typedef int row_t[16];
"""


@pytest.mark.parametrize(
    ("kind", "host"),
    [
        (ScannedFileKind.CPP, '#include <CL/opencl.hpp>\nstd::string prelude = R"CL(?)CL";'),
        (ScannedFileKind.C, '#include <CL/opencl.h>\nconst char *prelude = R"(?)";'),
        (ScannedFileKind.PYTHON, "import pyopencl\ncl.Program(context, f'''?''' + source)"),
        (ScannedFileKind.PYTHON, 'import pyopencl\nprelude = """?"""'),
        (ScannedFileKind.JAVA, 'import org.jocl.CL; // OpenCL\nString prelude = """?""";'),
        (ScannedFileKind.RUST, 'use opencl3;\nconst PRELUDE: &str = r#"?"#;'),
        (ScannedFileKind.GO, 'import "opencl"\nconst prelude = `?`'),
    ],
)
def test_a_text_of_several_lines_without_a_kernel_may_be_joined_with_a_program(
    kind: ScannedFileKind, host: str
) -> None:
    file = ScannedFile("/host", kind, 0, 0)
    names = extract_supplied_names(file, host.replace("?", PRELUDE).encode())
    assert names >= {"lanes", "table", "square", "row_t"}
    # the order of the declarations of a program counts
    program = PRELUDE + "kernel void k(global int *a) { a[0] = table[lanes]; }\n"
    assert "square" not in extract_supplied_names(file, host.replace("?", program).encode())


def test_the_host_may_write_functions_and_process_directives() -> None:
    text = """
    # for OpenCL
    text += '\\ninline double density(const double4 x)\\n'
    if line.startswith("#FILE:"):
        include(line)
    """
    file = ScannedFile("/host.py", ScannedFileKind.PYTHON, 0, 0)
    assert extract_supplied_names(file, text.encode()) >= {"density", "#FILE"}


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (ScannedFileKind.CPP, 'R"x(\nint one;\n)x" R"(\nint two;\n)"'),
        (ScannedFileKind.PYTHON, "'''\nint one;\n''' \"\"\"\nint two;\n\"\"\""),
        (ScannedFileKind.RUST, 'r#"\nint one;\n"# r##"\nint two;\n"##'),
        (ScannedFileKind.GO, "`\nint one;\n` + `\nint two;\n`"),
    ],
)
def test_the_declarations_in_each_literal_of_several_lines(kind: ScannedFileKind, text: str) -> None:
    names = extract_supplied_names(ScannedFile("/host", kind, 0, 0), b"// OpenCL\n" + text.encode())
    assert names >= {"one", "two"}
