"""All programs that are compared between clang and openclsp."""

from __future__ import annotations

from collections.abc import Iterator

from .blocks import blocks
from .builtin_arguments import builtin_arguments
from .conversions import conversions
from .declared_functions import declared_functions
from .declared_variables import declared_variables
from .enqueueing import enqueueing
from .initial_values import initial_values
from .kernel_parameters import kernel_parameters
from .nesting import nesting
from .opaque_operands import opaque_operands
from .opaque_places import opaque_places
from .pipes import pipes
from .program import Program
from .qualifiers import qualifiers
from .reserved_names import reserved_names
from .single import single
from .writes import writes

_SOURCES = (
    conversions,
    declared_variables,
    qualifiers,
    declared_functions,
    initial_values,
    writes,
    reserved_names,
    single,
    nesting,
    builtin_arguments,
    opaque_places,
    opaque_operands,
    kernel_parameters,
    blocks,
    enqueueing,
    pipes,
)


def programs() -> Iterator[Program]:
    """Yields every program; names are unique."""
    for source in _SOURCES:
        yield from source()
