"""Document names: the absolute path for a `file:` URI, the URI itself for any other scheme."""

from __future__ import annotations

import os
from functools import lru_cache

_SPECIAL_CHARACTERS = frozenset("%?#")
"""Characters with a special meaning in a URI."""


@lru_cache(256)
def document_name(uri: str) -> str:
    """Returns the document's name: its absolute path, or the URI itself for any scheme except `file:`.

    All spellings of a file's URI (`%2B` or `+`) give the same name. Percent-encoded bytes that are not UTF-8
    become surrogates, as in Python's file names.
    """
    if (
        uri.startswith("file:///")
        and os.name != "nt"
        and uri.isprintable()
        and _SPECIAL_CHARACTERS.isdisjoint(uri)
    ):
        return os.path.normpath(uri.removeprefix("file://"))
    # Imported only when needed: the import takes as long as parsing most names.
    from urllib.parse import unquote, urlsplit

    parts = urlsplit(uri)
    if parts.scheme != "file":
        return uri
    if os.name == "nt":
        # Imported only when needed: the import takes a tenth of the server's start-up time.
        from urllib.request import url2pathname

        return url2pathname(f"//{parts.netloc}{parts.path}" if parts.netloc else parts.path)
    return os.path.normpath(unquote(parts.path, errors="surrogateescape"))


def document_uri(name: str) -> str:
    """Returns the URI for a document name, for documents that the client has not opened."""
    from pathlib import Path

    return Path(name).as_uri() if os.path.isabs(name) else name


def is_file_name(name: str) -> bool:
    """Whether the name is a path."""
    return os.path.isabs(name)


def split_uri(uri: str) -> tuple[str, str, str]:
    """Returns the scheme, the decoded path and the decoded query of a URI."""
    from urllib.parse import unquote, urlsplit

    parts = urlsplit(uri)
    return parts.scheme, unquote(parts.path), unquote(parts.query)


def quote_uri_part(text: str) -> str:
    """Quotes a text for use as a path segment or as the query of a URI."""
    from urllib.parse import quote

    return quote(text, safe="")
