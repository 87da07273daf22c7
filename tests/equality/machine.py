"""A person at work, drawn at random: whatever was edited, the answers are those of a document that was opened just now.

Both documents are in servers of their own in this process, and both are spoken to in the protocol's messages, so that the
edits pass through everything that a client's do. The one is edited; the other is opened with the text that came of it.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypothesis import note
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from .buffer import Buffer
from .changes import Changing, changes
from .talk import Talk, talks

HEADER = "types.h"
HEADERS = (
    "typedef float4 vec_t;\n#define SPACE global\n#define LOAD(p, i) ((p)[(i)])\n",
    "typedef local int *vec_t;\n#define SPACE local\nint f(global int *p, int x);\n",
    "#ifndef TYPES_H\n#define TYPES_H\ntypedef int vec_t;\n#ifdef SPACE\ntypedef SPACE int *place_t;\n#endif\n#endif\n",
    "struct N { global int *v; }; /* and then\n",
    "",
)


_PLACES = st.lists(st.integers(0, 1 << 16), max_size=3)
"""Where hovers are asked for: characters, counted round."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """A text to begin with. `beside` is a folder whose files it includes."""

    name: str
    text: str = field(repr=False)
    beside: Path | None = None


class Editing(RuleBasedStateMachine):
    """The edits. What differs from one test to another is in the class attributes."""

    kernels: Sequence[Kernel] = ()
    every = 1
    """After how many steps the document is compared with a fresh one; it answers after each."""

    edits = 0
    compared = 0
    """How often, in all runs."""

    def __init__(self) -> None:
        super().__init__()
        self.cleaning = ExitStack()
        self.folder = Path(tempfile.mkdtemp(prefix="openclsp-equality-"))
        self.cleaning.callback(shutil.rmtree, self.folder, ignore_errors=True)
        self.header: Buffer | None = None
        self.before: list[str] = []
        self.places: list[int] = []
        self.behind = 0

    @initialize(data=st.data())
    def open(self, data: st.DataObject) -> None:
        """A kernel is opened."""
        kernels = {kernel.name: kernel for kernel in self.kernels}
        kernel = kernels[data.draw(st.sampled_from(sorted(kernels)), "kernel")]
        if kernel.beside is not None:
            shutil.copytree(kernel.beside, self.folder, dirs_exist_ok=True)
        self.header_file = self.folder / HEADER
        self.header_file.write_text(HEADERS[0])
        self.edited, self.fresh = self.cleaning.enter_context(talks(self.folder))
        self.uri = (self.folder / Path(kernel.name).name).as_uri()
        self.buffer = Buffer(self.edited, self.uri, kernel.text)
        self.compare()

    @rule(several=st.lists(changes(), min_size=1, max_size=3), places=_PLACES)
    def edit(self, several: list[Changing], places: list[int]) -> None:
        """Edits, and a look after each at what the server says of it."""
        for change in several:
            self._change(change)
            self._stepped(places)

    @rule(several=st.lists(changes(), min_size=2, max_size=6), asked=st.integers(0, 3))
    def edit_fast(self, several: list[Changing], asked: int) -> None:
        """Edits that come before the answers to what is asked in between: those are given up."""
        waiting = []
        for number, change in enumerate(several):
            self._change(change)
            if number == asked:
                document = {"uri": self.uri}
                waiting.append(self.edited.ask("textDocument/diagnostic", textDocument=document))
                position = self.buffer.position(len(self.buffer.text) // 2)
                waiting.append(
                    self.edited.ask("textDocument/hover", textDocument=document, position=position)
                )
        for identifier in waiting:
            self.edited.result(identifier)
        self._stepped([])

    @rule(count=st.integers(1, 4))
    def undo(self, count: int) -> None:
        """Some edits are taken back at once, each as an edit of its own."""
        for _ in range(min(count, len(self.before))):
            self._to(self.before.pop())
        self._stepped([])

    @rule(action=st.one_of(st.sampled_from(("deleted", "opened", "closed", *HEADERS)), changes()))
    def change_header(self, action: str | Changing) -> None:
        """A header becomes another one on disk, is deleted, opened, edited where it is open (from then on its buffer
        counts), or closed."""
        if not isinstance(action, str):
            if self.header is None:
                self._open_header()
            assert self.header is not None
            type(self).edits += 1
            self.header.replace(*action(self.header.text))
        elif action == "opened":
            if self.header is None:
                self._open_header()
        elif action == "closed":
            if self.header is not None:
                self.header.close()
                self.header = None
        elif action == "deleted":
            self.header_file.unlink(missing_ok=True)
            self._told_of_header(3)
        else:
            self.header_file.write_text(action)
            self._told_of_header(2)
        self._stepped([])

    def compare(self) -> None:
        """Everything that is answered must be what a document answers that was opened just now."""
        type(self).compared += 1
        self.behind = 0
        places = [at % (len(self.buffer.text) + 1) for at in (*self.places, 0)]
        self.places = []
        self.buffer.settle()
        mine = self.buffer.answers(places)
        other = self._opened(self.fresh, self.buffer)
        headers = [] if self.header is None else [self._opened(self.fresh, self.header)]
        for each in (other, *headers):
            each.settle()
        expected = other.answers(places)
        for each in (other, *headers):
            each.close()
        if mine != expected:
            note(f"the text:\n{self.buffer.text}")
            if self.header is not None:
                note(f"the open header:\n{self.header.text}")
        for what, answer in expected.items():
            assert mine[what] == answer, f"{what}: {_difference(mine[what], answer)}"

    def teardown(self) -> None:
        """What was not compared yet is, and the folder goes."""
        try:
            if self.behind:
                self.compare()
        finally:
            self.cleaning.close()

    def _open_header(self) -> None:
        text = self.header_file.read_text() if self.header_file.exists() else ""
        self.header = Buffer(self.edited, self.header_file.as_uri(), text)

    def _opened(self, talk: Talk, document: Buffer) -> Buffer:
        return Buffer(talk, document.uri, document.text)

    def _change(self, change: Changing) -> None:
        start, end, new = change(self.buffer.text)
        # bounded, or pasting what was pasted would double it again and again
        if len(self.buffer.text) + len(new) < 400_000:
            type(self).edits += 1
            self.before.append(self.buffer.text)
            self.buffer.replace(start, end, new)

    def _to(self, text: str) -> None:
        """One edit that makes this the text."""
        old = self.buffer.text
        limit = min(len(old), len(text))
        start = next((at for at in range(limit) if old[at] != text[at]), limit)
        same = next((at for at in range(limit - start) if old[-1 - at] != text[-1 - at]), limit - start)
        type(self).edits += 1
        self.buffer.replace(start, len(old) - same, text[start : len(text) - same])

    def _told_of_header(self, kind: int) -> None:
        """The client tells that the file was changed (2) or deleted (3)."""
        changed = [{"uri": self.header_file.as_uri(), "type": kind}]
        self.edited.notify("workspace/didChangeWatchedFiles", changes=changed)

    def _stepped(self, places: list[int]) -> None:
        self.behind += 1
        self.places += places
        if self.behind >= self.every:
            self.compare()
        else:
            self.buffer.answers([])


def _difference(mine: Any, expected: Any, where: str = "") -> str:
    """Where two answers differ first, and how."""
    if isinstance(mine, dict) and isinstance(expected, dict) and mine.keys() == expected.keys():
        key = next(key for key in mine if mine[key] != expected[key])
        return _difference(mine[key], expected[key], f"{where}.{key}")
    if isinstance(mine, list) and isinstance(expected, list):
        index = next(
            (at for at, (one, other) in enumerate(zip(mine, expected, strict=False)) if one != other), None
        )
        if index is not None and len(mine) == len(expected):
            return _difference(mine[index], expected[index], f"{where}[{index}]")
        at = min(len(mine), len(expected)) if index is None else index
        return f"{where}: {len(mine)} and not {len(expected)} items, [{at}:] is {mine[at : at + 2]}, not {expected[at : at + 2]}"
    return f"{where} is {mine!r}, not {expected!r}"
