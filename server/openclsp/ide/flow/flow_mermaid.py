"""Renders a flow as a Mermaid flowchart, for Markdown.

Labels are quoted, and every character that Mermaid, Markdown or HTML may interpret is written as a character
reference, so that a name cannot end a label or start markup.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from openclsp.ide.feature_results import FlowStep, PointerFlow
from openclsp.ide.flow.flow_chains import (
    PROGRAM_NAME,
    flow_description_lines,
    split_chains,
    strip_backticks,
)
from openclsp.ide.flow.palette import PALETTE

_SPECIAL_CHARACTERS = re.compile(r"(?<![A-Za-z0-9])[_.:]|[_.:](?![A-Za-z0-9])|[^A-Za-z0-9 ,/_.:]")
_TARGET = "pointer"


def render_mermaid(flow: PointerFlow, place: Callable[[FlowStep], str]) -> str:
    """Renders the flowchart. `place` formats the position of a step, such as `k.cl:3`."""
    found = split_chains(flow)
    functions: dict[str, dict[str, str]] = {flow.function or PROGRAM_NAME: {}}
    kernels: set[str] = set()
    nodes: dict[tuple[str, FlowStep], str] = {}
    edges: dict[tuple[str, str, str, str], None] = {}
    spaces: dict[str, list[str]] = {}

    def words(step: int) -> str:
        each = found.steps[step]
        return f"{_escape_label(strip_backticks(each.description))}<br/>{_escape_label(place(each))}"

    for chain in found.chains:
        before, label = "", ""
        for visit in chain.visits:
            inside = functions.setdefault(visit.function, {})
            if visit.kernel:
                kernels.add(visit.function)
            for lane in visit.step_indices:
                node = nodes.setdefault((chain.space, found.steps[lane]), f"s{len(nodes)}")
                if node not in inside:
                    inside[node] = words(lane)
                    spaces.setdefault(chain.space, []).append(node)
                if before:
                    edges[before, node, label, chain.space] = None
                before, label = node, ""
            label = "" if visit.leaving_step is None else words(visit.leaving_step)
        if before:
            # the word of the address space, because a flowchart has no legend
            edges[before, _TARGET, f"{label}<br/>{chain.space}" if label else chain.space, chain.space] = None
    return _render_flowchart(flow, functions, kernels, list(edges), spaces)


def _render_flowchart(
    flow: PointerFlow,
    functions: dict[str, dict[str, str]],
    kernels: set[str],
    edges: list[tuple[str, str, str, str]],
    spaces: dict[str, list[str]],
) -> str:
    lines = ["flowchart LR"]
    target_function = flow.function or PROGRAM_NAME
    description = "<br/>".join(map(_escape_label, (flow.declared, *flow_description_lines(flow))))
    for number, (function, inside) in enumerate(functions.items()):
        title = _escape_label(f"kernel {function}" if function in kernels else function)
        lines.append(f'    subgraph f{number}["{title}"]')
        lines += [f'        {node}["{words}"]' for node, words in inside.items()]
        if function == target_function:
            lines.append(f'        {_TARGET}(["{description}"])')
        lines.append("    end")
    for start, end, label, _ in edges:
        lines.append(f'    {start} -->|"{label}"| {end}' if label else f"    {start} --> {end}")
    for space, members in spaces.items():
        lines.append(f"    classDef {space} stroke:{PALETTE[space].light},stroke-width:2px")
        lines.append(f"    class {','.join(members)} {space}")
        of_space = [str(number) for number, edge in enumerate(edges) if edge[3] == space]
        lines.append(f"    linkStyle {','.join(of_space)} stroke:{PALETTE[space].light},stroke-width:2px")
    return "\n".join(lines) + "\n"


def _escape_label(text: str) -> str:
    """Puts the text on one line and escapes it; characters that cannot be displayed become U+FFFD."""
    displayed = "".join(
        "\N{REPLACEMENT CHARACTER}" if unicodedata.category(each) in ("Cc", "Cf", "Cs", "Cn") else each
        for each in " ".join(text.split())
    )
    return _SPECIAL_CHARACTERS.sub(lambda match: f"#{ord(match[0])};", displayed)
