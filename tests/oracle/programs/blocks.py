"""Block variables and literals, and the spaces of what they capture, take, return and convert to."""

from __future__ import annotations

from collections.abc import Iterator

from .program import Program, matrices, matrix

_NAMED = {"g": "global ", "l": "local ", "p": "private ", "n": ""}
_STORAGE = {
    "none": "",
    "static": "static ",
    "extern": "extern ",
    "const": "const ",
    "__block": "__block ",
}
_VALUE = {
    "bare": "",
    "literal": " = ^(int x){ return x; }",
    "0": " = 0",
    "void": " = ^(void){ return 1; }",
}

_SCOPES = {
    "program": "{d};",
    "function": "void f(int n){{ {d}; }}",
    "kernel": "kernel void f(int n){{ {d}; }}",
    "inner": "kernel void f(int n){{ if (n) {{ {d}; }} }}",
    "block": "void f(int n){{ ^{{ {d}; }}(); }}",
}

_DECLARATORS = {
    "block": "int (^{space}b)(int)",
    "const": "int (^const {space}b)(int)",
    "space-result": "{space}int (^b)(int)",
}

_SPACES = {
    "capture": "void f({S}int *s){{ ^{{ {D}int *d = s; }}(); }}",
    "argument": "void f({S}int *s){{ ^({D}int *d){{ }}(s); }}",
    "result": "void f({S}int *s){{ {D}int *d = ^{{ return s; }}(); }}",
    "return": "void f({S}int *s){{ ^{D}int *(void){{ return s; }}(); }}",
    "convert": "void f(void){{ void (^b)({D}int *) = ^({S}int *x){{ }}; }}",
    "convert-result": "void f(void){{ {D}int *(^b)(void) = ^{S}int *(void){{ return 0; }}; }}",
    "to-pointer": "void f(void){{ {S}void *b = ^{{ }}; }}",
    "cast-pointer": "void f(void){{ {S}void *b = ({S}void *)^{{ }}; }}",
    "from-pointer": "void f({S}void *v){{ void (^b)(void) = v; }}",
    "cast-from-pointer": "void f({S}void *v){{ void (^b)(void) = (void (^)(void))v; }}",
}


def blocks() -> Iterator[Program]:
    """Yields block variables in every scope, and pointers into every space that are captured, passed to and returned by blocks."""
    for scope, frame in _SCOPES.items():
        for form, declarator in _DECLARATORS.items():
            template = frame.replace("{d}", "{storage}" + declarator + "{value}")
            # clang itself crashes on `__block` at program scope
            storage = {key: word for key, word in _STORAGE.items() if scope != "program" or key != "__block"}
            yield from matrix(f"block-{scope}-{form}", template, storage=storage, space=_NAMED, value=_VALUE)
    yield from matrices("block", _SPACES)
