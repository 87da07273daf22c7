"""Candidates in scope at the cursor: locals, names at program scope, macros, and predefined names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from openclsp.ide.completion.common_names import is_common
from openclsp.ide.completion.completion_list import CompletionCandidate, NameFilter
from openclsp.ide.completion.cursor_scope import CursorScope
from openclsp.ide.completion.predefined_names import NameKind, predefined_names_of
from openclsp.ide.completion.unfinished_code import PLACEHOLDER
from openclsp.language.deprecated_functions import is_deprecated
from openclsp.language.dialect import Dialect
from openclsp.semantics.database.signatures import EXPORTS
from openclsp.semantics.database.unit_inputs import DECLARERS, ORDER
from openclsp.semantics.facts.entities import Entity, EntityKind, ItemKey
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.types.type_model import Function, Type, spell
from openclsp.source.preprocessed import Preprocessed

_MAXIMUM_TYPED = 60
"""The number of names at program scope whose types are looked up for one list."""
_MAXIMUM_WITHOUT_WORD = 200
"""The number of names at program scope of each kind that a list without a typed word is chosen from.

Names of one kind without a type have equal scores, so the first declared are listed. Those with a type may have a lower
score: a list has 100 names. To score all 1,000 functions of a file of 5,000 lines takes 2 ms.
"""


def local_candidates(scope: CursorScope | None) -> Iterator[CompletionCandidate]:
    """Yields the local names, the last declared first.

    Of several equal names, the last declared one is therefore found first, as in name lookup.
    """
    for entity in reversed(scope.locals) if scope is not None else ():
        detail = spell(entity.type, entity.name)
        yield CompletionCandidate(
            entity.name, _kind(entity), detail, type=entity.type, is_own=True, is_local=True
        )


def _kind(entity: Entity) -> NameKind:
    return {
        EntityKind.PARAMETER: NameKind.PARAMETER,
        EntityKind.TYPEDEF: NameKind.TYPE,
        EntityKind.ENUMERATOR: NameKind.CONSTANT,
    }.get(entity.kind, NameKind.VARIABLE)


def own_candidates(scope: CursorScope | None) -> Iterator[CompletionCandidate]:
    """Yields the names that the item at the cursor declares at program scope.

    An example is the name of a function, which is in scope in its own body.
    """
    for name, symbol in scope.context.program_symbols.items() if scope is not None else ():
        if name != PLACEHOLDER:
            kind = NameKind.FUNCTION if symbol.kind is EntityKind.FUNCTION else NameKind.VARIABLE
            detail = spell(symbol.type, name)
            yield CompletionCandidate(name, kind, detail, type=_value_type(symbol.type), is_own=True)


def program_scope_candidates(
    unit: TranslationUnit, key: ItemKey, wanted: NameFilter, *, typed: bool
) -> Iterator[CompletionCandidate]:
    """Yields the names declared at program scope before the item `key` that match `wanted`.

    They are in order of declaration. If the user has typed no word, at most `_MAXIMUM_WITHOUT_WORD` names of
    each kind are yielded. `typed` is whether the types of the first `_MAXIMUM_TYPED` candidates are computed.
    """
    order = unit.database.read(ORDER, key)
    declared = []
    for name in filter(wanted.matches, unit.declared_names()):
        declarers = unit.database.read(DECLARERS, name)
        if declarers and declarers[0][0] < order and " " not in name:
            declared.append((declarers[0][0], name, declarers[0][1]))
    number_of_kind: Counter[str] = Counter()
    for number, (_, name, declarer) in enumerate(sorted(declared)):
        if not wanted.word:
            number_of_kind[declarer[0]] += 1
            if number_of_kind[declarer[0]] > _MAXIMUM_WITHOUT_WORD:
                continue
        symbol = None
        if typed and number < _MAXIMUM_TYPED:
            symbol = unit.database.get(EXPORTS, declarer).symbols.get(name)
        type_ = _value_type(symbol.type) if symbol is not None else None
        kind = _declared_kind(declarer)
        yield CompletionCandidate(name, kind, is_resolvable=True, type=type_, is_own=True)


def _value_type(type_: Type) -> Type:
    """Returns the type of the value that a use of the name produces.

    For a function, this is the type of its result, because its name is usually completed to a call.
    """
    return type_.result if isinstance(type_, Function) else type_


def _declared_kind(key: ItemKey) -> NameKind:
    if key[0] == "type_definition":
        return NameKind.TYPE
    return NameKind.FUNCTION if key[0] == "function_definition" else NameKind.VARIABLE


def macro_candidates(
    unit: TranslationUnit, document: Preprocessed, wanted: NameFilter
) -> Iterator[CompletionCandidate]:
    """Yields the macros whose names match `wanted`.

    These are the macros that are defined at the end of the unit, and those that `document` defines and that
    are defined at its end. The other macros at the end of an included document may be those of an earlier
    run, because they are not inputs of its cached result.
    """
    macros = unit.preprocessed.macros
    own = document.macros
    initial = wanted.initial.encode()
    # hundreds are predefined: only those with the right initial are sorted
    names = {name for name in macros if name[:1].lower() == initial or not initial}
    if own is not macros:
        names.update(name for name, macro in own.items() if macro.document == document.document.name)
    for name in sorted(names):
        word = name.decode("utf-8", "replace")
        if wanted.matches(word):
            is_own = (macros.get(name) or own[name]).document is not None
            yield CompletionCandidate(word, NameKind.MACRO, is_resolvable=is_own, is_own=is_own)


def predefined_candidates(unit: TranslationUnit, wanted: NameFilter) -> Iterator[CompletionCandidate]:
    """Yields the keywords, types, constants and functions of the language whose names match `wanted`.

    Without a typed word, only names that kernels often use are yielded, because scoring all 1,400 takes 10
    ms.
    """
    if not wanted.word:
        yield from _common(unit.dialect)
        return
    for candidate in _predefined(unit.dialect, wanted.initial):
        if wanted.matches(candidate.name):
            yield candidate


@lru_cache(maxsize=8)
def _common(dialect: Dialect) -> tuple[CompletionCandidate, ...]:
    """Returns the predefined names that kernels often use."""
    return tuple(each for each in _predefined(dialect, "") if is_common(each.name))


@lru_cache(maxsize=64)
def _predefined(dialect: Dialect, initial: str) -> tuple[CompletionCandidate, ...]:
    """Returns the predefined names that begin with the letter `initial`; all names if it is empty."""
    words = predefined_names_of(dialect)
    return tuple(
        CompletionCandidate(
            word.name,
            word.kind,
            is_resolvable=word.kind is NameKind.FUNCTION,
            is_deprecated=word.kind is NameKind.FUNCTION and is_deprecated(word.name, dialect),
        )
        for each in ((initial,) if initial else words)
        for word in words.get(each, ())
    )
