"""Translates requests about a host file to the programs in its strings, and the answers back to the file.

Answers are translated as JSON, so that one function serves all requests. A range or position belongs to the
document whose URI the nearest enclosing object contains, or else to the program of the request.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final

import attrs
from lsprotocol import types

from openclsp.dataclass import dataclass
from openclsp.lsp.positions import offset_at, offsets_of_range, position_at, range_between
from openclsp.lsp.session.host_documents import HostDocuments
from openclsp.lsp.session.open_documents import OpenDocument
from openclsp.lsp.uris import document_uri
from openclsp.source.text import Encoding, Text

if TYPE_CHECKING:
    from openclsp.host_code.program_document import ProgramDocument

_RANGES: Final = frozenset(
    ("range", "selectionRange", "fullRange", "editRange", "insert", "replace", "targetRange")
    + ("targetSelectionRange",)
)
_UNTRANSLATED: Final = frozenset(("data", "arguments", "newText", "label", "title", "kind", "code"))
_LINE_LINK: Final = re.compile(r"\[line \d+\]\((?P<uri>[^()\s#]+)#L(?P<line>\d+)\)")


class UntranslatableEdit(Exception):
    """Raised if the edit of a program cannot be written in the strings of its host file."""


@dataclass(frozen=True, slots=True)
class ProgramRequest:
    """A request about a program of the host file `host`."""

    host: OpenDocument
    program: ProgramDocument
    encoding: Encoding

    @property
    def uri(self) -> str:
        """The URI of the program's document."""
        return document_uri(self.program.document.name)

    def place(self, position: types.Position) -> types.Position | None:
        """Translates a position of the host file to the program; None if it is outside the program."""
        offset = offset_at(self.host.text, position, self.encoding)
        within = self.program.program.value.value_offset(offset)
        return None if within is None else position_at(self._text, within, self.encoding)

    def part(self, range_: types.Range) -> types.Range | None:
        """Translates a range of the host file to the part of the program in it; None if there is none."""
        start, end = offsets_of_range(self.host.text, range_, self.encoding)
        own = self.program.program
        if end < own.start or own.end < start:
            return None
        value = own.value
        first = value.value_offset(start) if start > own.start else 0
        last = value.value_offset(end) if end < own.end else len(value.data)
        if first is None:
            first = min((each.start for each in value.pieces if each.host_start >= start), default=0)
        if last is None:
            last = max((each.end for each in value.pieces if each.host_end <= end), default=first)
        return range_between(self._text, first, max(first, last), self.encoding)

    def parameters(self, params: Any) -> Any | None:
        """Translates the parameters of a request to the program; None if the request does not concern it."""
        changed: dict[str, Any] = {}
        if hasattr(params, "text_document"):
            changed["text_document"] = attrs.evolve(params.text_document, uri=self.uri)
        if isinstance(position := getattr(params, "position", None), types.Position):
            changed["position"] = self.place(position)
            if changed["position"] is None:
                return None
        if isinstance(range_ := getattr(params, "range", None), types.Range):
            changed["range"] = self.part(range_)
            if changed["range"] is None:
                return None
        if hasattr(params, "previous_result_id"):
            changed["previous_result_id"] = None
        return attrs.evolve(params, **changed)

    @property
    def _text(self) -> Text:
        return self.program.document.text


