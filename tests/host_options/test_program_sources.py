"""The options of a build apply to the files of its program, and not to other files that the same function names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from openclsp.host_options.host_project import HostProject, select_host_options

Make = Callable[[dict[str, str]], HostProject]
KERNEL = "kernel void {0}(global TYPE *g) {{}}\n"


def options(project: HostProject, path: Path) -> list[str]:
    """The options of a kernel file, followed by the names of its variants if there are several."""
    found = select_host_options(project, str(path))
    return [*(layer.option_text for layer in found.layers), *(each.name for each in found.variants)]


TWO_PROGRAMS = {
    "Python, with": (
        "m.py",
        """\
import pyopencl as cl
ctx = cl.create_some_context()
with open("a.cl") as f:
    sa = f.read()
with open("b.cl", "r") as f, open("x.txt") as g:
    sb = f.read()
pa = cl.Program(ctx, sa).build("-DTYPE=float2")
pb = cl.Program(ctx, sb).build(options=["-DTYPE=int"])
""",
    ),
    "Python, members and paths": (
        "m.py",
        """\
import pyopencl as cl
from pathlib import Path
here = Path(__file__).parent
class Sim:
    def __init__(self, ctx):
        self.a = cl.Program(ctx, (here / "a.cl").read_text())
        self.b = cl.Program(ctx, (here / "b.cl").read_text())
        self.a.build(options=["-DTYPE=float2"])
        self.b.build(options=["-DTYPE=int"])
""",
    ),
    "C++, a function that reads": (
        "m.cpp",
        """\
#include <CL/cl.hpp>
#include <fstream>
std::string slurp(const char *name) { std::ifstream f(name); return std::string((std::istreambuf_iterator<char>(f)), std::istreambuf_iterator<char>()); }
int main() {
  cl::Context context;
  std::string sa = slurp("a.cl");
  std::string sb = slurp("b.cl");
  cl::Program pa(context, sa);
  cl::Program pb(context, sb);
  pa.build("-DTYPE=float2");
  pb.build("-DTYPE=int");
}
""",
    ),
    "C++, streams": (
        "m.cpp",
        """\
#include <CL/cl.hpp>
#include <fstream>
int main() {
  cl::Context context;
  std::vector<cl::Device> devices;
  std::ifstream fa("a.cl");
  std::stringstream ss;
  ss << fa.rdbuf();
  std::ifstream fb("kernels/b.cl");
  std::string sb(std::istreambuf_iterator<char>(fb), (std::istreambuf_iterator<char>()));
  cl::Program::Sources sources;
  sources.push_back({ss.str().c_str(), ss.str().length()});
  cl::Program pa(context, sources);
  cl::Program pb = cl::Program(context, sb);
  if (pa.build(devices, "-DTYPE=float2") != CL_SUCCESS) return 1;
  if (pb.build(devices, "-DTYPE=int") != CL_SUCCESS) return 1;
}
""",
    ),
    "C, one buffer": (
        "m.c",
        """\
#include <CL/cl.h>
#define OPT_A "-DTYPE=float2"
#define OPT_B "-DTYPE=int"
int main(void) {
  cl_context context; cl_int err; size_t size; char *text = malloc(65536);
  FILE *fp = fopen("a.cl", "r");
  size = fread(text, 1, 65536, fp);
  fclose(fp);
  cl_program pa = clCreateProgramWithSource(context, 1, (const char **)&text, &size, &err);
  err = clBuildProgram(pa, 1, &device, OPT_A, NULL, NULL);
  fp = fopen("b.cl", "r");
  size = fread(text, 1, 65536, fp);
  fclose(fp);
  cl_program pb = clCreateProgramWithSource(context, 1, (const char **)&text, &size, &err);
  err = clBuildProgram(pb, 1, &device, OPT_B, NULL, NULL);
}
""",
    ),
    "C, two buffers and one buffer of options": (
        "m.c",
        """\
#include <CL/cl.h>
static char *load(const char *name, size_t *size) { FILE *f = fopen(name, "rb"); char *s = malloc(100); fread(s, 1, 100, f); return s; }
int main(void) {
  size_t na, nb; char opts[256]; cl_int err;
  char *ta = load("a.cl", &na), *tb = load("b.cl", &nb);
  cl_program pa = clCreateProgramWithSource(context, 1, (const char **)&ta, &na, &err);
  cl_program pb = clCreateProgramWithSource(context, 1, (const char **)&tb, &nb, &err);
  sprintf(opts, "-DTYPE=%s", "float2");
  clBuildProgram(pa, 1, &device, opts, NULL, NULL);
  sprintf(opts, "-DTYPE=%s", "int");
  clBuildProgram(pb, 1, &device, opts, NULL, NULL);
}
""",
    ),
    "Rust": (
        "m.rs",
        """\
use ocl::Program;
fn main() {
    let pa = Program::builder().src_file("a.cl").cmplr_opt("-DTYPE=float2").build(&context).unwrap();
    let pb = Program::builder().src(std::fs::read_to_string("b.cl").unwrap()).cmplr_def("TYPE", "int").build(&context).unwrap();
}
""",
    ),
    "C#": (
        "m.cs",
        """\
