"""Filters the diagnostics of templates, which become OpenCL C only when the host fills them in.

Only diagnostics that hold for every expansion of the template are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from openclsp.ide.feature_results import Diagnostic
from openclsp.semantics.items.item import Item
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.templates import TemplateConstruct

_ABOUT_THE_TEMPLATE = "template"
_SYNTAX_ERROR = "syntax-error"
_UNDECLARED = "undeclared-name"
_OF_CONDITIONALS = frozenset(("directive", "unterminated-conditional"))


def holds_for_every_expansion(item: Item, found: Diagnostic) -> bool:
    """Whether a diagnostic of an item holds for every expansion of the template that contains the item.

    False if a part of the item may be omitted or repeated. Otherwise false for diagnostics about an inserted
    value, for diagnostics about undeclared names, and for syntax errors in text that is parsed together with
    a template construct. True if the document is no template.
    """
    preprocessed = item.group.part.preprocessed
    if preprocessed.code.template is None:
        return True
    # an expansion may insert declarations anywhere
    if found.code == _UNDECLARED or _is_about_value(preprocessed, found):
        return False
    if any(each.controls for each in _constructs(preprocessed, item.start, item.start + item.length)):
        return False
    return found.code != _SYNTAX_ERROR or not _constructs(preprocessed, item.group.start, item.group.end)


def filter_directive_diagnostics(
    preprocessed: Preprocessed, found: Iterable[Diagnostic]
) -> Iterator[Diagnostic]:
    """Keeps the preprocessor's diagnostics that hold for every expansion of a template.

    The diagnostics of a document that is no template are all kept.
    """
    units = {
        part.document.name: part for part in preprocessed.with_included() if part.code.template is not None
    }
    for each in found:
        unit = units.get(each.location.document)
        template = None if unit is None else unit.code.template
        if unit is None or template is None or each.code == _ABOUT_THE_TEMPLATE:
            yield each
        elif each.code not in _OF_CONDITIONALS or not any(part.controls for part in template.constructs):
            text = unit.document.text
            line = text.line_of(each.location.start)
            if not template.between(text.line_start(line), text.line_end(line)):
                yield each


def _constructs(preprocessed: Preprocessed, start: int, end: int) -> tuple[TemplateConstruct, ...]:
    """Returns the template constructs on the lines of a byte range of the expanded text.

    The expanded text has the same line numbers as the document.
    """
    template = preprocessed.code.template
    if template is None:
        return ()
    lines, text = preprocessed.source_map.lines, preprocessed.document.text
    first, last = lines.find(start), lines.find(max(end - 1, start))
    return template.between(text.line_start(first), text.line_end(last))


def _is_about_value(preprocessed: Preprocessed, found: Diagnostic) -> bool:
    template, place = preprocessed.code.template, found.location
    if template is None or place.document != preprocessed.document.name:
        return False
    return any(
        each.start < place.end and place.start < each.end for each in template.between(place.start, place.end)
    )
