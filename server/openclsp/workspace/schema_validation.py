"""Validator for the subset of JSON Schema that `openclsp.schema.json` uses.

The subset has types, enumerations, minimums, tables and lists. Invalid parts are removed and reported; the
other parts are used.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any

from openclsp.dataclass import dataclass

Schema = Mapping[str, Any]

_TYPES = {
    "string": "a string",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a table",
}


@dataclass(frozen=True, slots=True)
class SchemaViolation:
    """A violation of the schema: the path of keys to the value, and a sentence."""

    path: tuple[str, ...]
    message: str
    is_unknown_key: bool = False


@dataclass(slots=True)
class SchemaValidator:
    """Extracts the valid part of a value, and collects violations for the other parts."""

    violations: list[SchemaViolation] = field(default_factory=list)

    def valid_part(self, value: object, schema: Schema, path: tuple[str, ...] = (), role: str = "") -> Any:
        """Returns a list or table without its invalid items and keys, and other valid values as they are.

        Returns None if the value itself violates the schema.

        `role` is the text before the name in messages, such as `an item of `.
        """
        fault = _describe_violation(value, schema)
        if fault:
            self.violations.append(SchemaViolation(path, f"{role}'{'.'.join(path)}' {fault}"))
            return None
        if isinstance(value, dict):
            return self._valid_table(value, schema, path)
        if isinstance(value, list):
            items = (self.valid_part(item, schema["items"], path, "an item of ") for item in value)
            return [item for item in items if item is not None]
        return value

    def _valid_table(self, table: dict[str, object], schema: Schema, path: tuple[str, ...]) -> dict[str, Any]:
        known = schema.get("properties", {})
        others = schema.get("additionalProperties", False)
        found = {}
        for key, value in table.items():
            below = known.get(key) or others
            if not below:
                message = f"unknown key '{'.'.join((*path, key))}'{_suggest_known_key(key, known)}"
                self.violations.append(SchemaViolation((*path, key), message, is_unknown_key=True))
                continue
            part = self.valid_part(value, below, (*path, key))
            if part is not None:
                found[key] = part
        return found


def suggest_similar_name(name: str, known: Iterable[str]) -> str:
    """Returns a suffix such as `; did you mean 'exclude'?`; empty if no known name is similar."""
    found = difflib.get_close_matches(name, tuple(known), n=1, cutoff=0.6)
    return f"; did you mean '{found[0]}'?" if found else ""


def _suggest_known_key(key: str, known: Mapping[str, object]) -> str:
    return (
        suggest_similar_name(key, known)
        or f"; the known keys are {_join_with_conjunction([_quoted(each) for each in known])}"
    )


def _describe_violation(value: object, schema: Schema) -> str:
    """Returns the fault of the value itself, such as `must be a string, but is a list`; empty if valid."""
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    kind = _json_type_of(value)
    if not (kind in types or (kind == "integer" and "number" in types)):
        return f"must be {_join_with_conjunction([_TYPES[each] for each in types], 'or')}, but is {_TYPES.get(kind, kind)}"
    allowed = schema.get("enum")
    if allowed is not None and value not in allowed:
        near = suggest_similar_name(value, allowed) if isinstance(value, str) else ""
        return f"must be {_join_with_conjunction([_quoted(each) for each in allowed], 'or')}, but is {_quoted(value)}{near}"
    if "minimum" in schema and isinstance(value, int) and value < schema["minimum"]:
        return f"must be at least {schema['minimum']}, but is {value}"
    return ""


def _json_type_of(value: object) -> str:
    if isinstance(value, bool):
        return "boolean"
    for type_, name in (
        (str, "string"),
        (int, "integer"),
        (float, "number"),
        (list, "array"),
        (dict, "object"),
    ):
        if isinstance(value, type_):
            return name
    return "a date or a time"


def _quoted(value: object) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value)


def _join_with_conjunction(parts: list[str], conjunction: str = "and") -> str:
    return f" {conjunction} ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
