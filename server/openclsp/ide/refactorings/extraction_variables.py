"""The local variables that an extracted function takes and returns, and their declarations as text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.ide.fixes.change_rendering import document_bytes, spell_qualifier
from openclsp.ide.refactorings.extraction_selection import NotExtractable, Selection
from openclsp.language.spaces import Space
from openclsp.semantics.facts.entities import Entity, EntityKind, Place
from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.types.type_model import Array, Type, Vector
from openclsp.source.comments import without_comments
from openclsp.source.parser import FIELDS, kind

_DECLARATIONS = frozenset((kind("declaration"), kind("parameter_declaration")))
_INIT_DECLARATOR, _IDENTIFIER = kind("init_declarator"), kind("identifier")
_INITIALIZER_LIST = kind("initializer_list")
_TRANSPARENT = frozenset((kind("parenthesized_expression"), kind("extension_expression")))
_FIELD_EXPRESSION, _SUBSCRIPT = kind("field_expression"), kind("subscript_expression")
_POINTER_EXPRESSION, _SIZEOF = kind("pointer_expression"), kind("sizeof_expression")
_ASSIGNMENT, _UPDATE = kind("assignment_expression"), kind("update_expression")
_EXPRESSION_STATEMENT = kind("expression_statement")
_TAGGED = frozenset(kind(f"{word}_specifier") for word in ("struct", "union", "enum"))
_DECLARATOR, _VALUE, _ARGUMENT = FIELDS["declarator"], FIELDS["value"], FIELDS["argument"]
_LEFT, _BODY = FIELDS["left"], FIELDS["body"]
_STORAGE: Final = re.compile(r"\b(?:static|extern|register|auto)\b\s*")
_OBJECT_SPACE: Final = re.compile(r"\b(?:__)?(?:constant|private|local|global)\b\s*")
_QUALIFIERS: Final = re.compile(r"\b(?:const|volatile)\b\s*")
_POINTER_QUALIFIERS: Final = ("const", "volatile", "__restrict", "restrict")


class VariableAccess(Enum):
    """What one use of a variable does to the variable.

    `v = 1` assigns it as a whole, `v += 1` and `v.x = 1` change it, and `&v` takes its address.
    """

    READ = "read"
    ASSIGNED = "assigned as a whole"
    CHANGED = "changed"
    ADDRESS = "address taken"


class Passing(Enum):
    """How an extracted function gets a variable: as one of three kinds of parameter, or by declaring it."""

    VALUE = "value"
    ELEMENTS = "pointer to the first element"
    POINTER = "pointer"
    NONE = "own variable"


@dataclass(frozen=True, slots=True, eq=False)
class ExtractedVariable:
    """A local variable that the selection uses, or declares for the code after it.

    `uses` are the variable's tokens in the selection. `is_inner` is whether the selection declares the
    variable. `is_output` is whether later code may read a value that the selection writes; False for arrays
    and other variables that the function needs by pointer anyway.
    """

    entity: Entity
    uses: tuple[int, ...]
    passing: Passing
    is_inner: bool
    is_output: bool
    specifiers: str
    declarator: str

    @property
    def name(self) -> str:
        """The name of the variable."""
        return self.entity.name

    @property
    def type(self) -> Type:
        """The type of the variable's declaration."""
        return self.entity.type


def find_variables(selection: Selection) -> list[ExtractedVariable]:
    """Finds the variables that connect the selection with the code around it. Raises NotExtractable."""
    by_entity: dict[int, list[int]] = {}
    for use in selection.uses:
        owner = use.symbol.owner
        if owner is not None and owner.item == selection.key and not use.role.declares:
            by_entity.setdefault(owner.number, []).append(use.token_index)
    found = []
    for number, entity in selection.context.entities.items():
        if entity.kind not in (EntityKind.VARIABLE, EntityKind.PARAMETER) or not entity.name:
            continue
        tokens = by_entity.get(number, [])
        inside = tuple(each for each in tokens if selection.contains(each))
        is_inner = selection.contains(entity.place.first)
        if is_inner and entity.type.space is Space.LOCAL:
            raise NotExtractable(f"`{entity.name}` is in `local` memory, which only a kernel can declare")
        is_used_after = any(each >= selection.last for each in tokens)
        if is_inner and is_used_after:
            found.append(_inner_variable(selection, entity, inside))
        elif inside and not is_inner:
            found.append(_outer_variable(selection, entity, tokens, inside))
    return found


