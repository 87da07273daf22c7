"""The build configuration of a translation unit: everything that its text does not contain."""

from __future__ import annotations

from openclsp.dataclass import dataclass
from openclsp.language.device import DEFAULT_DEVICE, Device
from openclsp.language.dialect import Dialect
from openclsp.language.known_macros import known_macros
from openclsp.language.predefined import predefined_macros
from openclsp.source.options import PreprocessorOptions


@dataclass(frozen=True, slots=True)
class BuildConfiguration:
    """Dialect, macros, include folders and device of a translation unit, compared and hashed by value.

    `defines` holds (name with parameters, replacement) in the order of definition; `undefines` holds the
    names of predefined macros to remove. Folders are absolute paths; `quote_folders` apply to `#include "…"`
    only. `forced_includes` are included before the first line of the root document.
    """

    dialect: Dialect
    defines: tuple[tuple[str, str], ...] = ()
    undefines: tuple[str, ...] = ()
    include_folders: tuple[str, ...] = ()
    quote_folders: tuple[str, ...] = ()
    forced_includes: tuple[str, ...] = ()
    device: Device = DEFAULT_DEVICE


def derive_preprocessor_options(configuration: BuildConfiguration) -> PreprocessorOptions:
    """Derives the preprocessor's options: the macros of the dialect and those of the build options."""
    return PreprocessorOptions(
        predefined_macros(configuration.dialect, configuration.device),
        configuration.defines,
        configuration.undefines,
        known_macros(),
    )
