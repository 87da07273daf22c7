"""Variables: every scope with every storage class, space, form and initialiser."""

from __future__ import annotations

from collections.abc import Iterator

from .program import WITH_GENERIC, Program, matrices, matrix

_STORAGE = {"none": "", "static": "static ", "extern": "extern ", "auto": "auto ", "register": "register "}

_SCOPES = {
    "program": "{declaration};",
    "function": "void f(int n){{ {declaration}; }}",
    "function-inner": "void f(int n){{ {{ {declaration}; }} }}",
    "kernel": "kernel void f(int n){{ {declaration}; }}",
    "kernel-late": "kernel void f(int n){{ n = 1; {declaration}; }}",
    "kernel-if": "kernel void f(int n){{ if (n) {{ {declaration}; }} }}",
    "kernel-for": "kernel void f(int n){{ for ({declaration}; n; ) {{}} }}",
    "kernel-switch": "kernel void f(int n){{ switch (n) {{ case 1: {{ {declaration}; }} }} }}",
    "kernel-statement": "kernel void f(int n){{ (void)({{ {declaration}; 1; }}); }}",
}

_FORMS = {
    "object": "{storage}{space}int x{value}",
    "const": "{storage}const {space}int x{value}",
    "pointer": "{storage}{space}int *x{value}",
    "const-pointer": "{storage}{space}int *const x{value}",
    "array": "{storage}{space}int x[4]{values}",
    "outer": "{storage}int *{space}x{value}",
    "outer-global": "{storage}global int *{space}x{value}",
    "outer-constant": "{storage}constant int *{space}x{value}",
    "rows": "{storage}{space}int (*x)[4]{value}",
    "pointers": "{storage}{space}int *x[2]{values}",
    "struct": "{storage}{space}struct {{ int a; }} x{values}",
}

_VALUE = {"value": {"bare": "", "0": " = 0"}, "values": {"bare": "", "0": " = { 0 }"}}
_VALUED = {"value": {"bare": "", "1": " = 1"}, "values": {"bare": "", "0": " = { 0 }"}}

_DECLARATIONS = {
    "multi": "kernel void f(void){{ {S}int x, *y, z[2]; }}",
    "multi-assign": "kernel void f(void){{ {S}int x, *y; y = &x; }}",
    "multi-levels": "kernel void f(void){{ {S}int *x, *{D}y; }}",
    "multi-program": "{S}int x = 1, y = 2;",
    "local-then-use": "kernel void f(void){{ {S}int x; x = 1; }}",
    "variable-again": "extern {D}int x; extern {S}int x;",
    "variable-defined": "extern {D}int x; {S}int x = 1;",
    "pointer-again": "extern {D}int *constant x; extern {S}int *constant x;",
    "enum-program": "enum {{ A, B }} {S}x = A;",
}


def declared_variables() -> Iterator[Program]:
    """Yields all combinations of scopes and forms, and several declarators or declarations of one variable."""
    for scope, frame in _SCOPES.items():
        for form, declarator in _FORMS.items():
            template = frame.replace("{declaration}", declarator)
            values = _VALUED if form in ("object", "const") else _VALUE
            name = f"declare-{scope}-{form}"
            yield from matrix(name, template, storage=_STORAGE, space=WITH_GENERIC, **values)
    yield from matrices("declare", _DECLARATIONS, WITH_GENERIC)
