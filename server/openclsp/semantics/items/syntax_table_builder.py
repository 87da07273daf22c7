"""Builds the syntax table of an item from its tree, and from the table of an earlier text."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Final, cast

from tree_sitter import Node, Tree, TreeCursor

from openclsp.semantics.items.syntax_table import TOO_DEEP, Table
from openclsp.semantics.limits import MAXIMUM_DEPTH
from openclsp.source.normalized_identifiers import NormalizedText
from openclsp.source.parser import (
    COMMENT,
    ERROR,
    ERROR_SYMBOL,
    KIND_OF_SYMBOL,
    MARK_OF_SYMBOL,
    TOKEN,
    kind,
    kind_of,
)
from openclsp.source.shared_ends import shared_ends

_FUNCTION_DEFINITION = kind("function_definition")
_PRIMITIVE, _TYPE_NAME, _VOID = kind("primitive_type"), kind("type_identifier"), b"void"
_AT_PROGRAM_SCOPE = frozenset((ERROR, kind("linkage_specification"), kind("declaration_list")))
"""What a declaration at program scope may be nested in, if the chunk has an error."""
_IN_ERROR = frozenset((_FUNCTION_DEFINITION, kind("declaration"), kind("type_definition")))
_UPDATE, _UNARY = kind("update_expression"), kind("unary_expression")
_REUSABLE_PARENTS = frozenset(
    (
        _FUNCTION_DEFINITION,
        kind("function_declarator"),
        kind("parameter_list"),
        kind("compound_statement"),
        kind("else_clause"),
        *(kind(f"{word}_statement") for word in ("if", "for", "while", "do", "switch", "case", "labeled")),
    )
)
"""Kinds of nodes whose children may be copied from an earlier table.

Kind and byte range identify such a child: no descendant of it has the same kind and range.
"""
_SHARED_COUNT: Final = 1 << 16
_SHARED: Final = cast("list[object]", list(range(_SHARED_COUNT)))
"""The integer objects in the columns of all tables.

CPython allocates 32 bytes for each integer above 256, which is most of a table's memory. With shared objects, a run
over 91 kernels takes 12 % less CPU time and 6 % less memory.
"""
_NO_MARKS: list[bytes | None] = [None] * len(MARK_OF_SYMBOL)


class ParsedChunk:
    """A chunk that is one item: text, tree, table, and the item's byte range in the text."""

    __slots__ = ("base", "end", "kind", "table", "text", "tree")

    def __init__(self, text: bytes, tree: Tree, node: Node, table: Table) -> None:
        self.text, self.tree, self.table = text, tree, table
        self.base, self.end, self.kind = node.start_byte, node.end_byte, kind_of(node)


class _Unchanged:
    """Finds subtrees of a new tree that are unchanged since an earlier table.

    Candidates are the functions and statements outside of the changed text and outside of all places where
    the trees differ. If neither tree has an error in such a range, the same text and the same kind of node
    mean that the subtree is the same. tree-sitter's `changed_ranges` finds the differences by comparing the
    trees node by node.
    """

    __slots__ = ("_base", "_begin", "_end", "_shift", "table")

    def __init__(self, before: ParsedChunk, tree: Tree, text: bytes, base: int) -> None:
        front, back = shared_ends(before.text, text)
        old_end, end = len(before.text) - back, len(text) - back
        old = before.tree.copy()
        # rows and columns are not used
        old.edit(front, old_end, end, (0, front), (0, old_end), (0, end))
        ranges = old.changed_ranges(tree)
        self.table, self._base = before.table, before.base
        self._begin, self._end, self._shift = front, end, end - old_end
        if ranges:
            self._begin = min(front, ranges[0].start_byte)
            self._end = max(end, ranges[-1].end_byte)

    def node_of(self, node: Node, number: int, cursor: TreeCursor) -> int:
        """Returns the number that a node has in the earlier table; -1 if it has none or may have changed.

        `cursor` is positioned at the node, and `number` is the node's kind.
        """
        start, end = node.start_byte, node.end_byte
        if end >= self._begin:
            if start <= self._end:
                return -1
            start, end = start - self._shift, end - self._shift
        old, base = self.table, self._base
        token_index = bisect_left(old.starts, start - base)
        syntax_node = bisect_left(old.first, token_index)
        if (
            token_index >= len(old.starts)
            or syntax_node >= len(old.first)
            or old.first[syntax_node] != token_index
        ):
            return -1
        if old.kind[syntax_node] != number or old.field[syntax_node] != (cursor.field_id or 0):
            return -1
        last = old.last[syntax_node]
        if old.starts[token_index] != start - base or old.ends[last - 1] != end - base or node.has_error:
            return -1
        if old.has_error_or_missing and (
            ERROR in old.kind[syntax_node : old.skip[syntax_node]]
            or any(token_index <= each < last for each in old.missing)
        ):
            return -1
        return syntax_node


