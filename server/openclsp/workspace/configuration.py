"""The build configuration of a translation unit: all that its text does not say, and where it came from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from openclsp.dataclass import dataclass
from openclsp.language.device import DEFAULT_DEVICE, Device
from openclsp.language.dialect import Dialect, DialectError, make_dialect
from openclsp.language.known_macros import known_macros
from openclsp.language.predefined import predefined_macros
from openclsp.source.options import PreprocessorOptions
from openclsp.workspace.options import OptionProblem, Options


@dataclass(frozen=True, slots=True)
class BuildConfiguration:
    """How a translation unit is built: one value, compared and hashed as a whole.

    `defines` are (name with parameters, replacement) in the order of definition; `undefines` name predefined
    macros that are taken away. Folders are absolute; `quote_folders` serve `#include "…"` only.
    `forced_includes` are read before the first line.
    """

    dialect: Dialect
    defines: tuple[tuple[str, str], ...] = ()
    undefines: tuple[str, ...] = ()
    include_folders: tuple[str, ...] = ()
    quote_folders: tuple[str, ...] = ()
    forced_includes: tuple[str, ...] = ()
    device: Device = DEFAULT_DEVICE


def preprocessor_options(configuration: BuildConfiguration) -> PreprocessorOptions:
    """What the configuration means for the preprocessor: the dialect's macros, and those of the options."""
    return PreprocessorOptions(
        predefined_macros(configuration.dialect, configuration.device),
        configuration.defines,
        configuration.undefines,
        known_macros(),
    )


@dataclass(frozen=True, slots=True)
class Layer:
    """Options with their source as it stands in a sentence: `in compile_flags.txt`, `on the command line`.

    `version_reason` says why the language version is that of the layer, where that is not the option's own
    spelling: `from openclsp.toml`. `of_person` is whether a person wrote them for this machine: only then may they name
    folders outside of the project. `path` and `line` (from 1; 0 where it is not known) are where the options are
    written, `how` what they are passed to, `written`
    the option of a layer that is one option.
    """

    source: str
    options: Options
    version_reason: str = ""
    path: str = ""
    line: int = 0
    how: str = ""
    written: str = ""
    of_person: bool = False


@dataclass(frozen=True, slots=True)
class Origins:
    """Where the parts of a configuration came from, in the words of the layers; not part of its identity.

    `dialect` is a whole phrase (`the default of OpenCL compilers`, `from -cl-std=CL2.0 in
    compile_flags.txt`); `defines` and `include_folders` stand beside those of the configuration, one each. `perhaps`
    are macros that the host may define, each with a sentence that says so.
    """

    dialect: str
    defines: tuple[str, ...] = ()
    include_folders: tuple[str, ...] = ()
    perhaps: tuple[tuple[str, str], ...] = ()
    elsewhere: frozenset[str] = frozenset()
    """Macros and types that OpenCL files of the project define, for whoever puts them together, macros that host code gives in
    ways that may not be understood, and headers that it names, which it may make"""


@dataclass(frozen=True, slots=True)
class Configured:
    """A configuration, its origins, what followed by itself and what could not be used."""

    configuration: BuildConfiguration
    origins: Origins
    notes: tuple[str, ...] = ()
    problems: tuple[OptionProblem, ...] = ()
    cpp_for_opencl: bool = False


DEFAULT_DIALECT_REASON = "the default of OpenCL compilers"


def configure(layers: Sequence[Layer], device: Device = DEFAULT_DEVICE) -> Configured:
    """Put layers of options together, for a device; a later layer overrides an earlier one.

    The last language version counts, and so do the last size of an address (64 bits where no option says it) and the last
    word on blocks; extension switches and macros are applied in order; include folders of a
    later layer are searched first.
    """
    standard, reason, cpp = None, DEFAULT_DIALECT_REASON, False
    for layer in layers:
        if layer.options.standard is not None:
            standard = layer.options.standard
            reason = layer.version_reason or f"from {layer.options.standard_written} {layer.source}"
            cpp = False
        cpp = cpp or layer.options.cpp_for_opencl
    made = make_dialect(standard, [switch for layer in layers for switch in layer.options.switches])
    notes: tuple[str, ...] = ()
    problems: tuple[OptionProblem, ...] = ()
    dialect = Dialect.of("CL1.2")
    if isinstance(made, DialectError):
        problems = (OptionProblem(f"-cl-std={standard}", made.message),)
    else:
        dialect, notes = made
    bits = [layer.options.address_bits for layer in layers if layer.options.address_bits is not None]
    asked = [layer.options.blocks for layer in layers if layer.options.blocks is not None]
    dialect = replace(dialect, address_bits=bits[-1] if bits else 64, blocks_asked=asked[-1:] == [True])
    defines, undefines, define_origins = _macros(layers)
    folders = _folders(layers)
    configuration = BuildConfiguration(
        dialect,
        defines,
        undefines,
        tuple(folders),
        tuple(folder for layer in _searched(layers) for folder in layer.options.quote_folders),
        tuple(path for layer in layers for path in layer.options.forced_includes),
        device,
    )
    origins = Origins(reason, define_origins, tuple(folders.values()))
    return Configured(configuration, origins, notes, problems, cpp)


def _macros(
    layers: Sequence[Layer],
) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...], tuple[str, ...]]:
    """Definitions, undefinitions, the source of each definition; of a name only the last option counts."""
    last: dict[str, tuple[str, str | None, str]] = {}
    for layer in layers:
        for macro in layer.options.macros:
            last.pop(macro.bare_name, None)
            last[macro.bare_name] = (macro.name, macro.value, layer.source)
    defined = [(name, value, source) for name, value, source in last.values() if value is not None]
    undefined = tuple(name for name, value, _ in last.values() if value is None)
    return (
        tuple((name, value) for name, value, _ in defined),
        undefined,
        tuple(source for _, _, source in defined),
    )


def _folders(layers: Sequence[Layer]) -> dict[str, str]:
    """Include folders in the order of the search, each with its source; `-isystem` after `-I`."""
    folders: dict[str, str] = {}
    for system in (False, True):
        for layer in _searched(layers):
            for folder in layer.options.system_folders if system else layer.options.include_folders:
                folders.setdefault(folder, layer.source)
    return folders


def _searched(layers: Sequence[Layer]) -> Iterator[Layer]:
    """The layers in the order in which their folders are searched: the strongest first, and of options that stand one by one in the
    same file the first."""
    groups = [list(group) for _, group in groupby(layers, key=lambda layer: layer.written and layer.path)]
    for group in reversed(groups):
        yield from group if group[0].written else reversed(group)
