"""Imports lsprotocol with its classes completed lazily, each at its first use.

On import, `lsprotocol.types` makes attrs generate and compile the methods of more than 500 classes. That
takes longer than the analysis of a kernel, and a session uses a fifth of the classes. A deferred class gets
its methods from the same `attrs.define` when it is first called or first asked for its fields. It differs
from lsprotocol's own class only in that it has no slots, and that `__eq__` and `__repr__` are not compiled
for each class.
"""

from __future__ import annotations

import operator
import sys
import threading
from functools import cache
from typing import Any

import attrs

_FIELDS = "__attrs_attrs__"

_define = attrs.define
_pending: set[type] = set()
_lock = threading.RLock()


def import_deferred() -> None:
    """Imports `lsprotocol.types` with its classes deferred; does nothing if it has been imported.

    No other thread may use attrs during the import, because `attrs.define` is replaced.
    """
    if "lsprotocol.types" in sys.modules:
        return
    attrs.define = _defer
    try:
        import lsprotocol.types  # noqa: F401
    finally:
        attrs.define = _define
    from lsprotocol import _hooks

    if hasattr(_hooks, "_resolved_forward_references"):
        # Otherwise the converter would resolve the annotations of all classes immediately and complete the
        # classes. The import and the converter would take 395 instead of 60 ms.
        _hooks._resolved_forward_references = True


def pending_classes() -> frozenset[type]:
    """Returns the classes that have not been completed yet."""
    return frozenset(_pending)


def _defer(maybe_cls: type | None = None, **options: Any) -> Any:
    """Defers the definition of a class; replaces `attrs.define` during the import.

    A class whose decorator has options is defined at once.
    """
    if maybe_cls is None or options:
        return _define(maybe_cls, **options)
    cls: Any = maybe_cls

    def first_init(self: Any, *args: Any, **keywords: Any) -> None:
        _complete(cls)
        cls.__init__(self, *args, **keywords)

    cls.__init__ = first_init
    setattr(cls, _FIELDS, _fields)
    _pending.add(cls)
    return cls


class _LazyFields:
    """A descriptor in place of `__attrs_attrs__` that completes the class on access."""

    def __get__(self, instance: object, owner: type) -> Any:
        for cls in reversed(owner.__mro__):
            _complete(cls)
        for cls in owner.__mro__:
            found = vars(cls).get(_FIELDS)
            if found is not None and found is not self:
                return found
        raise AttributeError(_FIELDS)


_fields = _LazyFields()


@cache
def _type_names() -> dict[str, Any]:
    """Returns the types of lsprotocol by name, for the evaluation of annotations.

    The result is a copy, because `eval` adds names to it while lsprotocol may iterate over the original.
    """
    from lsprotocol.types import ALL_TYPES_MAP

    return dict(ALL_TYPES_MAP)


def _complete(cls: type) -> None:
    with _lock:
        if cls in _pending:
            _pending.remove(cls)
            _define(cls, slots=False, init=True, eq=False, repr=False)
            _add_comparison(cls)
            attrs.resolve_types(cls, _type_names(), {})


def _add_comparison(cls: Any) -> None:
    """Adds the `__eq__`, `__ne__` and `__repr__` that attrs would generate, unless the class defines them."""
    own, fields = vars(cls), attrs.fields(cls)
    if "__repr__" not in own:
        printed = tuple(field.name for field in fields if field.repr)

        def __repr__(self: Any) -> str:
            values = ", ".join(f"{name}={getattr(self, name)!r}" for name in printed)
            return f"{type(self).__qualname__}({values})"

        cls.__repr__ = __repr__
    if "__eq__" in own or "__ne__" in own:
        return
    names = tuple(field.name for field in fields if field.eq)
    key: Any = operator.attrgetter(*names) if names else type

    def __eq__(self: Any, other: Any) -> bool:
        return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

    def __ne__(self: Any, other: Any) -> bool:
        return key(self) != key(other) if other.__class__ is self.__class__ else NotImplemented

    cls.__eq__, cls.__ne__, cls.__hash__ = __eq__, __ne__, None
