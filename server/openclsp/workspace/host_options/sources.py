"""What a file beside the kernels says of one of them, whatever kind of file it is."""

from __future__ import annotations

import os.path
from dataclasses import replace

from openclsp.dataclass import dataclass
from openclsp.workspace.configuration import Layer
from openclsp.workspace.files import FileSystem
from openclsp.workspace.options import Options
from openclsp.workspace.roots import is_inside


@dataclass(frozen=True, slots=True)
class Told:
    """Layers of options, the weaker first; `problems` are whole lines. `complete` says that a compilation of the kernel
    was found, so that nothing else is to be guessed."""

    layers: tuple[Layer, ...] = ()
    problems: tuple[str, ...] = ()
    complete: bool = False


def within(options: Options, root: str, files: FileSystem) -> tuple[Options, tuple[str, ...]]:
    """The options without the folders and files that lie outside the folder `root`, and a sentence for each of those.

    Only a person may widen what is read; what is found in a project may not.
    """
    top = files.resolve(root)
    refused: list[str] = []

    def inside(paths: tuple[str, ...], option: str) -> tuple[str, ...]:
        kept = tuple(path for path in paths if is_inside(files.resolve(os.path.join(root, path)), top))
        refused.extend(
            f"{option}{path} leads out of the project; it is not searched"
            for path in paths
            if path not in kept
        )
        return kept

    return (
        replace(
            options,
            include_folders=inside(options.include_folders, "-I"),
            system_folders=inside(options.system_folders, "-isystem "),
            quote_folders=inside(options.quote_folders, "-iquote "),
            forced_includes=inside(options.forced_includes, "-include "),
        ),
        tuple(refused),
    )
