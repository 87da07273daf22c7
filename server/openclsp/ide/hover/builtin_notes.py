"""Notes on built-in functions, shown in a hover after the type of the called overload."""

from __future__ import annotations

from openclsp.language.availability import availability
from openclsp.language.builtin_functions import is_builtin_function_name
from openclsp.language.builtin_functions.descriptions import description
from openclsp.rules.book.overload_space import spaces_in_words
from openclsp.semantics.types.builtin_function_types import overloads_of
from openclsp.semantics.types.type_model import Function
from openclsp.semantics.typing.typing_context import TypingContext


def describe_builtin(ctx: TypingContext, token_index: int) -> tuple[str, ...]:
    """Returns notes on the built-in function whose name in a call is this token.

    The notes describe its purpose, the address spaces of its pointer parameters and the versions that have
    it. Empty if the token names no built-in function, or if the program declares the name itself.
    """
    table = ctx.table
    name = table.token(token_index)
    called = token_index + 1 < len(table.tokens) and table.token(token_index + 1) == "("
    if not called or not is_builtin_function_name(name) or ctx.names.symbol(name) is not None:
        return ()
    notes = [description(name)]
    overloads = overloads_of(name, ctx.dialect)
    if len(overloads) > 1:
        notes.append(f"one of {len(overloads)} overloads in {ctx.dialect.title}{_spaces(overloads)}")
    where = availability(name, ctx.dialect)
    if where is not None and where.since > 100:
        notes.append(f"since OpenCL C {where.since // 100}.{where.since // 10 % 10}")
    return tuple(notes)


def _spaces(overloads: tuple[Function, ...]) -> str:
    listed = spaces_in_words(overloads)
    return f": {listed}" if listed else ""
