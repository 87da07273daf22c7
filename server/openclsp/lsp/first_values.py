"""The client's settings that were requested before the server was loaded: see `first_look`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from pygls.exceptions import JsonRpcException


class FirstValues:
    """Holds the client's response to the early settings request.

    `asked`: whether the response is outstanding.
    """

    def __init__(self) -> None:
        self.asked = False
        self._answer: Mapping[str, Any] = {}
        self._came = asyncio.Event()

    def tell(self, answer: Mapping[str, Any]) -> None:
        """Stores the response and wakes the waiting task."""
        self._answer = answer
        self._came.set()

    async def told(self) -> Sequence[object]:
        """Waits for the settings.

        Later callers must request them again. Raises JsonRpcException for an error response.
        """
        self.asked = False
        await self._came.wait()
        values, error = self._answer.get("result"), self._answer.get("error")
        if isinstance(error, Mapping):
            raise JsonRpcException(str(error.get("message", "")))
        return values if isinstance(values, list) else ()
