"""One sign of OpenCL C or of C is enough to recognise a text, whatever its syntax errors."""

from __future__ import annotations

import pytest
from openclsp.source.unrecognisable_text import is_unrecognisable

OTHERS = {
    "an expression of Cool": "let n : Int <- 1 in {\n  while n <= 3 loop n <- n + 1 pool;\n  out_int(n);\n};\n",
    "a script": 'noao\nimred\n\nls FLAT* > list_flat\n\nflatcombine ("@list_flat", output="Flat", nlow=1)\n',
    "a script with blocks": 'if (access ("sums.lis"))\n    delete sums.lis ver-\nprint (i, >> "sums.lis")\n',
    "Lisp": "'(a b)\n(print (f 1 2))\n(format t \"~a~%\" '(x))\n",
    "a session of Lisp": "USER(1): (defun f (x) (* x x))\nF\nUSER(2): (f '(1 2))\nError: not a number\n",
    "constraints": "context Order\n  inv: self.lines->forAll(l | l.count > 0)\n  inv: self.date <> null\n",
    "commands": "PGM PARM(&NAME)\nDCL VAR(&NAME) TYPE(*CHAR) LEN(10)\nMONMSG MSGID(CPF0000)\nENDPGM\n",
    "directives in prose": "# define the paths\n# include all images\nimcopy a.fits b.fits\nset home = /tmp/\n",
}


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_another_language_is_not_recognised(text: str) -> None:
    assert is_unrecognisable(text.encode())
    assert is_unrecognisable(text.replace("\n", "\r\n").encode())


SIGNS = {
    "a kernel": "kernel void k( {",
    "an address space": "f(__global x {",
    "a vector": "float4 f(",
    "an unsigned type": "uint f( (",
    "a built-in function": "x = = get_global_id(0",
    "a conversion": "y = = convert_int_rte(y",
    "an atomic function": "atomic_inc(&n",
    "a pragma": "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n) (",
    "a macro": "#define N 3\n) (",
    "an include": '#include "a.h"\n) (',
    "a kernel in a literal": '"kernel void k() {" ) (',
    "a word in a comment": "/* calls get_global_id */ ) (",
    "a function": "float f(float x { x",
    "a function of unknown types": "vtype f(vtype a, vtype b { a",
    "a function with a macro": "INLINE double OVERLOADABLE f( x\n{ x",
    "a return": "f( x { return x + 1; )",
    "a return without a semicolon": "f( x { return x + 1 }",
    "a return after an open comment": "f( x { /* return x + 1; )",
    "a variable": ") ( int n = 3;",
    "an array": ") ( float t[4];",
    "a constant": ") ( const u32 n",
    "a structure": "struct { ) (",
    "a type": "typedef x ( (",
}
"""Texts with a syntax error and one sign"""


@pytest.mark.parametrize("text", SIGNS.values(), ids=SIGNS)
def test_a_broken_program_is_recognised(text: str) -> None:
    assert not is_unrecognisable(f"{text}\n".encode())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "// nothing\n",
        "# nothing\n",
        "/* nothing */ ;\n",
        "p[i] += dt;\n",
        "SUM(a);\nSUM(b);\n",
        "x = 1;\ny = (x + 1);\nz = x y;\n",
    ],
    ids=repr,
)
def test_a_text_that_parses_for_the_most_part_is_recognised(text: str) -> None:
    assert not is_unrecognisable(text.encode())


HELPER = """float scaled(float x, float factor)
{
    float sum = x;
    for (int i = 0; i < 3; i++) {
        sum += factor * i;
    }
    return sum;
}
"""


@pytest.mark.parametrize("width", [1, 2, 5])
def test_no_loss_of_text_hides_a_function(width: int) -> None:
    """Any one to five characters may be missing or be something else."""
    data = HELPER.encode()
    for start in range(len(data)):
        for other in (b"", b"}", b"(", b";", b'"', b"/*", b"#"):
            assert not is_unrecognisable(data[:start] + other + data[start + width :])


@pytest.mark.parametrize(
    "part",
    [b"int ", b"return ", b"f(a b, ", b"( a", b"a b ", b"const\n", b"/*", b"#", b"{", b"class A\n", b"x ("],
)
def test_no_text_takes_long(part: bytes) -> None:
    is_unrecognisable(part * 20_000)
