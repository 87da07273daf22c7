"""The JSON schemas of the JSON outputs, which the package contains as files."""

from __future__ import annotations

import os

from openclsp.cli.command_error import CommandError, suggest_name

_FOLDER = os.path.dirname(__file__)
_SUFFIX = ".json"


def schema_names() -> tuple[str, ...]:
    """Returns the names of all schemas, sorted."""
    files = os.listdir(_FOLDER)
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in files if name.endswith(_SUFFIX)))


def schema_text(name: str) -> str:
    """Returns the text of a schema. Raises CommandError for an unknown name."""
    names = schema_names()
    if name not in names:
        raise CommandError(f"there is no schema '{name}'{suggest_name(name, names)}: {', '.join(names)}")
    with open(os.path.join(_FOLDER, name + _SUFFIX), encoding="utf-8") as file:
        return file.read()
