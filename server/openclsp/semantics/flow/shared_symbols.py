"""Shared symbols: functions and variables that other units may access.

Other units may call such functions and set such variables. The flow analysis covers one unit; what another
unit passes to a function or stores in a variable is unknown. A function or variable is *shared* if

- it is in an included document, or in a document that others include (`static` or not: each includer has a
  copy);
- it is not `static`, and an included document or another file of the project declares it too (a prototype,
  `extern`);
- it is not `static`, and may be declared in an included document that could not be read;
- it is a variable that is declared more than once.

A unit is a *whole program* if all programs of the project that share documents with it are known
(`DeclarationsElsewhere.is_whole`). In a whole program, a symbol is not shared because of an inclusion:
`program_summary` joins the solutions of the programs that include the same document. A non-static function is
then shared only if some of its callers may be unknown.
A kernel is not shared: its argument types tell what the host passes. Any other function in a program's own
file is assumed to be called by that file alone: most OpenCL programs are built from one file, and without
this assumption hardly any pointer would be known.
"""

from __future__ import annotations

from openclsp.semantics.database.unit_inputs import DECLARERS
from openclsp.semantics.facts.entities import ItemKey
from openclsp.semantics.items.item import Item
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.other_files import DeclarationsElsewhere

_DEFINITION = "function_definition"


def sharing(
    unit: TranslationUnit, outside: DeclarationsElsewhere, key: ItemKey, name: str
) -> tuple[bool, bool]:
    """Returns two values: whether other units may access a symbol, and whether it is an entry point.

    `name` is declared by the item `key`. `outside` are the declarations in the other files of the project. An
    entry point is a function of the program's own file that other files may call; like a kernel, it is a root
    of the flow.
    """
    item = unit.by_key.get(key)
    if item is not None and outside.is_whole:
        declared = _is_open(unit, outside, key, name)
        return declared, declared and key[0] == _DEFINITION
    if item is None or not _is_in_root(unit, item) or unit.is_part or outside.is_included:
        return True, False
    declared = _is_declared_elsewhere(unit, outside, key, name)
    return declared, declared and key[0] == _DEFINITION


def _is_declared_elsewhere(
    unit: TranslationUnit, outside: DeclarationsElsewhere, key: ItemKey, name: str
) -> bool:
    declaring = [unit.by_key[each] for _, each in unit.database.read(DECLARERS, name) if each in unit.by_key]
    if key[0] != _DEFINITION and len(declaring) > 1:
        return True
    if any(each.summary.static for each in declaring):
        return False
    if unit.preprocessed.has_unknown_include or outside.declares(name):
        return True
    return any(each.key != key and not _is_in_root(unit, each) for each in declaring)


def _is_open(unit: TranslationUnit, outside: DeclarationsElsewhere, key: ItemKey, name: str) -> bool:
    """Whether programs outside the project may use a symbol of a whole program."""
    declaring = [unit.by_key[each] for _, each in unit.database.read(DECLARERS, name) if each in unit.by_key]
    function = key[0] == _DEFINITION
    if not function and len(declaring) > 1:
        return True
    if any(each.summary.static for each in declaring):
        return False
    if unit.preprocessed.has_unknown_include:
        return True
    return outside.is_open(name) if function else outside.declares(name)


def _is_in_root(unit: TranslationUnit, item: Item) -> bool:
    return item.group.part.preprocessed.document.name == unit.document.name
