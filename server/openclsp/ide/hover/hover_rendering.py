"""Rendering of hovers, as Markdown or as plain text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from openclsp.ide.feature_results import FlowCaller, FlowStep, Hover, PointerFlow
from openclsp.ide.flow.pointer_flow import (
    describe_caveat,
    describe_flow,
    describe_flow_if_generic,
    group_callers,
)
from openclsp.ide.hover.markdown import escape_sentence, fence_code

MAXIMUM_SHOWN_CALLERS: Final = 8
"""The maximum number of calls that a hover lists for one combination of address spaces."""
_LEVEL_NAMES = ("the object itself", "its pointee", "the pointee's pointee")


def describe_level(level: int) -> str:
    """Returns the name of a pointer level; level 0 is the object itself."""
    return _LEVEL_NAMES[level] if level < len(_LEVEL_NAMES) else f"level {level}"


def render_markdown(answer: Hover, link: Callable[[FlowStep | FlowCaller], str]) -> str:
    """Renders the hover as Markdown.

    The text contains the type, the documentation comment, a line for the address space of each level, the
    flow of a generic pointer, notes and the dialect. `link` creates a link to the location of a step or
    caller.
    """
    lines = [fence_code(answer.type)] if answer.type else []
    for paragraph in answer.documentation:
        lines += [escape_sentence(paragraph), ""]
    for why in answer.why:
        lines.append(f"- `{why.space}`, {describe_level(why.level)}: {escape_sentence(why.reason)}")
    for title, flow in _flows(answer):
        lines.append(f"- **{title}**")
        for each in flow.witnesses:
            steps = " → ".join(f"{escape_sentence(step.description)} ({link(step)})" for step in each.steps)
            lines.append(f"  - `{each.space.word}`: {steps}")
        lines += [
            f"  - {words} from {_list_callers(callers, lambda each: f'`{each.function}` ({link(each)})')}"
            for words, callers in group_callers(flow)
        ]
        if describe_caveat(flow):
            lines.append(f"  - {escape_sentence(describe_caveat(flow))}")
    lines += [f"- {escape_sentence(note)}" for note in answer.notes]
    lines += ["", f"*{escape_sentence(answer.dialect_reason)}*"]
    return "\n".join(lines)


def render_plain_text(answer: Hover) -> str:
    """Renders the hover without any markup, for clients that do not support Markdown."""
    lines = [answer.type] if answer.type else []
    lines += [_plain(paragraph) for paragraph in answer.documentation]
    lines += [f"{why.space}, {describe_level(why.level)}: {_plain(why.reason)}" for why in answer.why]
    for title, flow in _flows(answer):
        lines.append(_plain(title))
        for each in flow.witnesses:
            steps = " → ".join(f"{_plain(step.description)} (line {step.line})" for step in each.steps)
            lines.append(f"  {each.space.word}: {steps}")
        lines += [
            f"  {words} from {_list_callers(callers, lambda each: f'{each.function} (line {each.line})')}"
            for words, callers in group_callers(flow)
        ]
        if describe_caveat(flow):
            lines.append(f"  {_plain(describe_caveat(flow))}")
    lines += [_plain(note) for note in answer.notes]
    lines += ["", _plain(answer.dialect_reason)]
    return "\n".join(lines)


def _list_callers(callers: Sequence[FlowCaller], describe: Callable[[FlowCaller], str]) -> str:
    shown = ", ".join(map(describe, callers[:MAXIMUM_SHOWN_CALLERS]))
    more = len(callers) - MAXIMUM_SHOWN_CALLERS
    return f"{shown} and {more} more" if more > 0 else shown


def _plain(sentence: str) -> str:
    """Puts the sentence on one line and removes the backticks around code."""
    return " ".join(sentence.replace("`", "").split())


def _flows(answer: Hover) -> Iterator[tuple[str, PointerFlow]]:
    """Yields the flows of the pointer, each with its title."""
    if answer.flow is not None:
        yield describe_flow(answer.flow), answer.flow
    if answer.flow_if_generic is not None:
        yield describe_flow_if_generic(answer.flow_if_generic), answer.flow_if_generic
