"""A kernel parameter of a type whose size or meaning can differ between host and device (OpenCL C 6.11.k, n)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Fix, RelatedDeclaration, SetType, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.qualifiers import innermost_element
from openclsp.semantics.facts.declarations import FunctionDeclaration, KernelRecord
from openclsp.semantics.facts.entities import Entity, Origin
from openclsp.semantics.types.type_model import Opaque, Scalar, Type

CODE = "kernel-argument-type"

_OF_FIXED_SIZE = {
    "bool": ("int", "uchar"),
    "size_t": ("ulong", "uint"),
    "uintptr_t": ("ulong", "uint"),
    "ptrdiff_t": ("long", "int"),
    "intptr_t": ("long", "int"),
}
_DEVICE_SIZED = ("size_t", "ptrdiff_t", "intptr_t", "uintptr_t")


def of_kernel(fact: FunctionDeclaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports each parameter of a type that a kernel cannot take by value; a pointer can point to any type.

    A parameter of type `clk_event_t`, which only another kernel can pass, is reported as information.
    """
    if not fact.kernel:
        return
    for parameter in fact.parameters:
        fault = _refused(parameter.type)
        if fault:
            yield _finding(parameter, f"cannot be of type {fault}", tuple(_fixes(parameter)))
        elif isinstance(parameter.type, Opaque) and parameter.type.category == "clk_event":
            message = f"kernel parameter `{parameter.name}` has the type `{parameter.type.name}`: "
            message += "the host cannot pass one, only a kernel that enqueues this kernel can"
            yield Finding(CODE, Severity.INFORMATION, message, parameter.place)


def of_record(fact: KernelRecord, dialect: Dialect) -> Iterator[Finding]:
    """Reports the first forbidden member of a structure or union that is passed by value."""
    for path, type_, ref in fact.members:
        fault = _refused(innermost_element(type_))
        if fault:
            found = _finding(fact.parameter, f"has a member `{path}`, which cannot be of type {fault}")
            yield replace(
                found, related=(RelatedDeclaration(Origin(ref, 0), f"the member `{path}` is declared here"),)
            )
            return
        if isinstance(type_, Opaque) and type_.category == "image":
            fault = f"has a member `{path}` of type `{type_.name}`, but an image must be a separate parameter"
            yield _finding(fact.parameter, fault)
            return


def _finding(parameter: Entity, fault: str, fixes: tuple[Fix, ...] = ()) -> Finding:
    message = f"kernel parameter `{parameter.name}` {fault}"
    return Finding(CODE, Severity.ERROR, message, parameter.place, fixes=fixes)


def _fixes(parameter: Entity) -> Iterator[Fix]:
    """Yields fixes that declare the parameter with a type of fixed size; the host must pass this type."""
    type_ = parameter.type
    if not isinstance(type_, Scalar):
        return
    name = type_.name if type_.name in _DEVICE_SIZED else type_.canonical
    for instead in _OF_FIXED_SIZE.get(name, ()):
        yield Fix(f"Declare `{parameter.name}` as `{instead}`", (SetType(parameter.ref, instead),))


def _refused(type_: Type) -> str:
    """Returns the type's name and why a kernel cannot take it; empty for an allowed type."""
    if isinstance(type_, Scalar):
        if type_.name in _DEVICE_SIZED:
            return f"`{type_.name}`: its size depends on the device"
        if type_.canonical == "bool":
            return "`bool`: its size depends on the device"
    elif isinstance(type_, Opaque) and type_.category in ("event", "reserve_id", "ndrange"):
        return f"`{type_.name}`: the host cannot pass one"
    return ""


RULES = (Rule(CODE, FunctionDeclaration, of_kernel), Rule(CODE, KernelRecord, of_record))
