"""The open host files whose strings contain programs, and their programs as open documents.

The document of a program is updated whenever the host file is edited. All objects of this module are owned by
the event loop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from openclsp.dataclass import dataclass
from openclsp.host_code.host_language import host_language_of_identifier
from openclsp.host_code.host_words import may_hold_kernel
from openclsp.lsp.session.call_checks import CallChecks
from openclsp.lsp.session.open_documents import OpenDocument, OpenDocuments
from openclsp.lsp.uris import document_uri
from openclsp.source.shared_ends import shared_ends

if TYPE_CHECKING:
    from openclsp.host_code.program_document import ProgramDocument

MAXIMUM_OPEN_HOST_BYTES = 1024 * 1024
"""The maximum size in bytes of a host file that is searched for programs at each edit."""
PROGRAM_LANGUAGE = "opencl"
"""The language identifier of a program's document."""


@dataclass(frozen=True, slots=True)
class HostChanges:
    """The changes of a host file's programs: those to analyse again, and those that no longer exist."""

    changed: tuple[OpenDocument, ...] = ()
    removed: tuple[OpenDocument, ...] = ()


class HostDocuments:
    """The programs of the open host files, by the host file's name."""

    def __init__(self, opened: OpenDocuments) -> None:
        self._opened = opened
        self._programs: dict[str, tuple[ProgramDocument, ...]] = {}
        self._by_uri: dict[str, tuple[OpenDocument, ProgramDocument]] = {}
        self._published: dict[str, dict[str, bytes]] = {}
        self.calls = CallChecks()
        """The diagnostics about kernel calls in host files."""

    def __bool__(self) -> bool:
        return bool(self._programs) or bool(self.calls)

    def programs_of(self, host: str) -> tuple[ProgramDocument, ...]:
        """Returns the programs of the open host file named `host`."""
        return self._programs.get(host, ())

    def program_of_uri(self, uri: str) -> tuple[OpenDocument, ProgramDocument] | None:
        """Returns the host file and the program for the URI of a program; None for another URI."""
        return self._by_uri.get(uri)

    def update(self, host: OpenDocument, *, enabled: bool) -> HostChanges:
        """Opens, edits and closes the documents of a host file's programs; returns these changes.

        If `enabled` is false, all documents of its programs are closed.
        """
        language = host_language_of_identifier(host.language.lower(), host.name)
        found: tuple[ProgramDocument, ...] = ()
        data = host.text.data
        searched = enabled and language is not None and len(data) <= MAXIMUM_OPEN_HOST_BYTES
        if searched and may_hold_kernel(data):
            from openclsp.host_code.program_document import program_documents

            found = program_documents(host.document, language)
        before = self._programs.pop(host.name, ())
        if found:
            self._programs[host.name] = found
        changed = []
        for each in found:
            document = self._follow(host, each)
            self._by_uri[document.uri] = host, each
            if document.edited or each.index >= len(before):
                changed.append(document)
        return HostChanges(tuple(changed), self._close(before[len(found) :], host.name))

    def add_closed(self, host: OpenDocument, program: ProgramDocument) -> None:
        """Registers the program of a closed host file, so that positions can be translated to the file."""
        self._by_uri.setdefault(document_uri(program.document.name), (host, program))

    def remove_closed(self, program: str) -> None:
        """Drops the program named `program`, unless its host file is open."""
        uri = document_uri(program)
        found = self._by_uri.get(uri)
        if found is not None and found[0].name not in self._programs:
            del self._by_uri[uri]

    def close(self, host: str) -> tuple[OpenDocument, ...]:
        """Drops a closed host file; returns the documents of its programs, which are no longer open."""
        removed = self._close(self._programs.pop(host, ()), host)
        self._published.pop(host, None)
        return removed

    def client_uri(self, document: OpenDocument) -> str:
        """Returns the URI by which the client knows a document; for a program, the URI of its host file."""
        found = self._by_uri.get(document.uri)
        return document.uri if found is None else found[0].uri

    def store_diagnostics(self, program: OpenDocument, diagnostics: bytes) -> OpenDocument | None:
        """Stores the diagnostics of a program as JSON array elements; returns its host file.

        Returns None if the document is not a program.
        """
        entry = self._by_uri.get(program.uri)
        if entry is None:
            return None
        self._published.setdefault(entry[0].name, {})[program.name] = diagnostics
        return entry[0]

    def stored_diagnostics(self, host: str) -> list[tuple[ProgramDocument, bytes]]:
        """Returns the programs of a host file with their diagnostics, as far as they are known."""
        known = self._published.get(host, {})
        return [
            (each, known[each.document.name])
            for each in self.programs_of(host)
            if known.get(each.document.name)
        ]

    def _follow(self, host: OpenDocument, program: ProgramDocument) -> OpenDocument:
        """Opens or updates the document of a program, and returns it.

        A document whose text is unchanged keeps its text object.
        """
        name, text = program.document.name, program.document.text
        old = self._opened.get_by_name(name)
        edited = False
        if old is None:
            return self._opened.add(document_uri(name), name, PROGRAM_LANGUAGE, host.version, text)
        if old.text.data != text.data:
            front, back = shared_ends(old.text.data, text.data)
            end = len(old.text.data) - back
            text = old.text.replace(front, end, text.data[front : len(text.data) - back])
            edited = True
        else:
            text = old.text
        document = OpenDocument(old.uri, name, PROGRAM_LANGUAGE, host.version, text, old.opening, edited)
        self._opened.set_version(document)
        return document

    def _close(self, programs: tuple[ProgramDocument, ...], host: str) -> tuple[OpenDocument, ...]:
        removed = []
        for each in programs:
            document = self._opened.close(document_uri(each.document.name))
            if document is not None:
                removed.append(document)
                self._by_uri.pop(document.uri, None)
                self._published.get(host, {}).pop(document.name, None)
        return tuple(removed)
