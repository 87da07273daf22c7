"""Finds where a pointer certainly comes from, within one function.

An origin is a variable of the function, a parameter, or memory to which a parameter points; every other
origin is `Other`. Calls are followed through the callee's result, and through the callee's stores to memory
passed as an argument. Findings that must be certain use this analysis, because the solution of the unit is
only a may-analysis.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from openclsp.language.spaces import Space
from openclsp.semantics.facts.entities import EntityRef
from openclsp.semantics.flow.graph import (
    ANYWHERE,
    BASE,
    CELL,
    COPY,
    LOAD,
    RESULT,
    Atom,
    CallSite,
    Flow,
    FunctionFlow,
    FunctionId,
    ObjectId,
    Path,
)
from openclsp.semantics.flow.object_layout import extended, overlapping_pointers, within
from openclsp.semantics.flow.origin_values import (
    OTHER,
    Other,
    OwnObject,
    ParameterContent,
    ParameterValue,
    RecordedWrite,
    Source,
    Struct,
)
from openclsp.semantics.flow.origins import object_of
from openclsp.semantics.flow.transfers import NULL, PRIVATE, table_of

Callees = Callable[[EntityRef], tuple[FunctionFlow, ...]]
"""The definitions of the function that an entity declares"""
_MAXIMUM_DEPTH = 8
"""Bound on nesting of calls and loads, and on path length.

