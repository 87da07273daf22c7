"""A language server process, the least that a client needs of it, and what it costs."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")

OPENCLSP = (sys.executable, "-m", "openclsp", "server")


class Server:
    """A server process, openclsp's own unless the command of another is given."""

    def __init__(self, command: Sequence[str] = OPENCLSP) -> None:
        # clangd tells its whole life on standard error
        errors = None if command is OPENCLSP else subprocess.DEVNULL
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors)
        self.capabilities: dict[str, Any] = {}
        """What the server said that it can do."""
        self._identifier = 0

    def initialize(self, options: dict[str, Any]) -> None:
        """The first request, with the server's own options, and what follows it."""
        hover = {"contentFormat": ["markdown"]}
        diagnostics = {"versionSupport": True, "relatedInformation": True}
        answer = self.request(
            "initialize",
            processId=None,
            rootUri=None,
            capabilities={"textDocument": {"hover": hover, "publishDiagnostics": diagnostics}},
            initializationOptions=options,
        )
        self.capabilities = answer["capabilities"]
        self.notify("initialized")

    def notify(self, method: str, **params: Any) -> None:
        """Sends a notification."""
        self._send({"method": method, "params": params})

    def request(self, method: str, **params: Any) -> Any:
        """Sends a request and waits for its answer."""
        self._identifier += 1
        self._send({"id": self._identifier, "method": method, "params": params})
        return next(
            each for each in self._messages() if each.get("id") == self._identifier and "method" not in each
        )["result"]

    def open(self, uri: str, text: str, version: int = 1) -> list[Any]:
        """Opens a document and waits for its diagnostics."""
        item = {"uri": uri, "languageId": "opencl", "version": version, "text": text}
        self.notify("textDocument/didOpen", textDocument=item)
        return self.diagnostics(uri, version)

    def change(self, uri: str, version: int, change: dict[str, Any]) -> None:
        """Sends one change of an open document."""
        document = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", textDocument=document, contentChanges=[change])

    def close(self, uri: str) -> None:
        """Closes a document."""
        self.notify("textDocument/didClose", textDocument={"uri": uri})

    def diagnostics(self, uri: str, version: int) -> list[Any]:
        """Waits for the diagnostics of that version."""
        for message in self._messages():
            params = message.get("params") or {}
            if (
                message.get("method") == "textDocument/publishDiagnostics"
                and params["uri"] == uri
                and params.get("version") == version
            ):
                return list(params["diagnostics"])
        raise EOFError("the server ended")

    def timed(self, action: Callable[[], T]) -> tuple[T, tuple[float, float]]:
        """What an action gives, and its wall time and the server's CPU time in milliseconds."""
        cpu, wall = self.cpu(), time.perf_counter()
        result = action()
        return result, ((time.perf_counter() - wall) * 1e3, self.cpu() - cpu)

    def settled(self, action: Callable[[], T]) -> tuple[T, tuple[float, float]]:
        """As `timed`, but begun when the server is idle, and with the CPU time that it takes until it is idle again: work
        that it puts off counts."""
        cpu = self.idle()
        wall = time.perf_counter()
        result = action()
        taken = (time.perf_counter() - wall) * 1e3
        return result, (taken, self.idle() - cpu)

    def idle(self, quiet: float = 0.03, limit: float = 20.0) -> float:
        """Waits until the CPU clock stands still over `quiet` seconds, twice; what it then shows, in milliseconds."""
        now, end, still = self.cpu(), time.perf_counter() + limit, 0
        while still < 2 and time.perf_counter() < end:
            time.sleep(quiet)
            before, now = now, self.cpu()
            still = still + 1 if now - before < quiet * 30 + 0.5 else 0
        return now

    def stop(self) -> None:
        """Ends the server."""
        self.request("shutdown")
        self.notify("exit")
        self.process.wait()

    def cpu(self) -> float:
        """The CPU time of all its threads so far, in milliseconds; 0 where the system does not tell."""
        clock = (~self.process.pid << 3) | 2
        try:
            return time.clock_gettime(clock) * 1e3
        except OSError:
            return 0.0

    def memory(self) -> float:
        """Its share of the machine's memory (PSS) in megabytes; 0 where the system does not tell."""
        try:
            lines = Path(f"/proc/{self.process.pid}/smaps_rollup").read_text().splitlines()
        except OSError:
            return 0.0
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:"))

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def _messages(self) -> Iterator[dict[str, Any]]:
        stream = self.process.stdout
        assert stream is not None
        while True:
            length = 0
            while (line := stream.readline()).strip():
                name, _, value = line.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
            if not length:
                return
            yield json.loads(stream.read(length))
