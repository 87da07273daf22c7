"""Runs a language server process with a minimal client and measures its cost.

Wall times end when the last byte of an answer has been read. CPU times are those of the server's whole process tree
(Linux only; 0 elsewhere).
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

PATIENCE = 120.0
"""Seconds that a server has for one answer."""

TOKEN_TYPES = [
    "namespace",
    "type",
    "class",
    "enum",
    "interface",
    "struct",
    "typeParameter",
    "parameter",
    "variable",
    "property",
    "enumMember",
    "event",
    "function",
    "method",
    "macro",
    "keyword",
    "modifier",
    "comment",
    "string",
    "number",
    "regexp",
    "operator",
]


@dataclass(frozen=True, slots=True)
class Message:
    """A message from the server, and the time at which its last byte was read (`time.perf_counter`)."""

    at: float
    body: dict[str, Any]


class Server:
    """A server process with the workspace `folder`."""

    slower = 1
    """How many times as long as usual the process may take; all limits of time are multiplied by it."""

    def __init__(
        self, command: Sequence[str], folder: Path, variables: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        self.folder = folder
        self.started = time.perf_counter()
        # without byte code on disk, a server in Python would compile itself at each start
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        environment.update(variables)
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.capabilities: dict[str, Any] = {}
        """What the server said that it can do."""
        self._identifier = 0
        self._messages: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def pulled(self) -> bool:
        """Whether diagnostics are pulled; otherwise the server pushes them."""
        return bool(self.capabilities.get("diagnosticProvider"))

    def initialize(self, options: dict[str, Any], pull: bool, further: dict[str, Any] | None = None) -> float:
        """Sends `initialize` with the server's own options; returns the time of the answer.

        `pull`: the client offers to pull diagnostics. `further` are capabilities for text documents.
        """
        text_document: dict[str, Any] = {
            "publishDiagnostics": {"versionSupport": True, "relatedInformation": True},
            "hover": {"contentFormat": ["markdown", "plaintext"]},
            "completion": {"completionItem": {"snippetSupport": True}, "contextSupport": True},
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
            "semanticTokens": {
                "requests": {"full": {"delta": True}, "range": True},
                "formats": ["relative"],
                "tokenTypes": TOKEN_TYPES,
                "tokenModifiers": [],
            },
        }
        text_document.update(further or {})
        workspace: dict[str, Any] = {"workspaceFolders": True}
        if pull:
            text_document["diagnostic"] = {"dynamicRegistration": False}
            # A server may push to a client that it cannot ask to pull again.
            workspace["diagnostics"] = {"refreshSupport": True}
        uri = self.folder.as_uri()
        answer = self.request(
            "initialize",
            processId=os.getpid(),
            rootUri=uri,
            workspaceFolders=[{"uri": uri, "name": "benchmark"}],
            capabilities={
                "general": {"positionEncodings": ["utf-16"]},
                "workspace": workspace,
                "textDocument": text_document,
            },
            initializationOptions=options,
        )
        self.capabilities = answer.body["result"]["capabilities"]
        self.notify("initialized")
        return answer.at

    def notify(self, method: str, **params: Any) -> None:
        """Sends a notification."""
        self.send({"method": method, "params": params})

    def request(self, method: str, **params: Any) -> Message:
        """Sends a request and waits for its answer. Raises RuntimeError if that is an error."""
        self._identifier += 1
        self.send({"id": self._identifier, "method": method, "params": params})
        while True:
            message = self._next(method)
            if message.body.get("id") == self._identifier and "method" not in message.body:
                if "error" in message.body:
                    raise RuntimeError(f"{method}: {message.body['error']}")
                return message

    def diagnostics(self, uri: str, version: int) -> tuple[float, list[dict[str, Any]]]:
        """Waits for the diagnostics of this version of a document; returns them with their arrival time.

        Pushed diagnostics name their version (LSP 3.15, `PublishDiagnosticsParams.version`); those without a version
        are rejected. Pulled ones are for the version that the server had read before the request.
        """
        if self.pulled:
            answer = self.request("textDocument/diagnostic", textDocument={"uri": uri})
            return answer.at, answer.body["result"]["items"]
        while True:
            message = self._next("publishDiagnostics")
            params = message.body.get("params") or {}
            if message.body.get("method") == "textDocument/publishDiagnostics" and params["uri"] == uri:
                if "version" not in params:
                    raise RuntimeError("the server does not say to which version its diagnostics belong")
                if params["version"] == version:
                    return message.at, params["diagnostics"]

    def idle(self, quiet: float = 0.03, limit: float = 30.0) -> float:
        """Waits until the CPU time does not grow for `quiet` seconds, twice; returns `cpu()`."""
        now, end, still = self._milliseconds(), time.perf_counter() + limit * self.slower, 0
        while still < 2 and time.perf_counter() < end:
            time.sleep(quiet)
            before, now = now, self._milliseconds()
            still = still + 1 if now - before < quiet * 30 + 0.5 else 0
        return self.cpu()

    def cpu_after_answer(self) -> float:
        """Returns `cpu()` once the work that follows an answer is done."""
        return self.idle()

    def stop(self) -> None:
        """Ends the server; kills it if it does not exit."""
        try:
            self.request("shutdown")
            self.notify("exit")
            self.process.wait(10 * self.slower)
        except (OSError, RuntimeError, EOFError, TimeoutError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()

    def cpu(self) -> float:
        """Returns the CPU time of all its processes and threads so far, in milliseconds; 0 if the system cannot measure it."""
        return self._milliseconds()

    def _milliseconds(self) -> float:
        seconds = 0.0
        for process in self._tree():
            try:
                seconds += time.clock_gettime((~process << 3) | 2)
                fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            # children that have ended and were waited for
            seconds += (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")
        return seconds * 1e3

    def memory(self) -> float:
        """Returns its proportional share of memory (PSS) in megabytes; 0 if the system cannot measure it."""
        kilobytes = 0
        for process in self._tree():
            try:
                lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
            except OSError:
                continue
            kilobytes += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
        return kilobytes / 1024

    def _tree(self) -> list[int]:
        found, waiting = [], [self.process.pid]
        while waiting:
            process = waiting.pop()
            found.append(process)
            for children in Path(f"/proc/{process}/task").glob("*/children"):
                try:
                    waiting += map(int, children.read_text().split())
                except OSError:
                    continue
        return found

    def send(self, message: dict[str, Any]) -> None:
        """Sends a message; `message` lacks the version of JSON-RPC."""
        assert self.process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def next_within(self, seconds: float) -> Message | None:
        """Returns the next message, also a request from the server, which is answered; None if none arrives in this time."""
        try:
            message = self._messages.get(timeout=seconds)
        except queue.Empty:
            return None
        if message is None:
            raise EOFError("the server ended")
        self._answers(message)
        return message

    def _answers(self, message: Message) -> bool:
        """Gives a request from the server an empty answer; returns whether the message was one."""
        if "method" not in message.body or "id" not in message.body:
            return False
        items = (message.body.get("params") or {}).get("items")
        self.send({"id": message.body["id"], "result": items and [None] * len(items)})
        return True

    def _next(self, wanted: str) -> Message:
        """Returns the next message that is not a request from the server; such requests get an empty answer."""
        while True:
            try:
                message = self._messages.get(timeout=PATIENCE * self.slower)
            except queue.Empty:
                raise TimeoutError(f"no {wanted} within {PATIENCE * self.slower:.0f} s") from None
            if message is None:
                raise EOFError("the server ended")
            if not self._answers(message):
                return message

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while True:
            length = 0
            while (line := stream.readline()).strip():
                name, _, value = line.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
            if not length:
                self._messages.put(None)
                return
            body = stream.read(length)
            at = time.perf_counter()
            self._messages.put(Message(at, json.loads(body)))
