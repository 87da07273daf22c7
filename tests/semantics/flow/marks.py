"""Kernels whose marks state what pointers hold: `// ^ global, local or null` below a pointer.

A mark refers to the nearest line above that is not a mark. `nothing` is a pointer that holds nothing, `not generic` a
pointer into another space; `unknown` and `null` have their usual meaning; `unreached` is appended if no kernel reaches
the function.
"""

from __future__ import annotations

import re

from openclsp.ide.feature_results import PointerFlow
from openclsp.ide.flow.pointer_flow import compute_flow_at

from ..units import ROOT, unit_of

_MARK = re.compile(r"(?P<before>\s*//\s*)\^\s*(?P<said>.*)")


def said_of(flow: PointerFlow | None) -> str:
    """Describes a flow in the words of the marks."""
    if flow is None:
        return "not generic"
    words = [", ".join(space.word for space in flow.spaces)] if flow.spaces else []
    words += [word for word, holds in (("null", flow.null), ("unknown", flow.unknown)) if holds]
    return (" or ".join(words) or "nothing") + ("" if flow.reached_by_kernel else ", unreached")


def wrong_marks(source: str, dialect: str = "CL2.0") -> list[str]:
    """Returns the marks that differ from the flow analysis, each with its answer; fails if there are no marks."""
    unit = unit_of(source.encode(), dialect)
    wrong, start, marks, offset = [], 0, 0, 0
    for line in source.split("\n"):
        found = _MARK.fullmatch(line)
        if found is None:
            start = offset
        else:
            marks += 1
            told = said_of(compute_flow_at(unit, ROOT, start + len(found["before"])))
            if told != found["said"].strip():
                wrong.append(f"{source[start:].splitlines()[0].strip()}: {found['said']}, but it is {told}")
        offset += len(line) + 1
    assert marks
    return wrong
