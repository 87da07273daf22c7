"""Programs in the strings of host files."""

from __future__ import annotations

import json
import time

import pytest
from openclsp.host_code.host_language import HostLanguage, host_language_of_file
from openclsp.host_code.host_words import may_hold_kernel
from openclsp.host_code.literal_conditions import keep_one_branch
from openclsp.host_code.notebook_cells import find_notebook_programs
from openclsp.host_code.program_document import program_documents
from openclsp.host_code.program_finder import find_programs
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.rules.finding import Severity
from openclsp.source.document import Document

from ..rules.analysis import analyse

INCOMPLETE = b'#include "unknown-part-of-the-program"\n'
BODY = b"(__global int *x) { x[0] = 1; }"


def programs(source: str | bytes, language: HostLanguage = HostLanguage.CPP) -> list[bytes]:
    """The texts of the programs, without the header that stands for what may precede them."""
    data = source.encode() if isinstance(source, str) else source
    return [each.value.data.removeprefix(INCOMPLETE) for each in find_programs(data, language).programs]


def python(source: str) -> list[bytes]:
    return programs(source, HostLanguage.PYTHON)


def errors_of_python(source: str) -> list[tuple[str, int]]:
    """The errors that are reported in the strings of a file, with their places in it."""
    return [
        (each.code, program.host_range(each.location.start, each.location.end)[0])
        for program in program_documents(Document.of("/a.py", source.encode()))
        for each in check(program.document.text.data)
        if each.severity is Severity.ERROR
        and program.reports(each.code, each.location.start, each.location.end)
    ]


def check(text: bytes):
    return compute_diagnostics(analyse(text.decode(), "CL1.2"))


def test_literals_of_c():
    source = (
        'const char *a = "__kernel void a(__global int *x)\\n"\n  "{ x[0] = 1; }\\n";\n'
        'const char *lines[] = { "__kernel void b(__global int *x)\\n", "{ x[0] = 1; }\\n" };\n'
        '#define C "__kernel void c(__global int *x) { }"\n'
        'void f(void) { log("no kernel void here"); }\n'
    )
    assert programs(source, HostLanguage.C) == [
        b"__kernel void a(__global int *x)\n{ x[0] = 1; }\n",
        b"__kernel void b(__global int *x)\n{ x[0] = 1; }\n",
        b"__kernel void c(__global int *x) { }",
    ]


def test_a_line_end_that_a_header_defines():
    source = 'auto s = PRE + NL "kernel void a(global int *x) {" NL NL "  x[0] = 1;" NL "}" NL;\n'
    source += '#define B "kernel void b(int n)" EOL "{ }" TYPE "f(void);"\n'
    first, second = programs(source)
    assert first.endswith(b"\nkernel void a(global int *x) {\n\n  x[0] = 1;\n}\n")
    assert second == b"kernel void b(int n)\n{ }${TYPE}f(void);"


def test_joined_fragments_are_one_program():
    source = """
const std::string pre = "#define N 3\\n";
std::string make(bool special, int number) {
  std::string s = pre;
  s += "kernel void a(global int *x) {\\n";
  if (special) s += "x[1] = 2;\\n";
  s += "x[0] = N;\\n}\\n";
  return s;
}
std::string other(int number) {
  std::stringstream out;
  out << "kernel void b" << number << "(global int *x) {" << std::endl;
  out << "x[0] = " << 4 << ";}";
  return out.str();
}
"""
    assert programs(source) == [
        b'#define N 3\nkernel void a(global int *x) {\n\n#include "unknown-part-of-the-program-x-1-2-n"\nx[0] = N;\n}\n',
        b"kernel void b${number}(global int *x) {\nx[0] = 4;}",
    ]


