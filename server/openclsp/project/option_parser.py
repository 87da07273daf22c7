"""Parser for the OpenCL build options (`-D`, `-I`, `-cl-std=` …) of host programs and clang."""

from __future__ import annotations

import os.path
import re
from collections.abc import Iterator, Sequence

from openclsp.dataclass import dataclass
from openclsp.language.dialect import (
    DialectError,
    is_cpp_for_opencl,
    make_dialect,
    split_switches,
    unknown_switch,
)

_WITH_VALUE = frozenset(
    (
        "-D",
        "-U",
        "-I",
        "-include",
        "-imacros",
        "-include-pch",
        "-isystem",
        "-iquote",
        "-idirafter",
        "-x",
        "-cl-std",
        "-std",
        "-target",
        "-triple",
    )
)
"""Supported options whose value may be the next argument."""

BUILTIN_HEADERS = frozenset(("opencl-c.h", "opencl-c-base.h"))
"""Headers of clang that declare the built-in functions; openclsp does not need them."""

_IGNORED_WITH_VALUE = """-o -arch -MF -MT -MQ -mllvm -F -isysroot -isystem-after --sysroot
    -resource-dir -internal-isystem -internal-externc-isystem -ferror-limit
    -main-file-name"""
"""Ignored options that consume the next argument."""

_RELAXED_MATH = "__FAST_MATH__ __FAST_RELAXED_MATH__ __FINITE_MATH_ONLY__"

_WITH_EQUALS = re.compile(r"(-cl-std|-std|-cl-ext|-target|-triple|-include|-imacros)=(.*)", re.DOTALL)
_JOINED = re.compile(
    r"(-imacros|-include-pch(?=\s)|-include|-isystem|-iquote|-idirafter|-[DUIx])(.+)", re.DOTALL
)
_DEFINITION = re.compile(
    r"(?P<name>[^\W\d][\w$]*)(?P<parameters>\([^)]*\))?(?:(?P<equals>=)(?P<value>.*))?\Z", re.DOTALL
)
_IDENTIFIER = re.compile(r"[^\W\d][\w$]*\Z")
_ADDRESS_BITS = {"-m32": 32, "-m64": 64}
_BLOCKS = {"-fblocks": True, "-fno-blocks": False}
_SINGLE_PRECISION = "-cl-single-precision-constant"
_32_BITS = re.compile(
    r"spir|spirv32|nvptx|amdil|hsail|r600|i[3-6]86|x86|arm(?!64).*|thumb.*|mips(?:el)?|ppc|powerpc|"
    r"riscv32|wasm32|le32|sparc|tce(?:le)?"
)
_64_BITS = re.compile(
    r"spir64|spirv64|nvptx64|amdil64|hsail64|amdgcn|x86_64|amd64|aarch64.*|arm64.*|mips64(?:el)?|ppc64(?:le)?|"
    r"powerpc64(?:le)?|riscv64|wasm64|le64|sparcv9|tcele64"
)
"""Architectures (first part of a target triple) by address size (LLVM, `Triple::getArchPointerBitWidth`)"""
_STANDARD_OF_C = re.compile(r"(?:c|gnu|iso)[\dx+:]")


@dataclass(frozen=True, slots=True)
class MacroOption:
    """A `-D` or `-U` option.

    `name` includes the parameters of a function-like macro; `value` is None for `-U`.
    """

    name: str
    value: str | None

    @property
    def bare_name(self) -> str:
        """The macro's name without parameters."""
        return self.name.partition("(")[0]