def _inner_variable(selection: Selection, entity: Entity, inside: tuple[int, ...]) -> ExtractedVariable:
    if isinstance(entity.type, Array):
        raise NotExtractable(f"the array `{entity.name}` is declared in the selection and used after it")
    specifiers, declarator = declaration_parts(selection, entity)
    return ExtractedVariable(entity, inside, Passing.NONE, True, True, specifiers, declarator)


def _outer_variable(
    selection: Selection, entity: Entity, tokens: Sequence[int], inside: tuple[int, ...]
) -> ExtractedVariable:
    nodes = identifier_nodes(selection.table)
    accesses = [
        (_access(selection, nodes[each]) if each in nodes else VariableAccess.READ) for each in inside
    ]
    specifiers, declarator = declaration_parts(selection, entity)
    passing, is_output = Passing.VALUE, False
    if isinstance(entity.type, Array):
        if any(_is_measured(selection, nodes[each]) for each in inside if each in nodes):
            raise NotExtractable(f"`sizeof` in the selection needs the array `{entity.name}` itself")
        passing = Passing.ELEMENTS
    elif VariableAccess.ADDRESS in accesses or entity.type.space in (Space.LOCAL, Space.GLOBAL):
        passing = Passing.POINTER
    else:
        is_read_before = _is_read_before_assigned(selection, entity, tokens, inside, accesses)
        is_written = any(each is not VariableAccess.READ for each in accesses)
        is_output = is_written and _is_read_later(selection, entity, tokens, is_read_before)
        passing = Passing.VALUE if is_read_before else Passing.NONE
    return ExtractedVariable(entity, inside, passing, False, is_output, specifiers, declarator)


def identifier_nodes(table: Table) -> dict[int, int]:
    """Maps each token that is an identifier to its node."""
    return {table.first[node]: node for node, number in enumerate(table.kind) if number == _IDENTIFIER}


def _access(selection: Selection, node: int) -> VariableAccess:
    table, parents, trace = selection.table, selection.parents, selection.context.trace or {}
    is_whole = True
    while parents[node] >= 0:
        parent = parents[node]
        number = table.kind[parent]
        value = trace.get(node)
        type_ = None if value is None else value.type
        if number in _TRANSPARENT:
            node = parent
        elif (
            number == _FIELD_EXPRESSION
            and table.token(table.last[node]) == "."
            or (
                number == _SUBSCRIPT
                and table.child(parent, _ARGUMENT) == node
                and isinstance(type_, Array | Vector)
            )
        ):
            node, is_whole = parent, False
        elif number == _POINTER_EXPRESSION and table.token(table.first[parent]) == "&":
            return VariableAccess.ADDRESS
        elif number == _ASSIGNMENT and table.child(parent, _LEFT) == node:
            plain = table.token(table.last[node]) == "="
            return VariableAccess.ASSIGNED if plain and is_whole else VariableAccess.CHANGED
        elif number == _UPDATE:
            return VariableAccess.CHANGED
        else:
            # an array that is a member becomes a pointer into the variable
            return (
                VariableAccess.ADDRESS if not is_whole and isinstance(type_, Array) else VariableAccess.READ
            )
    return VariableAccess.READ


def _is_measured(selection: Selection, node: int) -> bool:
    parent = selection.parents[node]
    while parent >= 0 and selection.table.kind[parent] in _TRANSPARENT:
        parent = selection.parents[parent]
    return parent >= 0 and selection.table.kind[parent] == _SIZEOF


