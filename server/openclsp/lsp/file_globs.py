"""File patterns that are registered with the client."""

from __future__ import annotations

from collections.abc import Iterable


def glob_of_suffixes(suffixes: Iterable[str]) -> str:
    """Returns a pattern for all files whose names have one of the endings, which begin with a dot."""
    names = dict.fromkeys(suffix.removeprefix(".") for suffix in suffixes)
    return f"**/*.{{{','.join(names)}}}"