def test_kernels_that_are_appended_under_a_condition():
    source = """
std::string make(bool wide) {
  std::string s;
  if (wide)
    s += "kernel void a(global float4 *x) {\\n";
  else
    s += "kernel void b(global float *x) {\\n";
  s += "x[0] = 1;\\n}\\n";
  return s;
}
"""
    first, second = programs(source)
    assert first.startswith(b"kernel void a(global float4 *x) {\n")
    assert b"kernel void b(global float *x) {\n" in second
    assert b"kernel" not in first[10:].replace(b"-kernel", b"")
    assert first.endswith(b"\nx[0] = 1;\n}\n")
    assert second.endswith(b"{\nx[0] = 1;\n}\n")


def test_a_list_of_programs_that_define_the_same_kernel():
    """The host builds one of them; what it builds of `source` is unknown."""
    one, two = "kernel void a(int n) { }", "kernel void a(int n, int m) { }"
    declared = f'const char *one = "{one}";\nconst char *two = "{two}";\n'
    assert programs(declared + "const char *source[2] = { one, two };") == [one.encode(), two.encode()]
    conditional = 'const char *source[] = { "#ifdef A\\n", one, "\\n#else\\n", two, "\\n#endif\\n" };'
    assert programs(declared + conditional) == [f"#ifdef A\n{one}\n#else\n{two}\n#endif\n".encode()]


CONDITIONS = {
    'const char *s = HEAD\n#if 0\n"x[1] = 2;"\n#endif\nTAIL;': b"",
    'const char *s = HEAD\n# ifdef A\n"x[1] = 2;"\n#endif\nTAIL;': b"x[1] = 2;",
    'const char *s = HEAD // more\n#if 0\n"{"\n#elif defined(B)\n"b;"\n#else\n"}"\n#endif\nTAIL;': b"b;",
    'const char *s[] = {\n#ifdef A\nHEAD,\n#else\n"{",\n#endif\n"x[0] = 2;", TAIL };': b"x[0] = 2;",
    'const char s[] =\n#if A\nHEAD\n#if B\n"b;"\n#else\n"{"\n#endif\n#else\n"{{"\n#endif\nTAIL;': b"b;",
    'const char s[] = HEAD /* \'" */\n#if A \\\n || B\n"b;" "\\n#endif\\n"\n#endif\nTAIL;': b"b;\n#endif\n",
    'const char *s = R"x(kernel void a(global int *x) {)x"\n#ifdef A\nR"(x[1] = 2;\n#else\n)"\n#endif\nTAIL;': (
        b"x[1] = 2;\n#else\n"
    ),
}


@pytest.mark.parametrize("source", CONDITIONS)
def test_one_branch_of_a_directive_between_literals_is_kept(source: str):
    expected = b"kernel void a(global int *x) {" + CONDITIONS[source] + b"}"
    source = source.replace("HEAD", '"kernel void a(global int *x) {"').replace("TAIL", '"}"')
    assert programs(f"int before = 'a';\n{source}\nint after;\n") == [expected]


OTHER_CONDITIONS = """
#include "a.h"
#ifdef __cplusplus
extern "C"
#endif
void f(const char *text);
#if A
const char *s = "kernel void a(global int *x) { }";
#else
const char *s = "kernel void b(global int *x) { }";
#endif
"""


def test_directives_between_declarations_stay():
    assert keep_one_branch(OTHER_CONDITIONS.encode()) == OTHER_CONDITIONS.encode()
    assert len(programs(OTHER_CONDITIONS)) == 2


