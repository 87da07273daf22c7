"""A kernel's parameter of a type whose size or meaning host and device need not share (OpenCL C 6.11.k, n)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts import FunctionDeclaration
from openclsp.semantics.types import Opaque, Scalar, Type

CODE = "kernel-argument-type"

_DEVICE_SIZED = ("size_t", "ptrdiff_t", "intptr_t", "uintptr_t")


def check(fact: FunctionDeclaration, dialect: Dialect) -> Iterator[Finding]:
    """Parameters passed by value; what a pointer points to is free."""
    if not fact.kernel:
        return
    for parameter in fact.parameters:
        fault = refused(parameter.type, dialect)
        if fault:
            yield Finding(
                CODE,
                Severity.ERROR,
                f"kernel parameter `{parameter.name}` cannot be of type {fault}",
                parameter.place,
            )


def refused(type_: Type, dialect: Dialect) -> str:
    """The type's name with the reason why no kernel takes it; empty for a type that is allowed."""
    if isinstance(type_, Scalar):
        if type_.name in _DEVICE_SIZED:
            return f"`{type_.name}`: its size is the device's own"
        if type_.canonical == "bool":
            return "`bool`: its size is the device's own"
        if type_.canonical == "half" and not dialect.half:
            return "`half` without the extension `cl_khr_fp16`"
    elif isinstance(type_, Opaque) and type_.category in ("event", "reserve_id"):
        return f"`{type_.name}`: the host has none to pass"
    return ""


RULES = (Rule(CODE, FunctionDeclaration, check),)
