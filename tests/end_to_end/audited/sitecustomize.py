"""Logs what this Python process opens, lists, starts and connects to. Python imports it at start, through PYTHONPATH."""

import os
import sys

_FILES = ("open", "os.listdir", "os.scandir", "ctypes.dlopen")
_OTHERS = ("subprocess.Popen", "os.exec", "os.posix_spawn", "os.system", "os.fork", "os.spawn", "pty.spawn")
_SOCKETS = ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname", "urllib.Request")
_LOG = os.open(os.environ["OPENCLSP_AUDIT"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)


def _note(event: str, arguments: tuple[object, ...]) -> None:
    if event in _FILES:
        path = arguments[0]
        if isinstance(path, str | bytes | os.PathLike):
            line = f"{event} {os.path.abspath(os.fsdecode(path))}\n"
            os.write(_LOG, line.encode("utf-8", "surrogateescape"))
    elif event in _OTHERS or event in _SOCKETS:
        os.write(_LOG, f"{event} {arguments!r}\n".encode("utf-8", "backslashreplace"))


sys.addaudithook(_note)
