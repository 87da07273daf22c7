"""Hover in `openclsp.toml`: the meaning of a key, and its possible values."""

from __future__ import annotations

from openclsp.dataclass import dataclass
from openclsp.ide.project_file.schema_lookup import allowed_values, schema_of, types_of
from openclsp.rules.runner.rule_registry import page
from openclsp.source.text import Text
from openclsp.workspace.toml_scanner import KeyPath, entries_at, scan_entries


@dataclass(frozen=True, slots=True)
class ProjectFileHover:
    """A hover at bytes `start` to `end` (exclusive): the key and paragraphs about it.

    `key` is the full key, with the names of its tables: `severity.CODE`.
    """

    start: int
    end: int
    key: str
    paragraphs: tuple[str, ...]


def hover_project_file(text: Text, offset: int) -> ProjectFileHover | None:
    """Computes the hover at a byte offset of an `openclsp.toml`; None if the key is unknown."""
    for entry in entries_at(scan_entries(text.data), offset):
        paragraphs = _paragraphs(entry.path)
        if paragraphs:
            return ProjectFileHover(entry.start, entry.end, ".".join(entry.path), paragraphs)
    return None


def _paragraphs(path: KeyPath) -> tuple[str, ...]:
    schema = schema_of(path)
    if schema is None:
        return ()
    found = [schema["description"]] if "description" in schema else []
    if path[0] == "severity" and len(path) == 2:
        described = page(path[1])
        if described is None:
            return ()
        found = [described.title, f"`openclsp explain {path[1]}` shows the page of this rule."]
    values = allowed_values(schema)
    if values:
        found.append("Values: " + ", ".join(f"`{each}`" for each in values))
    elif not found:
        found.append(f"A value of this key is {' or '.join(types_of(schema))}.")
    return tuple(found)
