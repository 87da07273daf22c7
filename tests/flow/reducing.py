"""Minimises a failing program by removing statements and functions while it still fails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from openclsp.language.dialect import Dialect

from ..oracle import clang
from . import program as p
from .judging import Fault, expected, faults
from .printing import printed


def reduced(fault: Fault, runs: int) -> str:
    """Describes the fault with a small program that has a fault of the same kind.

    Slow, because every attempt is compiled and run.
    """
    smallest, found = replace(fault.program, known={}), fault
    shrinking = True
    while shrinking:
        shrinking = False
        for smaller in _smaller(smallest):
            again = _same(fault, smaller, runs)
            if again is not None:
                smallest, found, shrinking = smaller, again, True
                break
    return f"{found}\n{printed(smallest).text}"


def _same(fault: Fault, program: p.Program, runs: int) -> Fault | None:
    if not all(each.result == p.VOID or _returns(each.body) for each in program.functions):
        return None
    if any(clang.errors_of_texts([printed(program).text], Dialect.of("CL2.0"))):
        return None
    needed = runs if fault.kind in ("missed", "no-null") else 0
    (known,) = expected([program], needed)
    return next((each for each in faults(known) if each.kind == fault.kind), None)


def _returns(body: tuple[p.Statement, ...]) -> bool:
    """Whether the last statement of the body, and of every block in it, returns a value."""
    blocks = [each for each in p.inside(body) if isinstance(each, p.DeclareBlock)]
    ended = all(each.result == p.VOID or _returns(each.body) for each in blocks)
    return ended and bool(body) and isinstance(body[-1], p.Return)


def _smaller(program: p.Program) -> Iterator[p.Program]:
    for number in range(len(program.functions)):
        yield replace(program, functions=program.functions[:number] + program.functions[number + 1 :])
    for number in range(len(program.globals)):
        yield replace(program, globals=program.globals[:number] + program.globals[number + 1 :])
    for number, function in enumerate(program.functions):
        for body in _smaller_bodies(function.body):
            functions = list(program.functions)
            functions[number] = replace(function, body=body)
            yield replace(program, functions=tuple(functions))


def _smaller_bodies(body: tuple[p.Statement, ...]) -> Iterator[tuple[p.Statement, ...]]:
    for size in (8, 4, 2, 1):
        for at in range(0, len(body) - size + 1, max(1, size // 2)):
            yield body[:at] + body[at + size :]
    for at, each in enumerate(body):
        for inner in p.bodies(each):
            yield body[:at] + inner + body[at + 1 :]
        for smaller in _smaller_statements(each):
            yield (*body[:at], smaller, *body[at + 1 :])


def _smaller_statements(each: p.Statement) -> Iterator[p.Statement]:
    if isinstance(each, p.If):
        yield from (replace(each, then=body) for body in _smaller_bodies(each.then))
        yield from (replace(each, otherwise=body) for body in _smaller_bodies(each.otherwise))
    elif isinstance(each, (p.Loop, p.DeclareBlock)):
        yield from (replace(each, body=body) for body in _smaller_bodies(each.body))
    elif isinstance(each, p.Switch):
        for number, (case, stops) in enumerate(each.cases):
            for body in _smaller_bodies(case):
                yield replace(each, cases=(*each.cases[:number], (body, stops), *each.cases[number + 1 :]))
    elif isinstance(each, (p.Evaluate, p.Declare, p.Assign)) and each.value is not None:
        for value in _smaller_values(each.value):
            yield replace(each, value=value)


def _smaller_values(value: p.Expression) -> Iterator[p.Expression]:
    if isinstance(value, (p.Cast, p.Offset)):
        yield value.operand
    elif isinstance(value, p.AssignValue):
        yield value.value
    elif isinstance(value, p.Choice):
        yield value.first
        yield value.second
    if isinstance(value, (p.Cast, p.Offset, p.ToSpace)):
        yield from (replace(value, operand=inner) for inner in _smaller_values(value.operand))
