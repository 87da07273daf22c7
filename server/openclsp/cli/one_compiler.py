"""Detects files written for a single compiler. Portability diagnostics are not reported for them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from openclsp.rules.finding import Severity

_OF_PORTABILITY: Final = frozenset(
    (
        "generic-qualifier",
        "program-scope-pointer",
        "sampler-scope",
        "reinterpretation",
        "qualified-image",
        "vendor-space",
    )
)
"""Rules about code that the specification does not allow or define, but that compilers accept."""
_TOKENS: Final = re.compile(
    rb"""
      /\*.*?(?:\*/|\Z) | //[^\n]* | "(?:[^"\\\n]|\\.)*"?
    | ^[ \t]*\#[ \t]*(?P<open>if\w*)\b(?P<condition>[^\n]*)
    | ^[ \t]*\#[ \t]*(?P<close>endif)\b
    | (?P<only>^[ \t]*\#[ \t]*define[ \t]+(?:__)?(?:kernel|global|local|constant|private)\b
      | ^[ \t]*\#[ \t]*include[ \t]*[<"]opencl-c(?:-base)?\.h[>"] | \b__(?:builtin|spirv|nvvm|amdgcn|llvm)_\w+ | \b__asm(?:__)?\b
      | \b(?:CLK_AVC_ME|intel_sub_group_avc)_\w+)
    """,
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
_CHANNELS: Final = re.compile(
    rb"^[ \t]*\#[ \t]*pragma[ \t]+OPENCL[ \t]+EXTENSION[ \t]+cl_(?:altera|intel)_channels[ \t]*:[ \t]*enable\b",
    re.MULTILINE,
)
_GUARD: Final = re.compile(rb"\s*(\w+)[^\S\n]*\n\s*#\s*define\s+\1\b")


def is_moot(code: str, severity: Severity, data: bytes) -> bool:
    """Whether a diagnostic is about portability, and its file is written for one compiler only.

    `data` is the text of the file. Intel's compiler for FPGAs accepts a semicolon after a pragma.
    """
    if severity is Severity.ERROR:
        return False
    if code == "extra-tokens":
        return _CHANNELS.search(data) is not None
    return code in _OF_PORTABILITY and is_for_one_compiler(data)


@lru_cache(maxsize=16)
def is_for_one_compiler(data: bytes) -> bool:
    """Whether a text unconditionally uses functions or headers of one compiler, or inline assembly.

    A text that enables channels is for Intel's compiler for FPGAs, and one that defines a keyword such as
    `__global` as a macro is for a compiler of C. A text with built-in functions or constants for motion
    estimation is for Intel's compiler for GPUs.

    Conditional uses do not count, because there is usually other code for other compilers. An include guard
    is not a condition in this sense.
    """
    depth = 0
    guarded: list[bool] = []
    for match in _TOKENS.finditer(data):
        if match["open"] is not None:
            guard = match["open"] == b"ifndef" and _GUARD.match(data, match.start("condition")) is not None
            guarded.append(guard)
            depth += not guard
        elif match["close"] is not None:
            depth -= bool(guarded) and not guarded.pop()
        elif match["only"] is not None and depth == 0:
            return True
    return _CHANNELS.search(data) is not None
