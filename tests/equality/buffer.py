"""A document as an editor holds it, and all answers of a server about it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final

from .talk import GIVEN_UP, Talk

_LINE_END: Final = re.compile(r"\r\n?|\n")


@dataclass(slots=True)
class Buffer:
    """An open document: its text, and the semantic tokens that its client holds."""

    talk: Talk
    uri: str
    text: str
    version: int = 1
    tokens: list[int] = field(default_factory=list)
    tokens_id: str | None = None

    def __post_init__(self) -> None:
        self.open()

    def open(self) -> None:
        """Opens the document with its text."""
        item = {"uri": self.uri, "languageId": "opencl", "version": self.version, "text": self.text}
        self.talk.notify("textDocument/didOpen", textDocument=item)

    def close(self) -> None:
        """Closes the document; the server forgets it, the client its tokens."""
        self.talk.notify("textDocument/didClose", textDocument={"uri": self.uri})
        self.tokens_id = None

    def replace(self, start: int, end: int, new: str) -> None:
        """Replaces characters; \\r\\n is sent as a whole, since no position is between the two."""
        if self.text[max(start - 1, 0) : start + 1] == "\r\n":
            start, new = start - 1, "\r" + new
        if self.text[max(end - 1, 0) : end + 1] == "\r\n":
            end, new = end + 1, new + "\n"
        places = {"start": self.position(start), "end": self.position(end)}
        self.text = self.text[:start] + new + self.text[end:]
        self.version += 1
        self.talk.notify(
            "textDocument/didChange",
            textDocument={"uri": self.uri, "version": self.version},
            contentChanges=[{"range": places, "text": new}],
        )

    def position(self, at: int) -> dict[str, int]:
        """The position of a character; columns count UTF-16 units (LSP 3.17, "Position")."""
        ends = [end.end() for end in _LINE_END.finditer(self.text, 0, at)]
        line_start = ends[-1] if ends else 0
        before = self.text[line_start:at]
        units = len(before) if before.isascii() else len(before.encode("utf-16-le")) // 2
        return {"line": len(ends), "character": units}

    def ask(self, what: str, **params: Any) -> Any:
        """Returns the result of a request about the document; repeats the request if the server cancelled it."""
        for _ in range(20):
            result = self.talk.ask(f"textDocument/{what}", textDocument={"uri": self.uri}, **params)
            answer = self.talk.result(result)
            if answer is not GIVEN_UP:
                return answer
        raise AssertionError(f"{what} is given up again and again")

    def diagnostics(self) -> Any:
        """All diagnostics, in the order of the answer."""
        return self.ask("diagnostic")["items"]

    def settle(self) -> None:
        """Waits until no work is pending, including the work that starts after the first diagnostics."""
        self.diagnostics()
        self.talk.settle()

    def semantic_tokens(self) -> list[int]:
        """The tokens that the client holds after applying the latest delta (LSP 3.17, "Semantic Tokens")."""
        if self.tokens_id is None:
            result = self.ask("semanticTokens/full")
        else:
            result = self.ask("semanticTokens/full/delta", previousResultId=self.tokens_id)
        if "data" in result:
            self.tokens = result["data"]
        else:
            for edit in sorted(result["edits"], key=lambda each: each["start"], reverse=True):
                self.tokens[edit["start"] : edit["start"] + edit["deleteCount"]] = edit.get("data") or []
        self.tokens_id = result.get("resultId")
        return self.tokens

    def answers(self, places: list[int]) -> dict[str, Any]:
        """All answers about the document, and about some positions in it."""
        can = self.talk.capabilities
        found: dict[str, Any] = {"diagnostics": self.diagnostics()}
        if "semanticTokensProvider" in can:
            found["tokens"] = self.semantic_tokens()
        if "documentSymbolProvider" in can:
            found["symbols"] = self.ask("documentSymbol")
        if "inlayHintProvider" in can:
            whole = {"start": {"line": 0, "character": 0}, "end": self.position(len(self.text))}
            found["hints"] = self.ask("inlayHint", range=whole)
        if "codeLensProvider" in can:
            found["lenses"] = self.ask("codeLens")
        for at in places:
            position = self.position(at)
            found[f"hover at {position}"] = self.ask("hover", position=position)
        if "foldingRangeProvider" in can:
            found["folds"] = self.ask("foldingRange")
        if "codeActionProvider" in can and places and found["diagnostics"]:
            chosen = found["diagnostics"][places[0] % len(found["diagnostics"])]
            found[f"actions at {chosen['range']}"] = self.ask(
                "codeAction", range=chosen["range"], context={"diagnostics": [chosen]}
            )
        if "completionProvider" in can and places:
            position = self.position(places[0])
            found[f"completion at {position}"] = self.ask("completion", position=position)
        return found
