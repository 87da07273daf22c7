"""The bodies of messages as values. Imports only what reads JSON: the first message is read before anything else is loaded."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)
"""Python's own also takes NaN and Infinity, and would write them into an answer."""


def message_of(body: bytes) -> Any:
    """The message that a body holds. Raises ValueError where it is not JSON in UTF-8 (LSP 3.17, "Base Protocol"), or is nested
    too deeply."""
    try:
        return _DECODER.decode(body.decode())
    except RecursionError:
        raise ValueError("nested too deeply") from None
