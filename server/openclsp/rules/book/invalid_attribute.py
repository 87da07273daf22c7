"""An attribute with wrong arguments, or in a place where it is not allowed (OpenCL C 6.9.2, 6.13)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.faults import AttributeFault, InvalidAttribute

CODE = "invalid-attribute"

_COUNTS: Final = {"aligned": "at most one argument", "opencl_unroll_hint": "at most one argument"}
_MESSAGES: Final = {
    AttributeFault.INTEGER: "the arguments of `{}` must be integers",
    AttributeFault.POSITIVE: "the arguments of `{}` must be positive",
    AttributeFault.POWER: "the argument of `{}` must be a power of two",
    AttributeFault.TYPE: "the argument of `{}` must be a scalar or vector type",
    AttributeFault.NO_KERNEL: "`{}` applies only to kernels",
    AttributeFault.NO_LOOP: "`{}` applies only to loops",
}


def _check(fact: InvalidAttribute, dialect: Dialect) -> Iterator[Finding]:
    if fact.fault is AttributeFault.COUNT:
        number = "three arguments" if fact.name.endswith(("group_size", "size_hint")) else "one argument"
        message = f"`{fact.name}` takes {_COUNTS.get(fact.name, number)}"
    else:
        message = _MESSAGES[fact.fault].format(fact.name)
    yield Finding(CODE, Severity.ERROR, message, fact.place)


RULES = (Rule(CODE, InvalidAttribute, _check),)