@dataclass(frozen=True, slots=True)
class BuildOptionProblem:
    """An option that could not be used, and the reason as one line of text."""

    option: str
    message: str


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """The parsed form of a list of build options, in the order in which they were written.

    Folders and forced includes are absolute paths, or as written if the base folder is unknown.

    - `readable_folders`: folders outside the project that the user allows project options to name. They are
      not searched for includes. They come from settings; no build option sets them.
    - `standard`: the last valid value of `-cl-std=` or `-std=` that selects a version of OpenCL C
    - `standard_written`: the option with this value, as written
    - `cpp_for_opencl`: whether the last option that selects a language (`-cl-std=`, `-std=` or `-x`) selects
      C++ for OpenCL
    - `ignored`: the options without effect on the analysis
    - `address_bits`: the address size that `-m32`, `-m64` or the target triple selects; None if no option
      sets it
    - `blocks`: True for `-fblocks`, False for `-fno-blocks`; None if no option sets it
    - `single_precision`: whether `-cl-single-precision-constant` makes unsuffixed constants `float`
    """

    standard: str | None = None
    standard_written: str = ""
    switches: tuple[str, ...] = ()
    macros: tuple[MacroOption, ...] = ()
    include_folders: tuple[str, ...] = ()
    system_folders: tuple[str, ...] = ()
    quote_folders: tuple[str, ...] = ()
    forced_includes: tuple[str, ...] = ()
    unread_includes: tuple[str, ...] = ()
    """The documents of `-include` that openclsp is not permitted to read"""
    readable_folders: tuple[str, ...] = ()
    cpp_for_opencl: bool = False
    ignored: tuple[str, ...] = ()
    address_bits: int | None = None
    blocks: bool | None = None
    single_precision: bool = False
    dialect_options: tuple[str, ...] = ()
    """The options, as written, that set `address_bits`, `blocks` and `single_precision`"""


@dataclass(frozen=True, slots=True)
class ParsedOptions:
    """Parsed options, and the problems of options that could not be used."""

    options: BuildOptions
    problems: tuple[BuildOptionProblem, ...] = ()


class _OptionCollector:
    def __init__(self, folder: str | None) -> None:
        self.folder = folder
        self.standard: str | None = None
        self.standard_written = ""
        self.cpp = False
        self.switches: list[str] = []
        self.macros: list[MacroOption] = []
        self.folders: dict[str, list[str]] = {"-I": [], "-isystem": [], "-iquote": []}
        self.forced_includes: list[str] = []
        self.unread_includes: list[str] = []
        self.ignored: list[str] = []
        self.problems: list[BuildOptionProblem] = []
        self.address_bits: int | None = None
        self.blocks: bool | None = None
        self.single_precision = False
        self.dialect_options: list[str] = []

    def resolve_path(self, value: str) -> str:
        return os.path.normpath(os.path.join(self.folder, value)) if self.folder is not None else value

    def add_problem(self, option: str, message: str) -> None:
        self.problems.append(BuildOptionProblem(option, message))

    def define(self, value: str) -> None:
        match = _DEFINITION.match(value)
        if match is None:
            self.add_problem(f"-D{value}", f"-D needs NAME or NAME=VALUE, and '{value}' is neither")
            return
        # As in clang, a definition ends at the end of its line.
        body = match["value"].split("\n", 1)[0] if match["equals"] else "1"
        self.macros.append(MacroOption(match["name"] + (match["parameters"] or ""), body))

    def undefine(self, value: str) -> None:
        if _IDENTIFIER.match(value) is None:
            self.add_problem(f"-U{value}", f"-U needs a macro name, and '{value}' is not one")
            return
        self.macros.append(MacroOption(value, None))

    def add_unread_include(self, value: str, written: str) -> None:
        self.unread_includes.append(self.resolve_path(value))
        self.add_problem(written, f"{written} is not supported: the names that it defines are unknown")

    def set_language_version(self, option: str, value: str, written: str) -> None:
        if option == "-std" and _STANDARD_OF_C.match(value) is not None:
            self.ignored.append(written)
            return
        if is_cpp_for_opencl(value):
            self.cpp = True
            return
        made = make_dialect(value)
        if isinstance(made, DialectError):
            self.add_problem(written, made.message)
            return
        self.standard, self.standard_written, self.cpp = value, written, False

    def set_target(self, triple: str, written: str) -> None:
        architecture = triple.partition("-")[0].lower()
        if _32_BITS.fullmatch(architecture) is not None:
            self.address_bits = 32
        elif _64_BITS.fullmatch(architecture) is not None:
            self.address_bits = 64
        else:
            self.ignored.append(written)
            return
        self.dialect_options.append(written)

    def add_extensions(self, value: str) -> None:
        for switch in split_switches([value]):
            error = unknown_switch(switch)
            if error is None:
                self.switches.append(switch)
            else:
                self.add_problem(f"-cl-ext={switch}", error.message)

    def add_option(self, option: str, value: str, written: str) -> None:
        value = value.strip()
        if option == "-D":
            self.define(value)
        elif option == "-U":
            self.undefine(value)
        elif option == "-cl-ext":
            self.add_extensions(value)
        elif option in ("-cl-std", "-std"):
            self.set_language_version(option, value, written)
        elif option in ("-target", "-triple"):
            self.set_target(value, written)
        elif option == "-x":
            self.cpp = value == "clcpp"
        elif option == "-include" and os.path.basename(value) in BUILTIN_HEADERS:
            self.ignored.append(written)
        elif option == "-include":
            self.forced_includes.append(self.resolve_path(value))
        elif option in ("-imacros", "-include-pch"):
            self.add_unread_include(value, written)
        else:
            self.folders["-isystem" if option == "-idirafter" else option].append(self.resolve_path(value))


