"""Ends the server when the client's process has ended (LSP 3.17, "initialize", `processId`).

A client that is killed sends no `exit`, and its end of a pipe may be held open by another process.
"""

from __future__ import annotations

import os
import sys
import threading
import time

POLL_SECONDS = 0.5
"""Between two looks at the process, where the system cannot wait for it."""


def end_with(process: int) -> None:
    """Ends this process, with exit status 1, as soon as that one has ended, and at once if it never lived."""
    threading.Thread(target=_wait_and_end, args=(process,), name="openclsp client", daemon=True).start()


def _wait_and_end(process: int) -> None:
    try:
        _wait(process)
    except ProcessLookupError:
        pass
    except (OSError, OverflowError, ValueError) as error:
        print(f"openclsp: the client's process {process} cannot be watched: {error}", file=sys.stderr)
        return
    print(f"openclsp: the client's process {process} has ended, the server ends", file=sys.stderr, flush=True)
    # The main thread may be busy with an analysis, or wait for bytes that never come.
    os._exit(1)


def _wait(process: int) -> None:
    """Returns when the process has ended. Raises ProcessLookupError where it has before."""
    if process <= 0:
        raise ProcessLookupError
    if sys.platform == "win32":
        _wait_on_windows(process)
    elif hasattr(os, "pidfd_open"):
        _wait_on_linux(process)
    else:
        while _lives(process):
            time.sleep(POLL_SECONDS)


def _wait_on_linux(process: int) -> None:
    # Unlike a signal to its number, a descriptor tells a process that has ended but was not reaped, and means the same
    # process when the number is used again.
    import select

    try:
        descriptor = os.pidfd_open(process)  # type: ignore[attr-defined, unused-ignore]
    except PermissionError:
        # a sandbox that does not know the call
        while _lives(process):
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


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        # it belongs to somebody else, and lives
        return True
    return True
