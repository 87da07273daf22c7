"""The build_ext command: compiles C files in parallel and reports its progress."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from module_loaders import LoadedModule, group_loaders, write_loader
from setuptools import Extension
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError

MOST_COMPILERS = 8
"""At most this many compilers run at a time, each with up to half a gigabyte of memory."""


def say(text: str) -> None:
    """Prints a line of progress. install.py shows the lines that begin with `openclsp:`."""
    print(f"openclsp: {text}", flush=True)


class ParallelBuild(build_ext):
    """Compiles the sources of an extension in parallel, and one loader for all compiled modules."""

    def build_extensions(self) -> None:
        """Builds all extensions."""
        compile_together = self.compiler.compile
        self.compiler.compile = lambda sources, **options: _compile_each(compile_together, sources, options)
        loaded = [each for each in self.extensions if isinstance(each, LoadedModule)]
        libraries = [each for each in self.extensions if each.name in {module.library for module in loaded}]
        for each in self.extensions:
            if each not in loaded and each not in libraries:
                self._build_needed(each)
        try:
            for each in libraries:
                self.build_extension(each)
        except BaseError as error:
            if os.environ.get("OPENCLSP_COMPILE") == "1":
                raise
            say(
                f"the C compiler failed, so the modules stay plain Python, which is several times slower: {error}"
            )
            self.extensions = [each for each in self.extensions if each not in loaded + libraries]
            return
        if os.name == "posix":
            for number, group in enumerate(group_loaders(loaded)):
                source = Path(self.build_temp) / f"loader{number}.c"
                write_loader(group, source)
                self._build_copies(group, str(source))
        else:
            for each in loaded:
                self.build_extension(each)

    def _build_needed(self, extension: Extension) -> None:
        """Builds the grammar, which every installation needs; a failure ends the installation."""
        try:
            self.build_extension(extension)
        except BaseError as error:
            say(f"{extension.name} cannot be built without a C compiler; a wheel needs none: {error}")
            raise

    def _build_copies(self, modules: list[LoadedModule], source: str) -> None:
        """Builds the extension of the first module from `source`, and copies it for the others."""
        first = modules[0]
        first.sources = [source]
        self.build_extension(first)
        for each in modules[1:]:
            target = self.get_ext_fullpath(each.name)
            Path(target).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.get_ext_fullpath(first.name), target)


def _compile_each(
    compile: Callable[..., list[str]], sources: list[str], options: dict[str, Any]
) -> list[str]:
    """Compiles the sources in parallel; returns their object files in the same order."""
    done = 0

    def compile_one(source: str) -> list[str]:
        nonlocal done
        made = compile([source], **options)
        done += 1
        if len(sources) > 2:
            say(f"compiled {done} of {len(sources)} parts")
        return made

    with ThreadPoolExecutor(min(_processors(), MOST_COMPILERS)) as pool:
        return [each for made in pool.map(compile_one, sources) for each in made]


def _processors() -> int:
    """The number of processors that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
