"""Recognises calls that build OpenCL programs, and the arguments that contain their build options."""

from __future__ import annotations

import re
from typing import Final

from openclsp.host_options.host_functions import HostCall
from openclsp.host_options.symbolic_text import SymbolicText

_BUILD_API_MARKS: Final = (b"build_with_source", b"pyopencl", b"ocl::Kernel", b"cmplr_opt", b"cmplr_def")
_PROGRAM_MARKS: Final = (
    b"BuildProgram", b"CompileProgram", b"cl::Program", b"compute::program", b"ocl::Program", b"cl.Program",
    b"ComputeProgram",
)  # fmt: skip


def uses_build_api(data: bytes) -> bool:
    """Whether the host text uses an API that builds OpenCL programs."""
    if any(name in data for name in _BUILD_API_MARKS):
        return True
    if b"rogram" in data and any(name in data for name in _PROGRAM_MARKS):
        return True
    return any(name in data for name in (b".build(", b"->build(")) and any(
        name in data for name in _CPP_BINDING_HEADERS
    )


_CPP_BINDING_HEADERS: Final = (b"cl.hpp", b"cl2.hpp", b"opencl.hpp")


OPTION_PATTERN: Final = re.compile(
    r"(?:\A|[\s\x1f])-(?:D[ \x1f]?[\w\0]|I[ \x1f]?[\w./%~\"$\0]|U[ \x1f]?\w|cl-"
    r"|(?:include|imacros|isystem|iquote|idirafter)[ \x1f])"
)
"""Matches build options within a text; the value of an option may be the next element of a list."""

_BUILD_FUNCTION_NAME: Final = re.compile(
    r"\w*?(?:cl)?(?:Build|Compile)(?:Cl)?Program(?:FromSource)?\Z", re.IGNORECASE
)
OTHER_COMPUTE_API: Final = re.compile(
    r"cuda|nvrtc|hip(?:\b|_|rtc|M)|\bmtl|metal|sycl|rocm|vulkan", re.IGNORECASE
)
"""Matches names that belong to other compute APIs"""
_OPTIONS_ARGUMENT_INDEX: Final = {"clBuildProgram": 3, "clCompileProgram": 3, "build_with_source": 2}
_ARGUMENT_COUNT: Final = {"clBuildProgram": 6, "clCompileProgram": 9}
"""Functions of the C API; bindings such as LWJGL omit the number of devices"""
_PROGRAM_CLASSES: Final = frozenset(("Kernel", "Program", "KernelInfo", "ProgramSource"))
"""Classes of OpenCV and other libraries whose constructors take options"""
BUILDER_METHODS: Final = frozenset(("cmplr_opt", "cmplr_def"))
"""Builder methods of the Rust crate ocl; a function that calls them passes no options in other calls"""
_BUILD_METHODS: Final = frozenset(("build", "compile", "Build"))


def builds_program(call: HostCall) -> bool:
    """Whether a call builds a program, with or without options."""
    if call.name in _BUILD_METHODS:
        return call.is_method_call
    return call.name in _OPTIONS_ARGUMENT_INDEX or (
        _BUILD_FUNCTION_NAME.match(call.name) is not None and OTHER_COMPUTE_API.search(call.name) is None
    )


def find_options_argument(call: HostCall) -> SymbolicText | None:
    """Returns the options argument of a call that builds a program.

    The result is empty if the call omits this argument. It is None if the call does not build a program, or
    if no argument can be recognised as options.
    """
    if call.name in _OPTIONS_ARGUMENT_INDEX:
        position = _OPTIONS_ARGUMENT_INDEX[call.name]
        if len(call.arguments) < _ARGUMENT_COUNT.get(call.name, 0):
            position -= 1
        return call.arguments[position] if position < len(call.arguments) else ()
    if call.name in _BUILD_METHODS and call.is_method_call:
        return _options_of_method(call)
    if _BUILD_FUNCTION_NAME.match(call.name) and OTHER_COMPUTE_API.search(call.name) is None:
        return _guess_options_argument(call.arguments)
    if call.name in _PROGRAM_CLASSES:
        return next((argument for argument in call.arguments if looks_like_options(argument)), None)
    if call.name in BUILDER_METHODS:
        return _options_of_builder(call)
    return None


def _options_of_method(call: HostCall) -> SymbolicText | None:
    """Returns the options in a call of a `build` or `compile` method; None if there are none.

    The method may be that of C++, pyopencl, Boost, OpenCV or Cloo.
    """
    if "options" in call.keywords:
        return call.keywords["options"]
    return _guess_options_argument(call.arguments)


def _options_of_builder(call: HostCall) -> SymbolicText:
    """Returns the options in a call of a `ProgramBuilder` method of the Rust crate ocl."""
    if call.name == "cmplr_opt" or len(call.arguments) < 2:
        return call.arguments[0] if call.arguments else ()
    name, value = call.arguments[:2]
    place, path = name[0].place if name else call.place, name[0].path_condition if name else ()
    first = type(name[0]) if name else None
    if first is None:
        return ()
    return (first("-D", place, path), *name, first("=", place, path), *value)


def _guess_options_argument(arguments: tuple[SymbolicText, ...]) -> SymbolicText | None:
    """Returns the first argument that looks like options, or else the last one that may contain options.

    An argument may contain options if all its text is unknown, and some of this text comes from a parameter
    or a non-local variable. Returns None if there is no such argument.
    """
    for argument in arguments:
        if looks_like_options(argument):
            return argument
    for argument in reversed(arguments):
        if (
            argument
            and all(piece.text is None for piece in argument)
            and any(piece.parameter >= 0 or piece.nonlocal_variable for piece in argument)
        ):
            return argument
    return None


def looks_like_options(value: SymbolicText) -> bool:
    """Whether the value begins like build options, after any unknown text and white space."""
    text = "".join("\0" if piece.text is None else piece.text for piece in value)
    start = text.lstrip("\0 \t\n\x1f")
    return start.startswith("-") and OPTION_PATTERN.search(text[max(0, text.find("-") - 1) :]) is not None
