"""Builds of a kernel file in its own RUN lines."""

from __future__ import annotations

import os.path
import re
from collections.abc import Iterator, Sequence
from typing import Final

from openclsp.host_options.clspv_options import translate_clspv_options
from openclsp.host_options.host_build import HostBuild
from openclsp.host_options.option_splitter import (
    MAXIMUM_OPTIONS,
    OPTIONS_WITH_SEPARATE_VALUE,
    UNKNOWN_TEXT,
    FoundOption,
)
from openclsp.host_options.run_lines import (
    Command,
    CommandWord,
    RunLine,
    split_commands,
    split_quoted_options,
)
from openclsp.host_options.symbolic_text import HostPlace

_COMPILER: Final = re.compile(
    r"%?\{?(?:[^\s{}]*/)?(?P<name>clang|clang\+\+|clang-cpp|clang_cc1|clang_cpp|clangxx|clspv|ocloc|oclc)"
    r"(?:-\d[\d.]*)?(?:\.exe)?\}?\Z"
)
"""The first word of a command that compiles, as a program or as a substitution of lit (`%clang_cc1`)"""
_BEFORE_COMPILER: Final = re.compile(r"not|!|env|time|--crash|[A-Za-z_]\w*=.*", re.DOTALL)
_NEGATIONS: Final = frozenset(("not", "!"))

_SPELLING: Final = re.compile(
    r"--?(?P<name>cl-std|std|cl-ext|target|triple|arch)(?:=(?P<value>.*))?\Z", re.DOTALL
)
_JOINED: Final = re.compile(r"-(?:[DUI]|include|isystem|iquote|idirafter).", re.DOTALL)
_WITH_SEPARATE_VALUE: Final = OPTIONS_WITH_SEPARATE_VALUE - {"-x", "-target", "-triple"}
_FLAG: Final = re.compile(
    r"-(?:m32|m64|f(?:no-)?blocks)\Z|--?cl-(?:fast-relaxed-math|single-precision-constant)\Z"
)
_CPP_FOR_OPENCL: Final = "-xclcpp"
_WITH_UNUSED_VALUE: Final = frozenset(
    # Of `-internal_options`, only ocloc knows the effect: `-cl-ext=-all` in it turns nothing off.
    [
        "-internal_options",
        "-o",
        "-MF",
        "-MT",
        "-MQ",
        "-mllvm",
        "-main-file-name",
        "-internal-isystem",
        "-internal-externc-isystem",
        "-resource-dir",
        "-device",
        "-output",
        "-out_dir",
    ]
)
_OPTION_TEXTS: Final = frozenset(("-options", "-cl-options", "--cl-options"))
"""Options of ocloc and oclc whose value consists of build options"""
_OTHER_INPUTS: Final = frozenset(("-spirv_input", "-llvm_input", "-include-pch"))
"""Options of commands that compile another language, or read a precompiled header, which openclsp cannot read"""

_SUBSTITUTION: Final = re.compile(r"%(?:%|\{[^{}]*\}|[A-Za-z_]\w*)|\$\w+|\$\{[^{}]*\}")
"""A substitution of lit or a variable of the shell"""


def find_run_builds(lines: Sequence[RunLine], path: str) -> tuple[HostBuild, ...]:
    """Returns the builds that the RUN lines of the kernel file at `path` contain.

    A build is a command of a known compiler with `%s` as its input. Commands that must fail (`not`) come
    last, so that they are not the default variant. Builds as C++ for OpenCL are returned only if there are no
    others. The result is empty if no build passes an option.
    """
    succeeding: list[HostBuild] = []
    failing: list[HostBuild] = []
    for command in split_commands(lines):
        compilation, must_fail = _skip_words_before_compiler(command)
        found = _CommandOptions(path).read_command(compilation) if compilation else None
        if found is not None:
            name, line = compilation[0]
            build = HostBuild(tuple(found), HostPlace(path, line), name, frozenset((path,)))
            (failing if must_fail else succeeding).append(build)
    builds = succeeding + failing
    if not any(build.found_options for build in builds):
        return ()
    of_c = [build for build in builds if not build.parsed_options.cpp_for_opencl]
    return tuple(of_c or builds)


