"""An edit turns a document into another language, and back into OpenCL C."""

from __future__ import annotations

from pathlib import Path

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.diagnostics.per_item_diagnostics import PerItemDiagnostics
from openclsp.rules.finding import Severity
from openclsp.source.document import Document
from openclsp.source.foreign_beginnings import foreign_beginning

from .units import analyse

HOST = 'char *s = "__kernel void k(__global float4 *in) {}";\nint n = 3;\n'
"""Checked as OpenCL C it has two errors"""
TEXTS = {
    "a qualifier next to the string": (HOST, HOST + "void f(global int *p);\n"),
    "a qualifier before the variable": (HOST, HOST.replace("char", "constant char")),
    "another string": (HOST, HOST.replace("__kernel void k(__global float4 *in) {}", "text")),
    "a comment of Lisp": (";;; Version 3\n(in-package :k)\n", "// Version 3\nint f(void);\n"),
    "a block comment of Lisp": ("#| Version 3 |#\n(print 1)\n", "/* Version 3 */\nint f(void);\n"),
    "a definition of Lisp": ("\n(defun f (x) x)\n", "\nint f(int x) { return x; }\n"),
    "a macro": ('#define S "__kernel void k() {}"\n', '#define S "__kernel void k() {}"\nint n = 3;\n'),
    "a part of a function": ("float v = 0;\nreturn v;\n", "float f() { float v = 0;\nreturn v; }\n"),
    "a statement after a surplus brace": (
        "float v = 0;\nreturn v;\n",
        "void f() { }}\nfloat v = 0;\nreturn v;\n",
    ),
    "an assignment in a part of a function": (
        "global float *p = q + 1;\np[i] += dt;\n",
        "global float *p = q + 1;\nDEF(p[i] += dt);\n",
    ),
    "a class of Cool": (
        "-- it isn't \"C\nclass Main inherits IO {\n    main() : Object { self };\n};\n",
        "// it isn't C\nstruct Main { int IO; };\n",
    ),
    "a comment of IRAF": (
        "# A list of images\nfor (i = 1; i <= 9; i += 1)\n    print (i)\n",
        "# A list of images\nfloat4 f(void);\n",
    ),
    "a number in a template": (
        "template <int N = 3> int f() { return N; }\n",
        "template <int N = 4> int f() { return N; }\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), TEXTS.values(), ids=TEXTS)
def test_the_verdict_follows_edits(tmp_path: Path, before: str, after: str) -> None:
    unit = analyse(tmp_path, before)
    shown = compute_diagnostics(unit)
    for text in (after, before, after):
        unit.update(Document.of(unit.document.name, text.encode()))
        assert compute_diagnostics(unit) == compute_diagnostics(analyse(tmp_path, text))
        assert PerItemDiagnostics(unit).depend_on_items_only == (
            PerItemDiagnostics(analyse(tmp_path, text)).depend_on_items_only
        )
    unit.update(Document.of(unit.document.name, before.encode()))
    assert compute_diagnostics(unit) == shown


@pytest.mark.parametrize(
    ("statement", "codes"),
    [
        ("p[i] += dt;", set()),
        ("p[f(i)].x = 1;", set()),
        ("i++;", set()),
        ("if (i < n) { return; }", set()),
        ("// the border\n/* of x */ if (i < n) { return; }", set()),
        ("{ p[i] = dt; }", set()),
        ("/* the border */\n{ p[i] = dt; }", set()),
        ("void f(void) {} { p[i] = dt; }", {"program-scope-space", "undeclared-name"}),
        ("DEF(i = 1);", {"program-scope-space", "undeclared-name"}),
        ("TABLE(A)[2] = { 1, 2 };", {"program-scope-space", "undeclared-name"}),
        ("void f(void) {} p[i] += dt;", {"program-scope-space", "undeclared-name"}),
    ],
)
def test_a_part_of_a_function_declares_no_global_variables(
    tmp_path: Path, statement: str, codes: set[str]
) -> None:
    found = compute_diagnostics(analyse(tmp_path, f"float width = 2 * dx;\n{statement}\n"))
    assert {each.code for each in found if each.severity is Severity.ERROR} == codes


@pytest.mark.parametrize(
    "text",
    [
        ";;; Version 3\n(f #(1 2))\n",
        ";;; Version 3\r; for it's\r(f #(1 2))\r",
        "#| a |#\n(f #(1 2))\n",
        ";\n;\n(defun f (x) #(1 2))\n",
        ";\n; The version\n(f #(1 2))\n",
        ";;\n(f #(1 2))\n",
        "(in-package :a)\n(f #(1 2))\n",
        "(cl:defpackage :a)\n(f #(1 2))\n",
        "(cl-user::in-package :a)\n(f #(1 2))\n",
        "(proclaim '(optimize (speed 3)))\n(f #(1 2))\n",
        "\n(provide 'simplex)\n(f #(1 2))\n",
        '(load "a.lisp")\n(f #(1 2))\n',
        "(let* ((x '(1 2))) (f x))\n(f #(1 2))\n",
        "(define-condition failed (error) ())\n(f #(1 2))\n",
    ],
)
def test_lisp_is_not_checked(tmp_path: Path, text: str) -> None:
    (found,) = compute_diagnostics(analyse(tmp_path, text))
    assert found.message == "this is Lisp, not OpenCL C: this file is not checked"
    assert found.severity is Severity.INFORMATION


@pytest.mark.parametrize(
    "declaration",
    ["extern void (^k_kernel)(const cl_ndrange *ndrange, cl_float4 *p);", "void (^k)(const cl_ndrange* n);"],
)
def test_a_header_that_declares_kernels_for_a_host_is_not_checked(tmp_path: Path, declaration: str) -> None:
    text = f"#include <OpenCL/opencl.h>\ntypedef struct {{ cl_float4 p; }} camera;\n{declaration}\n"
    assert compute_diagnostics(analyse(tmp_path, text)) == ()
    assert compute_diagnostics(analyse(tmp_path, text.replace("cl_ndrange", "ndrange"))) != ()


@pytest.mark.parametrize(
    "text",
    [
        "(* A list *)\nclass List inherits IO {\n    car : Int;\n};\n",
        "(* It isn't a {\n * in C *)\nClass List inherits IO {\n    car() : Int { 1 };\n};\n",
        "-- it isn't\n\n(**)CLASS Main {\n    -- 0..n\n    car : Int <- 1;\n};\n",
        "Class Cons Inherits List {\n    -- don't\n    car() : Int { 1 };\n};\n",
    ],
)
def test_cool_is_not_checked(tmp_path: Path, text: str) -> None:
    (found,) = compute_diagnostics(analyse(tmp_path, text))
    assert found.message == "this is Cool, not OpenCL C: this file is not checked"
    assert (found.code, found.severity) == ("cpp-for-opencl", Severity.INFORMATION)


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("procedure sums (images)\n\nstring images {prompt=\"Images\"}\nbegin\nend\n", "this is the command language"),
        ("# The sums.\n#\nprocedure sums\n\nint n\nbegin\n    print (n); # local copy\nend\n", "this is the command"),
        ("#{ TOOLS -- The package\n\nset tools = \"home$\"\npackage tools\n", "`#` begins a comment"),
        ("# Default values of the local telescope\r\nx.verbose = yes\r\n", "`#` begins a comment"),
        ("# LAMPS (v2) - 1D spectra of lamps\n\ni = 1\n", "`#` begins a comment"),
        ("-- It doesn't matter\nClass Main inherits IO {\n main() : Int { 1 };\n};\n", "this is Cool"),
        ("-- It doesn't matter\n(* Lists *)\n1 + 2\n", "`--` begins a comment"),
        ("-----\n-- Lists\n-----\n\nclass A {};\n", "this is Cool"),
        ("\n(*\n * The list's elements\n *)\nCLASS Main { };\n", "this is Cool"),
        ("(* Lists *)\nx : Int;\n", "`(*` begins a comment"),
        ("import 'Net.ecore'\n\npackage net\ncontext Net\ninv a: self.name <> ''\n", "this is the Object"),
        ("/* About */\nimport net : 'Net.ecore#/'\ncontext A inv: 1_a\n", "this is the Object"),
        ("package net\n\ncontext Net inv named: name <> 'it''s'\n", "this is the Object"),
        ("context net::Place inv: self.tokens > 0\n", "this is the Object"),
    ],
)  # fmt: skip
def test_a_language_is_known_by_the_beginning_of_a_file(tmp_path: Path, text: str, subject: str) -> None:
    (found,) = compute_diagnostics(analyse(tmp_path, text))
    assert found.message.startswith(subject)
    assert found.message.endswith(", not OpenCL C: this file is not checked")
    assert found.severity is Severity.INFORMATION


