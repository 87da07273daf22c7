"""Measures one server process on one file and checks its answers."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .cases import Case
from .client import Message, Server
from .contenders import Contender
from .edits import Edit, Edited

_ERROR = 1
PAUSE = ": in the pause after"
_PAUSE = 1.0
"""Seconds after which a server has begun what it puts off until a person pauses."""

Sample = tuple[float, float]
"""Wall and CPU time, in milliseconds."""


@dataclass(slots=True)
class Measured:
    """All samples of one server with one file, by action; sizes are in megabytes, the session in CPU seconds."""

    samples: dict[str, list[Sample]] = field(default_factory=dict)
    memory: list[float] = field(default_factory=list)
    memory_after: list[float] = field(default_factory=list)
    sessions: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    """Answers that were not those of the edited text."""

    def add(self, what: str, sample: Sample) -> None:
        """Records a sample."""
        self.samples.setdefault(what, []).append(sample)


def start(contender: Contender, case: Case, workspace: Path, measured: Measured, *, pull: bool) -> None:
    """Measures a process that gets the file immediately after its start, like an editor that is opened with it."""
    path = case.written(workspace)
    server = contender.start(workspace)
    try:
        answered = server.initialize({}, pull)
        measured.add("start to initialize", ((answered - server.started) * 1e3, server.cpu()))
        _open(server, path, case.text)
        at, _ = server.diagnostics(path.as_uri(), 1)
        measured.add("start to first diagnostics", ((at - server.started) * 1e3, server.cpu_after_answer()))
    finally:
        server.stop()


def work(
    contender: Contender, case: Case, workspace: Path, measured: Measured, edits: int, *, pull: bool
) -> None:
    """Measures a process with which the file is opened, queried and edited."""
    path = case.written(workspace)
    server = contender.start(workspace)
    try:
        server.initialize({}, pull)
        server.idle()
        _Session(server, path.as_uri(), Edited.of(case.text), measured).run(case, path, edits)
        measured.sessions.append(server.cpu() / 1e3)
    finally:
        server.stop()


def _open(server: Server, path: Path, text: str) -> None:
    item = {"uri": path.as_uri(), "languageId": "opencl", "version": 1, "text": text}
    server.notify("textDocument/didOpen", textDocument=item)


@dataclass(slots=True)
class _Session:
    server: Server
    uri: str
    document: Edited
    measured: Measured
    opened: int = 0
    """How many errors there were at the opening."""

    def run(self, case: Case, path: Path, edits: int) -> None:
        cpu, begun = self.server.idle(), time.perf_counter()
        _open(self.server, path, case.text)
        at, found = self.server.diagnostics(self.uri, 1)
        self.opened = sum(each["severity"] == _ERROR for each in found)
        self.measured.add("open to diagnostics", ((at - begun) * 1e3, self.server.cpu_after_answer() - cpu))
        self.measured.memory.append(self.server.memory())
        self._questions()
        line = self.document.statement()
        for what, series in self.document.all_series(edits, each_call=case.beside is None):
            for edit in series:
                self._edit(edit, what)
            if what is not None:
                self._pause(what)
        self._after_edits(line, edits)
        self.measured.memory_after.append(self.server.memory())

    def _questions(self) -> None:
        """Sends all requests about a text that has not been edited for a while."""
        for place in _spread(self.document.names(), 30):
            self._ask("hover", "textDocument/hover", position=_position(place))
        for place in _spread(self.document.names(), 10):
            self._ask("completion", "textDocument/completion", position=_position(place))
        for _ in range(5):
            self._ask("document symbols", "textDocument/documentSymbol")
        for _ in range(5):
            self._ask("semantic tokens", "textDocument/semanticTokens/full")

    def _after_edits(self, line: int, edits: int) -> None:
        """Types a character in a body and immediately requests information about the code below it."""
        self._edit(self.document.put_before(line, "\n"), None)
        place, told = self._place_with_hover(line)
        if told:
            for column in range(edits // 2):
                answer = self._dirty(line, column, "hover after an edit", "hover", position=_position(place))
                if answer != told:
                    self.measured.wrong.append(f"hover after an edit: {answer!r}, not {told!r}")
        for column in range(edits // 2, edits):
            position = {"line": line, "character": column + 1}
            self._dirty(line, column, "completion after an edit", "completion", position=position)
        self._deltas(line, edits)
        self._edit(self.document.take_out(line, 1), None)
        self._edit(self.document.put_before(line, "max()\n"), None)
        for column in range(len("max("), len("max(") + edits // 2):
            position = {"line": line, "character": column + 1}
            self._dirty(line, column, "signature help after an edit", "signatureHelp", position=position)
        self._edit(self.document.take_out(line, 1), None)

    def _place_with_hover(self, line: int) -> tuple[tuple[int, int], object]:
        """Returns the position of the first name below the line that has a hover, and the hover."""
        for place in self.document.names():
            if place[0] > line + 1:
                answer = self.server.request(
                    "textDocument/hover", textDocument={"uri": self.uri}, position=_position(place)
                )
                if told := (answer.body["result"] or {}).get("contents"):
                    return place, told
        return (0, 0), None

    def _dirty(self, line: int, column: int, what: str, method: str, **params: Any) -> object:
        if not self._offers(method):
            return None
        change = self.document.replace((line, column), (line, column), "abcdefgh"[column % 8])
        cpu, begun = self.server.idle(), time.perf_counter()
        self._send(change)
        answer = self.server.request(f"textDocument/{method}", textDocument={"uri": self.uri}, **params)
        self.measured.add(what, ((answer.at - begun) * 1e3, self.server.cpu_after_answer() - cpu))
        result = answer.body["result"]
        return (result or {}).get("contents") if method == "hover" else None

    def _deltas(self, line: int, edits: int) -> None:
        """Requests token deltas after edits; applied to the earlier tokens, they must give those of the whole text."""
        provider = self.server.capabilities.get("semanticTokensProvider") or {}
        if not isinstance(provider.get("full"), dict) or not provider["full"].get("delta"):
            return
        document = {"uri": self.uri}
        known = self.server.request("textDocument/semanticTokens/full", textDocument=document).body["result"]
        data = known["data"]
        for column in range(edits, edits + edits // 2):
            change = self.document.replace((line, column), (line, column), "abcdefgh"[column % 8])
            cpu, begun = self.server.idle(), time.perf_counter()
            self._send(change)
            answer = self.server.request(
                "textDocument/semanticTokens/full/delta",
                textDocument=document,
                previousResultId=known["resultId"],
            )
            self.measured.add(
                "semantic tokens, delta", ((answer.at - begun) * 1e3, self.server.cpu_after_answer() - cpu)
            )
            known = answer.body["result"]
            data = known["data"] if "data" in known else _changed(data, known["edits"])
        whole = self.server.request("textDocument/semanticTokens/full", textDocument=document)
        if whole.body["result"]["data"] != data:
            self.measured.wrong.append("semantic tokens: the deltas do not add up to the whole")

    def _ask(self, what: str, method: str, **params: Any) -> None:
        if self._offers(method.removeprefix("textDocument/").partition("/")[0]):
            cpu, begun = self.server.idle(0.01), time.perf_counter()
            answer: Message = self.server.request(method, textDocument={"uri": self.uri}, **params)
            self.measured.add(what, ((answer.at - begun) * 1e3, self.server.cpu() - cpu))

    def _offers(self, what: str) -> bool:
        return bool(self.server.capabilities.get(f"{what}Provider"))

    def _pause(self, what: str) -> None:
        """Measures the server during the pause after a series of edits."""
        cpu = self.server.idle()
        time.sleep(_PAUSE)
        if what in self.measured.samples:
            self.measured.add(f"{what}{PAUSE}", (0.0, self.server.idle() - cpu))

    def _edit(self, edit: Edit, what: str | None) -> None:
        """Sends an edit and waits for its diagnostics.

        CPU time is measured until the server is idle again, so that deferred work is included.
        """
        cpu, begun = self.server.idle(), time.perf_counter()
        self._send(edit)
        at, found = self.server.diagnostics(self.uri, self.document.version)
        if what is not None:
            self.measured.add(what, ((at - begun) * 1e3, self.server.cpu_after_answer() - cpu))
        if edit.errors is not None:
            wanted = edit.errors
            count = sum(
                each["severity"] == _ERROR
                and (wanted.line is None or each["range"]["start"]["line"] == wanted.line)
                for each in found
            )
            count -= self.opened if wanted.line is None else 0
            if not wanted.least <= count <= wanted.most:
                self.measured.wrong.append(
                    f"{what or 'undone'}: {count} errors, not {wanted.least} to {wanted.most}"
                )

    def _send(self, edit: Edit) -> None:
        kind = self.server.capabilities.get("textDocumentSync")
        incremental = (kind.get("change") if isinstance(kind, dict) else kind) == 2
        change = edit.change if incremental else {"text": "\n".join(self.document.lines)}
        document = {"uri": self.uri, "version": self.document.version}
        self.server.notify("textDocument/didChange", textDocument=document, contentChanges=[change])


def _spread(places: list[tuple[int, int]], number: int) -> list[tuple[int, int]]:
    """Returns this number of the places, evenly distributed."""
    return [places[int((index + 0.5) * len(places) / number)] for index in range(number)] if places else []


def _position(place: tuple[int, int]) -> dict[str, int]:
    return {"line": place[0], "character": place[1]}


def _changed(data: list[int], edits: list[dict[str, Any]]) -> list[int]:
    """Applies the edits of a delta to token data; all edits refer to the original data (LSP 3.16)."""
    result = list(data)
    for edit in sorted(edits, key=lambda each: each["start"], reverse=True):
        result[edit["start"] : edit["start"] + edit["deleteCount"]] = edit.get("data") or []
    return result
