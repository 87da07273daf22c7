"""The compiled grammar; everything else about the package stands in pyproject.toml."""

import sysconfig

from setuptools import Extension, setup

# The limited API gives one wheel for all versions of Python; free-threaded builds do not have it.
LIMITED = not sysconfig.get_config_var("Py_GIL_DISABLED")

setup(
    ext_modules=[
        Extension(
            "openclsp._grammar",
            ["server/openclsp/_grammar.c", "grammar/src/parser.c"],
            include_dirs=["grammar/src"],
            define_macros=[("Py_LIMITED_API", "0x030A0000")] if LIMITED else [],
            py_limited_api=LIMITED,
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp310"}} if LIMITED else {},
)
