"""A drop-in `dataclass(slots=True)` that is cheaper to define and to instantiate.

The package has more than two hundred dataclasses. The standard library generates and compiles up to seven
methods for each of them at import, which takes longer than the analysis of a kernel. Here, all classes share
closures for these methods. Only `__init__` has to be fast: it is compiled when the first instance of a class
is created.

`frozen` makes instances hashable. Only the type checker enforces that they are not modified: a check at run
time would double the time to create an instance.
"""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Callable
from dataclasses import MISSING, Field
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass

__all__ = ["dataclass"]

Fields = dict[str, "Field[Any]"]

_FIELDS = "__dataclass_fields__"
_INIT = "__init__"
_ORDER = ("__lt__", operator.lt), ("__le__", operator.le), ("__gt__", operator.gt), ("__ge__", operator.ge)


def _dataclass(
    *, slots: bool, frozen: bool = False, eq: bool = True, order: bool = False
) -> Callable[[type], type]:
    if not slots:
        raise ValueError("every dataclass has slots")

    def decorated(cls: type) -> type:
        own = _own_fields(cls)
        fields: Fields = {}
        for base in reversed(cls.__mro__[1:]):
            fields |= vars(base).get(_FIELDS, {})
        fields |= own
        methods: dict[str, Any] = {
            "__repr__": _dataclass_repr,
            "__match_args__": tuple(each.name for each in fields.values() if each.init),
        }
        if eq:
            key = _make_comparison_key([each.name for each in fields.values() if each.compare])
            methods["__eq__"] = _make_eq(key)
            methods["__hash__"] = _make_hash(key) if frozen else None
            methods |= {name: _make_comparison(key, compare) for name, compare in _ORDER if order}
        namespace = dict(vars(cls))
        if namespace.get("__hash__") is None:
            # A class body that defines `__eq__` sets `__hash__` to None implicitly.
            namespace.pop("__hash__", None)
        for name in (*own, "__dict__", "__weakref__"):
            namespace.pop(name, None)
        namespace = {**methods, **namespace, _FIELDS: fields, "__slots__": tuple(own)}
        made: type = type(cls)(cls.__name__, cls.__bases__, namespace)
        made.__qualname__ = cls.__qualname__
        if _INIT not in namespace:
            setattr(made, _INIT, _make_lazy_init(made))
        return made

    return decorated


if not TYPE_CHECKING:
    dataclass = _dataclass


def _own_fields(cls: type) -> Fields:
    """Returns the fields that the class itself declares, in the form that `dataclasses.fields` expects."""
    fields: Fields = {}
    for name, annotation in cls.__annotations__.items():
        if str(annotation).startswith(("ClassVar", "typing.ClassVar")):
            continue
        default = vars(cls).get(name, MISSING)
        each = default if isinstance(default, Field) else dataclasses.field(default=default)
        if each.default.__class__.__hash__ is None:
            raise ValueError(f"{cls.__qualname__}.{name}: all instances would share this default")
        each.name, each.type = name, annotation
        untyped: Any = each
        untyped._field_type = vars(dataclasses)["_FIELD"]
        fields[name] = each
    return fields


def _make_lazy_init(cls: type) -> Callable[..., None]:
    """Returns a placeholder `__init__` that replaces itself by the compiled one on the first call."""

    def __init__(self: Any, *arguments: Any, **keywords: Any) -> None:
        made = _compile_init(cls)
        setattr(cls, _INIT, made)
        made(self, *arguments, **keywords)

    return __init__


def _compile_init(cls: type) -> Any:
    parameters, body = ["self"], []
    names: dict[str, Any] = {}
    fields: Fields = getattr(cls, _FIELDS)
    for name, each in fields.items():
        value = name
        if each.default_factory is not MISSING:
            names[f"make_{name}"] = each.default_factory
            default = "MISSING"
            value = f"make_{name}() if {name} is MISSING else {name}" if each.init else f"make_{name}()"
        else:
            default = value = f"default_{name}" if each.default is not MISSING else ""
            names[default] = each.default
            value = name if each.init else default
        if each.init:
            parameters.append(f"{name}={default}" if default else name)
        if value:
            body.append(f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    source = f"def __init__({', '.join(parameters)}):\n  " + "\n  ".join(body or ["pass"])
    scope: dict[str, Any] = {}
    # The source consists of the class's own field names only, as in the standard library.
    code = compile(source, f"<{cls.__module__}.{cls.__qualname__}>", "exec")
    exec(code, {**names, "MISSING": MISSING}, scope)  # noqa: S102
    made = scope["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


@recursive_repr()
def _dataclass_repr(self: Any) -> str:
    fields: Fields = getattr(self, _FIELDS)
    values = ", ".join(f"{name}={getattr(self, name)!r}" for name, each in fields.items() if each.repr)
    return f"{type(self).__qualname__}({values})"


def _make_comparison_key(names: list[str]) -> Callable[[Any], Any]:
    """Returns the function that extracts the values by which two instances are compared."""
    return operator.attrgetter(*names) if names else lambda _instance: ()


def _make_eq(key: Callable[[Any], Any]) -> Callable[[Any, Any], bool]:
    def __eq__(self: Any, other: Any) -> bool:
        if self is other:
            return True
        return key(self) == key(other) if self.__class__ is other.__class__ else NotImplemented

    return __eq__


def _make_hash(key: Callable[[Any], Any]) -> Callable[[Any], int]:
    def __hash__(self: Any) -> int:
        return hash(key(self))

    return __hash__


def _make_comparison(
    key: Callable[[Any], Any], compare: Callable[[Any, Any], Any]
) -> Callable[[Any, Any], Any]:
    def __compare__(self: Any, other: Any) -> Any:
        return compare(key(self), key(other)) if self.__class__ is other.__class__ else NotImplemented

    return __compare__


def completed(cls: type, declared: str) -> None:
    """Adds field metadata and `__repr__` to a dataclass that mypyc compiled.

    The build has already written the other methods of the class as source code (`building.rewriting`).
    Each line of `declared` describes a field: its name, three digits and its type annotation. The digits
    (0 or 1) state whether the field is a parameter of `__init__`, whether it is compared, and whether
    `__repr__` shows it. `dataclasses.fields` reads the metadata.
    """
    fields: Fields = {}
    for line in declared.splitlines():
        name, flags, annotation = line.split(" ", 2)
        init, compare, in_repr = (flag == "1" for flag in flags)
        each: Any = dataclasses.field(init=init, compare=compare, repr=in_repr)
        each.name, each.type, each._field_type = name, annotation, vars(dataclasses)["_FIELD"]
        fields[name] = each
    setattr(cls, _FIELDS, fields)
    setattr(cls, "__match_args__", tuple(each.name for each in fields.values() if each.init))  # noqa: B010
    setattr(cls, "__repr__", _dataclass_repr)  # noqa: B010
