"""Emits facts about names that nothing declares.

A kernel may use names that its host defines. So a name is reported only if a later item declares it, if a
similar name is declared, or if it looks like a variable. A name looks like a variable if it is very short, or
if the item assigns to it, indexes it or accesses a member of it. Names in capitals are never taken for
variables. A name that an unknown macro before it may declare is emitted as an unknown name, not as an
undeclared one.
Many short words resemble a built-in function. For this reason, a call of a short name is taken for a misspelt
built-in function only if the item uses no other undeclared name, and if the unit depends on no names that
only the host defines.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from openclsp.language.availability import is_missing_constant, is_missing_function, is_missing_type
from openclsp.language.builtin_functions import builtin_function, is_builtin_function_name, named_in
from openclsp.language.builtin_types import is_builtin_type_name, predeclared_constants
from openclsp.language.dialect import Dialect
from openclsp.language.keywords import C99_KEYWORDS, CLANG_KEYWORDS, keywords
from openclsp.language.near_names import near_declared
from openclsp.semantics.facts.constructs import NameRole, UnknownName
from openclsp.semantics.facts.declarations import FunctionDeclaration
from openclsp.semantics.facts.faults import UndeclaredName
from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.types.type_structure import is_unknown
from openclsp.semantics.typing.fault_facts import is_certain
from openclsp.semantics.typing.macro_statements import UnknownStatement, unknown_statements
from openclsp.semantics.typing.misused_types import check_called_type
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.semantics.typing.unknown_names import names_declared, unknown_around
from openclsp.source.parser import FIELDS, kind

_UPDATE, _ASSIGNMENT = kind("update_expression"), kind("assignment_expression")
_ACCESSES = frozenset((kind("subscript_expression"), kind("field_expression")))
_LEFT, _ARGUMENT, _ARGUMENTS = FIELDS["left"], FIELDS["argument"], FIELDS["arguments"]
_FUNCTION = kind("function_definition")
_COMPLETE = frozenset((_FUNCTION, kind("declaration"), kind("type_definition")))
_MAXIMUM_VARIABLE: Final = 2
"""The length up to which a name in small letters is taken for that of a variable, not of a macro."""
_LEAST_BUILTIN: Final = 5
_LEAST_NAME: Final = 3
_LEAST_END: Final = 3
_IMAGE_FUNCTIONS: Final = ("read_image", "write_image")
_VENDORS: Final = (
    "__",
    "amd_",
    "ap_",
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
_FENCES: Final = frozenset(("read_mem_fence", "write_mem_fence"))
"""Built-in functions with such a beginning that have no variants of vendors."""
_CUSTOMARY: Final = re.compile(
    "acot|add|bfe|bfi|brev|cfma|con|cot|csc|dist|dst|fadd|fdiv|fix|fmul|fnma|frac|fsub|fun|lerp|lg|ln|mac|map|"
    "mid|mod|msad|mul|mux|pack|popc|rand|rcp|rol|ror|rot|rotl|rotr|row|rsq|sad|sat|sec|sqr|sub|sum|swap|xor"
)
"""Customary short names of functions that resemble built-in ones but mean something else."""


def emit_undeclared_names(ctx: TypingContext) -> None:
    """Emits a fact for each undeclared name in the item, unless the host probably defines it."""
    # a statement at program scope is part of a function whose other declarations are not seen
    if not ctx.undeclared or ctx.table.kind[0] not in _COMPLETE or not is_certain(ctx):
        return
    if ctx.table.kind[0] == _FUNCTION:
        head = next((fact for fact in ctx.facts if isinstance(fact, FunctionDeclaration)), None)
        if head is None or any(not each.name and is_unknown(each.type) for each in head.parameters):
            # `WITH(lock) { … }` is a block after a macro call, which may be part of a function; in
            # `f(PARAMETERS)`, a macro may declare any names
            return
    if _has_unexpanded_macro(ctx):
        return
    objects = {ctx.table.text(node) for node in ctx.undeclared if _is_used_as_object(ctx.table, node)}
    statements = unknown_statements(ctx)
    for node, called in ctx.undeclared.items():
        name = ctx.table.text(node)
        _emit(ctx, node, name, called, name in objects, statements)


def _has_unexpanded_macro(ctx: TypingContext) -> bool:
    """Whether the item's expanded text still has a macro call, because its expansion was too large.

    Such a macro may declare names, or join its arguments to names: `ROUND(t)` to `t0 += t1`.
    """
    table, macros = ctx.table, ctx.names.vocabulary()
    for token_index in range(len(table.tokens) - 1):
        if table.tokens[token_index + 1] != b"(":
            continue
        word = table.token(token_index)
        if word in macros and not is_builtin_function_name(word) and ctx.find(word) is None:
            return True
    return False


def _is_used_as_object(table: Table, node: int) -> bool:
    """Whether a name is modified or indexed, or a member of it is accessed."""
    around = node - 1
    while around > 0 and table.skip[around] <= node:
        around -= 1
    number, field = table.kind[around], table.field[node]
    return (
        number == _UPDATE
        or (number == _ASSIGNMENT and field == _LEFT)
        or (number in _ACCESSES and field == _ARGUMENT)
    )


def _emit(
    ctx: TypingContext,
    node: int,
    name: str,
    called: bool,
    is_object: bool,
    statements: list[UnknownStatement],
) -> None:
    if called:
        check_called_type(ctx, node)
    if _may_have_meaning(ctx, name, called=called) or unknown_around(ctx, ctx.table.first[node]) >= 0:
        return
    later = ctx.names.is_declared_later(name)
    near_names = () if later else _near_names(ctx, name, called)
    if not near_names and called and not later:
        near_names = _near_short_builtins(ctx, node, name)
    if not near_names and not later:
        in_capitals = name.upper() == name
        likely = is_object or len(name) <= _MAXIMUM_VARIABLE
        if in_capitals or called or not likely or ctx.names.host_may_define_names():
            return
    words = ctx.names.program_scope_macro_words()
    if words:
        if name not in words:
            ctx.emit(UnknownName(name, ctx.place(node), NameRole.OTHER))
        return
    before = [each for each in statements if _is_in_scope(ctx.table, each, node) and each.name != name]
    if any(each.is_macro and name in each.arguments for each in before):
        return
    # `foo(t);` is probably the call of a function, but declares `t` if `foo` is a macro
    if any(name in each.arguments or (each.is_macro and not called) for each in before):
        ctx.emit(UnknownName(name, ctx.place(node), NameRole.OTHER))
        return
    out_of_scope = name in names_declared(ctx.table)
    if out_of_scope:
        near_names = ()
    ctx.emit(UndeclaredName(name, ctx.place(node), called, near_names, later, out_of_scope))


def _is_in_scope(table: Table, statement: UnknownStatement, node: int) -> bool:
    """Whether a node is in the scope of what a statement declares: after it, in the same block."""
    return table.skip[statement.node] <= node < table.skip[statement.block]


def _may_have_meaning(ctx: TypingContext, name: str, *, called: bool) -> bool:
    """Whether a keyword, a built-in name, a macro or a missing header may give the name a meaning."""
    dialect = ctx.dialect
    return (
        not name.isascii()
        or "$" in name
        or "\\" in name
        or (name.startswith(_VENDORS) and not (called and _misspells_builtin(name, dialect)))
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


def _near_short_builtins(ctx: TypingContext, node: int, name: str) -> tuple[str, ...]:
    """Returns the built-in functions whose names differ from a short called name by one letter.

    Only functions that have as many parameters as the call has arguments are returned. Returns none if the
    unit depends on names that only the host defines, or if the item uses another undeclared name: this name
    may then be defined outside the unit, too.
    """
    table = ctx.table
    if _CUSTOMARY.fullmatch(name) or name != name.lower() or ctx.names.host_may_define_names():
        return ()
    if any(table.text(other) != name for other in ctx.undeclared):
        return ()
    arguments = table.child(node - 1, _ARGUMENTS)
    if arguments < 0:
        return ()
    given = len(list(table.children(arguments)))
    return tuple(
        each
        for each in near_declared(name, _builtins(ctx.dialect), digits=len(name) < _LEAST_NAME)
        if any(len(found.parameters) == given for found in builtin_function(each, ctx.dialect) or ())
    )


def _near_names(ctx: TypingContext, name: str, called: bool) -> tuple[str, ...]:
    """Returns the declared and built-in names of similar spelling.

    The candidates are names declared in the item or at program scope, macros, and built-in names. A candidate
    that differs only by a digit counts if `name` is called or if the item declares the candidate; otherwise,
    `name` may be another macro of the host.
    """
    names = ctx.names
    if name.upper() == name and names.host_may_define_names():
        return ()
    return (
        near_declared(name, names_declared(ctx.table), digits=True)
        or _near_names_of_unit(name, names.declared_names(), called)
        or _near_names_of_unit(name, names.vocabulary(), called)
        or (_near_builtin(name, ctx.dialect) if called else _near_constants(name, ctx.dialect))
    )


@lru_cache(maxsize=4096)
def _misspells_builtin(name: str, dialect: Dialect) -> bool:
    """Whether a name with a prefix that vendors use is a misspelling of a built-in function.

    Vendors add types and formats: `read_imagex` may be a function of a vendor, but `read_miagef` and
    `convert_intt4` are misspellings.
    """
    if name.startswith("__"):
        return False
    return any(
        each in _FENCES or _is_typing_slip(name, each) or _differs_within_word(name, each)
        for each in near_declared(name, _builtins(dialect))
    )


def _is_typing_slip(name: str, known: str) -> bool:
    """Whether `name` is `known` with letters reordered, one letter doubled, or one inner letter missing."""
    if len(name) == len(known) - 1 >= _LEAST_NAME:
        return any(known[:at] + known[at + 1 :] == name for at in range(1, len(known) - 1))
    if len(name) != len(known) + 1:
        return sorted(name) == sorted(known)
    return any(known[: at + 1] + known[at:] == name for at in range(len(known)))


def _differs_within_word(name: str, known: str) -> bool:
    """Whether two names differ by one letter, which is inside a word and not in the ending of the name.

    The ending is the last three letters. In a conversion, `convert_T`, it is only the last letter, because
    vendors have few types of their own. In `read_imagef`, it is everything after `image`.
    """
    shorter = min(len(name), len(known))
    at = next((number for number in range(shorter) if name[number] != known[number]), shorter)
    image = next((prefix for prefix in _IMAGE_FUNCTIONS if known.startswith(prefix)), None)
    end = shorter - (1 if known.startswith("convert_") else _LEAST_END) if image is None else len(image)
    if at == 0 or at >= end or abs(len(name) - len(known)) > 1:
        return False
    rest = name[at + (len(name) >= len(known)) :], known[at + (len(known) >= len(name)) :]
    letters = name[at - 1 : at + 2] + known[at - 1 : at + 2]
    return rest[0] == rest[1] and letters.isalpha()


@lru_cache(maxsize=16)
def _builtins(dialect: Dialect) -> frozenset[str]:
    return named_in(dialect).union(predeclared_constants(dialect))


@lru_cache(maxsize=4096)
def _near_names_of_unit(name: str, known: frozenset[str], digits: bool) -> tuple[str, ...]:
    """Returns the result of `near_declared`, cached because many items have the same unknown names.

    `digits` means that names with other digits count as similar.
    """
    return near_declared(name, known, digits=digits)


@lru_cache(maxsize=4096)
def _near_constants(name: str, dialect: Dialect) -> tuple[str, ...]:
    """Returns the predeclared constants of similar spelling.

    Functions are excluded, because they are not values: `radius` does not mean `radians`.
    """
    return near_declared(name, frozenset(predeclared_constants(dialect)))


@lru_cache(maxsize=4096)
def _near_builtin(name: str, dialect: Dialect) -> tuple[str, ...]:
    """Returns the built-in functions and constants of similar spelling.

    If the name is short, only names that differ from it by exchanged, doubled or missing letters count as
    similar. Vendors have short functions of their own: `mac` is no misspelling of `mad` or `max`.
    """
    found = near_declared(name, _builtins(dialect))
    if len(name) < _LEAST_BUILTIN:
        return tuple(each for each in found if _is_typing_slip(name, each))
    return found
