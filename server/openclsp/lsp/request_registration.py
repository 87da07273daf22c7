"""Registers request handlers. A crash in a handler is logged and answered with an error."""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from pygls.exceptions import JsonRpcException, JsonRpcInternalError

from openclsp.host_code.host_language import host_language_of_identifier
from openclsp.host_code.host_words import may_name_kernel
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.session.feature_groups import GROUP_OF_METHOD

T = TypeVar("T")
P = TypeVar("P")

_ABOUT_KERNELS = frozenset(
    f"textDocument/{request}"
    for request in (
        "definition",
        "declaration",
        "implementation",
        "references",
        "hover",
        "prepareRename",
        "rename",
    )
)
"""The requests that are answered at names of kernels in host code."""

Handler = Callable[[OpenclServer, P], Coroutine[Any, Any, T]]


def register_request(
    server: OpenclServer, method: str, options: object = None
) -> Callable[[Handler[P, T]], Handler[P, T]]:
    """Decorator that registers a request handler. A crash in it is logged, and answered with an error."""

    def register(handler: Handler[P, T]) -> Handler[P, T]:
        @functools.wraps(handler)
        async def guarded(ls: OpenclServer, params: P) -> T:
            if _is_left_to_other_server(ls, method, params):
                # Only requests that may be answered by null are in a group.
                return None  # type: ignore[return-value]
            try:
                if method in _ABOUT_KERNELS and _is_in_host_code(ls, params):
                    from openclsp.lsp.host_mentions import answer_about_mention

                    found = await answer_about_mention(ls, method, params, lambda own: handler(ls, own))
                    if found is not None:
                        return found  # type: ignore[no-any-return]
                if ls.hosts:
                    from openclsp.lsp.host_requests import answer_through_programs

                    answered = await answer_through_programs(ls, method, params, lambda own: handler(ls, own))
                    return answered  # type: ignore[no-any-return]
                return await handler(ls, params)
            except JsonRpcException:
                raise
            except Exception as error:
                ls.log_crash(f"{method} {params}", error)
                raise JsonRpcInternalError(f"{type(error).__name__}: {error}") from error

        server.feature(method)(guarded)
        if options is not None:
            # `feature` is called without the options, because pygls would serialise them at each start to
            # validate their type.
            server.protocol.fm.feature_options[method] = options
        return handler

    return register


def _is_left_to_other_server(ls: OpenclServer, method: str, params: object) -> bool:
    """Whether the settings leave a request about a document to another language server."""
    group = GROUP_OF_METHOD.get(method)
    identifier = getattr(params, "text_document", None)
    document = None if group is None else ls.open_documents.get_by_uri(getattr(identifier, "uri", ""))
    if document is None:
        return False
    settings = ls.snapshot.settings_of(ls.snapshot.folder_of(document.name))
    if not settings.leave_to_other_server or group not in settings.leave_to_other_server:
        return False
    return settings.other_server_in == "all" or document.is_called_c


def _is_in_host_code(ls: OpenclServer, params: object) -> bool:
    """Whether a request is about a document in a host language, which may name a kernel."""
    identifier = getattr(params, "text_document", None)
    document = ls.open_documents.get_by_uri(getattr(identifier, "uri", ""))
    if document is None or host_language_of_identifier(document.language.lower(), document.name) is None:
        return False
    settings = ls.snapshot.settings_of(ls.snapshot.folder_of(document.name))
    return settings.host_code is not False and may_name_kernel(document.text.data)
