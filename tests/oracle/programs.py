"""All programs that are tried on clang and on openclsp."""

from __future__ import annotations

from collections.abc import Iterator

from .blocks import blocks
from .builtin_arguments import builtin_arguments
from .conversions import conversions
from .declarations import declarations
from .expressions import expressions
from .nesting import nesting
from .opaque import opaque
from .program import Program


def programs() -> Iterator[Program]:
    """Every program, each name once."""
    yield from conversions()
    yield from declarations()
    yield from expressions()
    yield from nesting()
    yield from builtin_arguments()
    yield from opaque()
    yield from blocks()
