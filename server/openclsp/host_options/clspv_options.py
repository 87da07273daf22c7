"""Options of the compiler clspv that select extensions and features, as `-cl-ext` options."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from openclsp.host_options.option_splitter import UNKNOWN_TEXT
from openclsp.language.features import FEATURES

_OPTION: Final = re.compile(r"--?(?P<name>fp16|fp64|images|enable-feature-macros)=(?P<value>.*)\Z", re.DOTALL)
_FALSE: Final = frozenset(("0", "false", "FALSE", "False"))
_SWITCHED_FEATURES: Final = tuple(
    name for name in FEATURES if re.match("__opencl_c_(?!ext_|kernel_clock_)", name) is not None
)
"""The optional features that clspv turns off in OpenCL C 3.0 unless an option enables them"""

_FEATURES_WITH_DOUBLE: Final = tuple(name for name in FEATURES if name.startswith("__opencl_c_ext_fp64_"))


def translate_clspv_options(words: Sequence[str], version: str) -> str:
    """Returns the `-cl-ext` option that has the effect of the clspv options `words`; empty if none has any.

    `version` is the value of `-cl-std`. In OpenCL C 3.0, clspv turns off each optional feature of the core
    language that `-enable-feature-macros` does not name. `-images=0` and `-fp64=0` turn off
    `__opencl_c_images` and `__opencl_c_fp64`, which are otherwise on.
    """
    values = {match["name"]: match["value"] for word in words if (match := _OPTION.match(word)) is not None}
    off = [f"cl_khr_{name}" for name in ("fp16", "fp64") if values.get(name) in _FALSE]
    if "cl_khr_fp64" in off:
        off += _FEATURES_WITH_DOUBLE
    enabled = set(values.get("enable-feature-macros", "").split(","))
    if version.upper() == "CL3.0" and not any(UNKNOWN_TEXT in name for name in enabled):
        enabled |= {
            feature
            for feature, name in (("__opencl_c_fp64", "fp64"), ("__opencl_c_images", "images"))
            if values.get(name) not in _FALSE
        }
        off += [name for name in _SWITCHED_FEATURES if name not in enabled]
    return f"-cl-ext={','.join(f'-{name}' for name in off)}" if off else ""
