"""Layers of build options, and the build configuration that they are merged into."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from itertools import groupby

from openclsp.dataclass import dataclass
from openclsp.language.device import DEFAULT_DEVICE, Device
from openclsp.language.dialect import Dialect, DialectError, make_dialect
from openclsp.project.option_parser import BuildOptionProblem, BuildOptions
from openclsp.source.build_configuration import BuildConfiguration
from openclsp.source.other_files import NamesElsewhere


@dataclass(frozen=True, slots=True)
class OptionLayer:
    """The options from one source, with the phrase that names the source in messages.

    - `source`: completes a sentence, such as `in compile_flags.txt` or `on the command line`
    - `version_reason`: where the language version comes from, such as `from openclsp.toml`; if empty,
      messages name the option and the source: `from -cl-std=CL2.0 in compile_flags.txt`
    - `written_by_user`: whether the user wrote the options for this machine; only such layers may name
      folders outside the project
    - `path`, `line` (from 1; 0 if unknown): the location of the options
    - `receiver`: the name of the function or tool that receives the options
    - `option_text`: the option's text if the layer consists of a single option
    """

    source: str
    options: BuildOptions
    version_reason: str = ""
    path: str = ""
    line: int = 0
    receiver: str = ""
    option_text: str = ""
    written_by_user: bool = False


@dataclass(frozen=True, slots=True)
class ConfigurationOrigins:
    """The source of each part of a configuration; not part of the configuration's identity.

    - `dialect`: a complete phrase, such as `the default of OpenCL compilers` or `from -cl-std=CL2.0 in
      compile_flags.txt`
    - `defines`, `include_folders`: the sources of the configuration's macro definitions and include folders,
      in the same order as these
    - `possible_macros`: the macros that the host may define, each with a sentence that explains why
    """

    dialect: str
    defines: tuple[str, ...] = ()
    include_folders: tuple[str, ...] = ()
    possible_macros: tuple[tuple[str, str], ...] = ()
    names_defined_elsewhere: NamesElsewhere = field(default_factory=dict[str, str])
    """Names that may have a definition that the analysis does not see.

    They are names that the project's OpenCL files define at program scope, in case the host concatenates
    these, macros that host code may define in ways that openclsp does not understand, and headers that host
    code names, which it may generate. Each has the path of the only file that defines it, or SEVERAL_FILES.
    """


@dataclass(frozen=True, slots=True)
class ConfigurationResult:
    """A configuration, its origins, and the options that could not be used.

    - `notes`: messages about features: see `make_dialect`
    - `cpp_for_opencl`: whether the options select C++ for OpenCL
    """

    configuration: BuildConfiguration
    origins: ConfigurationOrigins
    notes: tuple[str, ...] = ()
    problems: tuple[BuildOptionProblem, ...] = ()
    cpp_for_opencl: bool = False


DEFAULT_DIALECT_REASON = "the default of OpenCL compilers"


def merge_option_layers(
    layers: Sequence[OptionLayer], device: Device = DEFAULT_DEVICE
) -> ConfigurationResult:
    """Merges layers of options into a configuration for a device; a later layer overrides an earlier one.

    The last language version, the last address size (64 bits by default) and the last switch for block
    literals apply; `-cl-single-precision-constant` applies if any layer has it. Extension switches and macros
    are applied in order. Include folders of a later layer are searched first.
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
    problems: tuple[BuildOptionProblem, ...] = ()
    dialect = Dialect.of("CL1.2")
    if isinstance(made, DialectError):
        problems = (BuildOptionProblem(f"-cl-std={standard}", made.message),)
    else:
        dialect, notes = made
    bits = [layer.options.address_bits for layer in layers if layer.options.address_bits is not None]
    block_options = [layer.options.blocks for layer in layers if layer.options.blocks is not None]
    dialect = replace(
        dialect,
        address_bits=bits[-1] if bits else 64,
        blocks_enabled=block_options[-1:] == [True],
        single_precision=any(layer.options.single_precision for layer in layers),
    )
    defines, undefines, define_origins = _merge_macros(layers)
    folders = _merge_include_folders(layers)
    configuration = BuildConfiguration(
        dialect,
        defines,
        undefines,
        tuple(folders),
        tuple(folder for layer in _layers_in_search_order(layers) for folder in layer.options.quote_folders),
        tuple(path for layer in layers for path in layer.options.forced_includes),
        tuple(path for layer in layers for path in layer.options.unread_includes),
        device,
    )
    origins = ConfigurationOrigins(reason, define_origins, tuple(folders.values()))
    return ConfigurationResult(configuration, origins, notes, problems, cpp)


def _merge_macros(
    layers: Sequence[OptionLayer],
) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...], tuple[str, ...]]:
    """Returns definitions, undefinitions and the definitions' sources.

    The last option for a name counts.
    """
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


def _merge_include_folders(layers: Sequence[OptionLayer]) -> dict[str, str]:
    """Returns the include folders in search order with their sources; `-isystem` comes after `-I`."""
    folders: dict[str, str] = {}
    for system in (False, True):
        for layer in _layers_in_search_order(layers):
            for folder in layer.options.system_folders if system else layer.options.include_folders:
                folders.setdefault(folder, layer.source)
    return folders


def _layers_in_search_order(layers: Sequence[OptionLayer]) -> Iterator[OptionLayer]:
    """Yields the layers in the order in which their include folders are searched.

    The layer with the highest precedence comes first. Layers that are single options of the same file keep
    the order of the file, because a compiler searches the first `-I` first.
    """
    groups = [list(group) for _, group in groupby(layers, key=lambda layer: layer.option_text and layer.path)]
    for group in reversed(groups):
        yield from group if group[0].option_text else reversed(group)
