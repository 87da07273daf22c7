"""lsprotocol's classes, each completed when it is first used.

Importing `lsprotocol.types` makes attrs write and compile the methods of more than 500 classes, which takes longer than
the analysis of a kernel, and a session uses a fifth of them. Deferred, a class gets its methods when it is first called
or first asked for its fields, from the same `attrs.define`. Only that it has no slots tells it from the class that
lsprotocol would have made; how it compares and prints is not compiled for each.
"""

from __future__ import annotations

import operator
import sys
import threading
from typing import Any

import attrs

_FIELDS = "__attrs_attrs__"

_define = attrs.define
_pending: set[type] = set()
_lock = threading.RLock()


def import_deferred() -> None:
    """Imports `lsprotocol.types` with its classes deferred; does nothing where it is imported already.

    Has to be called while no other thread runs: for as long as it takes, `attrs.define` is another function.
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
        # The converter would resolve the annotations of all classes at once, and so complete them.
        _hooks._resolved_forward_references = True


def pending() -> frozenset[type]:
    """The classes that nobody has used so far."""
    return frozenset(_pending)


def _defer(maybe_cls: type | None = None, **options: Any) -> Any:
    """Stands in for `attrs.define`; where that is given more than a class, there is nothing to be deferred."""
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


class _Fields:
    """Stands where attrs keeps what it knows of a class: to ask is to use the class."""

    def __get__(self, instance: object, owner: type) -> Any:
        for cls in reversed(owner.__mro__):
            _complete(cls)
        for cls in owner.__mro__:
            found = vars(cls).get(_FIELDS)
            if found is not None and found is not self:
                return found
        raise AttributeError(_FIELDS)


_fields = _Fields()


def _complete(cls: type) -> None:
    with _lock:
        if cls in _pending:
            from lsprotocol.types import ALL_TYPES_MAP

            _pending.remove(cls)
            _define(cls, slots=False, init=True, eq=False, repr=False)
            _add_comparison(cls)
            attrs.resolve_types(cls, ALL_TYPES_MAP, {})


def _add_comparison(cls: Any) -> None:
    """What attrs writes for `eq` and `repr`, where the class has nothing of its own."""
    own, fields = vars(cls), attrs.fields(cls)
    if "__repr__" not in own:
        shown = tuple(field.name for field in fields if field.repr)

        def __repr__(self: Any) -> str:
            values = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
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
