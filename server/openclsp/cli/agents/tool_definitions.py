"""The tools of `openclsp mcp`: their names, descriptions, and the schemas of their arguments and results."""

from __future__ import annotations

import json
from typing import Any

from openclsp.cli.schemas import schema_text
from openclsp.dataclass import dataclass

DEFAULT_MAXIMUM = 100
"""The number of diagnostics that `check` returns if the caller gives no number."""

Schema = dict[str, Any]

_PATH = {"type": "string", "description": "A path in the workspace, absolute or relative to it."}
_POSITION = {
    "path": _PATH,
    "line": {"type": "integer", "minimum": 1},
    "column": {"type": "integer", "minimum": 1, "description": "Counts code points, from 1."},
}
_CODES = {"type": "array", "items": {"type": "string"}}


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """A tool of the MCP server. `may_write`: whether it changes files if the server runs with `--write`."""

    name: str
    description: str
    arguments: Schema
    result: Schema
    may_write: bool = False


def _object(properties: Schema, *required: str) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def tool_definitions() -> tuple[ToolDefinition, ...]:
    """Returns the definitions of all tools."""
    check = json.loads(schema_text("check"))
    definitions = check["$defs"]
    return (
        ToolDefinition(
            "check",
            "Checks OpenCL C files or folders. Returns the diagnostics with re-checked fixes, as edits that "
            "try_fix accepts. The default is the whole workspace.",
            _object(
                {
                    "paths": {"type": "array", "items": _PATH, "minItems": 1},
                    "select": {**_CODES, "description": "Only diagnostics with these codes."},
                    "ignore": {**_CODES, "description": "No diagnostics with these codes."},
                    "fixes": {"type": "boolean", "description": "Whether to compute fixes (default: true)."},
                    "maximum": {
                        "type": "integer",
                        "minimum": 0,
                        "description": f"The most diagnostics, the most severe first (default: {DEFAULT_MAXIMUM}).",
                    },
                }
            ),
            check,
        ),
        ToolDefinition(
            "hover",
            "Returns the type at a position: every address space of a pointer with the reason for it.",
            _object(_POSITION, "path", "line", "column"),
            json.loads(schema_text("hover")),
        ),
        ToolDefinition(
            "flow",
            "Returns the address spaces that reach the generic pointer at a position, with the shortest path of each.",
            _object(_POSITION, "path", "line", "column"),
            json.loads(schema_text("flow")),
        ),
        ToolDefinition(
            "layout",
            "Returns the offset, size and padding of each member of the struct or union at a position.",
            _object(_POSITION, "path", "line", "column"),
            json.loads(schema_text("layout")),
        ),
        ToolDefinition(
            "expand",
            "Expands the macro at a position step by step.",
            _object(_POSITION, "path", "line", "column"),
            json.loads(schema_text("expand")),
        ),
        ToolDefinition(
            "explain",
            "Returns the page of a rule or concept as Markdown: the reason, the clause and examples. Without a "
            "code, returns the names of all pages.",
            _object({"code": {"type": "string"}}),
            {
                "type": "object",
                "properties": {"page": {"type": "string"}, "names": _CODES},
            },
        ),
        ToolDefinition(
            "try_fix",
            "Applies edits in memory and checks the result: which diagnostics the edits remove, which they add. "
            "Ranges refer to the present files. No file changes, unless the server was started with --write, "
            "the argument `write` is true and no error is added.",
            _object(
                {
                    "edits": {
                        "type": "array",
                        "minItems": 1,
                        "items": _object(
                            {
                                "path": _PATH,
                                "range": {"$ref": "#/$defs/range"},
                                "text": {"type": "string"},
                            },
                            "path",
                            "range",
                            "text",
                        ),
                    },
                    "write": {"type": "boolean"},
                },
                "edits",
            )
            | {"$defs": {name: definitions[name] for name in ("position", "range")}},
            {
                "type": "object",
                "properties": {
                    "fixed": {"type": "array", "items": {"$ref": "#/$defs/located"}},
                    "added": {"type": "array", "items": {"$ref": "#/$defs/located"}},
                    "remaining": {"type": "integer", "minimum": 0},
                    "written": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["fixed", "added", "remaining", "written"],
                "$defs": {
                    **definitions,
                    "located": {
                        "type": "object",
                        "properties": {
                            "path": {"type": "string"},
                            "diagnostic": {"$ref": "#/$defs/diagnostic"},
                        },
                        "required": ["path", "diagnostic"],
                    },
                },
            },
            may_write=True,
        ),
    )