class AnswerTranslation:
    """Translates answers, given as JSON values. `asked` is the program of the request, if it concerns one."""

    def __init__(self, hosts: HostDocuments, encoding: Encoding, asked: ProgramRequest | None = None) -> None:
        self._hosts, self._encoding, self._asked = hosts, encoding, asked

    def translate(self, value: Any) -> Any:
        """Translates the positions and URIs in an answer from programs to their host files.

        Raises UntranslatableEdit.
        """
        return self._value(value, self._asked)

    def _of_uri(self, uri: object) -> ProgramRequest | None:
        found = self._hosts.program_of_uri(uri) if isinstance(uri, str) else None
        return None if found is None else ProgramRequest(*found, self._encoding)

    def _value(self, value: Any, context: ProgramRequest | None) -> Any:
        if isinstance(value, list):
            if value and context is not None and _is_edit(value[0]):
                return self._edits(value, context)
            return [self._value(each, context) for each in value]
        if isinstance(value, str):
            return _LINE_LINK.sub(self._line_link, value) if "#L" in value else value
        if not isinstance(value, dict):
            return value
        if context is not None and _is_edit(value):
            return self._edit(value, context)
        return self._object(value, context)

    def _object(self, value: dict[str, Any], context: ProgramRequest | None) -> dict[str, Any]:
        found: dict[str, Any] = {}
        own = context
        document = value.get("textDocument")
        uri = document.get("uri") if isinstance(document, dict) else value.get("uri")
        if isinstance(uri, str):
            own = self._of_uri(uri)
        target = self._of_uri(value["targetUri"]) if isinstance(value.get("targetUri"), str) else None
        for key, each in value.items():
            if key in _UNTRANSLATED:
                found[key] = each
            elif key in ("uri", "targetUri") and (other := self._of_uri(each)) is not None:
                found[key] = other.host.uri
            elif key == "changes" and isinstance(each, dict):
                found[key] = self._changes(each)
            elif key == "documentChanges" and isinstance(each, list):
                found[key] = _joined_changes(self._value(one, None) for one in each)
            elif key.startswith("target") and _is_range(each):
                found[key] = each if target is None else self._range(each, target)
            elif key in _RANGES and _is_range(each):
                found[key] = each if own is None else self._range(each, own)
            elif key == "originSelectionRange" and _is_range(each):
                found[key] = each if context is None else self._range(each, context)
            elif key == "fromRanges" and isinstance(each, list):
                caller = self._of_from(value) or own
                found[key] = each if caller is None else [self._range(one, caller) for one in each]
            elif key == "position" and own is not None and isinstance(each, dict):
                found[key] = self._range({"start": each, "end": each}, own)["start"]
            elif key == "textDocument" and own is not None:
                found[key] = {**each, "uri": own.host.uri}
                if "version" in each:
                    found[key]["version"] = own.host.client_version
            else:
                found[key] = self._value(each, own)
        return found

    def _of_from(self, value: dict[str, Any]) -> ProgramRequest | None:
        caller = value.get("from")
        return self._of_uri(caller.get("uri")) if isinstance(caller, dict) else None

    def _changes(self, changes: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, list[Any]] = {}
        for uri, edits in changes.items():
            program = self._of_uri(uri)
            name = uri if program is None else program.host.uri
            found.setdefault(name, []).extend(edits if program is None else self._edits(edits, program))
        return found

    def _range(self, value: dict[str, Any], program: ProgramRequest) -> dict[str, Any]:
        start, end = program.program.host_range(*self._offsets(value, program))
        return self._json_range(program.host.text, start, end)

    def _offsets(self, value: dict[str, Any], program: ProgramRequest) -> tuple[int, int]:
        text = program.program.document.text
        first, last = (
            text.offset(each["line"], each["character"], self._encoding)
            for each in (value["start"], value["end"])
        )
        return first, max(first, last)

    def _json_range(self, text: Text, start: int, end: int) -> dict[str, Any]:
        first, last = text.position(start, self._encoding), text.position(end, self._encoding)
        return {
            "start": {"line": first.line, "character": first.column},
            "end": {"line": last.line, "character": last.column},
        }

    def _edits(self, edits: list[dict[str, Any]], program: ProgramRequest) -> list[dict[str, Any]]:
        wanted = [
            (*self._offsets(each["range"], program), each["newText"].encode("utf-8", "surrogateescape"))
            for each in edits
        ]
        made = program.program.host_edits(wanted)
        if made is None:
            raise UntranslatableEdit
        return [
            {
                "range": self._json_range(program.host.text, each.start, each.old_end),
                "newText": each.new.decode("utf-8", "surrogateescape"),
            }
            for each in made
        ]

    def _edit(self, edit: dict[str, Any], program: ProgramRequest) -> dict[str, Any]:
        """Translates a single edit, such as that of a completion, to a single edit of one string literal."""
        from openclsp.host_code.string_edits import write_at

        start, end = self._offsets(edit["range"], program)
        value, host = program.program.program.value, program.host.text
        written = write_at(value, host.data, start, edit["newText"].encode())
        if written is None:
            raise UntranslatableEdit
        return {
            **edit,
            "range": self._json_range(host, *program.program.host_range(start, end)),
            "newText": written.decode("utf-8", "surrogateescape"),
        }

    def _line_link(self, match: re.Match[str]) -> str:
        program = self._of_uri(match["uri"])
        if program is None:
            return match[0]
        text = program.program.document.text
        start, _ = program.program.host_range(*[text.line_start(int(match["line"]) - 1)] * 2)
        line = program.host.text.line_of(start) + 1
        return f"[line {line}]({program.host.uri}#L{line})"