using Cloo;
class M { void Go() {
  var pa = new ComputeProgram(context, File.ReadAllText("a.cl"));
  var pb = new ComputeProgram(context, File.ReadAllText("b.cl"));
  pa.Build(null, "-DTYPE=float2", null, IntPtr.Zero);
  pb.Build(null, "-DTYPE=int", null, IntPtr.Zero);
} }
""",
    ),
    "Java": (
        "M.java",
        """\
import static org.jocl.CL.*;
class M { void go() {
  String sa = Files.readString(Path.of("a.cl"));
  String sb = Files.readString(Path.of("b.cl"));
  cl_program pa = clCreateProgramWithSource(context, 1, new String[]{ sa }, null, null);
  clBuildProgram(pa, 0, null, "-DTYPE=float2", null, null);
  cl_program pb = clCreateProgramWithSource(context, 1, new String[]{ sb }, null, null);
  clBuildProgram(pb, 0, null, "-DTYPE=int", null, null);
} }
""",
    ),
    "Go": (
        "m.go",
        """\
package main
import "github.com/jgillich/go-opencl/cl"
func main() {
  sa, _ := os.ReadFile("a.cl")
  sb, _ := os.ReadFile("b.cl")
  pa, err := context.CreateProgramWithSource([]string{string(sa)})
  err = pa.BuildProgram(nil, "-DTYPE=float2")
  pb, err := context.CreateProgramWithSource([]string{string(sb)})
  err = pb.BuildProgram(nil, "-DTYPE=int")
}
""",
    ),
}


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize(("name", "host"), TWO_PROGRAMS.values(), ids=TWO_PROGRAMS)
def test_each_of_two_programs_has_its_options(
    make: Make, tmp_path: Path, name: str, host: str, *, swapped: bool
) -> None:
    if swapped:
        host = host.replace("a.cl", "@").replace("b.cl", "a.cl").replace("@", "b.cl")
    project = make({name: host, "a.cl": KERNEL.format("a"), "b.cl": KERNEL.format("b")})
    found = [options(project, tmp_path / each) for each in ("a.cl", "b.cl")]
    assert found == [["-DTYPE=float2"], ["-DTYPE=int"]][:: -1 if swapped else 1]


def test_a_build_without_options_has_its_file(make: Make, tmp_path: Path) -> None:
    host = """\
import pyopencl as cl
first = cl.Program(context, "#define TYPE float2\\n" + open("a.cl").read()).build()
second = cl.Program(context, open("b.cl").read()).build("-DTYPE=int")
"""
    project = make({"m.py": host, "a.cl": KERNEL.format("a"), "b.cl": KERNEL.format("b")})
    assert options(project, tmp_path / "a.cl") == []
    assert options(project, tmp_path / "b.cl") == ["-DTYPE=int"]


def test_a_program_of_two_files(make: Make, tmp_path: Path) -> None:
    host = """\
import pyopencl as cl
common = open("a.cl").read()
first = cl.Program(context, common + open("b.cl").read()).build("-DTYPE=int")
second = cl.Program(context, common + open("c.cl").read()).build("-DTYPE=float")
"""
    project = make({"m.py": host, **{f"{each}.cl": KERNEL.format(each) for each in "abc"}})
    assert options(project, tmp_path / "a.cl") == ["-DTYPE=int", "TYPE=int", "TYPE=float"]
    assert options(project, tmp_path / "b.cl") == ["-DTYPE=int"]
    assert options(project, tmp_path / "c.cl") == ["-DTYPE=float"]


def test_a_program_that_is_not_followed_may_be_of_all_files(make: Make, tmp_path: Path) -> None:
    host = """\
import pyopencl as cl
sources = find_sources("a.cl", "b.cl")
first = cl.Program(context, next(sources)).build("-DTYPE=int")
"""
    project = make({"m.py": host, "a.cl": KERNEL.format("a"), "b.cl": KERNEL.format("b")})
    assert options(project, tmp_path / "a.cl") == options(project, tmp_path / "b.cl") == ["-DTYPE=int"]


@pytest.mark.parametrize(
    "host",
    [
        'void t() { cl::Program p(context, "kernel void t(global TYPE *a) { }"); p.build("-DTYPE=int"); }',
        """const char *text = "kernel void t(global TYPE *a) { }";
void t() { cl::Program p = cl::Program(context, text); p.build("-DTYPE=int"); }""",
    ],
)
def test_the_options_of_a_string_are_not_those_of_a_file(make: Make, tmp_path: Path, host: str) -> None:
    others = {
        ".git/HEAD": "",
        "main.cpp": 'void go() { Engine e; e.load("a.cl"); }',
        "a.cl": KERNEL.format("a"),
    }
    assert options(make({"bench.cpp": f"#include <CL/cl.hpp>\n{host}\n", **others}), tmp_path / "a.cl") == []


def test_the_options_of_code_that_is_joined_with_unknown_text(make: Make, tmp_path: Path) -> None:
    host = """\
import pyopencl as cl
text = "kernel void t(global int *a) { }" + read_all()
program = cl.Program(context, text).build("-DTYPE=int")
"""
    project = make({".git/HEAD": "", "m.py": host, "a.cl": KERNEL.format("a")})
    assert options(project, tmp_path / "a.cl") == ["-DTYPE=int"]
