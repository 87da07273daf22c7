"""The style that clang-format applies to programs in OpenCL C.

The style is that of the project's `.clang-format`, except for the options that would change the program's
tokens.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any, Final

import yaml

from openclsp.dataclass import dataclass
from openclsp.project.file_system import FileProblem, FileSystem
from openclsp.project.read_permission import ReadPermission
from openclsp.source.document import DocumentName

STYLE_FILES: Final = (".clang-format", "_clang-format")
_MAXIMUM_BYTES: Final = 1 << 16
_ALWAYS: Final = {"SortIncludes": "Never", "BreakStringLiterals": False, "SortUsingDeclarations": "Never"}
"""Options that would change the program's tokens; with these values the rest of a style can be applied"""
_LANGUAGES: Final = (None, "C", "Cpp")
"""The sections of a style file that apply to OpenCL C, from the general one to the most specific"""


@dataclass(frozen=True, slots=True)
class StyleProblem:
    """The reason why a style file cannot be used."""

    reason: str


def find_style(
    document: DocumentName, files: FileSystem, permission: ReadPermission, tab_size: int, insert_spaces: bool
) -> str | StyleProblem:
    """Returns the style for a document, as the argument of clang-format's `--style`.

    The style comes from the nearest style file in the document's folder or above it; files that `permission`
    does not cover are skipped. Without a style file, LLVM's style with the editor's indentation is used. The
    file is parsed here, so that clang-format itself opens no file.
    """
    for folder in _folders_above(document):
        for name in STYLE_FILES:
            found = files.read(os.path.join(folder, name), permission)
            if not isinstance(found, FileProblem):
                return _parse_style(os.path.join(folder, name), found)
    width = min(max(tab_size, 1), 16)
    indentation = {"IndentWidth": width, "TabWidth": width, "UseTab": "Never" if insert_spaces else "Always"}
    return json.dumps({"BasedOnStyle": "LLVM", **indentation, **_ALWAYS})


def _folders_above(document: DocumentName) -> Iterator[str]:
    folder = os.path.dirname(document)
    while os.path.isabs(folder):
        yield folder
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above


def _parse_style(path: str, data: bytes) -> str | StyleProblem:
    if len(data) > _MAXIMUM_BYTES:
        return StyleProblem(f"{path} is longer than {_MAXIMUM_BYTES >> 10} KB")
    try:
        text = data.decode("utf-8")
        # an alias may repeat what it names without bound
        if any(isinstance(each, yaml.AnchorToken | yaml.AliasToken) for each in yaml.scan(text)):
            return StyleProblem(f"{path} contains an anchor or alias")
        sections = [each for each in yaml.safe_load_all(text) if each is not None]
        if not all(isinstance(each, dict) for each in sections):
            return StyleProblem(f"{path} is not a mapping")
        return json.dumps(_merge_sections(sections), default=str)
    except (yaml.YAMLError, ValueError, RecursionError):
        return StyleProblem(f"{path} is not valid YAML")


def _merge_sections(sections: list[dict[str, Any]]) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for language in _LANGUAGES:
        for section in sections:
            if section.get("Language") == language:
                merged |= section
    merged.pop("Language", None)
    if merged.get("BasedOnStyle") == "InheritParentConfig":
        # the folders above may lie outside the project
        merged["BasedOnStyle"] = "LLVM"
    merged.setdefault("BasedOnStyle", "LLVM")
    return merged | _ALWAYS
