"""Translates modules to C with mypyc.

mypyc's own entry point also prints its intermediate code, 17 MB, which takes a sixth of its time. Here the
stages of mypyc are called one by one, without this output.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from setuptools import Extension


def translated(arguments: list[str], target: str, *, group: str, optimisation: str) -> list[Extension]:
    """Writes C files into the folder `target`; returns the library `group` and an extension for each module.

    `arguments` are those of mypy: options and paths. Raises SystemExit if mypy or mypyc rejects the source.
    """
    from mypy.errors import CompileError
    from mypy.fscache import FileSystemCache
    from mypyc import build
    from mypyc.codegen import emitmodule
    from mypyc.errors import Errors
    from mypyc.options import CompilerOptions

    options = {"multi_file": True, "target_dir": target, "strict_dunder_typing": True, "group_name": group}
    compiler_options = CompilerOptions(**options)
    cache = FileSystemCache()
    sources, every_source, mypy_options = build.get_mypy_config(arguments, None, compiler_options, cache)
    groups = build.construct_groups(sources, False, True, group)
    try:
        checked = emitmodule.parse_and_typecheck(every_source, mypy_options, compiler_options, groups, cache)
    except CompileError as error:
        sys.exit("\n".join(error.messages))
    errors = Errors(mypy_options)
    modules, c_files, _ = emitmodule.compile_modules_to_c(checked, compiler_options, errors, groups)
    checked.manager.metastore.close()
    if errors.num_errors:
        sys.exit("\n".join(errors.new_messages()))
    needed = sorted(emitmodule.collect_source_dependencies(modules), key=lambda each: each.path)
    return build.mypycify(
        arguments,
        opt_level=optimisation,
        debug_level="0",
        skip_cgen_input=(c_files, [(each.path, each.include_dirs, each.internal) for each in needed]),
        **options,
    )