def build_table(
    node: Node, text: bytes, tree: Tree | None = None, before: ParsedChunk | None = None
) -> Table:
    """Builds the table of the subtree at `node`, whose bytes are in `text`.

    `before` is the parse of an earlier version of the text, and `tree` is the tree of the new version. The
    nodes of unchanged subtrees are copied from the table in `before`.
    """
    table = Table()
    kinds, fields, tokens = table.kind, table.field, table.tokens
    firsts, lasts, skips = _objects(table.first), _objects(table.last), _objects(table.skip)
    starts, ends = _objects(table.starts), _objects(table.ends)
    base = node.start_byte
    unchanged: _Unchanged | None = None
    deepest = height = 0
    if before is not None and tree is not None and before.table.deepest <= MAXIMUM_DEPTH // 2:
        unchanged, height = _Unchanged(before, tree, text, base), before.table.deepest
    among_parts = False
    # a run of consecutive nodes to copy from the earlier table, and the shift of their tokens in bytes;
    # copying whole runs replaces a loop over nodes by slices
    run = run_end = run_token_index = run_by = 0
    cursor = node.walk()
    open_nodes: list[int] = []
    # braces of a body that the parser could not complete: what follows them is at block scope
    open_braces = 0
    # kinds of nodes that become items of their own inside this one
    own_items = _IN_ERROR if node.kind_id == ERROR_SYMBOL else frozenset((_FUNCTION_DEFINITION,))
    # punctuation and keywords, half of all tokens, have a constant text; with errors, the parser may have
    # inserted one
    marks = _NO_MARKS if node.has_error else MARK_OF_SYMBOL
    while True:
        current = cursor.node
        assert current is not None
        symbol = current.kind_id
        if symbol == ERROR_SYMBOL:
            number, mark = ERROR, None
        else:
            number, mark = KIND_OF_SYMBOL[symbol], marks[symbol]
        syntax_node = known = -1
        descend = False
        depth = len(open_nodes)
        # a reused subtree is as deep as the whole earlier table at most; half of the limit for each keeps
        # their sum below it
        if among_parts and unchanged is not None and mark is None and depth <= MAXIMUM_DEPTH // 2:
            if number not in (TOKEN, COMMENT, ERROR) and number not in own_items:
                known = unchanged.node_of(current, number, cursor)
            if known >= 0:
                old = unchanged.table
                by = current.start_byte - base - old.starts[old.first[known]]
                if known != run_end or old.first[known] != run_token_index or by != run_by:
                    _copy_nodes(table, old, run, run_end, run_token_index, run_by)
                    run, run_by = known, by
                    deepest = max(deepest, depth + height)
                run_end, run_token_index = old.skip[known], old.last[known]
        # the run of reusable nodes ends here: copy it before the current node is appended
        if known < 0 and run < run_end and unchanged is not None and number != COMMENT:
            _copy_nodes(table, unchanged.table, run, run_end, run_token_index, run_by)
            run = run_end = 0
        if known >= 0:
            pass
        elif mark is not None and depth <= MAXIMUM_DEPTH:
            start = current.start_byte - base
            tokens.append(mark)
            starts.append(_shared(start))
            ends.append(_shared(start + len(mark)))
        elif number == COMMENT:
            pass
        elif (
            depth
            and number in own_items
            and (
                number == _FUNCTION_DEFINITION
                or open_braces <= 0
                and all(each >= 0 and kinds[each] in _AT_PROGRAM_SCOPE for each in open_nodes)
            )
        ):
            table.nested.append(current)
        elif depth > MAXIMUM_DEPTH:
            number = TOO_DEEP
            syntax_node = len(kinds)
            kinds.append(number)
            fields.append(cursor.field_id or 0)
            firsts.append(_shared(len(tokens)))
            lasts.append(_shared(0))
            skips.append(_shared(0))
            start, end = current.start_byte, current.end_byte
            tokens.append(text[start:end])
            starts.append(_shared(start - base))
            ends.append(_shared(end - base))
        else:
            if number != TOKEN:
                syntax_node = len(kinds)
                kinds.append(number)
                fields.append(cursor.field_id or 0)
                firsts.append(_shared(len(tokens)))
                lasts.append(_shared(0))
                skips.append(_shared(0))
            descend = cursor.goto_first_child()
            if not descend:
                start, end = current.start_byte, current.end_byte
                if start == end and number != ERROR:
                    table.missing[len(tokens)] = current.type
                token = text[start:end]
                tokens.append(token)
                starts.append(_shared(start - base))
                ends.append(_shared(end - base))
                if depth and open_nodes[-1] >= 0 and kinds[open_nodes[-1]] == ERROR:
                    open_braces += (token == b"{") - (token == b"}")
        if descend:
            open_nodes.append(syntax_node)
            deepest = max(deepest, depth + 1)
            among_parts = number in _REUSABLE_PARENTS
            continue
        if syntax_node >= 0:
            lasts[syntax_node], skips[syntax_node] = _shared(len(tokens)), _shared(len(kinds))
        while not cursor.goto_next_sibling():
            if not open_nodes:
                return _complete_table(table, deepest)
            if run < run_end and unchanged is not None:
                _copy_nodes(table, unchanged.table, run, run_end, run_token_index, run_by)
                run = run_end = 0
            cursor.goto_parent()
            syntax_node = open_nodes.pop()
            if syntax_node >= 0:
                lasts[syntax_node], skips[syntax_node] = _shared(len(tokens)), _shared(len(kinds))
            among_parts = (
                bool(open_nodes) and open_nodes[-1] >= 0 and kinds[open_nodes[-1]] in _REUSABLE_PARENTS
            )
        if not open_nodes:
            return _complete_table(table, deepest)


