"""Finds the kinds and sizes of kernel parameters whose types are not built in, by analysing the program.

A type counts only if it is the same in every build. Therefore it must have a single definition, which no
preprocessor condition encloses, and the same must hold for all types in its definition.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from openclsp.ide.host_contract.kernel_signature import KernelParameter, KernelSignature, ParameterKind
from openclsp.language.builtin_types import ADDRESS_SIZED, is_builtin_type_name
from openclsp.language.spaces import Space
from openclsp.project.file_system import LOCAL_FILE_SYSTEM, DocumentStore, FileSystem
from openclsp.semantics.database.signatures import HEAD
from openclsp.semantics.facts.declarations import FunctionDeclaration
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.types.sizes import layout_of
from openclsp.semantics.types.type_model import (
    Array,
    Enum,
    Opaque,
    Pointer,
    Record,
    Scalar,
    Type,
    Unknown,
    Vector,
)
from openclsp.source.checkpoint import Checkpoint, no_checkpoint
from openclsp.source.document import Document, DocumentName
from openclsp.workspace.unit_preparation import plan_unit

_DEFINITION_KIND: Final = "function_definition"
_WORD: Final = re.compile(rb"[A-Za-z_]\w*")
_CONDITION: Final = re.compile(
    rb"^[ \t]*\#[ \t]*(?P<word>if|ifdef|ifndef|endif)\b[ \t]*(?P<rest>[^\r\n]*)", re.MULTILINE
)
_DEFINED: Final = re.compile(
    rb"^[ \t]*\#[ \t]*define[ \t]+(?P<macro>[A-Za-z_]\w*)|\btypedef\b|\b(?:struct|union|enum)\s+(?P<tag>[A-Za-z_]\w*)\s*\{",
    re.MULTILINE,
)
_MAXIMUM_DEPTH: Final = 12
_MAXIMUM_UNITS: Final = 8
"""The maximum number of analysed programs that are cached"""
_MAXIMUM_SIGNATURES: Final = 2_000
_Texts = tuple[tuple[DocumentName, "bytes | None"], ...]
"""The open documents of a program with their texts; None for files"""


class TypeReader:
    """Analyses programs to find the types of their kernels' parameters; not thread-safe.

    A signature is cached until the text of an open document of its program changes. Closed files are assumed
    not to change.
    """

    def __init__(
        self,
        files: FileSystem = LOCAL_FILE_SYSTEM,
        folders: tuple[str, ...] = (),
        opened: Mapping[DocumentName, Document] | None = None,
        checkpoint: Checkpoint = no_checkpoint,
    ) -> None:
        self._files, self._folders = files, folders
        self._opened, self._checkpoint = opened or {}, checkpoint
        self._programs: dict[tuple[DocumentName, bytes], _Program | None] = {}
        self._refined: dict[tuple[DocumentName, KernelSignature], tuple[_Texts, KernelSignature]] = {}

    def update(self, opened: Mapping[DocumentName, Document], checkpoint: Checkpoint) -> None:
        """Sets the open documents, and the checkpoint that is called between analyses."""
        if opened.keys() != self._opened.keys():
            self._refined.clear()
        if any(self._opened.get(name) is not each for name, each in opened.items()):
            self._programs.clear()
        self._opened, self._checkpoint = opened, checkpoint

    def refined(self, document: Document, signature: KernelSignature) -> KernelSignature:
        """Returns the signature, completed with the kinds and sizes of types that are not built in.

        Only types that are the same in every build are used.
        """
        key = document.name, signature
        known = self._refined.get(key)
        if known is not None and all(self._text(name, document) == text for name, text in known[0]):
            return known[1]
        program = self._program(document)
        refined = self._refine(program, signature)
        names = () if program is None else program.documents
        texts = tuple((name, self._text(name, document)) for name in (document.name, *names))
        if len(self._refined) >= _MAXIMUM_SIGNATURES:
            self._refined.clear()
        self._refined[key] = texts, refined
        return refined

    def _text(self, name: DocumentName, document: Document) -> bytes | None:
        """Returns the text of the document `name`; None if it is neither open nor the program `document`."""
        opened = document if name == document.name else self._opened.get(name)
        return None if opened is None else opened.text.data

    @staticmethod
    def _refine(program: _Program | None, signature: KernelSignature) -> KernelSignature:
        if program is None or signature.parameters is None:
            return signature
        declared = program.parameters(signature.name)
        if declared is None or len(declared) != len(signature.parameters):
            return signature
        found = tuple(
            program.refined(each, type_) for each, type_ in zip(signature.parameters, declared, strict=True)
        )
        return replace(signature, parameters=found)

    def _program(self, document: Document) -> _Program | None:
        key = document.name, document.text.data
        if key not in self._programs:
            if len(self._programs) >= _MAXIMUM_UNITS:
                self._programs.clear()
            self._programs[key] = self._analyse(document)
        return self._programs[key]

    def _analyse(self, document: Document) -> _Program | None:
        planned = plan_unit(
            document.name, workspace_folders=self._folders, files=self._files, document=document
        )
        if not planned.is_analysed:
            return None
        documents = DocumentStore(self._files, {**self._opened, document.name: document})
        loader = planned.make_include_loader(documents)
        unit = TranslationUnit(planned.unit_config, document, loader, None, self._checkpoint, declared=True)
        return _Program(unit)


class _Program:
    """An analysed program, with the definitions of names in its documents."""

    def __init__(self, unit: TranslationUnit) -> None:
        self._unit = unit
        self._definitions: dict[bytes, list[bytes | None]] = {}
        for each in unit.preprocessed.with_included():
            self._collect(each.document.text.data)

    @property
    def documents(self) -> tuple[DocumentName, ...]:
        """The documents that the program includes, and its root document."""
        return tuple(self._unit.preprocessed.documents())

    def parameters(self, name: str) -> list[Type] | None:
        """Returns the types of a kernel's parameters; None unless the kernel has exactly one definition."""
        key = (_DEFINITION_KIND, name, 0)
        if key not in self._unit.by_key or (_DEFINITION_KIND, name, 1) in self._unit.by_key:
            return None
        for fact in self._unit.database.get(HEAD, key).facts:
            if isinstance(fact, FunctionDeclaration) and fact.entity.name == name:
                self._names = self._unit.names(key)
                return [each.type for each in fact.parameters]
        return None

    def refined(self, parameter: KernelParameter, type_: Type) -> KernelParameter:
        """Returns a parameter, completed with the properties that follow from its type."""
        if parameter.kind is not ParameterKind.UNKNOWN or not parameter.type_name:
            return parameter
        if not self._is_certain(parameter.type_name.encode(), 0):
            return parameter
        if isinstance(type_, Pointer):
            space = type_.pointee.space
            if space in (Space.GLOBAL, Space.CONSTANT):
                return replace(parameter, kind=ParameterKind.BUFFER)
            return replace(parameter, kind=ParameterKind.LOCAL) if space is Space.LOCAL else parameter
        if isinstance(type_, Opaque):
            kinds = {"image": ParameterKind.IMAGE, "sampler": ParameterKind.SAMPLER}
            return replace(parameter, kind=kinds.get(type_.category, ParameterKind.UNKNOWN))
        if isinstance(type_, Unknown) or not isinstance(type_, Scalar | Vector | Record | Enum | Array):
            return parameter
        layout = layout_of(type_, self._names.slots, self._unit.dialect.address_bits)
        size = None if layout is None else layout.size
        is_float = type_.floating if isinstance(type_, Scalar) else None
        if isinstance(type_, Scalar) and (type_.name in ADDRESS_SIZED or type_.name == "bool"):
            size = None
        return replace(parameter, kind=ParameterKind.VALUE, size=size, is_float=is_float)

    def _is_certain(self, name: bytes, depth: int) -> bool:
        """Whether a name denotes the same type in every build of the program.

        `depth` is 0 for the type of a parameter, 1 for a name in the definition of that type, and so on.
        """
        if is_builtin_type_name(name.decode()):
            return name.decode() not in ADDRESS_SIZED
        found = self._definitions.get(name)
        if found is None:
            return depth > 0
        if len(found) != 1 or found[0] is None or depth > _MAXIMUM_DEPTH:
            return False
        return all(
            self._is_certain(word, depth + 1)
            for word in set(_WORD.findall(found[0]))
            if word != name and (word in self._definitions or is_builtin_type_name(word.decode()))
        )

    def _collect(self, data: bytes) -> None:
        """Collects the definitions of a document: macros, typedefs and tagged types.

        A definition within a preprocessor condition is stored as None.
        """
        conditions = _conditional_ranges(data)
        text: bytes | None
        for match in _DEFINED.finditer(data):
            if match["macro"] is not None:
                end = data.find(b"\n", match.end())
                text = data[match.end() : len(data) if end < 0 else end]
                name = match["macro"]
            else:
                end = _end_of_declaration(data, match.start())
                text = data[match.start() : end]
                words = _WORD.findall(text.rpartition(b"}")[2] or text)
                name = match["tag"] or (words[-1] if words else b"")
                # `typedef struct P { … } P;` is one definition, which two patterns find.
                text = None if b"#" in text else text[max(text.find(b"{"), 0) :]
            if any(start <= match.start() < end for start, end in conditions):
                text = None
            known = self._definitions.setdefault(name, [])
            if text is None or text not in known:
                known.append(text)


def _end_of_declaration(data: bytes, start: int) -> int:
    """Returns the end of a declaration: its first semicolon outside of braces."""
    depth = 0
    for match in re.compile(rb"[{};]").finditer(data, start):
        if match[0] == b"{":
            depth += 1
        elif match[0] == b"}":
            depth -= 1
        if depth <= 0 and match[0] == b";":
            return match.end()
    return len(data)


def _conditional_ranges(data: bytes) -> list[tuple[int, int]]:
    """Returns the byte ranges within preprocessor conditions. Include guards do not count as conditions."""
    found: list[tuple[int, int]] = []
    opened: list[tuple[int, bool]] = []
    for match in _CONDITION.finditer(data):
        if match["word"] != b"endif":
            guard = match["rest"].strip()
            after = data[match.end() : match.end() + 200].split()
            is_guard = match["word"] == b"ifndef" and not opened and after[:2] == [b"#define", guard]
            opened.append((match.start(), is_guard))
        elif opened:
            start, is_guard = opened.pop()
            if not is_guard or _WORD.search(data, match.end()) is not None:
                found.append((start, match.end()))
    return found