Calls are those followed, loads those through pointers in memory.
"""
_MAXIMUM_CALLS = 24
"""Bound on the calls through which a pointer may have been returned"""
_MAXIMUM_STEPS = 3_000
"""Bound on atoms and writes examined for one value; beyond it, the origin is `Other`"""


class Sources:
    """Finds and caches the origins from which values certainly come; one instance serves several functions.

    A recursive call is taken to have no effect.
    """

    def __init__(self, callees: Callees) -> None:
        self._callees = callees
        self._results: dict[tuple[FunctionId, Path], tuple[Source, ...]] = {}
        self._writes: dict[FunctionId, tuple[RecordedWrite, ...]] = {}
        self._effects: dict[FunctionId, tuple[tuple[ParameterValue, tuple[Source, ...]], ...]] = {}
        self._running: set[tuple[FunctionId, Source, Path]] = set()
        self._reading: set[tuple[FunctionId, Atom]] = set()
        self._calling: set[tuple[FunctionId, int, Path]] = set()
        self._depth = 0
        self._left = _MAXIMUM_STEPS

    def origins_of(self, function: FunctionFlow, value: Flow) -> tuple[Source, ...]:
        """Returns the origins of a value.

        An origin is omitted if, on the way to the value, a cast or test excludes pointers into private
        memory.
        """
        self._left = _MAXIMUM_STEPS
        return self._all_of(function, value)

    def _all_of(self, function: FunctionFlow, value: Flow) -> tuple[Source, ...]:
        return tuple(dict.fromkeys(self._of(function, value, direct=False)))

    def _of(self, function: FunctionFlow, value: Flow, *, direct: bool) -> Iterator[Source]:
        """Yields a value's origins; with `direct`, the origin of a value loaded from memory is `Other`."""
        parameters = {parameter.node: number for number, parameter in enumerate(function.parameters)}
        todo: list[tuple[Atom, Path]] = [(atom, ()) for atom in reversed(value)]
        seen: set[tuple[int, Path]] = set()
        while todo:
            atom, path = todo.pop()
            self._left -= 1
            if self._left < 0:
                yield OTHER
                return
            if not table_of(atom.transfer)[PRIVATE] & PRIVATE:
                continue
            if atom.kind == COPY:
                path = _joined(atom.b, path)
                if atom.a in parameters:
                    yield ParameterValue(parameters[atom.a], path)
                if (atom.a, path) not in seen:
                    seen.add((atom.a, path))
                    todo += ((inner, path) for inner in reversed(function.nodes[atom.a]))
            elif atom.kind == RESULT:
                yield from (_moved(each, path) for each in self._returned(function, atom.a, atom.b or ()))
            elif atom.kind in (CELL, LOAD) and not direct:
                yield from (_moved(each, path) for each in self._read(function, atom))
            elif not (atom.kind == BASE and atom.a == NULL):
                yield _addressed(function, atom, path)

    def _read(self, function: FunctionFlow, atom: Atom) -> Collection[Source]:
        """Returns the origins of the values that may be stored in the memory that `atom` reads.

        If only some of these origins are `OwnObject`s, none of those is certain, and `OTHER` replaces each of
        them.
        """
        key = function.id, atom
        if key in self._reading:
            return ()
        if len(self._reading) == _MAXIMUM_DEPTH:
            return (OTHER,)
        self._reading.add(key)
        found = self._lying(function, atom)
        self._reading.discard(key)
        if all(isinstance(each, OwnObject) for each in found):
            return found
        return [OTHER if isinstance(each, OwnObject) else each for each in found]

    def _lying(self, function: FunctionFlow, atom: Atom) -> Collection[Source]:
        if atom.kind == CELL:
            where: Iterable[Source] = (_addressed(function, atom, ()),)
            path: Path = ()
        else:
            node: Flow = (atom._replace(kind=COPY, b=()),)
            where, path = self._of(function, node, direct=False), atom.b
        return dict.fromkeys(
            each for address in where for each in self._content(function, _moved(address, path))
        )

    def _content(self, function: FunctionFlow, address: Source) -> Iterator[Source]:
        """Yields the origins of the values that the function or its callees may have stored at an address."""
        if isinstance(address, Struct):
            callee = address.callee
            for each in self._content(callee, address.own):
                yield from self._in_terms_of(function, address.call, callee, each)
            return
        if isinstance(address, ParameterValue):
            yield ParameterContent(address.parameter, address.path)
        elif not isinstance(address, OwnObject) or address.object is None:
            yield OTHER
            return
        # The key leaves out the functions passed on the way. With them, each round of a recursion would make a
        # longer key, and the search would not end.
        key = (
            function.id,
            address._replace(handed=(), stored=()) if isinstance(address, OwnObject) else address,
            (),
        )
        if key in self._running:
            return
        if self._left < 0:
            yield OTHER
            return
        self._running.add(key)
        for write in self._written(function):
            self._left -= 1
            if not any(_is_same(each, address) for each in write.addresses):
                continue
            if write.callee is None:
                yield from self._of(function, write.value, direct=False) if write.value else (OTHER,)
                continue
            name = function.calls[write.call].name
            for value in write.values:
                for each in self._in_terms_of(function, write.call, write.callee, value):
                    yield each._replace(stored=(name, *each.stored)) if isinstance(each, OwnObject) else each
        self._running.discard(key)

    def _written(self, function: FunctionFlow) -> tuple[RecordedWrite, ...]:
        """Returns all stores of the function and its callees with the origins of their addresses."""
        found = self._writes.get(function.id)
        if found is not None:
            return found
        self._writes[function.id] = ()
        writes = [
            RecordedWrite(self._addresses(function, store.address, store.path), store.value)
            for store in function.stores
        ]
        for number, call in enumerate(function.calls):
            writes += self._written_by(function, number, call)
        self._writes[function.id] = tuple(writes)
        return self._writes[function.id]

    def _written_by(self, function: FunctionFlow, number: int, call: CallSite) -> Iterator[RecordedWrite]:
        callees = self._called(call)
        if not callees:
            for argument in call.arguments if call.block is None else ():
                yield RecordedWrite(self._addresses(function, argument, (ANYWHERE,)), ())
        for callee in callees:
            effects = self._stores_through_parameters(callee)
            if effects is None:
                for argument in call.arguments:
                    yield RecordedWrite(self._addresses(function, argument, (ANYWHERE,)), ())
                continue
            for given, values in effects:
                if given.parameter < len(call.arguments):
                    argument = call.arguments[given.parameter]
                    addresses = self._addresses(function, argument, given.path)
                    yield RecordedWrite(addresses, (), number, callee, values)

    def _addresses(self, function: FunctionFlow, value: Flow, path: Path) -> tuple[Source, ...]:
        return tuple(_moved(each, path) for each in self._of(function, value, direct=True))

    def _stores_through_parameters(
        self, function: FunctionFlow
    ) -> tuple[tuple[ParameterValue, tuple[Source, ...]], ...] | None:
        """Returns a function's stores through its pointer parameters, with the origins of the stored values.

        Origins are expressed in terms of the function's parameters; its own variables are `Other`. None if
        calls nest more deeply than the bound: the function may then store anything.
        """
        found = self._effects.get(function.id)
        if found is not None or self._depth == _MAXIMUM_DEPTH:
            return found
        self._effects[function.id] = ()
        self._depth += 1
        effects: dict[ParameterValue, dict[Source, None]] = {}
        for write in self._written(function):
            given = [each for each in write.addresses if isinstance(each, ParameterValue)]
            if not given:
                continue
            if write.callee is None:
                values: Iterable[Source] = self._all_of(function, write.value) if write.value else (OTHER,)
            else:
                values = dict.fromkeys(
                    inner
                    for each in write.values
                    for inner in self._in_terms_of(function, write.call, write.callee, each)
                )
            origins_outside: dict[Source, None] = dict.fromkeys(
                OTHER if isinstance(each, OwnObject) else each for each in values
            )
            for address in given:
                effects.setdefault(address, {}).update(origins_outside)
        self._depth -= 1
        self._effects[function.id] = tuple((given, tuple(values)) for given, values in effects.items())
        return self._effects[function.id]

    def _called(self, call: CallSite) -> tuple[FunctionFlow, ...]:
        return self._callees(call.callee) if call.callee is not None else ()

    def _returned(self, function: FunctionFlow, number: int, path: Path) -> Iterator[Source]:
        """Yields the origins of the result of call `number`, in terms of the caller `function`.

        If the result is a struct, `path` leads to the pointer in it.
        """
        key = function.id, number, path
        if key in self._calling:
            return
        if len(self._calling) == _MAXIMUM_CALLS:
            yield OTHER
            return
        self._calling.add(key)
        yield from self._handed_back(function, number, path)
        self._calling.discard(key)

    def _handed_back(self, function: FunctionFlow, number: int, path: Path) -> Iterator[Source]:
        call = function.calls[number]
        callees = self._called(call)
        if not callees:
            yield OTHER
        for callee in callees:
            for source in self._result(callee, path):
                if isinstance(source, OwnObject):
                    yield Struct(number, callee, source) if source.ref is None else OTHER
                    continue
                for each in self._in_terms_of(function, number, callee, source):
                    yield (
                        each._replace(handed=(call.name, *each.handed))
                        if isinstance(each, OwnObject)
                        else each
                    )

    def _result(self, function: FunctionFlow, path: Path) -> tuple[Source, ...]:
        """Returns the origins of a function's result, in terms of its own parameters and variables.

        If the result is a struct, `path` leads to the pointer in it. Empty while the result is being
        computed, that is, for a recursive call; `Other` if calls nest more deeply than the bound.
        """
        key = function.id, path
        if key in self._results or self._depth == _MAXIMUM_DEPTH:
            return self._results.get(key, (OTHER,))
        self._results[key] = ()
        self._depth += 1
        node = dict(function.results).get(path, function.result)
        self._results[key] = self._all_of(function, function.nodes[node])
        self._depth -= 1
        return self._results[key]

    def _in_terms_of(
        self, function: FunctionFlow, number: int, callee: FunctionFlow, source: Source
    ) -> Iterator[Source]:
        """Substitutes the arguments of call `number` for the parameters in an origin of the callee."""
        arguments = function.calls[number].arguments
        if isinstance(source, (ParameterValue, ParameterContent)) and source.parameter < len(arguments):
            for each in self._of(function, arguments[source.parameter], direct=False):
                moved = _moved(each, source.path)
                if isinstance(source, ParameterValue):
                    yield moved
                else:
                    yield from self._content(function, moved)
        else:
            yield OTHER


