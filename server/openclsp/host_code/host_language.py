"""The host languages whose files are searched for kernels, by file name ending and by language identifier."""

from __future__ import annotations

import os.path
from enum import Enum
from typing import Final


class HostLanguage(Enum):
    """A language with a grammar of its own. The value is its name in a message."""

    C = "C"
    CPP = "C++"
    PYTHON = "Python"
    NOTEBOOK = "a notebook"
    """A Jupyter notebook: JSON whose code cells hold Python"""


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
}
_BY_IDENTIFIER: Final = {
    "c": HostLanguage.C,
    "cpp": HostLanguage.CPP,
    "python": HostLanguage.PYTHON,
}
HOST_ENDINGS: Final = tuple(_BY_ENDING)
"""The file name endings of host code, in lower case"""


def host_language_of_file(path: str) -> HostLanguage | None:
    """Returns the host language that the ending of a file's name stands for."""
    return _BY_ENDING.get(os.path.splitext(path)[1].lower())


def host_language_of_identifier(identifier: str, path: str) -> HostLanguage | None:
    """Returns the host language of a document that an editor opens.

    `identifier` is that of LSP's TextDocumentItem. Editors call some C++ headers C, so the ending decides
    between the two.
    """
    language = _BY_IDENTIFIER.get(identifier)
    by_ending = host_language_of_file(path)
    return by_ending if language is not None and by_ending is not None else language