def place_publication(
    hosts: HostDocuments, encoding: Encoding, document: OpenDocument, diagnostics: bytes
) -> tuple[OpenDocument, bytes]:
    """Returns the document for which to publish diagnostics, and the diagnostics as JSON array elements.

    Diagnostics of a program are published for its host file, together with those of all programs in it. A
    host file with programs has no diagnostics of its own, except diagnostics about its kernel calls.
    """
    host = hosts.store_diagnostics(document, diagnostics)
    if host is None:
        if not hosts.programs_of(document.name):
            return document, hosts.calls.joined(document, diagnostics, encoding)
        host = document
    found = [
        (ProgramRequest(host, program, encoding), json.loads(b"[%s]" % stored))
        for program, stored in hosts.stored_diagnostics(host.name)
    ]
    items = json.dumps(place_diagnostics(hosts, encoding, found)).encode()[1:-1]
    return host, hosts.calls.joined(host, items, encoding)


def place_diagnostics(
    hosts: HostDocuments, encoding: Encoding, found: list[tuple[ProgramRequest, list[Any]]]
) -> list[Any]:
    """Translates the diagnostics of a host file's programs to the host file, without duplicates."""
    items: list[Any] = []
    for request, diagnostics in found:
        translation = AnswerTranslation(hosts, encoding, request)
        for each in _translated_diagnostics(diagnostics, request, translation):
            if each not in items:
                items.append(each)
    return items


def _translated_diagnostics(
    diagnostics: list[Any], program: ProgramRequest, translation: AnswerTranslation
) -> list[Any]:
    """Translates diagnostics of a program to its host file.

    Diagnostics about parts of the program that are unknown or not written in the strings are omitted.
    """
    text = program.program.document.text

    def is_reported(diagnostic: dict[str, Any]) -> bool:
        start, end = (
            text.offset(each["line"], each["character"], program.encoding)
            for each in (diagnostic["range"]["start"], diagnostic["range"]["end"])
        )
        return program.program.reports(str(diagnostic.get("code")), start, end)

    return [translation.translate(each) for each in diagnostics if is_reported(each)]


def translate_tokens(
    numbers: list[int], program: ProgramRequest, sink: Callable[[int, int, int, int, int], None]
) -> None:
    """Translates the semantic tokens of a program to its host file.

    Calls `sink` for each token with line, column, length, kind and modifiers.
    """
    text, host, encoding = program.program.document.text, program.host.text, program.encoding
    line = column = 0
    for at in range(0, len(numbers), 5):
        down, right, length, kind, modifiers = numbers[at : at + 5]
        column = right if down else column + right
        line += down
        start, end = (text.offset(line, each, encoding) for each in (column, column + length))
        if not program.program.is_written(start, end):
            continue
        first, last = program.program.host_range(start, end)
        place, finish = host.position(first, encoding), host.position(last, encoding)
        if place.line == finish.line and finish.column > place.column:
            sink(place.line, place.column, finish.column - place.column, kind, modifiers)


def _joined_changes(changes: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Merges elements of `documentChanges` that edit the same document.

    A host file may have one for each program that it contains, and one for its own text.
    """
    found: list[dict[str, Any]] = []
    by_uri: dict[str, dict[str, Any]] = {}
    for each in changes:
        document = each.get("textDocument")
        known = None if document is None else by_uri.get(document["uri"])
        if known is not None:
            known["edits"] = [*known["edits"], *each["edits"]]
            continue
        found.append(each)
        if document is not None:
            by_uri[document["uri"]] = each
    return found


def _is_range(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("start"), dict) and "end" in value


def _is_edit(value: object) -> bool:
    return isinstance(value, dict) and "newText" in value and _is_range(value.get("range"))
