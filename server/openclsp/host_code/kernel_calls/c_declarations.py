"""The declarations of a C or C++ file: the types of variables and members, and constants."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Final, NamedTuple

from tree_sitter import Node

from openclsp.host_code.host_tree import HostTree, ancestors, field
from openclsp.host_code.kernel_calls.c_types import normalized_type, value_of_type
from openclsp.host_code.kernel_calls.kernel_uses import PassedKind, PassedValue

_DECLARATIONS: Final = """
(declaration) @variable
(parameter_declaration) @parameter
(field_declaration) @member
(type_definition) @typedef
(preproc_def) @macro
(enumerator) @enumerator
"""
_POINTERS: Final = frozenset(("pointer_declarator", "abstract_pointer_declarator"))
_ARRAYS: Final = frozenset(("array_declarator", "abstract_array_declarator"))
_NAMES: Final = frozenset(("identifier", "field_identifier", "type_identifier", "qualified_identifier"))
_BLOCKS: Final = frozenset(
    ("compound_statement", "for_statement", "for_range_loop", "function_definition", "lambda_expression")
)
_RECORDS: Final = frozenset(("struct_specifier", "class_specifier", "union_specifier"))
_CONDITIONS: Final = frozenset(("preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif"))
_MAXIMUM_DECLARATORS: Final = 20
_MAXIMUM_TYPEDEFS: Final = 8
_MAXIMUM_MEMBERS: Final = 200
_PLAIN_MEMBERS: Final = frozenset(("field_declaration", "comment"))
"""The only kinds of nodes in a structure whose layout follows from its members"""
_LAYOUT_WORDS: Final = re.compile(rb"attribute|alignas|ALIGN|PACK|declspec|\bstatic\b")
_MACRO_BEHIND: Final = re.compile(rb"\s*[A-Z][A-Z0-9_]+\b(?!\s*[;,*\[])")
_PACKING: Final = b"#pragma pack"
_USING: Final = re.compile(rb"\busing\s+namespace\s+cl\s*;")
_ELEMENT: Final = re.compile(r"(?:std::)?(?:vector|array|initializer_list) ?<([^<>,]{1,200})[,>]")


class DeclaredType(NamedTuple):
    """The type that a declarator declares.

    - `name`: the type specifier as written.
    - `pointers`: the number of `*`.
    - `arrays`: the sizes of the array dimensions; a size is None if it is not a known constant.
    """

    name: str
    pointers: int = 0
    arrays: tuple[int | None, ...] = ()

    @property
    def element(self) -> DeclaredType | None:
        """The pointee of a pointer, or the element type of an array or container; None for other types."""
        if self.arrays:
            return self._replace(arrays=self.arrays[1:])
        if self.pointers:
            return self._replace(pointers=self.pointers - 1)
        match = _ELEMENT.match(normalized_type(self.name))
        return None if match is None else DeclaredType(match[1].strip())


class _Variable(NamedTuple):
    at: int
    scope_start: int
    scope_end: int
    type: DeclaredType
    is_local: bool


class CDeclarations:
    """The types of variables and members, and the constants, that a C or C++ file declares."""

    def __init__(self, tree: HostTree) -> None:
        self._tree = tree
        self._variables: dict[str, list[_Variable]] = defaultdict(list)
        self._members: dict[str, dict[str, DeclaredType]] = defaultdict(dict)
        self._any_member: dict[str, set[DeclaredType]] = defaultdict(set)
        self._typedefs: dict[str, set[DeclaredType]] = defaultdict(set)
        self._constants: dict[str, list[Node | int | None]] = defaultdict(list)
        self._strings: dict[str, list[int | None]] = defaultdict(list)
        self._parameters: dict[tuple[int, str], tuple[str, int]] = {}
        self._unusual: set[str] = set()
        """Unions, and structures whose layout depends on attributes, conditions or bit-fields"""
        self._uses_namespace = _USING.search(tree.data) is not None
        found = tree.captures(_DECLARATIONS)
        for node in found.get("macro", ()):
            self._add_macro(node)
        for node in tree.captures("(assignment_expression left: (identifier) @name)").get("name", ()):
            self._strings[self._text(node)].append(None)
        for node in found.get("enumerator", ()):
            self._add_enumerator(node)
        for node in found.get("variable", ()):
            self._add_variables(node)
        for node in found.get("parameter", ()):
            self._add_variables(node)
        for node in found.get("member", ()):
            self._add_members(node)
        for node in found.get("typedef", ()):
            self._add_typedef(node)

    def _text(self, node: Node) -> str:
        return self._tree.text(node).decode("utf-8", "replace")

    def _add_variables(self, node: Node) -> None:
        written = field(node, "type")
        if written is None:
            return
        block = next((each for each in ancestors(node) if each.type in _BLOCKS), None)
        scope = self._tree.root if block is None else block
        if node.type == "parameter_declaration" and scope.type != "lambda_expression":
            scope = next((each for each in ancestors(node) if each.type == "function_definition"), scope)
            if scope.type == "compound_statement":
                # A declaration of a function, or a call that looks like one.
                return
        name = self._specifier(written)
        for declarator in node.children_by_field_name("declarator"):
            own, declared = self.read_declarator(declarator, name)
            value = field(declarator, "value")
            if own and name.removeprefix("const ").strip() in ("char", "string", "std::string"):
                is_literal = value is not None and value.type in ("string_literal", "raw_string_literal")
                self._strings[own].append(value.start_byte if value is not None and is_literal else None)
            if own and scope.type == "function_definition" and node.type == "parameter_declaration":
                self._add_parameter(node, own, scope)
            if own:
                self._variables[own].append(
                    _Variable(node.start_byte, scope.start_byte, scope.end_byte, declared, block is not None)
                )

    def _add_parameter(self, node: Node, name: str, function: Node) -> None:
        siblings = [] if node.parent is None else node.parent.named_children
        before = [each for each in siblings if each.end_byte <= node.start_byte and each.type != "comment"]
        declarator = field(function, "declarator")
        if declarator is not None:
            own = self.read_declarator(declarator, "")[0]
            self._parameters[function.start_byte, name] = own, len(before)

    def _specifier(self, written: Node) -> str:
        """Returns the name of a type specifier.

        A struct, union or enum without a name gets a generated name.
        """
        if written.type in _RECORDS or written.type == "enum_specifier":
            name = field(written, "name")
            return f"unnamed_{written.start_byte}" if name is None else self._text(name)
        return self._text(written)

    def _add_members(self, node: Node) -> None:
        written = field(node, "type")
        record = next((each for each in ancestors(node) if each.type in _RECORDS), None)
        if written is None or record is None:
            return
        key = self._specifier(record)
        if self._is_unusual(node, record):
            self._unusual.add(key)
        name = self._specifier(written)
        for declarator in node.children_by_field_name("declarator"):
            own, declared = self.read_declarator(declarator, name)
            if own:
                self._members[key][own] = declared
                self._any_member[own].add(declared)

    def _is_unusual(self, member: Node, record: Node) -> bool:
        """Whether something other than its members' types may affect a record's layout, such as `packed`.

        `member` is a member of the record. Only this member is examined for a bit-field and attributes, so
        callers test each member.
        """
        body = field(record, "body")
        data = self._tree.data
        around = data[max(0, record.start_byte - 30) : record.start_byte + 60] + data[record.end_byte :][:60]
        return (
            record.type == "union_specifier"
            or record.has_error
            or body is None
            or any(each.type not in _PLAIN_MEMBERS for each in body.named_children)
            or any(each.type in ("bitfield_clause", "attribute_declaration") for each in member.children)
            or any(each.type == "base_class_clause" for each in record.children)
            or _LAYOUT_WORDS.search(around + self._tree.text(member)) is not None
            or _MACRO_BEHIND.match(data, record.end_byte) is not None
            or self._is_conditional(member, record)
        )

    def _add_typedef(self, node: Node) -> None:
        written = field(node, "type")
        if written is None:
            return
        for declarator in node.children_by_field_name("declarator"):
            own, declared = self.read_declarator(declarator, self._specifier(written))
            if own:
                self._typedefs[own].add(declared)
                if self._is_conditional(node, None):
                    self._typedefs[own].add(DeclaredType(""))

    @staticmethod
    def _is_conditional(node: Node, limit: Node | None) -> bool:
        """Whether a node is in a branch of a preprocessor condition other than an include guard.

        `limit` is an ancestor of the node. Conditions outside this ancestor do not count.
        """
        for parent in ancestors(node):
            if parent == limit:
                return False
            if parent.type in _CONDITIONS:
                outer = parent.parent
                is_guard = (
                    parent.type == "preproc_ifdef"
                    and outer is not None
                    and outer.type == "translation_unit"
                    and parent.end_byte - parent.start_byte > 0.8 * (outer.end_byte - outer.start_byte)
                )
                if not is_guard:
                    return True
        return False

    def _add_macro(self, node: Node) -> None:
        name, value = field(node, "name"), field(node, "value")
        if name is not None:
            conditional = self._is_conditional(node, None)
            if value is not None and self._tree.text(value).startswith(b'"'):
                self._strings[self._text(name)].append(None if conditional else value.start_byte)
            text = (
                "" if value is None else self._text(value).split("//")[0].strip().strip("()").rstrip("uUlL")
            )
            known = int(text, 0) if re.fullmatch(r"0[xX][0-9a-fA-F]+|[1-9]\d*|0", text) else None
            self._constants[self._text(name)].append(None if conditional else known)

    def _add_enumerator(self, node: Node) -> None:
        name, value = field(node, "name"), field(node, "value")
        if name is None:
            return
        if value is not None:
            text = self._text(value)
            self._constants[self._text(name)].append(int(text) if text.isdecimal() else None)
            return
        before = node.prev_named_sibling
        while before is not None and before.type == "comment":
            before = before.prev_named_sibling
        if before is None:
            self._constants[self._text(name)].append(0)
            return
        former = field(before, "name") if before.type == "enumerator" else None
        known = None if former is None else self.constant(self._text(former))
        self._constants[self._text(name)].append(None if known is None else known + 1)

    def constant(self, name: str) -> int | None:
        """Returns the value of a macro or an enumerator; None if it is not a known integer."""
        values = self._constants.get(name, [])
        return values[0] if len(values) == 1 and isinstance(values[0], int) else None

    def string_constant(self, name: str) -> int | None:
        """Returns the offset of the string literal that a macro or variable is set to.

        Returns None if there is no such literal or more than one.
        """
        found = self._strings.get(name, [])
        return found[0] if len(found) == 1 else None

    def parameter_position(self, name: str, function: int) -> tuple[str, int] | None:
        """Returns the name of the function at offset `function`, and the index of its parameter `name`.

        Returns None if the function has no such parameter.
        """
        return self._parameters.get((function, name))

    def read_declarator(self, node: Node, type_name: str) -> tuple[str, DeclaredType]:
        """Returns the name that a declarator declares, and its type; the name is empty if there is none."""
        pointers = 0
        arrays: list[int | None] = []
        for _ in range(_MAXIMUM_DECLARATORS):
            if node.type in _NAMES:
                return self._text(node).rsplit("::", 1)[-1], DeclaredType(type_name, pointers, tuple(arrays))
            if node.type in _POINTERS:
                pointers += 1
            elif node.type in _ARRAYS:
                size = field(node, "size")
                text = "" if size is None else self._text(size)
                arrays.insert(0, int(text) if text.isdecimal() else self.constant(text))
            inner = field(node, "declarator")
            if inner is None and node.named_child_count:
                inner = node.named_child(node.named_child_count - 1)
            if inner is None:
                break
            node = inner
        return "", DeclaredType(type_name)

    def variable(self, name: str, at: int) -> tuple[DeclaredType, bool] | None:
        """Returns the type of the variable `name` as used at offset `at`, and whether the variable is local.

        The name may also be that of a member. Returns None if the type is unknown.
        """
        found = [
            each
            for each in self._variables.get(name, ())
            if not each.is_local or (each.scope_start <= at < each.scope_end and each.at <= at)
        ]
        if found:
            best = max(found, key=lambda each: (-(each.scope_end - each.scope_start), each.at))
            if not best.is_local and len({each.type for each in found}) > 1:
                return None
            return best.type, best.is_local
        members = self._any_member.get(name, set())
        return (next(iter(members)), False) if len(members) == 1 else None

    def is_local(self, name: str, at: int) -> bool:
        """Whether `name` denotes a local variable or a parameter at offset `at`."""
        found = self.variable(name, at)
        return found is not None and found[1]

    def member(self, record: DeclaredType, name: str) -> DeclaredType | None:
        """Returns the type of a structure's member; None if the file does not declare it."""
        for key in self._record_keys(record):
            found = self._members.get(key, {}).get(name)
            if found is not None:
                return found
        return None

    def resolved(self, declared: DeclaredType) -> DeclaredType:
        """Returns the type with typedefs resolved; its name is empty if a typedef is ambiguous."""
        for _ in range(_MAXIMUM_TYPEDEFS):
            targets = self._typedefs.get(normalized_type(declared.name))
            if not targets:
                break
            if len(targets) > 1:
                return DeclaredType("")
            target = next(iter(targets))
            declared = DeclaredType(
                target.name, declared.pointers + target.pointers, declared.arrays + target.arrays
            )
        return declared

    def _record_keys(self, record: DeclaredType) -> tuple[str, ...]:
        return normalized_type(record.name), normalized_type(self.resolved(record).name)

    def value_of(self, declared: DeclaredType) -> PassedValue:
        """Returns the kernel argument that results from passing an object of the type `declared`."""
        plain = self.resolved(declared)
        written = normalized_type(declared.name)
        if plain.pointers or plain.arrays:
            size = self.size_of(declared)
            return PassedValue(PassedKind.VALUE if plain.arrays else PassedKind.UNKNOWN, size, "")
        value = value_of_type(plain.name, unqualified_classes=self._uses_namespace)
        if value.kind is PassedKind.VALUE:
            return value._replace(type_name=written)
        size = self.size_of(plain) if value.kind is PassedKind.UNKNOWN else None
        return value if size is None else PassedValue(PassedKind.VALUE, size, written)

    def size_of(self, declared: DeclaredType) -> int | None:
        """Returns the size of a type in bytes; None if it is unknown or differs between hosts."""
        layout = self._layout(declared, 0)
        return None if layout is None else layout[0]

    def _layout(self, declared: DeclaredType, depth: int) -> tuple[int, int] | None:
        plain = self.resolved(declared)
        if depth > _MAXIMUM_TYPEDEFS:
            return None
        if plain.arrays:
            element = self._layout(DeclaredType(plain.name, plain.pointers), depth + 1)
            count = 1
            for each in plain.arrays:
                if each is None:
                    return None
                count *= each
            return None if element is None else (element[0] * count, element[1])
        if plain.pointers or not plain.name:
            return None
        value = value_of_type(plain.name)
        if value.kind is PassedKind.VALUE and value.size is not None:
            return value.size, value.size
        if value.kind is not PassedKind.UNKNOWN:
            return None
        return self._record_layout(normalized_type(plain.name), depth)

    def _record_layout(self, key: str, depth: int) -> tuple[int, int] | None:
        members = self._members.get(key)
        if _PACKING in self._tree.data:
            return None
        if not members or key in self._unusual or len(members) > _MAXIMUM_MEMBERS:
            return None
        end, alignment = 0, 1
        for each in members.values():
            layout = self._layout(each, depth + 1)
            if layout is None:
                return None
            end = -(-end // layout[1]) * layout[1] + layout[0]
            alignment = max(alignment, layout[1])
        return -(-end // alignment) * alignment, alignment
