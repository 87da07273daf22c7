"""The build configuration of a translation unit: all inputs of the analysis besides the text."""

from __future__ import annotations

from openclsp.dataclass import dataclass
from openclsp.language.device import DEFAULT_DEVICE, Device
from openclsp.language.dialect import Dialect
from openclsp.language.known_macros import known_macros
from openclsp.language.predefined import predefined_macros
from openclsp.source.document import Document, DocumentName
from openclsp.source.options import ForcedInclude, Loader, PreprocessorOptions, UnreadInclude


@dataclass(frozen=True, slots=True)
class BuildConfiguration:
    """The dialect, macros, include folders and device of a translation unit, compared and hashed by value.

    - `defines`: the macros to define, in order, each as name with parameters and replacement.
    - `undefines`: the names of predefined macros to remove.
    - `quote_folders`: folders that are searched for `#include "…"` only. All folders are absolute paths.
    - `forced_includes`: documents that are included before the first line of the root document.
    - `unread_includes`: further ones, which openclsp is not permitted to read.
    """

    dialect: Dialect
    defines: tuple[tuple[str, str], ...] = ()
    undefines: tuple[str, ...] = ()
    include_folders: tuple[str, ...] = ()
    quote_folders: tuple[str, ...] = ()
    forced_includes: tuple[str, ...] = ()
    unread_includes: tuple[str, ...] = ()
    device: Device = DEFAULT_DEVICE


def derive_preprocessor_options(configuration: BuildConfiguration) -> PreprocessorOptions:
    """Derives the preprocessor's options: the macros of the dialect and those of the build options."""
    return PreprocessorOptions(
        predefined_macros(configuration.dialect, configuration.device),
        configuration.defines,
        configuration.undefines,
        known_macros(),
    )


def load_forced_includes(
    configuration: BuildConfiguration, root: DocumentName, loader: Loader
) -> tuple[ForcedInclude, ...]:
    """Returns what the `-include` options name, for the root document `root`."""
    found = [(path, loader.load(path, False, root)) for path in configuration.forced_includes]
    return (
        *(UnreadInclude(path) for path in configuration.unread_includes),
        *(each if isinstance(each, Document) else UnreadInclude(path) for path, each in found),
    )
