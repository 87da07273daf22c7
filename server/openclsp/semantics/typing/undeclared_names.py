"""Emits facts about names that nothing declares.

A kernel may use names that its host defines, so a name is reported only if a similar name is declared, or if
nothing in the unit suggests that the host defines names. Neither applies to names in capitals.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from openclsp.language.availability import is_missing_constant, is_missing_function, is_missing_type
from openclsp.language.builtin_functions import is_builtin_function_name, named_in
from openclsp.language.builtin_types import is_builtin_type_name
from openclsp.language.dialect import Dialect
from openclsp.language.keywords import C99_KEYWORDS, CLANG_KEYWORDS, keywords
from openclsp.language.near_names import near_declared
from openclsp.semantics.facts.faults import UndeclaredName
from openclsp.semantics.typing.fault_facts import is_certain
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.semantics.typing.unknown_names import names_declared, unknown_around

_VENDORS: Final = (
    "__",
    "amd_",
    "arm_",
    "as_",
    "cl_",
    "convert_",
    "intel_",
    "nv_",
    "qcom_",
    "read_",
    "write_",
)
"""The beginnings of names that compilers may know although openclsp does not."""


def emit_undeclared_names(ctx: TypingContext) -> None:
    """Emits a fact for each use of an undeclared name in the item."""
    if not ctx.undeclared or not is_certain(ctx):
        return
    for node, called in ctx.undeclared.items():
        _emit(ctx, node, ctx.table.text(node), called)


def _emit(ctx: TypingContext, node: int, name: str, called: bool) -> None:
    if _may_have_meaning(ctx, name) or unknown_around(ctx, ctx.table.first[node]) >= 0:
        return
    later = ctx.names.is_declared_later(name)
    near_names = () if later else _near_names(ctx, name)
    if not near_names and not later:
        lacks_letters = name.upper() == name
        if lacks_letters or called or ctx.names.host_may_define_names():
            return
    ctx.emit(UndeclaredName(name, ctx.place(node), called, near_names, later))


def _may_have_meaning(ctx: TypingContext, name: str) -> bool:
    """Whether something other than a declaration may give the name a meaning."""
    dialect = ctx.dialect
    return (
        not name.isascii()
        or "$" in name
        or name.startswith(_VENDORS)
        or name in C99_KEYWORDS
        or name in CLANG_KEYWORDS
        or name in keywords(dialect)
        or is_builtin_function_name(name)
        or is_builtin_type_name(name)
        or is_missing_function(name, dialect)
        or is_missing_type(name, dialect)
        or is_missing_constant(name, dialect)
        or ctx.names.may_be_declared_elsewhere(name)
        or name in ctx.names.vocabulary()
    )


def _near_names(ctx: TypingContext, name: str) -> tuple[str, ...]:
    """The names of similar spelling that are declared in the item, at program scope, or built in."""
    if name.upper() == name:
        return ()
    return (
        near_declared(name, names_declared(ctx.table))
        or near_declared(name, ctx.names.declared_names())
        or _near_builtin(name, ctx.dialect)
    )


@lru_cache(maxsize=16)
def _builtins(dialect: Dialect) -> frozenset[str]:
    return named_in(dialect)


@lru_cache(maxsize=4096)
def _near_builtin(name: str, dialect: Dialect) -> tuple[str, ...]:
    return near_declared(name, _builtins(dialect))
