"""Completion in `openclsp.toml`: keys, tables and values, as its schema defines them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from openclsp.ide.completion.completion_list import CompletionCandidate, CompletionList, NameFilter
from openclsp.ide.completion.directive_names import extension_names
from openclsp.ide.completion.predefined_names import NameKind
from openclsp.ide.project_file.schema_lookup import allowed_values, schema_of, types_of
from openclsp.language.dialect import Dialect
from openclsp.rules.runner.rule_registry import CODES, page
from openclsp.source.text import Text
from openclsp.workspace.schema_validation import Schema
from openclsp.workspace.toml_scanner import KeyPath, TomlCursor, TomlPlace, find_cursor, scan_entries

_REST = re.compile(rb"[\w.+-]*")


def complete_project_file(text: Text, offset: int) -> CompletionList:
    """Computes the completions at a byte offset of an `openclsp.toml`."""
    data = text.data
    cursor = find_cursor(data[:offset])
    rest = _REST.match(data, offset)
    end = rest.end() if rest is not None else offset
    start = offset - len(cursor.word)
    found: list[CompletionCandidate] = []
    if cursor.place is TomlPlace.KEY:
        found += _keys(cursor, text, end)
    elif cursor.place is TomlPlace.HEADER:
        found += _headers(cursor.path, closing="" if data[end : end + 1] == b"]" else "]")
    elif cursor.place is TomlPlace.VALUE:
        found += _values(cursor, text, closed=data[end : end + 1] == cursor.quote)
    word = cursor.word.decode("utf-8", "replace")
    return CompletionList(tuple(NameFilter.of(word).filter_candidates(found)), start, end)


def _keys(cursor: TomlCursor, text: Text, end: int) -> Iterator[CompletionCandidate]:
    """Yields the keys that the table at the cursor does not have yet; at the start of a line, also tables."""
    schema = schema_of(cursor.path)
    if schema is None or cursor.quote:
        return
    entries = scan_entries(text.data)
    # the key that is being typed may already be complete
    written = {each.path for each in entries if not each.start <= end <= each.end}
    line_end = text.line_end(text.line_of(end))
    has_value = b"=" in text.data[end:line_end]
    for name, below in _properties(cursor.path, schema):
        if (*cursor.path, name) not in written and "object" not in types_of(below):
            insertion = name if has_value else f"{name} = "
            yield CompletionCandidate(name, NameKind.MEMBER, _description(below), insertion=insertion)
    line = text.data[text.line_start(text.line_of(end)) : end - len(cursor.word)]
    for candidate in _headers((), closing="]") if not line.strip() and not has_value else ():
        name = candidate.name
        if (name,) not in written:
            yield CompletionCandidate(name, candidate.kind, candidate.detail, insertion=f"[{name}]")


def _properties(path: KeyPath, schema: Schema) -> Iterator[tuple[str, Schema]]:
    yield from schema.get("properties", {}).items()
    if path == ("severity",):
        for code in CODES:
            found = page(code)
            described = {"description": found.title if found is not None else "", "type": "string"}
            yield code, described


def _headers(path: KeyPath, closing: str) -> Iterator[CompletionCandidate]:
    """Yields the names of the tables within the table `path`.

    `closing` is the bracket to be inserted after a name; empty if the text already contains it.
    """
    schema = schema_of(path)
    for name, below in (schema or {}).get("properties", {}).items():
        if "object" not in types_of(below):
            continue
        # A name that the author chooses follows the name of such a table.
        is_open = "object" in types_of(_additional(below))
        insertion = f"{name}." if is_open else f"{name}{closing}"
        if is_open and not path and closing:
            yield CompletionCandidate(f"{name}.NAME", NameKind.TYPE, _description(below), insertion=insertion)
        else:
            yield CompletionCandidate(name, NameKind.TYPE, _description(below), insertion=insertion)


def _additional(schema: Schema) -> Schema:
    found = schema.get("additionalProperties")
    return found if isinstance(found, dict) else {}


def _values(cursor: TomlCursor, text: Text, *, closed: bool) -> Iterator[CompletionCandidate]:
    """Yields the possible values of the key at the cursor, as literals.

    If the cursor is in a string, the content of the literal is inserted, and the closing quotation mark
    unless the text already contains it (`closed`).
    """
    schema = schema_of(cursor.path)
    if schema is None:
        return
    values = list(allowed_values(schema))
    if cursor.path == ("variant",):
        entries = scan_entries(text.data)
        names = [each.path[1] for each in entries if len(each.path) > 1 and each.path[0] == "variants"]
        values = [f'"{name}"' for name in dict.fromkeys(names)]
    elif cursor.path[-1] == "extensions":
        values = [f'"{sign}{name}"' for name in extension_names(Dialect.of("CL3.0")) for sign in "+-"]
        values = ['"+all"', '"-all"', *values]
    quote = cursor.quote.decode()
    for value in values:
        content = value.strip('"')
        if not quote:
            yield CompletionCandidate(content, NameKind.CONSTANT, insertion=value)
        elif value.startswith('"'):
            ending = "" if closed else quote
            yield CompletionCandidate(content, NameKind.CONSTANT, insertion=content + ending)


def _description(schema: Schema) -> str:
    found: str = schema.get("description", "")
    return found
