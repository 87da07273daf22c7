"""Maps names in host text to kernel files: `"blur.cl"`, `"%s/OpenCL/m%05d_a0.cl"`, `blur_cl_src`."""

from __future__ import annotations

import os.path
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from openclsp.host_options.host_lexer import NAME, STRING, HostToken
from openclsp.host_options.kernel_file_names import KERNEL_FILE_NAME, kernel_file_stem
from openclsp.host_options.option_splitter import UNKNOWN_TEXT
from openclsp.host_options.symbolic_text import PathCondition, SymbolicText

_VARIABLE: Final = re.compile(
    r"%[-+ #0-9.]*(?:hh|h|ll|l|z)?[a-zA-Z]|\$\{\w*\}|\$\(\w*\)|\$\w+|\{[^{}]*\}|[*\0]+"
)
_SUFFIXES: Final = re.compile(
    r"(?:_?(?:oclsrc|clh?|src|sources?|str|string|program|kernels?|code))+\Z",
    re.IGNORECASE,
)
_MAXIMUM_NAME: Final = 200
"""Limit on characters of a variable's name; the search for suffixes takes quadratic time"""
_LITERAL: Final = re.compile(r"[A-Za-z0-9]")


class KernelFileIndex:
    """Index of a project's kernel files by the names that host code uses for them."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.paths = tuple(paths)
        self._by_base: dict[str, list[str]] = {}
        self._by_pattern: dict[str, frozenset[str]] = {}
        self._by_stem: dict[str, list[str]] = {}
        for path in self.paths:
            base = os.path.basename(path)
            self._by_base.setdefault(base, []).append(path)
            self._by_stem.setdefault(kernel_file_stem(base), []).append(path)

    def files_of_name(self, mention: str, host: str) -> frozenset[str]:
        """Returns the files that a name in host text denotes.

        Of several files with the same base name, returns those whose folders match the name best, and of
        these the nearest to the host file. A name with placeholders denotes all files that match it.
        """
        base = os.path.basename(mention.replace("\\", "/"))
        found = self._by_base.get(base)
        if found is None:
            if base not in self._by_pattern:
                self._by_pattern[base] = frozenset(self._matching(base))
            return self._by_pattern[base]
        if len(found) == 1:
            return frozenset(found)
        folders = _folders(mention)
        return _best_ranked_files(
            found,
            lambda path: _common_prefix_length(folders, os.path.dirname(path).split(os.sep)[::-1]),
            host,
        )

    def _matching(self, base: str) -> Iterator[str]:
        pattern = _compile_name_pattern(base)
        for name, paths in self._by_base.items() if pattern is not None else ():
            if pattern is not None and pattern.fullmatch(name):
                yield from paths

    def files_of_stem(self, text: str, host: str) -> frozenset[str]:
        """Returns the files whose name without ending is `text`; if several, those nearest to the host."""
        return _best_ranked_files(self._by_stem.get(text, []), lambda path: 0, host)

    def files_named_in_value(
        self, value: SymbolicText, host: str, stems: bool
    ) -> Iterator[tuple[str, PathCondition]]:
        """Yields the files that a value names, each with its path condition.

        With `stems`, a piece of the value may also be a file's name without ending.
        """
        text = "".join(UNKNOWN_TEXT if piece.text is None else piece.text for piece in value)
        if KERNEL_FILE_NAME.search(text) is None:
            if stems:
                for piece in value:
                    for path in self.files_of_stem(piece.text or "", host):
                        yield path, piece.path_condition
            return
        for piece in value:
            for match in KERNEL_FILE_NAME.finditer(piece.text or ""):
                whole = match[0] if len(value) > 1 and match[0].startswith(".") is False else text
                for path in self.files_of_name(
                    whole if KERNEL_FILE_NAME.fullmatch(whole) else match[0], host
                ):
                    yield path, piece.path_condition

    def files_named_in_tokens(self, tokens: Sequence[HostToken], host: str) -> Iterator[str]:
        """Yields the files that tokens name: in strings, or in variables such as `blur_cl_src`."""
        for token in tokens:
            if token.items:
                yield from self.files_named_in_tokens(token.items, host)
            elif token.kind == NAME and len(token.text) <= _MAXIMUM_NAME:
                stem = _SUFFIXES.sub("", token.text)
                if stem != token.text and stem:
                    yield from self.files_of_stem(stem, host) or self.files_of_stem(token.text, host)
            elif token.kind == STRING and KERNEL_FILE_NAME.fullmatch(token.text):
                yield from self.files_of_name(token.text, host)


def _best_ranked_files(paths: Sequence[str], rank: Callable[[str], int], host: str) -> frozenset[str]:
    """Returns the files for which `rank` is highest.

    Of several, returns those nearest to the host file, and of these the least deeply nested.
    """
    if len(paths) < 2:
        return frozenset(paths)
    parts = host.split(os.sep)
    ranks = {
        path: (rank(path), _common_prefix_length(parts, path.split(os.sep)), -path.count(os.sep))
        for path in paths
    }
    best = max(ranks.values())
    return frozenset(path for path, each in ranks.items() if each == best)


def _compile_name_pattern(base: str) -> re.Pattern[str] | None:
    """Compiles a file name with placeholders to a pattern.

    Returns None if the name has no placeholder, or if fewer than two letters or digits of it are fixed.
    """
    literal = _VARIABLE.split(base)
    if len(literal) < 2 or len(_LITERAL.findall("".join(literal).rpartition(".")[0])) < 2:
        return None
    return re.compile("[^/]*".join(re.escape(part) for part in literal))


def _folders(mention: str) -> list[str]:
    parts = mention.replace("\\", "/").split("/")[:-1]
    return [part for part in reversed(parts) if part not in (".", "..", "")]


def _common_prefix_length(first: Sequence[str], second: Sequence[str]) -> int:
    count = 0
    for a, b in zip(first, second, strict=False):
        if a != b:
            break
        count += 1
    return count
