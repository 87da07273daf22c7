"""`openclsp check` raises no exception after random changes of a kernel and of the host code beside it.

`FUZZ_EXAMPLES=5000 pytest tests/fuzz` tries more than the few examples of a usual run.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openclsp.cli import main
from openclsp.cli.exit_codes import CLEAN, COULD_NOT_RUN, ERRORS_FOUND

from ..rules.marked_page import marked_rules, strip_marks
from .test_total import TEXTS, WORDS, nothing_is_swallowed, per_test

__all__ = ["nothing_is_swallowed"]

ENDINGS = {"c": "c", "cpp": "cpp", "python": "py"}
C = rb"""#define OPTIONS "-DN=4 -DT=" TYPE
void f(int wide) {
  char o[99];
  sprintf(o, "%s -DW=%d -cl-std=CL2.0 -I\"%s\"", OPTIONS, wide, path);
  const char *s[] = {"kernel.cl", "other.cl"};
  clBuildProgram(program, 1, &device, wide ? o : "-DX", 0, 0);
  clSetKernelArg(clCreateKernel(program, "k", &error), 0, sizeof(cl_mem), &buffer);
}
"""
CPP = rb"""#if 0
#endif
void f() {
  std::string o = std::string("-DN=") + std::to_string(n) + " -DT=float";
  o += " -cl-std=CL1.2";
  cl::Program p(context, load("kernel.cl"));
  p.build({device}, o.c_str());
  auto k = cl::Kernel(p, "k");
  k.setArg(0, 1.0f);
  const char *s = R"CL(kernel void a(global int *p) {})CL";
}
"""
PYTHON = rb"""src = 'kernel void a(global %(type)s *p) { p[0] = 1; }' % dict(type="int")
program = cl.Program(ctx, open("kernel.cl").read()).build(options=["-D", f"N={n}", "-DT=%s" % t])
program.k(queue, (16,), None, np.int32(1), cl.LocalMemory(16))
"""
HOSTS = [
    ("c", C),
    ("cpp", CPP),
    ("python", PYTHON),
    *(
        (block.language, strip_marks(block.text).encode())
        for page in marked_rules()
        for block in page.host_blocks
    ),
]
"""Host code with its language"""
HOST_WORDS = (
    rb"""" ' \ R"( )" f" % {} { } ( ) [ ] , ; + += = == ? : # \n //  /* */ #if #define """
    + b'''""" %s %d -D -DN= -I
-cl-std=CL2.0 clBuildProgram( clSetKernelArg( sprintf( "kernel.cl" if else for return const char std::string'''
)

holes = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 12), st.integers(0, 200)), max_size=3)


def changed(text: bytes, changes: list[tuple[float, int, int]], words: list[bytes]) -> bytes:
    """Returns the text after some changes.

    A change consists of a position (from 0 at the beginning of the text to 1 at its end), the number of bytes to remove there, and
    the index of the word to insert. The index counts on from the first word if there are not so many.
    """
    for part, length, number in changes:
        at = int(len(text) * part)
        text = text[:at] + words[number % len(words)] + text[at + length :]
    return text


@settings(per_test, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(TEXTS), holes, st.sampled_from(HOSTS), holes)
def test_a_kernel_with_its_host(
    tmp_path_factory: pytest.TempPathFactory,
    capsys: pytest.CaptureFixture[str],
    kernel: bytes,
    kernel_changes: list[tuple[float, int, int]],
    host: tuple[str, bytes],
    host_changes: list[tuple[float, int, int]],
) -> None:
    folder: Path = tmp_path_factory.mktemp("project")
    (folder / "kernel.cl").write_bytes(changed(kernel, kernel_changes, WORDS))
    language, text = host
    name = f"host.{ENDINGS[language]}"
    (folder / name).write_bytes(changed(text, host_changes, HOST_WORDS.split(b" ")))
    capsys.readouterr()
    code = main(["check", "--format", "json", "--jobs", "1", os.fspath(folder)])
    assert code in (CLEAN, ERRORS_FOUND, COULD_NOT_RUN)
    report = json.loads(capsys.readouterr().out)
    assert {os.path.basename(each["path"]) for each in report["files"]} <= {"kernel.cl", name}