def denormalise(table: Table, base: int, names: NormalizedText, text: bytes) -> Table:
    """Converts the table of a normalised text into the table of the real text.

    The two tables share all columns except those of the tokens. The normalised item begins at byte `base`.
    """
    found = Table()
    found.kind, found.field, found.first, found.last = table.kind, table.field, table.first, table.last
    found.skip, found.missing = table.skip, table.missing
    found.has_error, found.has_error_or_missing, found.deepest = (
        table.has_error,
        table.has_error_or_missing,
        table.deepest,
    )
    found.has_nested, found.in_function = table.has_nested, table.in_function
    starts_found, ends_found = _objects(found.starts), _objects(found.ends)
    ends, real_ends = names.ends, names.real_ends
    count, at, origin = len(ends), bisect_right(ends, base), names.real(base)
    # a name that occurs often needs one object only
    seen: dict[bytes, bytes] = {}
    for number, token in enumerate(table.tokens):
        start, end = base + table.starts[number], base + table.ends[number]
        while at < count and ends[at] <= start:
            at += 1
        first = start + (real_ends[at - 1] - ends[at - 1] if at else 0)
        last = end + first - start
        if at < count and ends[at] <= end:
            while at < count and ends[at] <= end:
                at += 1
            last = max(first, end + real_ends[at - 1] - ends[at - 1])
            token = text[first:last]
            token = seen.setdefault(token, token)
        elif first in names.inserted and start < end:
            # see `source/missing_separators.py`
            token = b""
            found.missing = {**found.missing, number: names.inserted[first]}
            found.has_error_or_missing = True
        found.tokens.append(token)
        starts_found.append(_shared(first - origin))
        ends_found.append(_shared(last - origin))
    if names.inserted and table.tokens and last in names.inserted and not table.has_error_or_missing:
        # The grammar has the `;` after a record that declares nothing outside of the item.
        found.missing = {**found.missing, len(found.tokens): names.inserted[last]}
        found.has_error_or_missing = True
    if table.tokens and table.tokens[0] == _VOID != found.tokens[0]:
        # see `as_declaration`
        found.kind = list(table.kind)
        found.kind[table.kind.index(_PRIMITIVE)] = _TYPE_NAME
    return found


def _copy_nodes(table: Table, old: Table, syntax_node: int, end: int, last: int, by: int) -> None:
    """Appends the nodes `syntax_node` to `end` (exclusive) of the table `old`.

    Also appends their tokens, up to the index `last` (exclusive). The offsets of these tokens from the item's
    start increase by `by` bytes.
    """
    if syntax_node == end:
        return
    token_index = old.first[syntax_node]
    node_shift, token_shift = len(table.kind) - syntax_node, len(table.tokens) - token_index
    table.kind += old.kind[syntax_node:end]
    table.field += old.field[syntax_node:end]
    table.first += _shift_all(old.first[syntax_node:end], token_shift)
    table.last += _shift_all(old.last[syntax_node:end], token_shift)
    table.skip += _shift_all(old.skip[syntax_node:end], node_shift)
    table.tokens += old.tokens[token_index:last]
    table.starts += _shift_all(old.starts[token_index:last], by)
    table.ends += _shift_all(old.ends[token_index:last], by)


def _shift_all(numbers: list[int], by: int) -> list[int]:
    return cast("list[int]", [_shared(number + by) for number in numbers]) if by else numbers


def _objects(column: list[int]) -> list[object]:
    """Returns the same list with a type that makes mypyc append the object itself instead of a new one."""
    return cast("list[object]", column)


def _shared(number: int) -> object:
    """Returns the preallocated `int` object that equals `number`, or `number` itself if there is none."""
    return _SHARED[number] if 0 <= number < _SHARED_COUNT else number


def _complete_table(table: Table, deepest: int) -> Table:
    """Corrects `-x++`, sets the depth of the table to `deepest`, sets its error flags, and returns it."""
    if _UPDATE in table.kind and _UNARY in table.kind:
        _move_updates_inwards(table)
    table.deepest = deepest
    table.has_error = ERROR in table.kind
    table.has_error_or_missing = table.has_error or bool(table.missing)
    table.has_nested = bool(table.nested)
    return table


def _move_updates_inwards(table: Table) -> None:
    """Corrects the tree of `-x++`: tree-sitter-c parses it as `(-x)++`, but it means `-(x++)` (C99 6.5.2)."""
    kinds, firsts, lasts = table.kind, table.first, table.last
    for outer in range(len(kinds) - 2):
        if kinds[outer] == _UPDATE and kinds[outer + 1] == _UNARY and firsts[outer + 1] == firsts[outer]:
            kinds[outer], kinds[outer + 1] = _UNARY, _UPDATE
            firsts[outer + 1], lasts[outer + 1] = firsts[outer + 2], lasts[outer]
