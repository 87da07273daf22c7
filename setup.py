"""The compiled grammar and the compiled hot modules; everything else about the package stands in pyproject.toml.

A development install (`pip install -e`) compiles no module, so that what is edited is what runs. OPENCLSP_COMPILE=0 or
1 decides otherwise. Where mypyc is not to be had, all of the package stays Python, which does the same more slowly.
"""

import glob
import os
import shutil
import sys
import sysconfig

from setuptools import Extension, setup

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "server", "building"))

from parallel_build import ParallelBuild, say

# The limited API gives one wheel for all versions of Python; free-threaded builds do not have it.
LIMITED = not sysconfig.get_config_var("Py_GIL_DISABLED")

NOT_BUILDING = {"sdist", "egg_info", "dist_info", "editable_wheel", "develop", "--version", "--help"}


def compiled_modules():
    """The extensions of the hot modules; none in a development install, or where they cannot be had."""
    # A module that an earlier build compiled would go before today's source.
    for built in glob.glob(os.path.join(HERE, "build", "lib*")):
        shutil.rmtree(built)
    wanted = os.environ.get("OPENCLSP_COMPILE", "")
    if wanted == "0" or (wanted != "1" and NOT_BUILDING.intersection(sys.argv[1:])):
        return []
    try:
        from compiled import extensions

        say("translating the hot modules to C with mypyc")
        found = extensions()
        if os.name == "posix":
            # Instead of the interpreter's own flags, with which the compiler takes four times as long.
            os.environ.setdefault("CFLAGS", "-g0 -fwrapv -DNDEBUG -w")
        return found
    except (Exception, SystemExit) as error:
        if wanted == "1":
            raise
        say(f"mypyc failed, so the modules stay plain Python, which is several times slower: {error!r}")
        return []


COMPILED = compiled_modules()

setup(
    ext_modules=[
        Extension(
            "openclsp._grammar",
            ["server/openclsp/_grammar.c", "grammar/src/parser.c"],
            include_dirs=["grammar/src"],
            extra_compile_args=["-O2"] if os.name == "posix" else [],
            define_macros=[("Py_LIMITED_API", "0x030A0000")] if LIMITED else [],
            py_limited_api=LIMITED,
        ),
        *COMPILED,
    ],
    cmdclass={"build_ext": ParallelBuild},
    options={"bdist_wheel": {"py_limited_api": "cp310"}} if LIMITED and not COMPILED else {},
)