@pytest.mark.parametrize(
    "data", [b"\x7fELF\2\1\1" + bytes(9) + b"\3\0'\0" * 9, b"\3\2\x23\7\0\0\1\0", b"BC\xc0\xde5\x14(\n"]
)
def test_a_compiled_kernel_is_not_checked(tmp_path: Path, data: bytes) -> None:
    unit = analyse(tmp_path, "")
    unit.update(Document.of(unit.document.name, data))
    (found,) = compute_diagnostics(unit)
    assert found.message == "this is binary data, not OpenCL C: this file is not checked"


@pytest.mark.parametrize(
    "text",
    [
        "int f(float n);\0",
        "# define N 3\nint f(float n);\n",
        '# 1 "kernel.cl"\nint f(float n);\n',
        "# inlcude <a.h>\nint f(float n);\n",
        "# inlude the header\nfloat f(float x) { return y; }\n",
        "# prgma OPENCL EXTENSION cl_khr_fp64 : enable\nfloat f(float x) { return y; }\n",
        ";\n(x);\n",
        ";\n\n  ;\n(*p).x = 1;\n",
        "--n;\np[n] = 2;\n",
        "-- n ;\np[n] = 2;\n",
        "(*p++) = 3;\nint z = 1;\n",
        "(*(p + 1)) = 3;\nq[1] = 2;\n",
        "package foo\nkernel void k() { }\n",
        "int x;\0",
        "#defien FIRST 1\nint f(float n);\n",
        "# The host replaces this line\nvoid f(global int *p);\n",
        "-- NAME\nkernel void f(global int *p) {}\n",
        "---NAME---\nint f(float n);\n",
        "(*p).x = 1;\n",
        "(*\np).x = float4(1);\n",
        "int procedure(float n);\n",
        "procedure(int, f)\nint g(float n);\n",
        "typedef int package;\npackage import(int context);\n",
        "context f(int n);\n",
        "import(a.h)\nint f(float n);\n",
    ],
)
def test_opencl_c_is_not_mistaken_for_another_language(text: str) -> None:
    assert foreign_beginning(text.encode()) is None


@pytest.mark.parametrize(
    "part",
    [b"#| |#", b"#|", b";\n", b"#||", b"\n", b"; a\n #| b |#\n", b"# a\n", b"# a b c\nint2 ", b"/* * */", b"//\n", b"--", b" (*a)",
     b"class A\n"],
)  # fmt: skip
def test_no_beginning_takes_long_to_judge(part: bytes) -> None:
    assert foreign_beginning(part * 20_000) is None