def _is_read_before_assigned(
    selection: Selection,
    entity: Entity,
    tokens: Sequence[int],
    inside: Sequence[int],
    accesses: Sequence[VariableAccess],
) -> bool:
    """Whether the selection may read a value that the variable had before the selection.

    `tokens` are the uses of the variable in the function, `inside` those in the selection, and `accesses` the
    effects of the latter.
    """
    table = selection.table
    for node in selection.nodes:
        own = [each for each in inside if table.first[node] <= each < table.last[node]]
        if not own:
            continue
        is_assignment = (
            table.kind[node] == _EXPRESSION_STATEMENT
            and table.kind[node + 1] == _ASSIGNMENT
            and own == [table.first[node]]
            and accesses[inside.index(own[0])] is VariableAccess.ASSIGNED
        )
        if is_assignment:
            return False
        break
    in_loop = any(
        not table.first[loop] <= entity.place.first < table.last[loop] for loop in selection.enclosing_loops()
    )
    is_set_before = any(each < selection.first for each in tokens)
    is_initialised = entity.kind is EntityKind.PARAMETER or _initial_value(selection, entity) >= 0
    return in_loop or is_set_before or is_initialised


def _is_read_later(selection: Selection, entity: Entity, tokens: Sequence[int], is_read_before: bool) -> bool:
    """Whether code after the selection, or a later iteration of an enclosing loop, may read the variable.

    `tokens` are the uses of the variable in the function. `is_read_before` is the result of
    `_is_read_before_assigned`.
    """
    if any(each >= selection.last for each in tokens):
        return True
    table = selection.table
    for loop in selection.enclosing_loops():
        first, last = table.first[loop], table.last[loop]
        if not first <= entity.place.first < last:
            others = (each for each in tokens if first <= each < last and not selection.contains(each))
            return is_read_before or next(others, None) is not None
    return False


def _declaration_nodes(selection: Selection, entity: Entity) -> tuple[int, int]:
    """Returns the nodes of a variable's declaration and of its declarator.

    The declarator does not include the initial value. Raises NotExtractable if the syntax tree has no
    identifier where the variable is declared.
    """
    table, parents = selection.table, selection.parents
    node = identifier_nodes(table).get(entity.place.first, -1)
    if node < 0:
        raise NotExtractable(f"the declaration of `{entity.name}` is unusual")
    while parents[node] >= 0 and table.kind[parents[node]] not in _DECLARATIONS:
        if table.kind[parents[node]] == _INIT_DECLARATOR:
            return parents[parents[node]], node
        node = parents[node]
    return parents[node], node


def _initial_value(selection: Selection, entity: Entity) -> int:
    """Returns the node of a variable's initial value; -1 if it has none."""
    _, declarator = _declaration_nodes(selection, entity)
    parent = selection.parents[declarator]
    return selection.table.child(parent, _VALUE) if selection.table.kind[parent] == _INIT_DECLARATOR else -1


def declaration_parts(selection: Selection, entity: Entity) -> tuple[str, str]:
    """Returns the specifiers and the declarator of a variable as written.

    The storage class and the initial value are omitted.
    """
    table = selection.table
    declaration, declarator = _declaration_nodes(selection, entity)
    if declaration < 0 or any(
        table.kind[each] in _TAGGED and table.child(each, _BODY) >= 0 for each in table.children(declaration)
    ):
        raise NotExtractable(f"the type of `{entity.name}` has no name")
    first_declarator = table.child(declaration, _DECLARATOR)
    specifiers = written_text(
        selection, Place(table.first[declaration], table.first[first_declarator]), entity.name
    )
    text = written_text(selection, Place(table.first[declarator], table.last[declarator]), entity.name)
    if re.search(rf"\b{entity.name}\b", text) is None or "(^" in text:
        raise NotExtractable(f"a macro declares `{entity.name}`")
    return _STORAGE.sub("", specifiers).strip(), text


def written_text(selection: Selection, place: Place, name: str) -> str:
    """Returns the text of the tokens `place` as written, on one line and without comments.

    Raises NotExtractable, with `name` in the message, if they are in another document than the selection.
    """
    location = selection.places.location(selection.key, place)
    if location.document != selection.document:
        raise NotExtractable(f"`{name}` is declared in another file")
    data = document_bytes(selection.places, location.document)
    text = without_comments(data[location.start : location.end]).decode("utf-8", "surrogateescape")
    return " ".join(text.split())


