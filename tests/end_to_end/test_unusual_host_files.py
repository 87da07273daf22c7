"""Host files that no compiler accepts, or that no tool expects: silent or a clear word, and nothing else changes."""

from __future__ import annotations

from lsprotocol import types

from .conftest import Start

KERNEL = "kernel void k(global int *x) { int *p = x; p[0] = 1; }"
FAULT = [("pointer-conversion", "x")]


async def test_unusual_texts_of_host_files(start: Start) -> None:
    editor = await start(pulls=True)

    (editor.folder / "k.cl").write_text(KERNEL)
    # Not UTF-8: the calls in it are placed by its bytes.
    latin = 'void g(cl_program p, cl_int n) { /* \xe9 */ cl_kernel k = clCreateKernel(p, "k", 0);\n'
    latin += "clSetKernelArg(k, 0, sizeof(cl_int), &n); }\n"
    (editor.folder / "latin.c").write_bytes(latin.encode("latin-1"))

    def uri(name: str) -> str:
        return (editor.folder / name).as_uri()

    good = f'const char *a = R"({KERNEL})";\n'
    unclosed = await editor.open(uri("open.cpp"), good + f'const char *b = R"x({KERNEL})";\n', "cpp")
    await unclosed.comes_to([("pointer-conversion", "x")])
    ends = f'// é\r\nconst char *a =\n  "// one\\n"\r\n  "{KERNEL}";\r// ü\n\n'
    mixed = await editor.open(uri("ends.cpp"), ends, "cpp")
    await mixed.comes_to(FAULT)
    at = ends.index("x; p[0]")
    action = next(each for each in await mixed.actions((at, at + 1)) if each.is_preferred)
    assert mixed.after(action) == ends.replace("int *p", "global int *p")
    template = '''
program = f"""
kernel void k({space} float *x, {qualifiers} int *y) {{
  {space} float *p = x;
  p[0] = y[0];
}}
"""
run(f"kernel void name_{n}({arguments}) {{ }}")
'''
    holes = await editor.open(uri("holes.py"), template, "python")
    named = """void f(cl_program p, const char *name, cl_int n) {
  cl_kernel k = clCreateKernel(p, name, 0);
  clSetKernelArg(k, 7, sizeof(cl_int), &n);
  sprintf(text, "k%d", n);
  cl_kernel l = clCreateKernel(p, text, 0);
  clSetKernelArg(l, 7, sizeof(cl_int), &n);
}
"""
    caller = await editor.open(uri("name.c"), named, "c")
    kernel = await editor.open(uri("k.cl"), KERNEL, "opencl")
    await kernel.comes_to_show(
        lambda found: sorted(str(each.code) for each in found), ["host-argument-kind", "pointer-conversion"]
    )
    shown = await kernel.newest()
    (call,) = next(each for each in shown or () if each.code == "host-argument-kind").related_information
    assert call.location.range.start == types.Position(1, 21)
    for quiet in (holes, caller):
        await quiet.comes_to([])


async def test_a_string_of_ten_megabytes_delays_nothing(start: Start) -> None:
    editor = await start(pulls=False)
    text = 'const char *a = "' + "kernel void k(global int *x) { } " * 320_000 + '";\n'
    large = await editor.open((editor.folder / "large.cpp").as_uri(), text, "cpp")
    other = await editor.open((editor.folder / "k.cl").as_uri(), KERNEL, "opencl")
    await other.comes_to(FAULT)
    assert await large.hover(40) is None
