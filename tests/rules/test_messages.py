"""Messages of the conversion rules: both types as OpenCL C spells them, and the reason."""

from __future__ import annotations

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics

from .analysis import analyse, line_and_columns


@pytest.mark.parametrize(
    ("dialect", "text", "message"),
    [
        (
            "CL1.2",
            "void f(global int *g) { local int *l = g; }",
            "`global int *` cannot initialise `local int *l`: global and local are disjoint",
        ),
        (
            "CL1.2",
            "void f(global int *g, local int *l) { l = g; }",
            "`global int *` cannot be assigned to `local int *l`: global and local are disjoint",
        ),
        (
            "CL1.2",
            "void h(int n, local int *l); void f(global int *g) { h(1, g); }",
            "`global int *` cannot be passed to parameter `local int *l` of `h`: global and local are disjoint",
        ),
        (
            "CL1.2",
            "void h(int n, local int *); void f(global int *g) { h(1, g); }",
            "`global int *` cannot be passed to parameter 2 `local int *` of `h`: global and local are disjoint",
        ),
        (
            "CL1.2",
            "local int *f(global int *g) { return g; }",
            "`global int *` cannot be returned as `local int *`, the result of `f`: global and local are disjoint",
        ),
        (
            "CL1.2",
            "void f(global int *g) { (void)(local int *)g; }",
            "`global int *` cannot be cast to `local int *`: global and local are disjoint",
        ),
        (
            "CL1.2",
            "void h(int *p); void f(global int *g) { h(g); }",
            (
                "`global int *` cannot be passed to parameter `private int *p` of `h`: global and private are disjoint "
                "(a pointee without a qualifier is private in OpenCL C 1.2)"
            ),
        ),
        (
            "CL2.0",
            "void f(int *p) { global int *g = p; }",
            (
                "`generic int *` cannot initialise `global int *g`: a generic pointer converts to global "
                "only by a cast"
            ),
        ),
        (
            "CL2.0",
            "void f(constant int *c) { int *p = c; }",
            "`constant int *` cannot initialise `generic int *p`: constant is not part of the generic address space",
        ),
        (
            "CL2.0",
            "void f(int *p) { (void)(constant int *)p; }",
            "`generic int *` cannot be cast to `constant int *`: constant is not part of the generic address space",
        ),
        (
            "CL1.2",
            'void f(void) { char *s = "x"; }',
            (
                "a string literal cannot initialise `private char *s`: string literals are in constant; "
                "`s` points into private because no address space is specified (OpenCL C 1.2), but only constant reaches it "
                "(a string literal)"
            ),
        ),
        (
            "CL1.2",
            "void f(global int *private *g) { local int *private *l = g; }",
            (
                "`global int *private *` cannot initialise `local int *private *l`: the inner pointer points into "
                "global, not into local; below the first level the spaces must be equal"
            ),
        ),
        (
            "CL1.2",
            "int f(global int *g, local int *l) { return g == l; }",
            "`global int *` and `local int *` cannot be compared with `==`: global and local are disjoint",
        ),
        (
            "CL1.2",
            "int f(global int *g, local int *l) { return *(g ? g : l); }",
            "`global int *` and `local int *` cannot be the operands of one `?:`: global and local are disjoint",
        ),
        (
            "CL1.2",
            "long4 f(int4 c) { return c ? 1L : 1; }",
            "the condition `int4` and the result `long` of `?:` must have as many elements of the same size",
        ),
        (
            "CL1.2",
            "long4 f(int4 c) { return c ? 1 : 1UL; }",
            "the condition `int4` and the result `ulong` of `?:` must have as many elements of the same size",
        ),
        (
            "CL1.2",
            "int f(global int *g, local int *l) { return g - l; }",
            "`global int *` and `local int *` cannot be subtracted: global and local are disjoint",
        ),
        (
            "CL1.2",
            "void f(global const int *in) { global int *p = in; }",
            "`global const int *` initialises `global int *p`, which discards const",
        ),
        (
            "CL1.2",
            "void f(constant int *c) { *c = 1; }",
            "the pointee of `c` cannot be written: it is in the constant address space",
        ),
        (
            "CL1.2",
            "void f(global int *g) { global float *x = g; }",
            "`global int *` cannot initialise `global float *x`: they point to different types",
        ),
    ],
)
def test_the_one_message(dialect: str, text: str, message: str) -> None:
    assert [found.message for found in compute_diagnostics(analyse(text, dialect))] == [message]


def related(text: str, dialect: str) -> list[tuple[str, str]]:
    """The message of each related place, with the text there."""
    (found,) = compute_diagnostics(analyse(text, dialect))
    places = []
    for each in found.related:
        line, (first, last) = line_and_columns(text, each.location)
        places.append((text.split("\n")[line][first:last], each.message))
    return places


def test_an_unknown_type_is_named_in_words() -> None:
    text = "void f(local MACRO *q) { global int *p = q; }"
    found = [
        each.message
        for each in compute_diagnostics(analyse(text, "CL2.0"))
        if each.code == "pointer-conversion"
    ]
    assert found == [
        "`local (unknown type) *` cannot initialise `global int *p`: local and global are disjoint"
    ]


def test_the_declarations_that_gave_the_spaces_are_shown() -> None:
    text = "void helper(local int *l);\nvoid f(global int *g) { helper(g); }"
    assert related(text, "CL1.2") == [
        ("local", "`l` points into local"),
        ("global", "`g` points into global"),
    ]


def test_an_object_is_where_it_was_declared() -> None:
    text = "void f(void) {\n    int x;\n    global int *g = &x;\n}"
    assert related(text, "CL1.2") == [("global", "`g` points into global"), ("int", "`x` is private")]


def test_a_pointer_from_the_unknown_says_nothing() -> None:
    text = "void f(SPACE int *p, local int *l) { l = p; l = unknown(); l == p; }"
    assert [each.code for each in compute_diagnostics(analyse(text, "CL1.2"))] == ["unknown-name"]
