"""A declaration with a word that only the host may define has no error that depends on it."""

from __future__ import annotations

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.language.dialect import REFERENCE_DIALECTS
from openclsp.rules.finding import Severity

from .analysis import analyse

SILENT = (
    "SPACE int x;",
    "SPACE int x = 1;",
    "TYPE x;",
    "TYPE x = 1;",
    "constant TYPE x;",
    "constant TYPE x = INITIAL;",
    "constant int x = INITIAL;",
    "constant int x = INITIAL(3);",
    "constant int x[SIZE] = {1};",
    "LOCAL float buffer[4];",
    "CONSTANT float table[] = {1.0f};",
    "DECLARE(x);",
    "SPACE int f(void);",
    "struct s { SPACE int x; TYPE y; };",
    "kernel void f(SPACE int *p) { SPACE int y; }",
    "kernel void f(TYPE *p) {}",
    "kernel void f(TYPE p) {}",
    "kernel void f(global TYPE *p) { TYPE y; }",
    "kernel void f(ARGUMENTS) { local int x; }",
    "kernel void f(void) { local int a[SIZE]; local TYPE b[2 * SIZE]; }",
    "kernel void f(void) { LOCAL float buffer[4]; }",
    "kernel ATTRIBUTE void f(global int *p) { local int x; }",
    "void f(void) { int a[SIZE]; LOCAL float buffer[4]; }",
    "void f(TYPE *p); void f(OTHER *p);",
    "TYPE f(int); OTHER f(int);",
    "ATTRIBUTE void f(global int *p) {} ATTRIBUTE void f(local int *p) {}",
    "ATTRIBUTE void f(TYPE x) {} ATTRIBUTE void f(OTHER x) {}",
    "TYPE ATTRIBUTE f(TYPE x, global TYPE *p) { TYPE y; return f(x, &y); } TYPE ATTRIBUTE f(TYPE x, local TYPE *p);",
    "KERNEL void f(SPACE int *p) { local int x; constant int y = 1; }",
    "KERNEL f(SPACE int *p) { local int x; }",
    "typedef TYPE t; t x; kernel void f(t *p) {}",
    "void f(local TYPE x); void f(local TYPE x) { x[0] = 1; }",
)

REPORTED = (
    ("int f(void) { local TYPE x; }", "local-scope"),
    ("kernel void f(void) { if (FLAG) { local TYPE x; } }", "local-scope"),
    ("KERNEL void f(void) { if (FLAG) { local int x; } }", "local-scope"),
    ("ATTRIBUTE void f(int x) {} ATTRIBUTE void f(int y) {}", "conflicting-redeclaration"),
    ("void f(void) { global TYPE x; }", "function-scope-global"),
    ("struct s { global TYPE x; };", "member-space"),
    ("kernel TYPE *f(void);", "kernel-return-type"),
    ("local TYPE x;", "program-scope-space"),
)
"""Faults whatever the host's words mean."""


@pytest.mark.parametrize("dialect", [dialect.name for dialect in REFERENCE_DIALECTS])
@pytest.mark.parametrize("text", SILENT)
def test_unknown_is_silent(text: str, dialect: str) -> None:
    errors = [each for each in compute_diagnostics(analyse(text, dialect)) if each.severity is Severity.ERROR]
    assert not errors, [each.message for each in errors]


@pytest.mark.parametrize("dialect", [dialect.name for dialect in REFERENCE_DIALECTS])
@pytest.mark.parametrize(("text", "code"), REPORTED)
def test_what_is_known_is_reported(text: str, code: str, dialect: str) -> None:
    assert code in {each.code for each in compute_diagnostics(analyse(text, dialect))}
