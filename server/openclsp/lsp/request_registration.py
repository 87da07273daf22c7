"""Registration of request handlers whose crashes are logged and answered with an error."""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from pygls.exceptions import JsonRpcException, JsonRpcInternalError

from openclsp.lsp.language_server import OpenclServer

T = TypeVar("T")
P = TypeVar("P")

Handler = Callable[[OpenclServer, P], Coroutine[Any, Any, T]]


def register_request(
    server: OpenclServer, method: str, options: object = None
) -> Callable[[Handler[P, T]], Handler[P, T]]:
    """Decorator that registers a request handler. A crash in it is logged, and answered with an error."""

    def register(handler: Handler[P, T]) -> Handler[P, T]:
        @functools.wraps(handler)
        async def guarded(ls: OpenclServer, params: P) -> T:
            try:
                return await handler(ls, params)
            except JsonRpcException:
                raise
            except Exception as error:
                ls.log_crash(f"{method} {params}", error)
                raise JsonRpcInternalError(f"{type(error).__name__}: {error}") from error

        server.feature(method)(guarded)
        if options is not None:
            # If passed to `feature`, pygls would serialise them to validate their type, at each start.
            server.protocol.fm.feature_options[method] = options
        return handler

    return register
