"""Ends the server when the client's process has ended (LSP 3.17, "initialize", `processId`).

A client that is killed sends no `exit`, and another process may keep the client's end of the pipe open. The
server must end within a second, and loading the server takes most of a second. The client's process is
therefore watched from the first message on.
"""

from __future__ import annotations

import os
import sys
import threading
import time

from openclsp.lsp.transport.message_decoding import decode_message

POLL_SECONDS = 0.5
"""Polling interval in seconds, on systems that cannot wait for another process."""


def exit_with_client(introduction: bytes | None) -> None:
    """Starts a thread that ends this process when the client's process ends: see `exit_with_process`.

    `introduction` is the client's first message. If it names no process, no thread is started.
    """
    try:
        process = decode_message(introduction or b"null")["params"]["processId"]
    except (ValueError, TypeError, KeyError):
        return
    if isinstance(process, int) and not isinstance(process, bool):
        exit_with_process(process)


def exit_with_process(process: int) -> None:
    """Starts a thread that ends this process with exit status 1 when the process with the id `process` ends.

    If there is no such process, this process ends at once.
    """
    threading.Thread(target=_wait_and_end, args=(process,), name="openclsp client", daemon=True).start()


def _wait_and_end(process: int) -> None:
    try:
        _wait(process)
    except ProcessLookupError:
        pass
    except (OSError, OverflowError, ValueError) as error:
        print(f"openclsp: cannot watch the client's process {process}: {error}", file=sys.stderr)
        return
    print(f"openclsp: the client's process {process} ended; the server exits", file=sys.stderr, flush=True)
    # `os._exit`, because the main thread may be busy with an analysis or blocked in a read.
    os._exit(1)


def _wait(process: int) -> None:
    """Returns when the process ends. Raises ProcessLookupError if it ended before the call."""
    if process <= 0:
        raise ProcessLookupError
    if sys.platform == "win32":
        _wait_on_windows(process)
    elif hasattr(os, "pidfd_open"):
        _wait_on_linux(process)
    else:
        while _is_running(process):
            time.sleep(POLL_SECONDS)


def _wait_on_linux(process: int) -> None:
    # Unlike `kill(pid, 0)`, a pidfd detects a process that has ended but was not reaped, and still refers to
    # the same process if its id is reused.
    import select

    try:
        descriptor = os.pidfd_open(process)  # type: ignore[attr-defined, unused-ignore]
    except PermissionError:
        # A sandbox may forbid the system call.
        while _is_running(process):
            time.sleep(POLL_SECONDS)
        return
    try:
        ended = select.poll()
        ended.register(descriptor, select.POLLIN)
        ended.poll()
    finally:
        os.close(descriptor)


def _wait_on_windows(process: int) -> None:
    import ctypes

    kernel = ctypes.WinDLL("kernel32", use_last_error=True)  # type: ignore[attr-defined, unused-ignore]
    kernel.OpenProcess.restype = ctypes.c_void_p
    handle = kernel.OpenProcess(_SYNCHRONIZE, False, process)
    if not handle:
        if ctypes.get_last_error() == _ERROR_INVALID_PARAMETER:  # type: ignore[attr-defined, unused-ignore]
            raise ProcessLookupError
        raise OSError("OpenProcess failed")
    kernel.WaitForSingleObject(ctypes.c_void_p(handle), _INFINITE)


_SYNCHRONIZE = 0x00100000
_ERROR_INVALID_PARAMETER = 87
_INFINITE = 0xFFFFFFFF


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        # The process exists and belongs to another user.
        return True
    return True
