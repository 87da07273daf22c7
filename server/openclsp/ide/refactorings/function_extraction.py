"""Extracts a function from a selection.

The new function's pointer parameters have the address spaces of the variables that the caller passes. The
edited program is analysed to ensure that the extraction introduces no error and no warning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import CheckedFix, Location, TextEdit
from openclsp.ide.fixes.change_rendering import document_bytes
from openclsp.ide.fixes.edit_plan import EditPlan
from openclsp.ide.fixes.fix_budget import LEAST, BudgetExhausted, FixBudget
from openclsp.ide.fixes.fix_checker import FixChecker
from openclsp.ide.fixes.fixes import check_in_other_units
from openclsp.ide.fixes.shared_units import NO_OTHER_UNITS, UnitSource
from openclsp.ide.refactorings.extraction_selection import TOO_LONG, NotExtractable, Selection, find_selection
from openclsp.ide.refactorings.extraction_variables import (
    ExtractedVariable,
    Passing,
    find_variables,
    identifier_nodes,
    initial_value,
    parameter_text,
    result_text,
    unset_declaration,
)
from openclsp.semantics.facts.entities import Place
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.types.type_model import Array, Opaque, Record, Unknown, Void, spell
from openclsp.source.parser import FIELDS, kind
from openclsp.source.word_search import find_word

_TITLE: Final = "Extract function"
_NAME: Final = "extracted"
_ASSIGNMENT, _UPDATE = kind("assignment_expression"), kind("update_expression")
_POINTER_EXPRESSION = kind("pointer_expression")
_LEFT, _BODY = FIELDS["left"], FIELDS["body"]
_INDENTATION: Final = re.compile(r"[ \t]*")
_DIRECTIVE: Final = re.compile(rb"^[ \t]*(?:#|%:)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ExtractionRefusal:
    """The reason why a selection cannot become a function, as a sentence for the user."""

    reason: str


@dataclass(frozen=True, slots=True)
class ExtractedFunction:
    """The edits that extract a function, and the name of the new function."""

    fix: CheckedFix
    name: str


Replacement = tuple[int, int, str]
"""Bytes of the document from the first to the second, and the text that replaces them."""


def compute_extraction(
    unit: TranslationUnit, document: str, start: int, end: int, *, sharing: UnitSource = NO_OTHER_UNITS
) -> ExtractedFunction | ExtractionRefusal:
    """Extracts the statements or the expression between two bytes of a document into a new function.

    A selection in a function of more than `LEAST` tokens is refused, because checking it would take too long.
    `sharing` finds the other units in which the edits must introduce no fault.
    """
    checker = FixChecker(unit, header_bodies=True)
    try:
        selection = find_selection(checker.places, document, start, end, maximum_tokens=LEAST)
        name = _unused_name(unit)
        edits = _Extraction(selection, name).edits()
    except NotExtractable as refused:
        return ExtractionRefusal(refused.reason)
    work = FixBudget(LEAST, FixBudget(LEAST))
    try:
        if checker.evaluate_edits(edits, work) != ():
            return ExtractionRefusal("the extracted function would have errors")
        fix = CheckedFix(_TITLE, preferred=False, edits=edits)
        checked = check_in_other_units(
            checker.places, fix, EditPlan(_TITLE, ()), sharing, work, header_bodies=True
        )
    except BudgetExhausted:
        return ExtractionRefusal(TOO_LONG)
    if checked is None:
        return ExtractionRefusal("another program that includes the file would have errors")
    return ExtractedFunction(checked[0], name)


def _unused_name(unit: TranslationUnit) -> str:
    texts = [each.document.text.data for each in unit.preprocessed.with_included()]
    number = 1
    while True:
        name = _NAME if number == 1 else f"{_NAME}_{number}"
        if all(find_word(text, name.encode()) < 0 for text in texts):
            return name
        number += 1


class _Extraction:
    """Creates the edits that extract one selection."""

    def __init__(self, selection: Selection, name: str) -> None:
        self.selection, self.name = selection, name
        self.data = document_bytes(selection.places, selection.document)
        variables = find_variables(selection)
        outputs = [each for each in variables if each.is_output]
        is_returned = len(outputs) == 1 and not selection.is_expression
        self.result = outputs[0] if is_returned and not isinstance(outputs[0].type, Array) else None
        self.variables = [
            _by_pointer(each) if each.is_output and each is not self.result else each for each in variables
        ]
        self.newline = "\r\n" if b"\r\n" in self.data else "\n"

    def edits(self) -> tuple[TextEdit, ...]:
        """Returns two edits in text order: one inserts the function, one replaces the selection by a call.

        Raises NotExtractable if the selection cannot be extracted.
        """
        selection = self.selection
        at = self._insertion_offset()
        replaced = Location(selection.document, selection.start, selection.end)
        return (
            TextEdit(Location(selection.document, at, at), self._function()),
            TextEdit(replaced, self._call()),
        )

    def _insertion_offset(self) -> int:
        """Returns the offset at which the new function is inserted.

        This is the start of the line on which the enclosing function, or the comment directly above it,
        begins. If other code precedes the enclosing function on its line, it is the start of that function.
        """
        selection = self.selection
        first = selection.places.location(selection.key, Place(0, 1))
        body = selection.table.first[selection.table.child(0, _BODY)]
        opening = selection.places.location(selection.key, Place(body, body + 1))
        if first.document != selection.document or opening.document != selection.document:
            raise NotExtractable("the function begins in another file")
        if _DIRECTIVE.search(self.data, first.start, opening.start):
            raise NotExtractable("there is a preprocessor directive in the head of the function")
        line = self.data.rfind(b"\n", 0, first.start) + 1
        if self.data[line : first.start].strip():
            return first.start
        while line:
            before = self.data.rfind(b"\n", 0, line - 1) + 1
            text = self.data[before:line].strip()
            if text.startswith(b"//"):
                line = before
                continue
            opened = self.data.rfind(b"/*", 0, line) if text.endswith(b"*/") else -1
            start = self.data.rfind(b"\n", 0, opened) + 1
            if opened < 0 or self.data[start:opened].strip():
                break
            line = start
        return line

    def _function(self) -> str:
        selection, newline = self.selection, self.newline
        table = selection.table
        body = table.child(0, _BODY)
        head = self.data[: self._offset_of(table.first[body])]
        brace = newline if head.rstrip(b" \t").endswith(b"\n") else " "
        unit = self._indentation_unit()
        parameters = ", ".join(
            parameter_text(selection, each) for each in self.variables if each.passing is not Passing.NONE
        )
        own = [
            unit + unset_declaration(each)
            for each in self.variables
            if each.passing is Passing.NONE and not each.is_inner
        ]
        text = self._moved_text()
        result = "void" if self.result is None else result_text(self.result)
        if selection.is_expression:
            result, text = self._expression(text)
        lines = [*own, _indented(text, unit, self._indentation_of(selection.start), newline)]
        if self.result is not None:
            lines.append(f"{unit}return {self.result.name};")
        static = "static " if b"static" in table.tokens[: table.first[body]] else ""
        gap = "" if result.endswith("*") else " "
        signature = f"{static}{result}{gap}{self.name}({parameters or 'void'})"
        return f"{signature}{brace}{{{newline}{newline.join(lines)}{newline}}}{newline}{newline}"

    def _expression(self, text: str) -> tuple[str, str]:
        """Returns the type of the selected expression, and the statement of the new function's body.

        The statement contains `text`, the text of the expression. It is a `return` statement unless the type
        is `void`.
        """
        selection = self.selection
        node = selection.nodes[0]
        value = (selection.context.trace or {})[node]
        type_ = value.type
        parent = selection.parents[node]
        number = selection.table.kind[parent]
        is_target = number == _ASSIGNMENT and selection.table.child(parent, _LEFT) == node
        is_address = (
            number == _POINTER_EXPRESSION and selection.table.token(selection.table.first[parent]) == "&"
        )
        if is_target or is_address or number == _UPDATE:
            raise NotExtractable("the selected expression is assigned to, or its address is taken")
        if isinstance(type_, Void):
            return "void", f"{text};"
        if isinstance(type_, Unknown | Array | Opaque):
            raise NotExtractable("the type of the selected expression cannot be returned")
        return spell(type_.unqualified), f"return {text};"

    def _call(self) -> str:
        arguments = ", ".join(
            f"&{each.name}" if each.passing is Passing.POINTER else each.name
            for each in self.variables
            if each.passing is not Passing.NONE
        )
        call = f"{self.name}({arguments})"
        if self.selection.is_expression:
            return call
        indentation = self._indentation_of(self.selection.start)
        declared = [
            unset_declaration(each) + self.newline + indentation
            for each in self.variables
            if each.is_inner and each is not self.result
        ]
        if self.result is None:
            return f"{''.join(declared)}{call};"
        target = self.result.name
        if self.result.is_inner:
            target = f"{self.result.specifiers} {self.result.declarator}"
        return f"{''.join(declared)}{target} = {call};"

    def _moved_text(self) -> str:
        """Returns the selected text; variables that are passed by pointer are dereferenced."""
        selection = self.selection
        replacements: dict[int, Replacement] = {}
        for variable in self.variables:
            if variable.passing is not Passing.POINTER:
                continue
            if variable.is_inner:
                self._replace_declaration(variable, replacements)
            for token_index in variable.uses:
                made = self._pointer_use(variable, token_index)
                replacements[made[0]] = made
        pieces: list[bytes] = []
        done = selection.start
        for start, end, text in sorted(replacements.values()):
            if start < done:
                continue
            pieces += [self.data[done:start], text.encode()]
            done = end
        pieces.append(self.data[done : selection.end])
        return b"".join(pieces).decode("utf-8", "surrogateescape")

    def _pointer_use(self, variable: ExtractedVariable, token_index: int) -> Replacement:
        selection, table = self.selection, self.selection.table
        place = selection.places.location(selection.key, Place(token_index, token_index + 1))
        inside = selection.start <= place.start and place.end <= selection.end
        if not inside or self.data[place.start : place.end] != variable.name.encode():
            raise NotExtractable(f"a macro uses `{variable.name}`, which the function would get by pointer")
        node = identifier_nodes(table).get(token_index, -1)
        parent = selection.parents[node] if node >= 0 else -1
        number = table.kind[parent] if parent >= 0 else -1
        if number == _POINTER_EXPRESSION and table.token(token_index - 1) == "&":
            before = self.data[selection.start : place.start].rstrip()
            if before.endswith(b"&"):
                return selection.start + len(before) - 1, place.end, variable.name
        after = self.data[place.end : selection.end]
        if isinstance(variable.type, Record) and after.lstrip().startswith(b"."):
            return place.start, place.end + len(after) - len(after.lstrip()) + 1, f"{variable.name}->"
        if number == _ASSIGNMENT and table.child(parent, _LEFT) == node:
            return place.start, place.end, f"*{variable.name}"
        return place.start, place.end, f"(*{variable.name})"

    def _replace_declaration(self, variable: ExtractedVariable, replacements: dict[int, Replacement]) -> None:
        """Adds a replacement of a variable's declaration, because the caller now declares the variable.

        An assignment of the initial value replaces the declaration; without an initial value, it is removed.
        """
        whole, value = initial_value(self.selection, variable)
        location = self.selection.places.location(self.selection.key, whole)
        if value is None:
            replacements[location.start] = location.start, location.end, ""
            return
        begin = self.selection.places.location(self.selection.key, value)
        replacements[location.start] = location.start, begin.start, f"*{variable.name} = "

    def _offset_of(self, token_index: int) -> int:
        return self.selection.places.location(self.selection.key, Place(token_index, token_index + 1)).start

    def _indentation_of(self, offset: int) -> str:
        line = self.data.rfind(b"\n", 0, offset) + 1
        found = _INDENTATION.match(self.data[line:offset].decode("utf-8", "surrogateescape"))
        return "" if found is None else found[0]

    def _indentation_unit(self) -> str:
        """Returns the first statement's indentation within its function; four blanks if there is none."""
        table = self.selection.table
        outer = self._indentation_of(self._offset_of(0))
        for node in table.children(table.child(0, _BODY)):
            own = self._indentation_of(self._offset_of(table.first[node]))
            if own.startswith(outer) and len(own) > len(outer):
                return own[len(outer) :]
            break
        return "    "


def _by_pointer(variable: ExtractedVariable) -> ExtractedVariable:
    return ExtractedVariable(
        variable.entity,
        variable.uses,
        Passing.POINTER,
        variable.is_inner,
        variable.is_output,
        variable.specifiers,
        variable.declarator,
    )


def _indented(text: str, unit: str, old: str, newline: str) -> str:
    """Returns the text with its lines indented by `unit` instead of `old`, and joined by `newline`.

    `text` begins after the indentation of its first line; `unit` is put before it. Any other line that does
    not begin with `old` is unchanged. Blank lines become empty.
    """
    lines: Sequence[str] = text.replace("\r\n", "\n").split("\n")
    changed: Iterable[str] = (
        unit + line.removeprefix(old) if number == 0 or line.startswith(old) else line
        for number, line in enumerate(lines)
    )
    return newline.join(line if line.strip() else "" for line in changed)
