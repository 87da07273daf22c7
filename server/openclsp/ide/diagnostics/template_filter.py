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


def filter_item_diagnostics(item: Item, found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Keeps the diagnostics of an item that hold for every expansion of the template.

    If a part of the item may be omitted or repeated, none are kept. Otherwise, these are removed: diagnostics
    about an inserted value, diagnostics about undeclared names, and syntax errors in text that is parsed
    together with a template construct.
    """
    preprocessed = item.group.fragment.preprocessed
    if preprocessed.code.template is None:
        yield from found
        return
    if any(each.controls for each in _constructs(preprocessed, item.start, item.start + item.length)):
        return
    group_has_constructs = bool(_constructs(preprocessed, item.group.start, item.group.end))
    for each in found:
        if each.code == _UNDECLARED:
            # an expansion may insert declarations anywhere
            continue
        if not (each.code == _SYNTAX_ERROR and group_has_constructs) and not _is_about_value(
            preprocessed, each
        ):
            yield each


def filter_directive_diagnostics(
    preprocessed: Preprocessed, found: Iterable[Diagnostic]
) -> Iterator[Diagnostic]:
    """Keeps the preprocessor's diagnostics that hold for every expansion of a template.

    The diagnostics of a document that is no template are all kept.
    """
    units = {unit.document.name: unit for unit in preprocessed.units() if unit.code.template is not None}
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
