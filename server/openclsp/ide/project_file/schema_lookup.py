"""Finds the parts of the schema of `openclsp.toml` that describe a key."""

from __future__ import annotations

from typing import Any

from openclsp.workspace.project_file import load_schema
from openclsp.workspace.schema_validation import Schema
from openclsp.workspace.toml_scanner import KeyPath


def schema_of(path: KeyPath) -> Schema | None:
    """Returns the schema of the value at a path of keys; None if there is no such key."""
    found: Schema = load_schema()
    for key in path:
        below: Any = found.get("properties", {}).get(key) or found.get("additionalProperties")
        if not below:
            return None
        found = below
    return found


def types_of(schema: Schema) -> tuple[str, ...]:
    """Returns the names of the types that a value can have."""
    types = schema.get("type", ())
    return (types,) if isinstance(types, str) else tuple(types)


def allowed_values(schema: Schema) -> tuple[str, ...]:
    """Returns the possible values of a key, as written in the file; empty if they are not enumerated."""
    if "boolean" in types_of(schema) and "enum" not in schema:
        return ("true", "false")
    return tuple(f'"{each}"' if isinstance(each, str) else str(each) for each in schema.get("enum", ()))
