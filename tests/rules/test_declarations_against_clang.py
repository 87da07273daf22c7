"""Compares the errors of every address space in every kind of declaration with clang, each in some of the dialects.

All programs of a dialect are in one text, one per line, so that clang runs once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Severity

from ..dialects import DIALECTS, texts_for
from ..language.clang import QUIETLY, needs_clang, run_clang
from .analysis import analyse, line_and_columns

SPACES = ("", "global", "local", "constant", "private")
STORAGE = ("", "static", "extern")
FRAMES = (
    "{}",
    "kernel void f@(int n) {{ {} }}",
    "kernel void f@(int n) {{ n++; {} }}",
    "kernel void f@(int n) {{ if (n) {{ {} }} }}",
    "kernel void f@(int n) {{ for (;;) {{ {} }} }}",
    "void f@(int n) {{ {} }}",
)
"""Where a variable can be declared; `@` makes a name unique."""

_ERROR = re.compile(r"<stdin>:(\d+):\d+: (?:fatal )?error: ")


def variables() -> Iterator[str]:
    """Yields all combinations of space, storage class, declarator, initialiser and scope."""
    forms = ("{0} int x@", "{0} int x@[2]", "{0} int *x@", "int *{0} x@", "{0} int4 x@", "const {0} int x@")
    for frame, storage, space, form in product(FRAMES, STORAGE, SPACES, forms):
        for value in ("", " = {1, 2}" if "[" in form else " = 0"):
            if not (storage == "extern" and value):
                yield frame.format(f"{storage} {form.format(space)}{value};")


def initialisers() -> Iterator[str]:
    """Yields initialisers that are not constant."""
    for frame, storage, space in product(FRAMES[1:], STORAGE[:2], SPACES):
        yield frame.format(f"{storage} {space} int x@ = n;")
        yield frame.format(f"{storage} {space} int x@[2] = {{1, n}};")


def two_levels() -> Iterator[str]:
    """Yields both levels of a pointer, as a variable, a parameter, a member and a result."""
    for outer, inner in product(SPACES, SPACES):
        pointer = f"{inner} int *{outer}"
        yield f"{pointer} x@;"
        yield f"{pointer} x@ = 0;"
        yield f"kernel void f@(void) {{ {pointer} x; }}"
        yield f"void f@({pointer} x);"
        yield f"kernel void f@({pointer} x);"
        yield f"kernel void f@({pointer} *x) {{}}"
        yield f"struct s@ {{ {pointer} x; }};"
        yield f"{pointer} f@(void);"
        yield f"void f@({inner} {outer} int *x);"
        yield f"void f@({inner} int *x); void f@({outer} int *x);"


def parameters_and_results() -> Iterator[str]:
    """Yields one space on a parameter, a member and a result."""
    types = ("int x", "int *x", "int x[4]", "int x[]", "int (*x)[4]", "float4 x")
    for space, type_, kernel in product(SPACES, types, ("", "kernel ")):
        yield f"{kernel}void f@({space} {type_}) {{}}"
        yield f"struct s@ {{ {space} {type_.replace('[]', '[2]')}; }};"
    for space, type_ in product(SPACES, ("int", "int *", "float4")):
        yield f"{space} {type_} f@(void);"
        yield f"kernel {space} {type_} f@(void);"


def typedefs() -> Iterator[str]:
    """Yields a space that comes from a typedef, alone and together with a written one."""
    uses = (
        "t@ x@;",
        "t@ x@ = 1;",
        "void f@(t@ x);",
        "void f@(t@ *x);",
        "kernel void f@(t@ *x);",
        "t@ f@(void);",
    )
    uses += (
        "kernel void f@(void) { t@ x; }",
        "kernel void f@(void) { { t@ x; } }",
        "void f@(void) { t@ x; }",
    )
    uses += ("struct s@ { t@ x; };", "void f@(void) { t@ *x; }")
    for space, use in product(SPACES, uses):
        yield f"typedef {space} int t@; {use}"
    for space, written in product(SPACES, SPACES):
        yield f"typedef {space} int t@; void f@({written} t@ *x);"
        yield f"typedef {space} int *t@; kernel void f@({written} t@ *x);"


def opaque_types() -> Iterator[str]:
    """Yields images, samplers and events in every place of a declaration."""
    for space, type_ in product(SPACES, ("image2d_t", "sampler_t", "event_t")):
        yield f"{space} {type_} x@;"
        yield f"void f@({space} {type_} x);"
        yield f"void f@({space} {type_} *x);"
        yield f"void f@({space} {type_} x[2]);"
        yield f"kernel void f@(void) {{ {space} {type_} x; }}"
        yield f"void f@(void) {{ {space} {type_} x[2]; }}"
        yield f"struct s@ {{ {space} {type_} x; }};"
        yield f"{space} {type_} f@(void);"
    for space, value in product(SPACES, ("0", "get@()")):
        yield f"int get@(void); {space} sampler_t x@ = {value};"
        yield f"int get@(void); const {space} sampler_t x@ = {value};"
        yield f"kernel void f@(void) {{ {space} sampler_t x = 0; }}"
        yield f"void f@(void) {{ {space} sampler_t x = 0; }}"


def kernel_types() -> Iterator[str]:
    """Yields the types that a kernel takes by value, directly and in a structure."""
    types = ("bool", "size_t", "ptrdiff_t", "intptr_t", "uintptr_t", "int", "float16", "double", "uchar")
    for type_ in types:
        yield f"kernel void f@({type_} x);"
        yield f"kernel void f@(global {type_} *x);"
        yield f"struct s@ {{ int a; {type_} b[2]; }}; kernel void f@(struct s@ x);"
        yield f"struct s@ {{ {type_} b; }}; struct u@ {{ struct s@ s; }}; kernel void f@(struct u@ x);"
    for space in SPACES:
        yield f"struct s@ {{ {space} int *p; }}; kernel void f@(struct s@ x);"
        yield f"union s@ {{ {space} int *p[2]; float f; }}; kernel void f@(union s@ x);"
        yield f"struct s@ {{ {space} int *global *p; }}; kernel void f@(struct s@ x);"
        yield f"struct s@ {{ {space} int *p; }}; kernel void f@(global struct s@ *x);"


FAMILIES = (
    variables,
    initialisers,
    two_levels,
    parameters_and_results,
    typedefs,
    opaque_types,
    kernel_types,
)


@needs_clang
@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_the_same_programs_have_errors(family: object, dialect: str) -> None:
    assert callable(family)
    tried = texts_for(dialect, family())
    programs = [" ".join(program.replace("@", str(n)).split()) for n, program in enumerate(tried)]
    text = "\n".join(programs) + "\n"
    said = run_clang(Dialect.of(dialect), text, "-fsyntax-only", "-w", *QUIETLY).stderr
    expected = {int(line) - 1 for line in _ERROR.findall(said)}
    found = {
        line_and_columns(text, each.location)[0]
        for each in compute_diagnostics(analyse(text, dialect))
        if each.severity is Severity.ERROR
    }
    assert expected, "clang found nothing at all"
    missed = [programs[line] for line in sorted(expected - found)]
    false = [programs[line] for line in sorted(found - expected)]
    assert not missed and not false, f"missed {missed}\nfalse {false}"
