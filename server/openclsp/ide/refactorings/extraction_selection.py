"""Finds the statements or expression that a selection covers, or the reason why they cannot be extracted."""

from __future__ import annotations

import re
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.ide.fixes.change_rendering import ChangeNotPossible, document_bytes
from openclsp.ide.location_map import LocationMap, nodes_around
from openclsp.ide.navigation.item_uses import ITEM_USES, SymbolUse
from openclsp.ide.navigation.symbols import NameSpace
from openclsp.semantics.facts.entities import EntityKind, ItemKey, Place
from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.comments import without_comments_and_literals
from openclsp.source.parser import FIELDS, kind
from openclsp.source.word_search import find_word

_FUNCTION = kind("function_definition")
_LOOPS = frozenset(kind(f"{word}_statement") for word in ("for", "while", "do"))
_SWITCH, _CASE = kind("switch_statement"), kind("case_statement")
_RETURN, _BREAK, _CONTINUE = kind("return_statement"), kind("break_statement"), kind("continue_statement")
_JUMPS = frozenset((kind("goto_statement"), kind("labeled_statement")))
_BLOCK, _MACRO_STATEMENT = kind("block_literal"), kind("macro_statement")
_STATEMENTS = frozenset(
    kind(name)
    for name in (
        "compound_statement",
        "declaration",
        "expression_statement",
        "if_statement",
        "for_statement",
        "while_statement",
        "do_statement",
        "switch_statement",
        "return_statement",
        "break_statement",
        "continue_statement",
        "goto_statement",
        "labeled_statement",
        "case_statement",
        "attributed_statement",
        "type_definition",
    )
)
_LISTS = frozenset((kind("compound_statement"), _CASE))
_BODY = FIELDS["body"]
_SKIPPED: Final = re.compile(rb"(?:\s+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
TOO_LONG: Final = "the function is too long to check the result"
"""The reason for refusing a selection in a function that is too long."""
_DIRECTIVE: Final = re.compile(rb"^[ \t]*(?:#|%:)[ \t]*(?!pragma\b)", re.MULTILINE)
_PRAGMA: Final = re.compile(rb"[ \t]*(?:#|%:)[ \t]*pragma\b")


class NotExtractable(Exception):
    """Raised if a selection cannot become a function.

    The reason is a sentence for the user. Caught in this package.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """The selected code of a function: whole statements of one list, or one expression.

    - `first`, `last` (exclusive): its tokens in the item.
    - `start`, `end`: its bytes in the document, including selected comments around the tokens.
    - `parents`: the parent of each syntax node.
    """

    places: LocationMap
    key: ItemKey
    context: TypingContext
    document: str
    start: int
    end: int
    first: int
    last: int
    nodes: tuple[int, ...]
    is_expression: bool
    parents: tuple[int, ...]
    uses: tuple[SymbolUse, ...]

    @property
    def table(self) -> Table:
        """The syntax table of the function."""
        return self.context.table

    def contains(self, token_index: int) -> bool:
        """Whether a token of the function is selected."""
        return self.first <= token_index < self.last

    def enclosing_loops(self) -> list[int]:
        """Returns the nodes of the loops around the selection, the outermost first."""
        around = nodes_around(self.table, self.first)
        return [node for node in around if self.table.kind[node] in _LOOPS and node < self.nodes[0]]


def find_selection(
    places: LocationMap, document: str, start: int, end: int, *, maximum_tokens: int
) -> Selection:
    """Finds the statements or expression that the bytes from `start` to `end` of a document select.

    Raises NotExtractable, also for a selection in a function of more than `maximum_tokens` tokens.
    """
    try:
        data = document_bytes(places, document)
    except ChangeNotPossible:
        raise NotExtractable("the file is included within a function") from None
    start += len(data[start:end]) - len(data[start:end].lstrip())
    end -= len(data[start:end]) - len(data[start:end].rstrip())
    code = _SKIPPED.match(data, start, end)
    found = None
    at = start if code is None else code.end()
    while found is None and at < end:
        # a directive before the first token has no item
        found = places.item_at(document, at)
        line_end = data.find(b"\n", at, end)
        at = end if line_end < 0 else line_end + 1
        code = _SKIPPED.match(data, at, end)
        at = at if code is None else code.end()
    if found is None or found[0].kind != _FUNCTION:
        raise NotExtractable("select statements or an expression in a function")
    key = found[0].key
    context = places.context(key)
    table = context.table
    if len(table.tokens) > maximum_tokens:
        raise NotExtractable(TOO_LONG)
    if table.has_error_or_missing:
        raise NotExtractable("the function has a syntax error")
    selected = [
        index
        for index in range(len(table.tokens))
        if (place := places.location(key, Place(index, index + 1))).document == document
        and start <= place.start < end
    ]
    if not selected:
        raise NotExtractable("select statements or an expression in a function")
    first, last = selected[0], selected[-1] + 1
    if len(selected) != last - first:
        raise NotExtractable("the selection contains a part of a macro call")
    parents = parents_of(table)
    nodes, is_expression = _selected_nodes(context, parents, first, last)
    if not nodes:
        raise NotExtractable("select whole statements of one block, or one whole expression")
    uses = places.unit.database.get(ITEM_USES, key).every
    made = Selection(
        places, key, context, document, start, end, first, last, nodes, is_expression, tuple(parents), uses
    )
    _check_text(made, data)
    _check_control_flow(made)
    _check_names(made)
    return made


def parents_of(table: Table) -> list[int]:
    """Returns the parent of each node; -1 for the root."""
    found = [-1] * len(table.kind)
    for node in range(len(table.kind)):
        for child in table.children(node):
            found[child] = node
    return found


def _selected_nodes(
    context: TypingContext, parents: list[int], first: int, last: int
) -> tuple[tuple[int, ...], bool]:
    """Finds the statements, or the expression, whose tokens are exactly those from `first` to `last`.

    Returns their nodes, and whether they are an expression. If nothing matches, returns no nodes.
    """
    table = context.table
    body = table.child(0, _BODY)
    for node in nodes_around(table, first):
        if node <= body:
            continue
        if (table.first[node], table.last[node]) == (first, last):
            if table.kind[node] in _STATEMENTS:
                return (node,), False
            if context.trace is not None and node in context.trace:
                return (node,), True
        if table.first[node] == first and table.kind[node] in _STATEMENTS:
            parent = parents[node]
            siblings = [each for each in table.children(parent) if first <= table.first[each] < last]
            if table.kind[parent] in _LISTS and siblings and table.last[siblings[-1]] == last:
                return tuple(siblings), False
    return (), False


def _check_text(selection: Selection, data: bytes) -> None:
    text = data[selection.start : selection.end]
    if _DIRECTIVE.search(text):
        raise NotExtractable("the selection contains a preprocessor directive")
    line = data.rfind(b"\n", 0, selection.start) + 1
    before = data.rfind(b"\n", 0, max(line - 1, 0)) + 1
    if not data[line : selection.start].strip() and line and _PRAGMA.match(data, before, line):
        raise NotExtractable("the `#pragma` before the selection belongs to it: select both")
    for index in range(selection.first, selection.last):
        _, steps = selection.places.location_with_expansions(selection.key, Place(index, index + 1))
        for step in steps[-1:]:
            name = step.message.rpartition(" ")[2].strip("`").encode()
            if find_word(text, name) < 0:
                raise NotExtractable("the selection contains a part of a macro call")
    code = without_comments_and_literals(text)
    if code.count(b"(") != code.count(b")"):
        raise NotExtractable("the selection contains a part of a macro call")


def _check_control_flow(selection: Selection) -> None:
    table = selection.table
    for top in selection.nodes:
        for node in range(top, table.skip[top]):
            number = table.kind[node]
            if number == _RETURN:
                raise NotExtractable("the selection contains `return`")
            if number in _JUMPS:
                raise NotExtractable("the selection contains a label or `goto`")
            if number == _BLOCK:
                raise NotExtractable("the selection contains a block")
            if number == _MACRO_STATEMENT:
                raise NotExtractable("the selection contains a macro that is not defined")
            targets = {
                _BREAK: _LOOPS | {_SWITCH},
                _CONTINUE: _LOOPS,
                _CASE: frozenset((_SWITCH,)),
            }.get(number)
            if targets is not None and not _has_ancestor(selection, node, top, targets):
                word = {_BREAK: "break", _CONTINUE: "continue", _CASE: "case"}[number]
                target = "`switch`" if number == _CASE else "statement"
                raise NotExtractable(f"the selection contains a `{word}` whose {target} is outside of it")


def _has_ancestor(selection: Selection, node: int, top: int, kinds: frozenset[int]) -> bool:
    """Whether an ancestor of `node`, up to and including `top`, is of one of these kinds."""
    while node > top:
        node = selection.parents[node]
        if selection.table.kind[node] in kinds:
            return True
    return False


def _check_names(selection: Selection) -> None:
    """Raises NotExtractable if the selection uses a type that the rest of the function declares.

    Also raises it if the rest of the function uses a type that the selection declares. Enumerators count as
    types.
    """
    declared = {
        use.symbol: selection.contains(use.token_index) for use in selection.uses if use.role.declares
    }
    for use in selection.uses:
        is_type = use.symbol.space is NameSpace.TAG or use.kind in (
            EntityKind.TYPEDEF,
            EntityKind.ENUMERATOR,
        )
        inside = declared.get(use.symbol)
        is_own = use.symbol.enclosing_item == selection.key
        if is_own and is_type and inside is not None and inside != selection.contains(use.token_index):
            raise NotExtractable(
                f"`{use.symbol.name}` is declared in the function and used on both sides of the selection"
                if inside
                else f"`{use.symbol.name}` is declared in the function, outside of the selection"
            )
