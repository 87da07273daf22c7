"""Removes paths from project options if they lead outside the folders that may be read."""

from __future__ import annotations

import os.path
from collections.abc import Iterator, Sequence
from dataclasses import replace

from openclsp.dataclass import dataclass
from openclsp.workspace.configuration import Layer
from openclsp.workspace.files import FileSystem
from openclsp.workspace.options import Options
from openclsp.workspace.read_permission import ReadPermission

LEADS_OUT = "leads out of the project and is not read"
"""Predicate of a message whose subject is an option; the same whether the path exists or not."""


@dataclass(frozen=True, slots=True)
class Confined:
    """Layers without forbidden paths, and one message for each path that was removed."""

    layers: tuple[Layer, ...]
    refused: tuple[str, ...] = ()


def confined(layers: Sequence[Layer], permission: ReadPermission, files: FileSystem) -> Confined:
    """Removes the paths that may not be read from all layers except those that the user wrote."""
    kept: list[Layer] = []
    refused: list[str] = []
    for layer in layers:
        options = layer.options if layer.of_person else _inside(layer, permission, files, refused)
        if options is layer.options:
            kept.append(layer)
        elif options != Options():
            kept.append(replace(layer, options=options))
    return Confined(tuple(kept), tuple(dict.fromkeys(refused)))


def readable(layers: Sequence[Layer]) -> Iterator[str]:
    """Yields the folders that the user named in the layers; these may be read."""
    for layer in layers:
        if layer.of_person:
            options = layer.options
            yield from options.include_folders
            yield from options.system_folders
            yield from options.quote_folders
            yield from options.readable_folders


def _inside(layer: Layer, permission: ReadPermission, files: FileSystem, refused: list[str]) -> Options:
    def inside(paths: tuple[str, ...], option: str) -> tuple[str, ...]:
        kept = tuple(
            path for path in paths if os.path.isabs(path) and files.locate(path, permission) is not None
        )
        source = layer.source.removeprefix("in ")
        refused.extend(f"{source}: {option}{path} {LEADS_OUT}" for path in paths if path not in kept)
        return kept

    options = layer.options
    found = replace(
        options,
        include_folders=inside(options.include_folders, "-I"),
        system_folders=inside(options.system_folders, "-isystem "),
        quote_folders=inside(options.quote_folders, "-iquote "),
        forced_includes=inside(options.forced_includes, "-include "),
    )
    return options if found == options else found
