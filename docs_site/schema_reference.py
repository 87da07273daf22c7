"""The references of `openclsp.toml` and of the JSON outputs, from their JSON schemas."""

from __future__ import annotations

import importlib.resources
import json
from collections.abc import Iterator
from typing import Any

from openclsp.cli.schemas import schema_names, schema_text

Schema = dict[str, Any]


def configuration_page() -> str:
    """The page about the keys of `openclsp.toml`."""
    text = (importlib.resources.files("openclsp.workspace") / "openclsp.schema.json").read_text("utf-8")
    schema: Schema = json.loads(text)
    rows = "".join(
        f"| `{path}` | {_type(found, schema)} | {_cell(found.get('description', ''))} |\n"
        for path, found in _keys(schema, schema, "")
    )
    return (
        "# Configuration reference\n\nAll keys of `openclsp.toml`. [Configuration](../configuration.md) explains their use. "
        "A dot separates a table and its key; `NAME` is a name of your choice.\n\n"
        f"| key | value | meaning |\n|---|---|---|\n{rows}\n"
        "Editors can complete and check the file with its [JSON schema](../../server/openclsp/workspace/openclsp.schema.json).\n"
    )


def json_shapes_page() -> str:
    """The page about the JSON outputs: each with its keys and its schema."""
    parts = [
        (
            "# JSON shapes\n\nThe documents that openclsp prints with `--format json`, and the file of `--baseline`. "
            "[Command line](../command-line.md#json) explains them; [Compatibility](../compatibility.md) tells what may change. "
            "`openclsp schema NAME` prints a schema.\n"
        )
    ]
    for name in schema_names():
        text = schema_text(name)
        schema: Schema = json.loads(text)
        parts.append(f"## {name}\n\n{_sentence(schema)}\n\n{_object_table(schema, schema)}")
        for definition, found in schema.get("$defs", {}).items():
            if "properties" in found:
                parts.append(
                    f"### {name}: {definition}\n\n{_sentence(found)}\n\n{_object_table(found, schema)}"
                )
        parts.append(f'??? note "Schema of {name}"\n\n    ```json\n{_indented(text)}    ```\n')
    return "\n".join(parts)


def _sentence(schema: Schema) -> str:
    title = schema.get("title", "")
    printed = f"Printed by `{title}`." if title.startswith("openclsp ") else title and f"{title}."
    return " ".join(filter(None, (printed, schema.get("description", ""))))


def _object_table(schema: Schema, root: Schema) -> str:
    required = schema.get("required", ())
    rows = "".join(
        f"| `{name}` | {_type(found, root)} | {'yes' if name in required else 'no'} | {_cell(_description(found, root))} |\n"
        for name, found in schema.get("properties", {}).items()
    )
    return f"| key | value | always present | meaning |\n|---|---|---|---|\n{rows}" if rows else ""


def _description(found: Schema, root: Schema) -> str:
    return str(found.get("description") or _resolved(found, root).get("description", ""))


def _keys(schema: Schema, root: Schema, path: str) -> Iterator[tuple[str, Schema]]:
    """The keys of a table and of the tables in it, each with its dotted path."""
    for name, found in schema.get("properties", {}).items():
        below = f"{path}{name}"
        yield below, found
        resolved = _resolved(found, root)
        yield from _keys(resolved, root, f"{below}.")
        entries = resolved.get("additionalProperties")
        if isinstance(entries, dict):
            entries = _resolved(entries, root)
            yield f"{below}.NAME", entries
            yield from _keys(entries, root, f"{below}.NAME.")


def _resolved(schema: Schema, root: Schema) -> Schema:
    reference = schema.get("$ref", "")
    return dict(root["$defs"][reference.rpartition("/")[2]]) if reference else schema


def _type(schema: Schema, root: Schema) -> str:
    """What a value may be, in words."""
    if reference := schema.get("$ref"):
        name = reference.rpartition("/")[2]
        resolved = _resolved(schema, root)
        return name if "properties" in resolved else _type(resolved, root)
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(each)}`" for each in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(_type(each, root) for each in schema["anyOf"])
    types = schema.get("type", "any value")
    words = [types] if isinstance(types, str) else list(types)
    if "array" in words:
        words[words.index("array")] = f"array of {_type(schema.get('items', {}), root)}"
    minimum = schema.get("minimum", schema.get("exclusiveMinimum"))
    return " or ".join(words) + (f", from {minimum}" if minimum is not None else "")


def _cell(text: str) -> str:
    return text.replace("|", r"\|").replace("\n", " ")


def _indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())
