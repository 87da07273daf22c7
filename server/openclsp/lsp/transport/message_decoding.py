"""Decodes message bodies from JSON.

This module imports only `json`, because the first message is decoded before the rest of the server is
imported.
"""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn


def _reject_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_reject_constant)
"""Python's default decoder also accepts NaN and Infinity, which would then be written into answers."""


def decode_message(body: bytes) -> Any:
    """Decodes a message body.

    Raises ValueError if it is not JSON in UTF-8 (LSP 3.17, "Base Protocol"), or is nested too deeply.
    """
    try:
        return _DECODER.decode(body.decode())
    except RecursionError:
        raise ValueError("nested too deeply") from None