def _skip_words_before_compiler(command: Command) -> tuple[Command, bool]:
    """Returns the command without words such as `env A=1` and `not`, and whether `not` is among these."""
    start = 0
    while start < len(command) and _BEFORE_COMPILER.fullmatch(command[start].text) is not None:
        start += 1
    return command[start:], any(word.text in _NEGATIONS for word in command[:start])


class _CommandOptions:
    """Reads the build options in a command of a RUN line."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.found: list[FoundOption] = []
        self.compiles_file = False
        self.has_other_input = False
        self.language = ""

    def read_command(self, command: Command) -> list[FoundOption] | None:
        """Returns the build options; None if the command compiles no OpenCL C or C++ for OpenCL."""
        compiler = _COMPILER.match(command[0].text)
        if compiler is None:
            return None
        name = compiler["name"]
        self._read_words(iter(command[1:]), name)
        if not self.compiles_file or self.has_other_input or self.language not in ("", "cl", "clcpp"):
            return None
        if self.language == "clcpp":
            self._add(_CPP_FOR_OPENCL, command[0])
        if name == "clspv":
            versions = [each.text.partition("=")[2] for each in self.found if each.key == "-cl-std"]
            words = [self._substitute(each.text) for each in command]
            switches = translate_clspv_options(words, versions[-1] if versions else "")
            if switches:
                self.found.insert(0, FoundOption(switches, HostPlace(self.path, command[0].line)))
        return self.found

    def _read_words(self, words: Iterator[CommandWord], compiler: str) -> None:
        for word in words:
            text = word.text
            if text == "%s":
                self.compiles_file = True
            elif text in _OTHER_INPUTS:
                self.has_other_input = True
            elif text in _OPTION_TEXTS:
                value = next(words, None)
                if value is not None:
                    self._read_words(iter(split_quoted_options(value)), compiler)
            elif text in _WITH_UNUSED_VALUE:
                next(words, None)
            elif text.startswith("-x") and compiler != "ocloc":
                self.language = text[2:] or next(words, word).text
            elif text in _WITH_SEPARATE_VALUE:
                value = next(words, None)
                if value is not None:
                    self._add(f"{text}{'' if len(text) == 2 else ' '}{value.text}", word)
            elif (match := _SPELLING.match(text)) is not None:
                given = match["value"]
                self._add_spelled(match["name"], next(words, word).text if given is None else given, word)
            elif _JOINED.match(text) is not None:
                self._add(text, word)
            elif _FLAG.match(text) is not None:
                self._add(text.replace("--", "-", 1), word)
            elif compiler == "ocloc" and text in ("-32", "-64"):
                self._add(f"-m{text[1:]}", word)

    def _add_spelled(self, name: str, value: str, word: CommandWord) -> None:
        """Adds a `-cl-std`, `-cl-ext` or `-target` option, whose name compilers spell differently."""
        if name in ("cl-std", "std"):
            if name == "cl-std" or value.lower().startswith("cl"):
                self._add(f"-cl-std={value}", word)
        elif name == "cl-ext":
            self._add(f"-cl-ext={value}", word)
        else:
            self._add(f"-target={value}", word)

    def _add(self, text: str, word: CommandWord) -> None:
        if len(self.found) < MAXIMUM_OPTIONS:
            self.found.append(FoundOption(self._substitute(text), HostPlace(self.path, word.line)))

    def _substitute(self, text: str) -> str:
        """Replaces `%s`, `%S`, `%p` and `%%`; other substitutions and shell variables become UNKNOWN_TEXT."""
        return _SUBSTITUTION.sub(self._value_of_substitution, text)

    def _value_of_substitution(self, match: re.Match[str]) -> str:
        known = {
            "%s": self.path,
            "%S": os.path.dirname(self.path),
            "%p": os.path.dirname(self.path),
            "%%": "%",
        }
        return known.get(match[0], UNKNOWN_TEXT)