def parse_build_options(arguments: Sequence[str], folder: str | None = None) -> ParsedOptions:
    """Parses a list of build options, one argument each; relative paths are resolved against `folder`.

    A value may be joined to its option (`-DN=1`) or be the next argument (`-D`, `N=1`). Options without
    effect on the analysis are collected in `ignored`. No exception is raised: a faulty option is skipped and
    reported as a problem.
    """
    collector = _OptionCollector(folder)
    remaining = _unwrap_arguments(arguments)
    for argument in remaining:
        if argument:
            _collect_argument(collector, argument, remaining)
    options = BuildOptions(
        standard=collector.standard,
        standard_written=collector.standard_written,
        switches=tuple(collector.switches),
        macros=tuple(collector.macros),
        include_folders=tuple(collector.folders["-I"]),
        system_folders=tuple(collector.folders["-isystem"]),
        quote_folders=tuple(collector.folders["-iquote"]),
        forced_includes=tuple(collector.forced_includes),
        unread_includes=tuple(collector.unread_includes),
        cpp_for_opencl=collector.cpp,
        ignored=tuple(collector.ignored),
        address_bits=collector.address_bits,
        blocks=collector.blocks,
        single_precision=collector.single_precision,
        dialect_options=tuple(collector.dialect_options),
    )
    return ParsedOptions(options, tuple(collector.problems))


def _unwrap_arguments(arguments: Sequence[str]) -> Iterator[str]:
    """Yields the arguments; those that an option passes on to a part of the compiler, like any other option."""
    for argument in map(str.strip, arguments):
        if argument.startswith("-Wp,"):
            yield from argument.split(",")[1:]
        elif argument not in ("-Xclang", "-Xpreprocessor"):
            yield argument.removeprefix("-Xclang=")


def _collect_argument(collector: _OptionCollector, argument: str, remaining: Iterator[str]) -> None:
    doubled = argument.startswith(("--cl-std", "--std", "--cl-ext", "--target", "--include", "--imacros"))
    option = argument[1:] if doubled else argument
    if option == "-cl-fast-relaxed-math":
        collector.macros.extend(MacroOption(name, "1") for name in _RELAXED_MATH.split())
    elif option in _ADDRESS_BITS:
        collector.address_bits = _ADDRESS_BITS[option]
        collector.dialect_options.append(argument)
    elif option in _BLOCKS:
        collector.blocks = _BLOCKS[option]
        collector.dialect_options.append(argument)
    elif option == _SINGLE_PRECISION:
        collector.single_precision = True
        collector.dialect_options.append(argument)
    elif option.startswith("@"):
        collector.add_unread_include(option[1:], argument)
    elif option in _IGNORED_WITH_VALUE.split():
        collector.ignored.append(f"{argument} {next(remaining, '')}".strip())
    elif option in _WITH_VALUE:
        value = next(remaining, None)
        if value is None:
            collector.add_problem(argument, f"{argument} needs a value, but none follows")
        else:
            collector.add_option(option, value, f"{argument} {value}")
    elif (match := _WITH_EQUALS.match(option)) is not None or (match := _JOINED.match(option)) is not None:
        collector.add_option(match[1], match[2], argument)
    else:
        collector.ignored.append(argument)
