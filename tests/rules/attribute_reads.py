"""Records which attributes of a fact a rule reads.

A fact is wrapped in a view whose attributes are views in turn. Reads have the notation of `Rule.reads`: `value.type` is the
content of an attribute, `initialiser?` only whether there is one, and `entity.levels[]` each element of a sequence.
"""

from __future__ import annotations

import types
from typing import Any

from openclsp.language.dialect import Dialect
from openclsp.rules.rule import Rule


class View:
    """A fact, or a part of it, that records the reads of its attributes."""

    def __init__(self, value: object, path: str, reads: set[str]) -> None:
        self._value, self._path, self._reads = value, path, reads

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return type(self._value)

    def __getattr__(self, name: str) -> Any:
        described = getattr(type(self._value), name, None)
        if isinstance(described, types.FunctionType):
            return types.MethodType(described, self)
        path = f"{self._path}.{name}" if self._path else name
        value = getattr(self._value, name)
        if isinstance(described, property):
            self._reads.add(path)
            return value
        if value is None or "None" in type(self._value).__dataclass_fields__[name].type:
            self._reads.add(f"{path}?")
            if _is_part(value):
                path += "?"
        return _viewed(value, path, self._reads)

    def __eq__(self, other: object) -> bool:
        self._reads.add(self._path)
        return bool(self._value == (other._value if type(other) is View else other))

    def __hash__(self) -> int:
        self._reads.add(self._path)
        return hash(self._value)


class _Text(str):
    """A string that records whether more than its emptiness is read."""

    path: str
    reads: set[str]

    def __bool__(self) -> bool:
        self.reads.add(self.path + "?")
        return str.__len__(self) > 0


def _records_content(name: str) -> Any:
    method = getattr(str, name)

    def recorded(self: _Text, *arguments: Any, **keywords: Any) -> Any:
        self.reads.add(self.path)
        return method(self, *arguments, **keywords)

    return recorded


for _name in dir(str):
    if callable(getattr(str, _name)) and _name not in (
        "__new__",
        "__init__",
        "__init_subclass__",
        "__subclasshook__",
        "__class__",
        "__getattribute__",
        "__setattr__",
        "__delattr__",
    ):
        setattr(_Text, _name, _records_content(_name))


def _viewed(value: object, path: str, reads: set[str]) -> Any:
    if value is None:
        return value
    if type(value) is str:
        text = _Text(value)
        text.path, text.reads = path, reads
        return text
    if type(value) is tuple:
        reads.add(path + "?")
        return tuple(_viewed(each, f"{path}[]", reads) for each in value)
    if _is_part(value):
        return View(value, path, reads)
    reads.add(path)
    return value


def _is_part(value: object) -> bool:
    """Whether a value is a part of a fact with attributes: types and members of enumerations are plain values."""
    return hasattr(value, "__dataclass_fields__") and type(value).__module__.startswith(
        "openclsp.semantics.facts."
    )


def reads_without_finding(rule: Rule[Any], fact: object, dialect: Dialect) -> set[str]:
    """The attributes that a rule reads of a fact before it reports nothing; empty if it reports something.

    Only these count: what a rule reads to describe a fault does not affect whether there is one, as it reads all that
    decides before.
    """
    reads: set[str] = set()
    view: Any = View(fact, "", reads)
    if any(True for _ in rule.check(view, dialect)):
        return set()
    return reads