BROKEN = {
    "mixed line ends": b'const char *s = R"(\r\n%s\r)";\rint x;\n',
    "Latin-1": b'// gr\xf6\xdfer\nconst char *s = R"(// \xfc\n%s)"; // \xe9\n',
    "no end": b'const char *s = R"(%s)"; const char *t = R"x(%s)y";\n',
    "escapes": b'const char *s = "\\x41;\\n" "%s\\n"\r\n;\n',
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_fix_leaves_the_bytes_outside_of_it(name):
    kernel = b"kernel void a(global int *x) { local int *p = x; }"
    data = BROKEN[name].replace(b"%s", kernel)
    (program,) = program_documents(Document.of("host.cpp", data))
    start = program.document.text.data.index(b"local")
    (edit,) = program.host_edits([(start, start + 5, b"global")])
    assert data[: edit.start] + edit.new + data[edit.old_end :] == data.replace(b"local", b"global", 1)


def test_names_and_qualifiers_that_the_host_inserts():
    source = '''
a = f"""kernel void {name}({space} int *x) {{ {space} int *p = x; }}"""
b = "kernel void b(%s int *x) { %s int *p = x; }" % (s, s)
'''
    assert python(source) == [
        b"kernel void ${name}(${space} int *x) { ${space} int *p = x; }",
        b"kernel void b(${value} int *x) { ${value} int *p = x; }",
    ]
    for each in python(source):
        assert [found for found in check(each) if found.severity is not Severity.HINT] == []


def test_a_build_shows_that_a_program_is_complete():
    source = (
        'const char *a = R"(kernel void a(global int *x) { })";\n'
        "void build() { cl::Program p(context, std::string(a)); }\n"
    )
    (found,) = find_programs(source.encode(), HostLanguage.CPP).programs
    assert found.is_complete
    assert found.value.data == b"kernel void a(global int *x) { }"


def test_programs_that_are_printed_into_a_buffer():
    source = """void f(int n, const char *type) {
      int length = 0;
      length += snprintf(text + length, size - length, "#define N %d\\n", n);
      length += snprintf(text + length, size - length, "kernel void a(global %s *x) {\\n", type);
      length += std::snprintf(&text[length], size - length, "  x[n %% 2] = N;\\n}\\n");
      char *p = other;
      p += sprintf(p, "kernel void b(global int *x) { x[0] = %d; ", n);
      p += sprintf(p, "}\\n");
      strcpy(third, "kernel void c(global int *x) {\\n");
      if (n) strcat(third, "x[0] = 1;\\n");
      strcat(third, "}\\n");
      MY_SNPRINTF(line, 80, "kernel void d(global %s%s *x) {", type, width);
      whole.append(line);
      whole += "}";
    }"""
    first, second, third, fourth = programs(source)
    assert first == (b"#define N ${value}\nkernel void a(global ${value} *x) {\n  x[n % 2] = N;\n}\n")
    assert second.endswith(b"kernel void b(global int *x) { x[0] = ${value}; }\n")
    assert third.startswith(b"kernel void c(global int *x) {\n\n#include")
    assert third.endswith(b"}\n")
    assert fourth == b"kernel void d(global ${value}${value} *x) {}"
    for each in (first, second, third, fourth):
        assert [found.code for found in check(INCOMPLETE + each) if found.severity is Severity.ERROR] == []


def test_all_calls_of_a_macro_whose_argument_is_a_program_count():
    source = """string code() { return R( // the macro is defined in a header
      float square(float x) { return x * x; }
    )+R(kernel void a)+"("+R(global float *x // ) {
    )+"#ifdef EXTRA"+R(
      , int n
    )+"#endif"+R( // EXTRA
    )+") {"+R(
      x[0] = square(x[1]);
    }
    )+"#ifdef LAST"+R(
    )+"#endif"+R( // LAST
    );}"""
    (found,) = find_programs(source.encode(), HostLanguage.CPP).programs
    assert not found.is_fragment
    assert not found.value.has_holes
    assert [each.code for each in check(found.value.data) if each.severity is Severity.ERROR] == []


def test_an_edit_of_a_format_doubles_the_percent_sign():
    host = Document.of("a.c", b'f() { sprintf(text, "kernel void a(int x) { x = %d %% 2; }", n); }')
    (program,) = program_documents(host)
    at = program.document.text.data.index(b" % 2")
    (edit,) = program.host_edits([(at, at + 4, b" % 3 % 4")]) or ()
    assert edit.new == b" %% 3 %% 4"
    hole = program.document.text.data.index(b"${value}")
    assert program.host_edits([(hole, hole + 2, b"1")]) is None


def test_marks():
    assert programs('// language=OpenCL\nauto s = "int f(int x);"; // __global\n') == [b"int f(int x);"]
    assert programs('auto s = /* OpenCL */ R"(int f(__global int *x);)";') == [b"int f(__global int *x);"]
    assert python('# language=OpenCL\ns = "int f(__global int *x);"') == [b"int f(__global int *x);"]


def test_files_of_literals_that_the_host_includes():
    source = 'R::R() : B({\n#include "a.opencl"\n, "kernel void b(global int *x) { }"\n}) {}\n'
    assert programs(source) == [b'\n#include "a.opencl"\nkernel void b(global int *x) { }']


def test_strings_of_python():
    source = '''
PRE = "#define N 3\\n"
a = cl.Program(ctx, PRE + r"""kernel void a(global int *x) { }""").build()
b = "kernel void b(global %(type)s *x) { x[0] = 10 %% 3; }" % {"type": t}
c = f"""kernel void c(global {t} *x) {{ }}"""
d = "kernel void d(global {0} *x) {{ }}".format(t)
lines = ["kernel void e(global int *x) {"]
lines.append("x[0] = 1;")
lines.append("}")
e = cl.Program(ctx, "\\n".join(lines))
g = "kernel void g(global TYPE *x) { }".replace("TYPE", t)
def documented():
    """kernel void no(global int *x) { }"""
'''
    assert python(source) == [
        b"#define N 3\nkernel void a(global int *x) { }",
        b"kernel void b(global ${type} *x) { x[0] = 10 % 3; }",
        b"kernel void c(global ${t} *x) { }",
        b"kernel void d(global ${0} *x) { }",
        b"kernel void e(global int *x) {\nx[0] = 1;\n}",
        b"kernel void g(global ${TYPE} *x) { }",
    ]


def test_python_code_in_a_string_is_no_program():
    source = """
code = '''
kernel = r\"\"\"
kernel void execute(global double *a) { a[0] = 1; }
\"\"\"
run(kernel, a, { "size": (20, 5) })
'''
quoted = '''#define N "kernel void k(global int *x)"
kernel void a(global int *x) { x[0] = 1; }'''
"""
    assert python(source) == [
        b'#define N "kernel void k(global int *x)"\nkernel void a(global int *x) { x[0] = 1; }'
    ]


def test_programs_that_pyopencl_writes_around_expressions():
    source = 'k = ElementwiseKernel(ctx, "float a, float *x", "x[i] = a", preamble="#define N 1")\n'
    (found,) = python(source)
    assert b"#define N 1\n" in found
    assert b"(float a, __global float *x, long n)" in found
    assert b"x[i] = a;" in found
    (found,) = python(source.replace("float a", "__global float a"))
    assert b"( float a, __global float *x, long n)" in found


@pytest.mark.parametrize(
    ("source", "parts"),
    [
        (
            'ReductionKernel(ctx, np.float32, neutral="0", reduce_expr="a+b", map_expr="x[i]", arguments="float *x")',
            [b"(__global float *x, long n)", b"x[i]", b"a+b"],
        ),
        (
            'GenericScanKernel(ctx, t, "int *x", "x[i]", "a+b", neutral="0", output_statement="x[i] = item")',
            [b"(__global int *x, long N", b"x[i]", b"a+b", b"x[i] = item"],
        ),
    ],
)
def test_reductions_and_scans_of_pyopencl(source, parts):
    (found,) = python(f"k = {source}\n")
    assert all(each in found for each in parts)
    assert errors_of_python(f"k = {source}\n") == []
    broken = f"k = {source}\n".replace("x[i]", "x[i[0]]", 1)
    assert errors_of_python(broken) == [("invalid-operands", broken.index("i[0]"))]


@pytest.mark.parametrize(
    "template",
    [
        "% for n in range(4):\nx[${n}] = ${'1' if n else '2'};\n% endfor\n",
        "{% for n in range(4) %}\nx[{{ n }}] = {{ value | int }};\n{% endfor %}\n",
    ],
    ids=["Mako", "Jinja"],
)
def test_templates_in_strings_of_python(template):
    text = "kernel void a(global int *x) {\n" + template + "}\n"
    source = f's = Template(r"""{text}""").render(value=1)\n'
    (found,) = program_documents(Document.of("/a.py", source.encode()))
    assert text.encode() in found.document.text.data
    assert errors_of_python(source) == []
    beside = source + 's = """kernel void b(global int *x) { int *p = x; }"""\n'
    assert errors_of_python(beside) == [("pointer-conversion", beside.index("x; }"))]


def test_cells_of_notebooks():
    cells = [
        {"cell_type": "markdown", "source": ["kernel void no(global int *x) { }"]},
        {
            "cell_type": "code",
            "source": ['s = """\n', "kernel void a(global int *x) {\n", '  x[0] = "\\t"; }"""'],
        },
        {"cell_type": "code", "source": ["%%cl_kernel -o 1\n", "kernel void b(global int *x) { }"]},
    ]
    data = json.dumps({"cells": cells}).encode()
    first, second = find_notebook_programs(data).programs
    assert first.value.data == INCOMPLETE + b'\nkernel void a(global int *x) {\n  x[0] = "\t"; }'
    assert second.value.data == INCOMPLETE + b"kernel void b(global int *x) { }"
    at = first.value.data.index(b"x[0]")
    assert data[slice(*first.value.host_range(at, at + 4))] == b"x[0]"


@pytest.mark.parametrize(
    "source",
    [
        b'const char *s = R"x(kernel void a(global int *x) { })y";',
        b'const char *s = "kernel void a(global int *x) { }\n',
        b'std::string s = build("kernel void", name) + "(";',
        b"kernel void a(global int *x) { }",
        b'\xff\xfe"kernel void \x00',
        b'auto s = "@kernel void a(int *x) { @outer for (int i = 0; i < 4; i++) x[i] = 1; }";',
    ],
)
def test_what_cannot_be_read_is_silent(source):
    for language in (HostLanguage.C, HostLanguage.CPP, HostLanguage.PYTHON):
        assert find_programs(source, language).programs == ()


def test_bytes_of_latin_1_stay():
    source = b'// \xe9\nconst char *s = "// \xe9\\n" "kernel void a(global int *x) { }";\n'
    (found,) = find_programs(source, HostLanguage.CPP).programs
    assert found.value.data == INCOMPLETE + b"// \xe9\nkernel void a(global int *x) { }"


def test_deep_nesting_is_read():
    source = b'auto s = "kernel void a(global int *x) {' + b'" "' * 300 + b'}"' + b' + "a"' * 300 + b";"
    assert len(find_programs(source, HostLanguage.CPP).programs) == 1
    source = b"f(" * 2_000 + b'"kernel void a(global int *x) { }"' + b")" * 2_000
    assert len(find_programs(source, HostLanguage.CPP).programs) <= 1


def test_a_large_file_is_not_parsed():
    source = b'auto s = "kernel void a(global int *x) { }";' + b" " * 4_200_000
    assert find_programs(source, HostLanguage.CPP).problem == "is larger than 4 MB"


def test_a_file_without_kernels_costs_one_search():
    source = b"  int value = compute(first, second) + other->member; // text\n" * 10_000
    assert not may_hold_kernel(source)
    started = time.perf_counter()
    may_hold_kernel(source)
    # 0.1 ms on an idle machine
    assert time.perf_counter() - started < 0.02


def test_edits_of_a_program_change_its_literals_only():
    source = 'const char *s = "kernel void a(global int *x) {\\n" // "kept"\n  "x[0] = 1;\\n}\\n";\n'
    host = Document.of("/a.cpp", source.encode())
    (found,) = program_documents(host)
    at = found.document.text.data.index(b"x[0]")
    edits = found.host_edits([(at, at, b'"\\";')])
    assert edits is not None
    (edit,) = edits
    assert source[: edit.start].endswith('"kept"\n  "')
    assert edit.new == rb"\"\\\";"
    assert found.host_edits([(0, 5, b"x")]) is None


def test_host_languages():
    assert host_language_of_file("a/b.HPP") is HostLanguage.CPP
    assert host_language_of_file("a.rs") is HostLanguage.RUST
    assert host_language_of_file("a.nim") is None
