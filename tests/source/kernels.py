"""Hypothesis strategies for kernels with many macros, and for their edits."""

from __future__ import annotations

from hypothesis import strategies as st

LINES = (
    "kernel void k(GLOBAL int *p, const int n) {",
    "}",
    "  int x = MAX(p[0], n) + 2;",
    "  int y = MAX(p[0],",
    "     n + 1) - TWO;",
    "  CAT(fo, o) = STR(a \"b\" c)[0]; // MAX(1, 2)",
    "  /* a comment with TWO */ y += TWO; /* and",
    "     more of it */ x -= TWO;",
    "  x = TWICE(x) + TWICE(TWO);",
    "  CALL",
    "  (x, y);",
    "#define TWO 2",
    "#define MAX(a, b) ((a) > (b) ? (a) : (b))",
    "#define CAT(a, b) a ## b",
    "#define STR(x) #x",
    "#define GLOBAL __global",
    "#define TWICE(x) x x",
    "#define CALL MAX",
    "#define EMPTY",
    "#define LOG(f, ...) printf(f, ## __VA_ARGS__)",
    "#define HERE __LINE__",
    "#define SELF SELF + TWO",
    "#undef TWO",
    "#ifdef TWO",
    "#if defined(HOST) && TWO > 1",
    "#ifndef GUARD",
    "#else",
    "#endif",
    "#error no TWO",
    "#pragma unroll",
    "#include \"types.h\"",
    "#include \"missing.h\"",
    "  _Pragma(\"unroll 4\") for (int i = HERE; i < TWO; ++i) LOG(\"%d\", i);",
    "  LOG(\"x\"); SELF; - EMPTY - 1; EMPTY + EMPTY;",
    "  x = 1 \\",
    "    + TWO;",
    "  p<:TWO:> = MAX(p<:0:>, 1); <% \"<:\" /* <: */ %>",
    "  x +\\\n= TWO<\\\n:1:>;",
    "  x = TWO; /\\\n/ TWO \"",
    "  x /* it's TWO *\\\n/ += TWO; /\\\n* a */ x -= MAX(1,",
    "  int z = 'a' + 0x1Ep + L'b'; \f // ünïcödé 😀",
    "",
    "\t",
)  # fmt: skip

SNIPPETS = ("x", " ", "(", ")", ",", ";", "\n", "\r\n", "\r", "TWO", "MAX(", "/*", "*/", "//", '"', "#", "\\", "é", "\\\n",
            "EMPTY", "CALL", "{", "}", "1", "_", "\n#define TWO 3\n", "TWICE(y)", "MAX(1,\n2)",
            "<:", "%>", "<", "%")  # fmt: skip


DIRECTIVES = ("\n#undef TWO\n", "\n#if 0\n", "\n#else\n", "\n#endif\n", "\n#define TWICE(x) CAT(x, x)\n", "#define TWO (1 + 1)\n",
              "\n#define MAX(a) a\n", '\n#include "types.h"\n', "\n#define foo 7\n", "\n#ifdef TWO\n", "/*", "*/", "\n")  # fmt: skip
"""What changes how the rest of a text is read"""

CALM_LINES = tuple(line for line in LINES if "#" not in line and "\\" not in line)
CALM_SNIPPETS = tuple(snippet for snippet in SNIPPETS if "#" not in snippet and "\\" not in snippet)


@st.composite
def kernels(draw: st.DrawFn, lines: tuple[str, ...] = LINES) -> bytes:
    """Draws the text of a kernel: some definitions, followed by any of the lines."""
    head = ["#define TWO 2", "#define MAX(a, b) ((a) > (b) ? (a) : (b))", "#define TWICE(x) x x"]
    head += ["#define CAT(a, b) a ## b", "#define STR(x) #x", "#define EMPTY", "#define CALL MAX"]
    body = draw(st.lists(st.sampled_from(lines), max_size=25))
    text = draw(st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"])).join(head + body)
    return (text + draw(st.sampled_from(["", "\n"]))).encode()


@st.composite
def edits(draw: st.DrawFn, snippets: tuple[str, ...] = SNIPPETS) -> tuple[float, int, bytes]:
    """Draws an edit: its start as a fraction of the text, the number of removed bytes, and the inserted bytes."""
    return (
        draw(st.floats(0, 1)),
        draw(st.sampled_from([0, 0, 0, 1, 1, 2, 5, 30])),
        draw(st.sampled_from(("", *snippets))).encode(),
    )
