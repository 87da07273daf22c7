"""The client's settings that were requested before the server was imported: see `prestart`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from pygls.exceptions import JsonRpcException


class EarlySettings:
    """The client's response to the early settings request.

    `is_pending`: whether the settings were requested early and no caller has waited for the response yet.
    """

    def __init__(self) -> None:
        self.is_pending = False
        self._response: Mapping[str, Any] = {}
        self._received = asyncio.Event()

    def set_response(self, response: Mapping[str, Any]) -> None:
        """Stores the response and wakes the waiting task."""
        self._response = response
        self._received.set()

    async def wait(self) -> Sequence[object]:
        """Waits for the settings and returns them.

        The response serves only one caller: later callers must request the settings again. Raises
        JsonRpcException for an error response.
        """
        self.is_pending = False
        await self._received.wait()
        values, error = self._response.get("result"), self._response.get("error")
        if isinstance(error, Mapping):
            raise JsonRpcException(str(error.get("message", "")))
        return values if isinstance(values, list) else ()
