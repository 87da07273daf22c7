"""Names of documents: an absolute path for a `file:` URI, the URI itself for every other scheme."""

from __future__ import annotations

import os
from functools import lru_cache

_SPECIAL = frozenset("%?#")
"""What has a meaning of its own in a URI."""


@lru_cache(256)
def name_of(uri: str) -> str:
    """The document's name: its absolute path, or the URI where no file is meant (`untitled:Untitled-1`).

    However a client spells the URI of a file (`%25`, `%2B` or `+`), the name is the same. Bytes that are not UTF-8
    come back as the file system has them.
    """
    if uri.startswith("file:///") and os.name != "nt" and uri.isprintable() and _SPECIAL.isdisjoint(uri):
        return os.path.normpath(uri.removeprefix("file://"))
    # takes as long to load as most names to take apart
    from urllib.parse import unquote, urlsplit

    parts = urlsplit(uri)
    if parts.scheme != "file":
        return uri
    if os.name == "nt":
        # costs a tenth of the server's start
        from urllib.request import url2pathname

        return url2pathname(f"//{parts.netloc}{parts.path}" if parts.netloc else parts.path)
    return os.path.normpath(unquote(parts.path, errors="surrogateescape"))


def uri_of(name: str) -> str:
    """The URI of a document that no client has named yet."""
    from pathlib import Path

    return Path(name).as_uri() if os.path.isabs(name) else name


def is_file(name: str) -> bool:
    """Whether the name is a path."""
    return os.path.isabs(name)
