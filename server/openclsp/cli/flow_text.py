"""The flow of a pointer as text for terminals: `flow --format text`, and the part of `hover` about the flow."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from openclsp.cli.check_report import OutputLocation
from openclsp.cli.excerpt import display_width, printable
from openclsp.cli.styled_text import StyledLine
from openclsp.ide.feature_results import FlowCaller, PointerFlow
from openclsp.ide.flow.pointer_flow import describe_caveat, group_callers

_STYLES = {"global": "blue", "local": "green", "constant": "yellow", "private": "magenta"}


def flow_lines(
    flow: PointerFlow, steps: Sequence[Sequence[OutputLocation | None]], indent: str = "    "
) -> Iterator[StyledLine]:
    """Yields the chains of each address space, the table of callers, and why the flow may be incomplete."""
    for witness, locations in zip(flow.witnesses, steps, strict=True):
        yield [(indent, ""), (witness.space.word, _STYLES.get(witness.space.word, "cyan"))]
        for step, location in zip(witness.steps, locations, strict=True):
            where = f" at {location.start_label}" if location is not None else ""
            yield [(f"{indent}  {printable(step.description)}{where}", "")]
    if flow.more_chains:
        yield [(f"{indent}there are more chains", "")]
    yield from _caller_table(flow, indent)
    if describe_caveat(flow):
        yield [(f"{indent}{printable(describe_caveat(flow))}", "")]


def flow_report_lines(
    flow: PointerFlow, steps: Sequence[Sequence[OutputLocation | None]], title: str
) -> Iterator[StyledLine]:
    """Yields the whole report on a pointer: its declaration, function, address spaces and chains."""
    yield [(printable(flow.declared), "bold")]
    if flow.function:
        yield [(f"  in {printable(flow.function)}", "")]
    yield [("  ", ""), (title, "bold")]
    yield from flow_lines(flow, steps, "  ")


def _caller_table(flow: PointerFlow, indent: str) -> Iterator[StyledLine]:
    """Yields a table with a line for each call, if calls pass different address spaces."""
    rows = [(words, each) for words, callers in group_callers(flow) for each in callers]
    if not rows:
        return
    yield [(f"{indent}by caller", "bold")]
    names = [printable(f"kernel {each.function}" if each.kernel else each.function) for _, each in rows]
    first = max(len(words) for words, _ in rows)
    second = max(map(display_width, names))
    for (words, each), name in zip(rows, names, strict=True):
        style = _STYLES.get(words, "")
        padding = " " * (second - display_width(name))
        yield [(f"{indent}  ", ""), (f"{words:<{first}}", style), (f"  {name}{padding}  {_place(each)}", "")]


def _place(caller: FlowCaller) -> str:
    return f"{printable(os.path.basename(caller.location.document))}:{caller.line}"
