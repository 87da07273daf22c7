"""Kernel summaries: the address spaces of a kernel's arguments, and its local and constant memory.

The memory includes that of all reachable functions. A function is reachable if reachable code calls it, also
in a block. A constant variable is reachable if reachable code or the initialiser of a reachable variable
names it. Sizes are computed by `semantics.types.sizes`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import field, replace

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import Location
from openclsp.ide.kernels.kernel_limits import (
    DeviceLimit,
    ExceededLimit,
    device_limits,
    find_exceeded_limits,
)
from openclsp.ide.kernels.kernel_memory import KernelArgument, KernelMemory, MemoryObjects
from openclsp.ide.kernels.local_arguments import LocalArgument, LocalArgumentSize, sizes_of_kernel
from openclsp.ide.location_map import LocationMap
from openclsp.ide.unit_config import unit_config
from openclsp.language.builtin_functions import is_builtin_function_name
from openclsp.language.device import DEFAULT_DEVICE
from openclsp.language.spaces import Space
from openclsp.semantics.database.query_database import Query
from openclsp.semantics.database.signatures import EXPORTS, HEAD
from openclsp.semantics.database.unit_inputs import CONTENT, DECLARERS
from openclsp.semantics.facts.declarations import FunctionDeclaration, KernelRecord
from openclsp.semantics.facts.entities import Entity, EntityRef, ItemKey, Place
from openclsp.semantics.memory.memory_uses import USES, WHOLE_ITEM, MemoryObject
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.types.sizes import layout_of
from openclsp.semantics.types.type_model import Opaque, Pointer, Type, spell
from openclsp.semantics.types.type_structure import levels
from openclsp.source.document import Document

_DEFINITION = "function_definition"
_INTRINSIC_PREFIX = "__builtin_"
"""The prefix of the names of compiler intrinsics."""


@dataclass(frozen=True, slots=True)
class KernelSummary:
    """The memory use of one kernel and the limits of the device.

    `location` is the location of the kernel's name. `exceeded_limits` contains the limits that the kernel
    certainly exceeds. `local_sizes` are the bytes of local memory that host code passes for arguments, as far
    as they are known.
    """

    location: Location
    memory: KernelMemory
    limits: tuple[DeviceLimit, ...]
    exceeded_limits: tuple[ExceededLimit, ...]
    local_sizes: tuple[LocalArgumentSize, ...] = ()

    def with_host(self, arguments: Iterable[LocalArgument]) -> KernelSummary:
        """Returns the summary completed with the local memory that calls in host code pass to the kernel.

        `arguments` may contain the local memory of other kernels, which is skipped.
        """
        sizes = sizes_of_kernel(self.memory.name, arguments)
        if not sizes:
            return self
        exceeded = find_exceeded_limits(self.memory, self.limits, sizes)
        return replace(self, exceeded_limits=exceeded, local_sizes=sizes)


def compute_kernel_summaries(unit: TranslationUnit, document: str = "") -> tuple[KernelSummary, ...]:
    """Computes the summary of each kernel of the unit, or of one of its documents, in text order."""
    return tuple(compute_summary(unit, key, at) for key, at in find_kernels(unit, document))


def find_kernels(unit: TranslationUnit, document: str = "") -> tuple[tuple[ItemKey, Location], ...]:
    """Finds the kernels defined in the unit or in one of its documents.

    Each is returned with the location of its name.
    """
    places = LocationMap(unit)
    # `kernel` on any declaration makes the function a kernel; the names filter the items before any of them
    # is typed
    kernel_names = {item.name for item in unit.items if item.summary.kernel}
    found = []
    for item in unit.items:
        if item.name not in kernel_names or item.key[0] != _DEFINITION:
            continue
        symbol = unit.database.get(EXPORTS, item.key).symbols.get(item.name)
        if symbol is None or not symbol.kernel:
            continue
        location = places.location(item.key, _declaration(unit, item.key).entity.place)
        if not document or location.document == document:
            found.append((item.key, location))
    return tuple(found)


def find_first_lines(unit: TranslationUnit, document: Document) -> tuple[tuple[ItemKey, Location], ...]:
    """Finds the kernels that a document defines, each with a location in the first line of its definition.

    This is the location of the name. If the name is in a later line, for example after a long attribute, it
    is the location of the first token.
    """
    places, text = LocationMap(unit), document.text
    found = []
    for key, name in find_kernels(unit, document.name):
        first = places.location(key, Place(0, 1))
        above = first.document == document.name and text.line_of(first.start) < text.line_of(name.start)
        found.append((key, first if above else name))
    return tuple(found)


def compute_summary_of_name(unit: TranslationUnit, name: str, number: int = 0) -> KernelSummary | None:
    """Computes the summary of the kernel with this name; None if there is none.

    `number` selects among kernels with equal names, from 0.
    """
    key = (_DEFINITION, name, number)
    if key not in unit.by_key:
        return None
    symbol = unit.database.get(EXPORTS, key).symbols.get(name)
    if symbol is None or not symbol.kernel:
        return None
    place = LocationMap(unit).location(key, _declaration(unit, key).entity.place)
    return compute_summary(unit, key, place)


def compute_summary(unit: TranslationUnit, key: ItemKey, location: Location) -> KernelSummary:
    """Computes the summary of the kernel that an item defines."""
    memory = unit.database.get(KERNEL_MEMORY, key)
    project = unit_config(unit).project
    device = DEFAULT_DEVICE if project is None else project.device
    limits = device_limits(device, unit.dialect.version)
    return KernelSummary(location, memory, limits, find_exceeded_limits(memory, limits))


def _declaration(unit: TranslationUnit, key: ItemKey) -> FunctionDeclaration:
    facts = unit.database.get(HEAD, key).facts
    return next(
        fact for fact in facts if isinstance(fact, FunctionDeclaration) and fact.entity.name == key[1]
    )


def _memory(unit: TranslationUnit, key: ItemKey) -> KernelMemory:
    if not unit.database.read(CONTENT, key):
        return _NOTHING
    walk = _ReachabilityWalk(unit)
    walk.add_function(key)
    walk.visit_reachable()
    arguments = tuple(_arguments(unit, key))
    return KernelMemory(
        key[1],
        arguments,
        walk.objects_in(Space.LOCAL),
        walk.objects_in(Space.CONSTANT),
        walk.objects_in(Space.UNKNOWN),
        tuple(name for each, name in walk.functions.items() if each != key),
        tuple(walk.unseen),
        unit.database.get(USES, key).work_group,
    )


_NOTHING = KernelMemory("")
KERNEL_MEMORY: Query[ItemKey, KernelMemory] = Query("kernel memory", _memory, _NOTHING)


def _arguments(unit: TranslationUnit, key: ItemKey) -> Iterator[KernelArgument]:
    records = {
        fact.parameter.ref: tuple(dict.fromkeys(_spaces(type_ for _, type_, _ in fact.members)))
        for fact in unit.database.get(HEAD, key).facts
        if isinstance(fact, KernelRecord)
    }
    names, bits = unit.names(key), unit.dialect.address_bits
    for parameter in _declaration(unit, key).parameters:
        type_ = parameter.type
        layout = layout_of(type_, names.slots, bits)
        # the host passes an argument of an opaque type as a handle
        size = bits // 8 if isinstance(type_, Opaque) else layout.size if layout is not None else None
        yield KernelArgument(
            parameter.name, _spelled(parameter), _argument_spaces(type_, records.get(parameter.ref)), size
        )


def _spelled(parameter: Entity) -> str:
    return spell(parameter.type.unqualified, parameter.name)


def _argument_spaces(type_: Type, inside: tuple[Space, ...] | None) -> tuple[Space, ...]:
    """Returns the address spaces of the pointees of an argument.

    `inside` contains the address spaces of the pointees in the members of the argument, if it is a structure.
    """
    if isinstance(type_, Pointer):
        return tuple(dict.fromkeys(_spaces((type_,))))
    return inside or ()


def _spaces(types: Iterator[Type] | tuple[Type, ...]) -> Iterator[Space]:
    for type_ in types:
        for depth, level in enumerate(levels(type_)):
            if depth and level.space is not None:
                yield level.space


@dataclass(slots=True)
class _ReachabilityWalk:
    """The traversal of all functions and variables that a kernel reaches.

    Each is visited once, because the call graph may have cycles.
    """

    unit: TranslationUnit
    functions: dict[ItemKey, str] = field(default_factory=dict)
    unseen: dict[str, None] = field(default_factory=dict)
    objects: dict[Space, list[tuple[str, MemoryObject]]] = field(default_factory=dict)
    _named: set[tuple[str, str]] = field(default_factory=set)
    _variables: dict[EntityRef, None] = field(default_factory=dict)
    _pending: deque[tuple[ItemKey, int]] = field(default_factory=deque)

    def add_function(self, key: ItemKey) -> None:
        """Adds a reached function definition."""
        if key not in self.functions:
            self.functions[key] = key[1]
            for each in self.unit.database.get(USES, key).objects:
                self._add(key[1], each)
            self._pending.append((key, WHOLE_ITEM))

    def visit_reachable(self) -> None:
        """Visits functions and variables until everything reachable is visited."""
        while self._pending:
            key, number = self._pending.popleft()
            uses = self.unit.database.get(USES, key)
            for use in uses.variable_uses:
                if use.by in (number, WHOLE_ITEM):
                    self._variable(use.variable)
            for name, type_ in uses.calls:
                self._call(key, name, type_)

    def objects_in(self, space: Space) -> MemoryObjects:
        """Returns the reached objects in an address space, in the order in which they were reached."""
        return tuple(self.objects.get(space, ()))

    def _add(self, function: str, each: MemoryObject) -> None:
        self.objects.setdefault(each.space, []).append((function, each))

    def _variable(self, ref: EntityRef) -> None:
        """Adds a reached variable at program scope.

        Its size is taken from the first of its declarations that determines the size.
        """
        if ref in self._variables or not self.unit.database.read(CONTENT, ref.item):
            return
        self._variables[ref] = None
        self._pending.append((ref.item, ref.number))
        own = next((each for each in self.unit.database.get(USES, ref.item).objects if each.ref == ref), None)
        if own is None or ("", own.name) in self._named:
            return
        self._named.add(("", own.name))
        known = own
        for _, key in self.unit.database.read(DECLARERS, own.name):
            for each in self.unit.database.get(USES, key).objects:
                if each.name != own.name or key[0] == _DEFINITION:
                    continue
                if each.ref != own.ref:
                    self._variable(each.ref)
                if known.layout is None:
                    known = each
        self._add("", known)

    def _call(self, caller: ItemKey, name: str, type_: Type | None) -> None:
        database = self.unit.database
        keys = [key for _, key in database.read(DECLARERS, name) if key[0] == _DEFINITION and key[1] == name]
        if len(keys) > 1 and type_ is not None:
            keys = [key for key in keys if _type_of(self.unit, key) is type_] or keys
        for key in keys:
            self.add_function(key)
        if keys or name.startswith(_INTRINSIC_PREFIX):
            return
        if self.unit.names(caller).symbol(name) is not None or not is_builtin_function_name(name):
            self.unseen[name] = None


def _type_of(unit: TranslationUnit, key: ItemKey) -> Type | None:
    symbol = unit.database.get(EXPORTS, key).symbols.get(key[1])
    return None if symbol is None else symbol.type
