"""The settings that were asked for before the server was loaded: see `first_look`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from pygls.exceptions import JsonRpcException


class FirstValues:
    """The client's answer, once. `asked` is whether it is still to be waited for."""

    def __init__(self) -> None:
        self.asked = False
        self._answer: Mapping[str, Any] = {}
        self._came = asyncio.Event()

    def tell(self, answer: Mapping[str, Any]) -> None:
        """The answer has come."""
        self._answer = answer
        self._came.set()

    async def told(self) -> Sequence[object]:
        """The values; whoever asks later has to ask the client again. Raises JsonRpcException where it told none."""
        self.asked = False
        await self._came.wait()
        values, error = self._answer.get("result"), self._answer.get("error")
        if isinstance(error, Mapping):
            raise JsonRpcException(str(error.get("message", "")))
        return values if isinstance(values, list) else ()
