"""The calls that build programs, and which of their arguments are the options."""

from __future__ import annotations

import re
from typing import Final

from openclsp.workspace.host_options.functions import Call
from openclsp.workspace.host_options.values import Value

_INTERFACES: Final = (
    b"BuildProgram", b"CompileProgram", b"build_with_source", b"pyopencl", b"cl::Program", b"compute::program",
    b"ocl::Kernel", b"ocl::Program", b"cmplr_opt", b"cmplr_def", b"cl.Program",
)  # fmt: skip


def uses_interface(data: bytes) -> bool:
    """Whether a host's text has something of an interface that builds programs."""
    if any(name in data for name in _INTERFACES):
        return True
    return any(name in data for name in (b".build(", b"->build(")) and any(name in data for name in _HEADERS)


_HEADERS: Final = (b"cl.hpp", b"cl2.hpp", b"opencl.hpp")


OPTION: Final = re.compile(r"(?:\A|[\s\x1f])-(?:D ?\w|I ?[\w./%~\"$\0]|U ?\w|cl-)")
"""What build options look like within a text"""

_BUILD: Final = re.compile(r"\w*?(?:cl)?(?:Build|Compile)(?:Cl)?Program(?:FromSource)?\Z", re.IGNORECASE)
FOREIGN: Final = re.compile(r"cuda|nvrtc|hip(?:\b|_|rtc|M)|\bmtl|metal|sycl|rocm|vulkan", re.IGNORECASE)
"""What names have that are of other ways to run kernels"""
_EXACT: Final = {"clBuildProgram": 3, "clCompileProgram": 3, "build_with_source": 2}
_OBJECTS: Final = frozenset(("Kernel", "Program", "KernelInfo", "ProgramSource"))
"""Classes of OpenCV and others whose objects are made with options"""
BUILDER_METHODS: Final = frozenset(("cmplr_opt", "cmplr_def"))
"""Of the builder of the Rust crate ocl: where they are called, nothing else gives options"""
_METHODS: Final = frozenset(("build", "compile"))


def options_of_call(call: Call) -> Value | None:
    """The options that a known call gets: a value that may be empty; None where the call is none that builds."""
    if call.name in _EXACT:
        position = _EXACT[call.name]
        return call.arguments[position] if position < len(call.arguments) else ()
    if call.name in _METHODS and call.method:
        return _of_method(call)
    if _BUILD.match(call.name) and FOREIGN.search(call.name) is None:
        return _likely(call.arguments)
    if call.name in _OBJECTS:
        return next((argument for argument in call.arguments if looks_like_options(argument)), None)
    if call.name in BUILDER_METHODS:
        return _of_builder(call)
    return None


def _of_method(call: Call) -> Value | None:
    """`Program::build` of C++, pyopencl, boost and OpenCV: of these the options are the text among the arguments."""
    if "options" in call.keywords:
        return call.keywords["options"]
    return _likely(call.arguments)


def _of_builder(call: Call) -> Value:
    """`ProgramBuilder` of the Rust crate ocl."""
    if call.name == "cmplr_opt" or len(call.arguments) < 2:
        return call.arguments[0] if call.arguments else ()
    name, value = call.arguments[:2]
    place, path = name[0].place if name else call.place, name[0].path if name else ()
    first = type(name[0]) if name else None
    if first is None:
        return ()
    return (first("-D", place, path), *name, first("=", place, path), *value)


def _likely(arguments: tuple[Value, ...]) -> Value | None:
    """The argument that holds options: by its text, else one that comes from elsewhere."""
    for argument in arguments:
        if looks_like_options(argument):
            return argument
    for argument in reversed(arguments):
        if (
            argument
            and all(piece.text is None for piece in argument)
            and any(piece.parameter >= 0 or piece.field for piece in argument)
        ):
            return argument
    return None


def looks_like_options(value: Value) -> bool:
    """Whether the value's text begins as build options do."""
    text = "".join("\0" if piece.text is None else piece.text for piece in value)
    start = text.lstrip("\0 \t\n\x1f")
    return start.startswith("-") and OPTION.search(text[max(0, text.find("-") - 1) :]) is not None