def parameter_text(selection: Selection, variable: ExtractedVariable) -> str:
    """Spells the declaration of the parameter that passes a variable. Raises NotExtractable."""
    name, specifiers = variable.name, variable.specifiers
    if variable.passing is Passing.VALUE:
        return f"{_value_specifiers(variable)} {variable.declarator}"
    if variable.is_output and "*" not in variable.declarator:
        specifiers = _QUALIFIERS.sub("", specifiers).strip()
    sizes = r"\s*\[[^\[\]]*\](?P<rest>(?:\s*\[[^\[\]]*\])*)" if variable.passing is Passing.ELEMENTS else ""
    found = re.fullmatch(rf"(?P<stars>[\s*\w]*?)\b{name}{sizes}", variable.declarator)
    if found is None:
        raise NotExtractable(f"the declaration of `{name}` is unusual")
    rest = found["rest"] if sizes else ""
    inner = f"(*{name}){rest}" if rest else f"*{name}"
    space = ""
    if selection.places.unit.dialect.generic and variable.type.space in (None, Space.PRIVATE):
        # without it the pointer would be generic
        space = spell_qualifier(selection.places, selection.key, Space.PRIVATE)
    stars = found["stars"].strip()
    if stars:
        gap = " " if stars[-1].isalnum() else ""
        return f"{specifiers} {stars}{gap}{space}{' ' if space else ''}{inner}"
    is_written = _OBJECT_SPACE.search(specifiers) is not None
    return f"{specifiers} {inner}" if is_written or not space else f"{space} {specifiers} {inner}"


def result_text(variable: ExtractedVariable) -> str:
    """Spells the result type of a function that returns the variable. Raises NotExtractable."""
    found = re.fullmatch(rf"(?P<stars>[\s*\w]*?)\b{variable.name}", variable.declarator)
    if found is None:
        raise NotExtractable(f"the declaration of `{variable.name}` is unusual")
    stars = found["stars"].strip()
    while stars.endswith(_POINTER_QUALIFIERS):
        last = next(each for each in _POINTER_QUALIFIERS if stars.endswith(each))
        stars = stars.removesuffix(last).rstrip()
    if not stars:
        return _QUALIFIERS.sub("", _value_specifiers(variable)).strip()
    return f"{variable.specifiers} {stars}"


def unset_declaration(variable: ExtractedVariable) -> str:
    """Spells the declaration of a variable, but omits its initial value.

    Unless the variable is a pointer, `const` and `volatile` are omitted as well, so that it can be assigned.
    """
    specifiers = variable.specifiers
    if "*" not in variable.declarator:
        specifiers = _QUALIFIERS.sub("", specifiers).strip()
    return f"{specifiers} {variable.declarator};"


def _value_specifiers(variable: ExtractedVariable) -> str:
    """Returns the variable's specifiers without its own address space: `int` for `local int x`.

    The address space of a pointee is kept: `global int` for `global int *p`.
    """
    if "*" in variable.declarator:
        return variable.specifiers
    return _OBJECT_SPACE.sub("", variable.specifiers).strip()


def initial_value(selection: Selection, variable: ExtractedVariable) -> tuple[Place, Place | None]:
    """Returns the tokens of a variable's declaration and those of its initial value, if it has one.

    Raises NotExtractable if the declaration declares other variables, or has an initialiser in braces.
    """
    table = selection.table
    declaration, _ = _declaration_nodes(selection, variable.entity)
    declarators = [each for each in table.children(declaration) if table.field[each] == _DECLARATOR]
    value = _initial_value(selection, variable.entity)
    if len(declarators) != 1 or (value >= 0 and table.kind[value] == _INITIALIZER_LIST):
        raise NotExtractable(
            f"several results: declare `{variable.name}` in a statement of its own before the selection"
        )
    whole = Place(table.first[declaration], table.last[declaration])
    return whole, Place(table.first[value], table.last[value]) if value >= 0 else None
