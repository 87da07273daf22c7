"""After any edits that a client sends, the document's text is the client's text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types
from openclsp.lsp.session.open_documents import OpenDocuments
from openclsp.source.text import Encoding

URI = "file:///kernels/k.cl"


def _opened(text: str, uri: str = URI) -> OpenDocuments:
    documents = OpenDocuments()
    documents.open(types.TextDocumentItem(uri, "opencl", 1, text))
    return documents


def _edit(
    documents: OpenDocuments, edits: list[tuple[int, int, int, int, str]], encoding: Encoding = "utf-16"
) -> str:
    changes: list[types.TextDocumentContentChangeEvent] = [
        types.TextDocumentContentChangePartial(
            types.Range(types.Position(line, column), types.Position(end_line, end_column)), text
        )
        for line, column, end_line, end_column, text in edits
    ]
    changed = documents.apply_changes(types.VersionedTextDocumentIdentifier(2, URI), changes, encoding)
    assert changed is not None
    assert changed is documents.get_by_uri(URI)
    assert changed.version == 2
    return changed.text.data.decode()


def test_each_change_applies_to_the_text_after_the_previous_one() -> None:
    documents = _opened("int a;\nint b;\n")
    assert (
        _edit(documents, [(0, 0, 0, 0, "\n"), (1, 4, 1, 5, "x"), (2, 4, 2, 5, "y")]) == "\nint x;\nint y;\n"
    )


@pytest.mark.parametrize("encoding, column", [("utf-8", 10), ("utf-16", 8), ("utf-32", 7)])
def test_columns_count_in_the_units_that_were_agreed_on(encoding: Encoding, column: int) -> None:
    documents = _opened("/* 🚀 */ int a;\n")
    assert _edit(documents, [(0, column, 0, column, "!")], encoding) == "/* 🚀 */! int a;\n"


@pytest.mark.parametrize("separator", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_only_line_ends_of_the_protocol_end_lines(separator: str) -> None:
    documents = _opened(f"int a;{separator}int b;\nint c;")
    assert _edit(documents, [(1, 4, 1, 5, "d")]) == f"int a;{separator}int b;\nint d;"


def test_positions_out_of_range_are_clamped() -> None:
    documents = _opened("int a;\r\nint b;")
    assert _edit(documents, [(0, 99, 0, 99, "!"), (99, 99, 99, 99, "?")]) == "int a;!\r\nint b;?"


def test_a_range_given_backwards_is_turned_round() -> None:
    assert _edit(_opened("int abc;"), [(0, 7, 0, 4, "x")]) == "int x;"


def test_a_change_without_a_range_replaces_the_whole_text() -> None:
    documents = _opened("int a;")
    whole = types.TextDocumentContentChangeWholeDocument("half b;")
    changed = documents.apply_changes(types.VersionedTextDocumentIdentifier(7, URI), [whole], "utf-16")
    assert changed is not None
    assert (changed.text.data, changed.version) == (b"half b;", 7)


def test_a_change_of_a_document_that_is_not_open_does_nothing() -> None:
    whole = types.TextDocumentContentChangeWholeDocument("half b;")
    assert (
        OpenDocuments().apply_changes(types.VersionedTextDocumentIdentifier(7, URI), [whole], "utf-16")
        is None
    )


def test_a_lone_surrogate_keeps_the_columns_after_it() -> None:
    documents = _opened('"\ud83d" int a;')
    assert _edit(documents, [(0, 8, 0, 9, "b")]) == '"\ufffd" int b;'


@pytest.mark.parametrize(
    "opened, asked",
    [
        ("file:///k/100%25%20fast.cl", "file:///k/100%25 fast.cl"),
        ("file:///k/a%2Bb.cl", "file:///k/a+b.cl"),
        ("file:///k/a;b.cl", "file:///k/a%3Bb.cl"),
        ("file:///k/%C3%BC.cl", "file:///k/ü.cl"),
        ("untitled:Untitled-1", "untitled:Untitled-1"),
    ],
)
def test_a_document_is_found_however_its_uri_is_spelled(opened: str, asked: str) -> None:
    document = _opened("", opened).get_by_uri(asked)
    assert document is not None
    assert document.uri == opened


def test_a_document_opened_again_is_another_even_at_the_same_version() -> None:
    documents = _opened("int a;")
    first = documents.get_by_uri(URI)
    assert first is not None
    documents.close(URI)
    assert documents.get_by_uri(URI) is None
    again = documents.open(types.TextDocumentItem(URI, "opencl", 1, "int a;"))
    assert first.is_same_version(first)
    assert not first.is_same_version(again)


class Client:
    """A reference implementation of an editor's buffer: a string and its lines as the protocol defines them."""

    def __init__(self, text: str) -> None:
        self.text = text

    def position(self, at: int, encoding: Encoding) -> types.Position:
        before = self.text[:at]
        unified = before.replace("\r\n", "\n").replace("\r", "\n")
        column = unified.rpartition("\n")[2]
        units = {
            "utf-8": len(column.encode()),
            "utf-16": len(column.encode("utf-16-le")) // 2,
            "utf-32": len(column),
        }
        return types.Position(unified.count("\n"), units[encoding])


PIECES = st.text(st.sampled_from("ab \t;{}\n\r\x0c\x85\u2028é€🚀"), max_size=8)


@given(PIECES, st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40), PIECES), max_size=12), st.data())
def test_random_edits_keep_the_text_equal(
    text: str, edits: list[tuple[int, int, str]], data: st.DataObject
) -> None:
    encoding: Encoding = data.draw(st.sampled_from(["utf-8", "utf-16", "utf-32"]))
    client, documents = Client(text), _opened(text)
    for version, (first, second, new) in enumerate(edits, 2):
        start, end = sorted(min(at, len(client.text)) for at in (first, second))
        # No position of the protocol lies between the two characters of one line end.
        start, end = (at - (client.text[at - 1 : at + 1] == "\r\n") for at in (start, end))
        change = types.TextDocumentContentChangePartial(
            types.Range(client.position(start, encoding), client.position(end, encoding)), new
        )
        client.text = client.text[:start] + new + client.text[end:]
        changed = documents.apply_changes(
            types.VersionedTextDocumentIdentifier(version, URI), [change], encoding
        )
        assert changed is not None
        assert changed.text.data.decode() == client.text


@pytest.mark.parametrize("encoding, width", [("utf-8", 3), ("utf-16", 1), ("utf-32", 1)])
def test_a_byte_order_mark_is_blank_only_at_the_start(encoding: Encoding, width: int) -> None:
    documents = OpenDocuments()
    documents.open(types.TextDocumentItem(URI, "opencl", 1, "\ufeffint a;\n"), encoding)
    assert _edit(documents, [(0, width, 0, width, "const ")], encoding) == f"{' ' * width}const int a;\n"
    assert _edit(documents, [(0, 0, 0, 0, "int b;\n")], encoding) == "int b;\n\ufeffconst int a;\n"
    assert _edit(documents, [(0, 0, 1, 0, "")], encoding) == f"{' ' * width}const int a;\n"
    assert _edit(documents, [(0, 0, 0, width, "")], encoding) == "const int a;\n"
