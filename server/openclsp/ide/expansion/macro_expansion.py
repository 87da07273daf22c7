"""The expansion of a use of a macro, step by step."""

from __future__ import annotations

import os

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import Location
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.expansion_steps import MAXIMUM_STEPS, call_tokens, expansion_steps
from openclsp.source.lexer import lex_spelling
from openclsp.source.macros import spell
from openclsp.source.preprocessed import Preprocessed


@dataclass(frozen=True, slots=True)
class MacroStep:
    """One step of an expansion: the definition of the replaced macro, and the resulting text.

    `definition` is empty if the text is the preprocessor's final result.
    """

    definition: str
    text: str


@dataclass(frozen=True, slots=True)
class MacroExpansion:
    """A use of the macro `name`, with the steps of its expansion.

    - `definition`: the text of the macro's definition.
    - `location`, `line`: the location of the name, and its line, from 1.
    - `written`: the name with its arguments, as written.
    - `steps`: the steps, empty if the name is not expanded there.
    """

    name: str
    definition: str
    location: Location
    line: int
    written: str
    steps: tuple[MacroStep, ...]


def compute_expansion_at(unit: TranslationUnit, document: str, offset: int) -> MacroExpansion | None:
    """Computes the expansion of the macro that is named at a byte of a document; None if there is none."""
    preprocessed = _find_preprocessed(unit, document)
    use = preprocessed.source_map.macro_at(offset) if preprocessed is not None else None
    if use is None or preprocessed is None:
        return None
    text, source_map = preprocessed.document.text, preprocessed.source_map
    line = text.line_of(use.start)
    tokens = call_tokens(text.data, use.start, use.macro)
    table = dict(source_map.history.at(source_map.moves.original(text.line_start(line))))
    is_directive = text.data[text.line_start(line) : use.start].lstrip().startswith(b"#")
    steps = (
        ()
        if is_directive and use.expansion is None
        else tuple(
            MacroStep(step.macro.text, step.text.decode("utf-8", "replace"))
            for step in expansion_steps(tokens, table)
        )
    )
    if use.expansion is not None and (not steps or not _same_tokens(steps[-1].text, use.expansion)):
        steps = (*steps, MacroStep("", " ".join(use.expansion.split())))
    location = Location(use.document, use.start, use.end)
    written = spell(tokens).decode("utf-8", "replace")
    return MacroExpansion(use.name, use.definition_text, location, line + 1, written, steps)


def _same_tokens(text: str, other: str) -> bool:
    found, wanted = (lex_spelling(each.encode()) for each in (text, other))
    return [token[1] for token in found] == [token[1] for token in wanted]


def _find_preprocessed(unit: TranslationUnit, document: str) -> Preprocessed | None:
    return next((each for each in unit.preprocessed.with_included() if each.document.name == document), None)


def render_expansion(expansion: MacroExpansion) -> str:
    """Renders the steps as OpenCL C, with a comment above each."""
    lines = [f"// {os.path.basename(expansion.location.document)}, line {expansion.line}", expansion.written]
    if not expansion.steps:
        lines += ["", f"// #define {expansion.definition}", f"// `{expansion.name}` is not expanded here"]
    for number, step in enumerate(expansion.steps, 1):
        words = f"#define {_one_line(step.definition)}" if step.definition else "the preprocessor's result"
        lines += ["", f"// {number}. {words}", step.text]
    if len(expansion.steps) >= MAXIMUM_STEPS:
        lines += ["", f"// only the first {MAXIMUM_STEPS} steps are shown"]
    return "\n".join([*lines, ""])


def _one_line(text: str) -> str:
    # a comment would end at the line's end, or go on after a backslash
    return " ".join(text.split()).rstrip("\\")