def _addressed(function: FunctionFlow, atom: Atom, path: Path) -> Source:
    """Returns the part at `path` of the object to which `atom` refers, as an origin.

    If `atom` is an address, this is the object at that address. If `atom` is a CELL, it is the memory from
    which the CELL loads. The result is `Other` for any object but the function's own private ones.
    """
    if atom.kind == BASE:
        found = object_of(atom)
        if found is None or found[0] is not Space.PRIVATE or found[1].level != 0:
            return OTHER
        ref = found[1].entity
        return OwnObject(found[2], ref, None, ()) if ref.item == function.id[0] else OTHER
    made = atom.a
    if not isinstance(made, ObjectId) or made.space is not Space.PRIVATE:
        return OTHER
    where = within(made.pointer_paths, _joined(atom.b, path))
    if made.kind == "result":
        return OwnObject(made.name, None, made, where) if made.owner == function.id else OTHER
    if isinstance(made.owner, EntityRef) and made.owner.item == function.id[0]:
        return OwnObject(made.name, made.owner, made, where)
    return OTHER


def _joined(path: Path, more: Path) -> Path:
    joined = extended(path, more)
    return joined if len(joined) <= _MAXIMUM_DEPTH else (ANYWHERE,)


def _moved(source: Source, path: Path) -> Source:
    """Returns the address of the part at `path` of the object with the address `source`."""
    if not path or isinstance(source, (ParameterContent, Other)):
        return source
    if isinstance(source, Struct):
        return source._replace(own=_moved_own(source.own, path))
    if isinstance(source, OwnObject):
        return _moved_own(source, path)
    return source._replace(path=_joined(source.path, path))


def _moved_own(own: OwnObject, path: Path) -> OwnObject:
    if own.object is None:
        return own
    return own._replace(path=within(own.object.pointer_paths, _joined(own.path, path)))


def _is_same(written: Source, read: Source) -> bool:
    """Whether a load from `read` may see the value that was stored to `written`."""
    if isinstance(written, OwnObject) and isinstance(read, OwnObject):
        made = written.object
        if made is None or made != read.object:
            return False
        return not set(overlapping_pointers(made.pointer_paths, written.path)).isdisjoint(
            overlapping_pointers(made.pointer_paths, read.path)
        )
    if isinstance(written, ParameterValue) and isinstance(read, ParameterValue):
        return written.parameter == read.parameter and _overlap(written.path, read.path)
    return False


def _overlap(one: Path, other: Path) -> bool:
    """Whether one path is a prefix of the other. True if this is unknown because a path contains ANYWHERE."""
    for first, second in zip(one, other, strict=False):
        if ANYWHERE in (first, second):
            return True
        if first != second:
            return False
    return True
