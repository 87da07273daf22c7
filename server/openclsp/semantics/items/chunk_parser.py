"""Parses the chunks of a part into items, reusing the parse of the chunk that was edited last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from tree_sitter import Node, Tree

from openclsp.semantics.items.item import Item, ItemGroup, item_of
from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.items.syntax_table_builder import ParsedChunk, build_table, denormalise
from openclsp.source.declarator_macros import blank_declarator_macros
from openclsp.source.macro_calls import blank_call_arguments, blank_head_macros
from openclsp.source.missing_separators import (
    COMMA,
    SEMICOLON_AFTER_RECORD,
    find_missing_commas,
    find_missing_semicolons,
    insert_separators,
)
from openclsp.source.normalized_identifiers import NormalizedText, as_declaration, normalize_identifiers
from openclsp.source.old_style_functions import blank_last_qualifiers, blank_parameters_without_result
from openclsp.source.parser import COMMENT, ERROR, TOKEN, kind, kind_of, parse
from openclsp.source.reserved_names import rename_reserved_in_head, rename_reserved_names

_FUNCTION, _BUILT_IN = kind("function_definition"), kind("primitive_type")


class _Part(NamedTuple):
    """An item of a normalised chunk (`source.normalized_identifiers`): its node kind, byte range and syntax table."""

    kind: int
    start: int
    end: int
    table: Table


_LONGEST_SHAPE: Final = 4_096
"""The longest normalised text, in bytes, whose parse is kept for equal ones: longer chunks are hardly ever equal."""


class _Edited(NamedTuple):
    """The most recently edited chunk, if it is one item.

    - `normalised`: its text in normalised form.
    - `is_faulty`: whether a parse of that form has errors, so that `parsed` may be a parse of repaired text.
    """

    text: bytes
    normalised: bytes
    is_faulty: bool
    parsed: ParsedChunk
    table: Table


class ChunkParser:
    """Parses the chunks of one part.

    Keeps the most recently edited chunk, and the tree from which `table_of` last built a table.
    """

    def __init__(self) -> None:
        self._parsed: tuple[bytes, NormalizedText, Tree] = (b"", normalize_identifiers(b""), parse(b""))
        self._edited: _Edited | None = None
        """The chunk produced by the last edit."""
        self._shapes: dict[bytes, list[_Part]] = {}
        """The items of the chunks that were parsed without an error, by normalised text."""

    def forget_shapes(self) -> None:
        """Frees the parses that are reused for chunks of equal shape. To be called when a whole text has been
        parsed.
        """
        self._shapes.clear()

    def parse(
        self,
        group: ItemGroup,
        expanded: Sequence[tuple[int, int]],
        replaced: dict[bytes, ItemGroup],
        *,
        keep: bool,
    ) -> None:
        """Parses a chunk and adds its items to the group.

        - `expanded`: the byte ranges of the chunk that come from macro expansions.
        - `replaced`: the groups that the edit has removed so far, by their texts.
        - `keep`: whether to keep this chunk as the most recently edited one.
        """
        text = group.text
        plain = names = _normalize(text)
        edited, before, is_faulty = self._edited, None, False
        if edited is not None and edited.normalised == plain.text:
            # After an edit within a name, tree and table are the same, unless the name changes what is repaired.
            is_faulty = edited.is_faulty
            names = _repair(text, plain) if is_faulty else plain
            before = edited.parsed if edited.parsed.text == names.text else None
        if before is not None:
            found = [_Part(before.kind, before.base, before.end, before.table)]
            group.has_error = before.tree.root_node.has_error
        elif not keep and plain.text in self._shapes:
            # macros and generators write many functions that differ in names only
            found = self._shapes[plain.text]
        else:
            names, tree = _parse_normalized(text, plain)
            is_faulty = names is not plain or tree.root_node.has_error
            if edited is not None and edited.text in replaced:
                before = edited.parsed
            found = []
            root = tree.root_node
            # if the parser cannot resynchronise, the root itself is the ERROR node
            for node in (root,) if kind_of(root) == ERROR else root.children:
                if kind_of(node) in (COMMENT, TOKEN):
                    continue
                pending = [node]
                while pending:
                    inner = pending.pop()
                    table = build_table(inner, names.text, tree, before)
                    if inner is not node:
                        table.in_function = _is_in_function(inner, root)
                    found.append(_Part(kind_of(inner), inner.start_byte, inner.end_byte, table))
                    pending.extend(reversed(table.nested))
                    table.nested = []
            before = ParsedChunk(names.text, tree, inner, table) if len(found) == 1 else None
            group.has_error = tree.root_node.has_error
            # with an error, the tree may depend on the names
            if not keep and not group.has_error and len(names.text) <= _LONGEST_SHAPE:
                self._shapes[names.text] = found
        expanded = () if group.has_error else expanded
        for part in found:
            table = denormalise(part.table, part.start, names, text)
            if table.tokens:
                first, last = names.real(part.start), names.real(part.end)
                group.items.append(item_of(group, part.kind, first, last, table, expanded))
        if before is not None and keep:
            self._edited = _Edited(text, plain.text, is_faulty, before, table)

    def table_of(self, item: Item) -> Table:
        """Returns the table of an item; parses the item's chunk again unless that chunk was edited last."""
        text, edited = item.group.text, self._edited
        if edited is not None and edited.text is text:
            return edited.table
        if self._parsed[0] is not text:
            # the tree is kept, because the tables of the chunk's other items are usually requested next
            self._parsed = (
                text,
                *_parse_normalized(text, _normalize(text)),
            )
        _, names, tree = self._parsed
        node: Node | None = tree.root_node.descendant_for_byte_range(
            names.offset(item.offset), names.offset(item.offset + item.length)
        )
        while node is not None and kind_of(node) != item.kind:
            node = node.parent
        while node is not None and node.parent is not None and _is_same_range(node, node.parent):
            node = node.parent
        assert node is not None, "an item's chunk parses as it did when the item was cut"
        table = build_table(node, names.text)
        table.in_function = _is_in_function(node, tree.root_node)
        return denormalise(table, node.start_byte, names, text)


