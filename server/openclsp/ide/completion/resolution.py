"""Resolution of a completion item to its declaration and documentation."""

from __future__ import annotations

from openclsp.dataclass import dataclass
from openclsp.ide.doc_comments import (
    DocComment,
    doc_comment_of,
    doc_comment_of_function,
    doc_comment_of_macro,
)
from openclsp.ide.location_map import LocationMap
from openclsp.ide.signature_help.written_signatures import builtin_signature, function_signature
from openclsp.language.builtin_functions.descriptions import description
from openclsp.semantics.database.signatures import EXPORTS
from openclsp.semantics.database.unit_inputs import DECLARERS
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.types.builtin_function_types import overloads_of
from openclsp.semantics.types.type_model import Function, spell


@dataclass(frozen=True, slots=True)
class CompletionDetails:
    """The resolved details of a candidate: its declaration and documentation.

    In `text`, code is between backticks.
    """

    detail: str
    text: str = ""


def resolve_completion(unit: TranslationUnit, name: str) -> CompletionDetails | None:
    """Resolves a completion item.

    Returns the declaration of the name with its comment, the definition of a macro, or a built-in function's
    signature and description. If the program declares the name several times, the last declaration is used.
    None if the name is unknown.
    """
    macro = unit.preprocessed.macros.get(name.encode())
    if macro is not None and macro.document is not None:
        return CompletionDetails(
            f"#define {' '.join(macro.text.split())}", _text(doc_comment_of_macro(unit, macro))
        )
    places = LocationMap(unit)
    declarers = unit.database.read(DECLARERS, name)
    for _, key in reversed(declarers):
        symbol = unit.database.get(EXPORTS, key).symbols.get(name)
        if symbol is None:
            continue
        if isinstance(symbol.type, Function):
            comment = doc_comment_of_function(places, name, symbol.type, key)
            written = function_signature(name, symbol.type, symbol.parameters, comment)
            return CompletionDetails(written.label, _text(comment))
        return CompletionDetails(spell(symbol.type, name), _text(doc_comment_of(places, symbol.ref)))
    overloads = overloads_of(name, unit.dialect)
    text = description(name)
    if not overloads:
        return CompletionDetails("", text) if text else None
    more = f" (+{len(overloads) - 1} overloads)" if len(overloads) > 1 else ""
    return CompletionDetails(builtin_signature(name, overloads[0], text).label + more, text)


def _text(comment: DocComment | None) -> str:
    """Renders a comment as text: its summary, its parameters and its result."""
    if comment is None:
        return ""
    parameters = "\n".join(f"- `{name}`: {about}" for name, about in comment.parameters)
    result = f"Returns: {comment.returns}" if comment.returns else ""
    return "\n\n".join(each for each in (comment.summary, parameters, result) if each)
