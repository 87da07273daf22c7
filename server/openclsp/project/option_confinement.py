"""Removes paths from project options if they lead outside the folders that openclsp is permitted to read."""

from __future__ import annotations

import os.path
from collections.abc import Iterator, Sequence
from dataclasses import replace

from openclsp.dataclass import dataclass
from openclsp.project.file_system import FileSystem
from openclsp.project.option_layers import OptionLayer
from openclsp.project.option_parser import BuildOptions
from openclsp.project.read_permission import ReadPermission

LEADS_OUT_OF_PROJECT = "leads out of the project and is not read"
"""Predicate of a message whose subject is an option; the same whether the path exists or not."""


@dataclass(frozen=True, slots=True)
class ConfinedLayers:
    """Layers without forbidden paths, and one message for each path that was removed."""

    layers: tuple[OptionLayer, ...]
    refused: tuple[str, ...] = ()


def confine_option_layers(
    layers: Sequence[OptionLayer], permission: ReadPermission, files: FileSystem
) -> ConfinedLayers:
    """Removes the paths that `permission` excludes; returns the layers, and messages about these paths.

    Layers that the user wrote are unchanged.
    """
    kept: list[OptionLayer] = []
    refused: list[str] = []
    for layer in layers:
        options = (
            layer.options
            if layer.written_by_user
            else _without_forbidden_paths(layer, permission, files, refused)
        )
        if options is layer.options:
            kept.append(layer)
        elif options != BuildOptions():
            kept.append(replace(layer, options=options))
    return ConfinedLayers(tuple(kept), tuple(dict.fromkeys(refused)))


def user_readable_folders(layers: Sequence[OptionLayer]) -> Iterator[str]:
    """Yields the folders that the user named in the layers, and thereby permitted openclsp to read."""
    for layer in layers:
        if layer.written_by_user:
            options = layer.options
            yield from options.include_folders
            yield from options.system_folders
            yield from options.quote_folders
            yield from options.readable_folders


def _without_forbidden_paths(
    layer: OptionLayer, permission: ReadPermission, files: FileSystem, refused: list[str]
) -> BuildOptions:
    def inside(paths: tuple[str, ...], option: str) -> tuple[str, ...]:
        kept = tuple(
            path for path in paths if os.path.isabs(path) and files.locate(path, permission) is not None
        )
        source = layer.source.removeprefix("in ")
        refused.extend(
            f"{source}: {option}{path} {LEADS_OUT_OF_PROJECT}" for path in paths if path not in kept
        )
        return kept

    options = layer.options
    forced = inside(options.forced_includes, "-include ")
    refused_includes = (path for path in options.forced_includes if path not in forced)
    found = replace(
        options,
        include_folders=inside(options.include_folders, "-I"),
        system_folders=inside(options.system_folders, "-isystem "),
        quote_folders=inside(options.quote_folders, "-iquote "),
        forced_includes=forced,
        unread_includes=(*options.unread_includes, *refused_includes),
    )
    return options if found == options else found