def _normalize(text: bytes) -> NormalizedText:
    """Returns the text of a chunk as it is parsed first, in normalised form."""
    return as_declaration(normalize_identifiers(blank_head_macros(rename_reserved_in_head(text))))


def _parse_normalized(text: bytes, names: NormalizedText) -> tuple[NormalizedText, Tree]:
    """Parses a chunk in normalised form (see `source.normalized_identifiers`).

    If the parse has errors, the text is repaired and parsed again. Returns the text that was parsed last, and its
    tree.
    """
    tree = parse(names.text)
    repaired = _repair(text, names) if tree.root_node.has_error else names
    return (names, tree) if repaired is names else (repaired, parse(repaired.text))


def _repair(text: bytes, names: NormalizedText) -> NormalizedText:
    """Repairs a chunk that has syntax errors in its normalised form `names`; returns `names` if nothing is repaired.

    Parts are replaced by spaces: arguments of macro calls that cannot be valid C, macros behind declarators,
    qualifiers without effect, and the parameters of a kernel without a result type. Qualifiers in the place of
    names become identifiers, and missing commas between parameters and a missing `;` after a record are inserted.
    """
    semicolons = find_missing_semicolons(text)
    commas = find_missing_commas(text, after_records=max(semicolons, default=0))
    inserted = {**dict.fromkeys(commas, COMMA), **dict.fromkeys(semicolons, SEMICOLON_AFTER_RECORD)}
    if inserted:
        text = insert_separators(text, inserted)
    head = blank_head_macros(rename_reserved_in_head(text))
    declarations = blank_declarator_macros(blank_last_qualifiers(rename_reserved_names(head)))
    quiet = blank_call_arguments(blank_parameters_without_result(declarations))
    if quiet == head and not inserted:
        return names
    repaired = normalize_identifiers(quiet)
    repaired.inserted = inserted
    return repaired


def _is_in_function(node: Node, root: Node) -> bool:
    """Whether a function is in the body of another one, according to a parse without errors.

    False if the result type of the other function is not built in: a block after a macro call is parsed as a
    function, and a macro can be taken for a result type.
    """
    if root.has_error or kind_of(node) != _FUNCTION:
        return False
    parent = node.parent
    while parent is not None and kind_of(parent) != _FUNCTION:
        parent = parent.parent
    result = parent.child_by_field_name("type") if parent is not None else None
    return result is not None and kind_of(result) == _BUILT_IN


def _is_same_range(inner: Node, outer: Node) -> bool:
    return (
        kind_of(inner) == kind_of(outer)
        and inner.start_byte == outer.start_byte
        and inner.end_byte == outer.end_byte
    )
