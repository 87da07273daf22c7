"""The pages that the codes of diagnostics link to."""

from __future__ import annotations

from functools import lru_cache

from openclsp.lsp.uris import document_uri
from openclsp.rules.runner.page import page_codes, page_path


@lru_cache(maxsize=1)
def _codes() -> frozenset[str]:
    return frozenset(page_codes())


@lru_cache(maxsize=256)
def page_uri(code: str) -> str:
    """The URI of the page about a code, a Markdown file of the installed package; empty if there is none."""
    return document_uri(page_path(code)) if code in _codes() else ""
