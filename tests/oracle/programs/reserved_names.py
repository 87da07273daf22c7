"""The words of OpenCL C as names in declarations."""

from __future__ import annotations

from collections.abc import Iterator

from .program import Program, matrices

_DECLARED = {
    "reserved-variable": "void f(void){{ int {word}; }}",
    "reserved-function": "void {word}(void){{}}",
    "reserved-parameter": "void f(int {word}){{}}",
    "reserved-member": "struct T {{ int {word}; }};",
    "reserved-tag": "struct {word} {{ int a; }};",
    "reserved-typedef": "typedef int {word};",
    "reserved-label": "void f(void){{ {word}: ; }}",
    "reserved-enumerator": "enum E {{ {word} }};",
    "reserved-underscore": "void f(void){{ int __{word}; }}",
}

_WORDS = {word: word for word in ("global", "local", "private", "constant", "generic", "kernel", "read_only")}


def reserved_names() -> Iterator[Program]:
    """Yields every word as the name of everything that can have a name."""
    yield from matrices("declare", _DECLARED, word=_WORDS)
