"""Facts derived from the call graph: recursive calls, and calls of kernels that use local memory.

The graph's nodes are function names, and its edges come from syntactic summaries. A name with several
definitions (overloads) is excluded, since only types determine which overload a call selects.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from openclsp.semantics.database.signatures import EXPORTS
from openclsp.semantics.database.unit_inputs import CALL_COMPONENT, DECLARERS, LOCAL_VARIABLES
from openclsp.semantics.facts.calls import Call, DeferredCall, KernelCall, RecursiveCall
from openclsp.semantics.facts.entities import ItemKey, Origin
from openclsp.semantics.facts.fact import Fact
from openclsp.semantics.translation_unit import TranslationUnit

_DEFINITION = "function_definition"


def _unique_definition(unit: TranslationUnit, name: str) -> ItemKey | None:
    """Returns the item that defines the function `name`, if there is exactly one."""
    found = [
        key for _, key in unit.database.read(DECLARERS, name) if key[0] == _DEFINITION and key[1] == name
    ]
    return found[0] if len(found) == 1 else None


def call_facts(unit: TranslationUnit, key: ItemKey, calls: Iterable[Call | DeferredCall]) -> Iterator[Fact]:
    """Yields facts about an item's recursive calls, and its calls of kernels that declare local variables.

    A local variable is one in the address space `local`. Direct recursion that the type checker has
    recognised (`Call.recursive`) is skipped, and so are calls that are not evaluated. A call in a block
    literal is not recursive, and the block is enqueued with local memory for a work-group.
    """
    own = key[1] if key[0] == _DEFINITION else ""
    component = unit.database.read(CALL_COMPONENT, own)
    for call in calls:
        if not call.name or not call.evaluated or (isinstance(call, Call) and call.recursive):
            continue
        definition = _unique_definition(unit, call.name)
        if definition is None:
            continue
        variables = unit.database.read(LOCAL_VARIABLES, definition)
        recursive = call.name in component and not call.in_block
        if not recursive and not variables:
            continue
        symbol = unit.database.get(EXPORTS, definition).symbols.get(call.name)
        if symbol is None or (isinstance(call, Call) and symbol.type is not call.function):
            continue
        origin = Origin(symbol.ref, 0)
        if recursive:
            yield RecursiveCall(call.name, call.place, own, origin)
        if variables and symbol.kernel and not call.in_block:
            yield KernelCall(call.name, call.place, variables, origin)
