"""The host languages whose files are searched for kernels, by file name ending and by language identifier."""

from __future__ import annotations

import os.path
from enum import Enum
from typing import Final


class HostLanguage(Enum):
    """A host language. The value is the language's name in messages."""

    C = "C"
    CPP = "C++"
    PYTHON = "Python"
    NOTEBOOK = "a notebook"
    """A Jupyter notebook: JSON whose code cells hold Python"""
    RUST = "Rust"
    D = "D"
    RUBY = "Ruby"
    HASKELL = "Haskell"
    GO = "Go"
    JAVA = "Java"
    KOTLIN = "Kotlin"
    SCALA = "Scala"
    CSHARP = "C#"
    JAVASCRIPT = "JavaScript or TypeScript"


_BY_ENDING: Final = {
    ".c": HostLanguage.C,
    # C++ has nearly all of C, and headers with kernels often hold raw strings.
    ".h": HostLanguage.CPP,
    ".cc": HostLanguage.CPP,
    ".cpp": HostLanguage.CPP,
    ".cxx": HostLanguage.CPP,
    ".hpp": HostLanguage.CPP,
    ".py": HostLanguage.PYTHON,
    ".ipynb": HostLanguage.NOTEBOOK,
    ".rs": HostLanguage.RUST,
    ".d": HostLanguage.D,
    ".rb": HostLanguage.RUBY,
    ".hs": HostLanguage.HASKELL,
    ".go": HostLanguage.GO,
    ".java": HostLanguage.JAVA,
    ".kt": HostLanguage.KOTLIN,
    ".scala": HostLanguage.SCALA,
    ".cs": HostLanguage.CSHARP,
    ".js": HostLanguage.JAVASCRIPT,
    ".mjs": HostLanguage.JAVASCRIPT,
    ".ts": HostLanguage.JAVASCRIPT,
}
_BY_IDENTIFIER: Final = {
    "c": HostLanguage.C,
    "cpp": HostLanguage.CPP,
    "python": HostLanguage.PYTHON,
    "rust": HostLanguage.RUST,
    "d": HostLanguage.D,
    "ruby": HostLanguage.RUBY,
    "haskell": HostLanguage.HASKELL,
    "go": HostLanguage.GO,
    "java": HostLanguage.JAVA,
    "kotlin": HostLanguage.KOTLIN,
    "scala": HostLanguage.SCALA,
    "csharp": HostLanguage.CSHARP,
    # Neovim's file type
    "cs": HostLanguage.CSHARP,
    "javascript": HostLanguage.JAVASCRIPT,
    "typescript": HostLanguage.JAVASCRIPT,
}
STRING_ONLY_LANGUAGES: Final = frozenset(
    (
        HostLanguage.RUST,
        HostLanguage.D,
        HostLanguage.RUBY,
        HostLanguage.HASKELL,
        HostLanguage.GO,
        HostLanguage.JAVA,
        HostLanguage.KOTLIN,
        HostLanguage.SCALA,
        HostLanguage.CSHARP,
        HostLanguage.JAVASCRIPT,
    )
)
"""The languages in which openclsp reads string literals, but neither calls nor names of kernels"""
HOST_ENDINGS: Final = tuple(_BY_ENDING)
"""The file name endings of host code, in lower case"""


def host_language_of_file(path: str) -> HostLanguage | None:
    """Returns the host language of a file, by the ending of its name; None if the ending is not known."""
    return _BY_ENDING.get(os.path.splitext(path)[1].lower())


def host_language_of_identifier(identifier: str, path: str) -> HostLanguage | None:
    """Returns the host language of a document that an editor opens; None if the identifier is not known.

    `identifier` is the `languageId` of LSP's TextDocumentItem. Because editors give some C++ headers the
    identifier `c`, a known file name ending takes precedence over the identifier.
    """
    language = _BY_IDENTIFIER.get(identifier)
    by_ending = host_language_of_file(path)
    return by_ending if language is not None and by_ending is not None else language
