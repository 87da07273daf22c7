"""A hypothesis state machine for editing: after any edit, the answers equal those of a new server.

Both servers run in this process and receive protocol messages, so that the edits take the same path as a client's. One
server lives through all edits. For each comparison another one is started on the same files, with the open documents in
their current state.
"""

from __future__ import annotations

import gc
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypothesis import note
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from .buffer import Buffer
from .changes import Changing, changes
from .talk import Talk, waiting_for_no_pause
from .workspace import Workspace

HEADER = "types.h"
HEADERS = (
    "typedef float4 vec_t;\n#define SPACE global\n#define LOAD(p, i) ((p)[(i)])\n",
    "typedef local int *vec_t;\n#define SPACE local\nint f(global int *p, int x);\n",
    "#ifndef TYPES_H\n#define TYPES_H\ntypedef int vec_t;\n#ifdef SPACE\ntypedef SPACE int *place_t;\n#endif\n#endif\n",
    "struct N { global int *v; }; /* and then\n",
    "",
)

MOST_OPEN = 3
"""Documents that are open at a time."""

_PLACES = st.lists(st.integers(0, 1 << 16), max_size=3)
"""Where hovers are asked for: characters, counted round."""
_FILE = st.integers(0, 99)
"""A file of the workspace, counted round."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """The file that is opened first. `files` are those of its workspace, by path; `name` is one of them, or `text` is its text."""

    name: str
    files: Mapping[str, Path] = field(default_factory=dict, repr=False)
    text: str = field(default="", repr=False)


class Editing(RuleBasedStateMachine):
    """The state machine of edits. The class attributes hold what differs between the tests."""

    kernels: Sequence[Kernel] = ()
    every = 1
    """After how many steps the answers are compared; they are asked for after each."""

    edits = 0
    compared = 0
    """How often, in all runs."""

    def __init__(self) -> None:
        super().__init__()
        self.cleaning = ExitStack()
        self.folder = Path(tempfile.mkdtemp(prefix="openclsp-equality-")).resolve()
        self.cleaning.callback(shutil.rmtree, self.folder, ignore_errors=True)
        self.places: list[int] = []
        self.behind = 0

    @initialize(number=st.integers(0, 1 << 16))
    def open(self, number: int) -> None:
        """Opens a kernel."""
        kernel = self.kernels[number % len(self.kernels)]
        note(kernel.name)
        (self.folder / HEADER).write_text(HEADERS[0])
        for name, path in kernel.files.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, self.folder / name)
        if kernel.text:
            (self.folder / kernel.name).write_text(kernel.text)
        self.loop = self.cleaning.enter_context(waiting_for_no_pause())
        talk = Talk(self.loop, self.folder)
        self.cleaning.callback(talk.close)
        self.workspace = Workspace(talk, self.folder)
        self.path = self.folder / kernel.name
        self.workspace.show(self.path)
        self.compare()

    @rule(several=st.lists(changes(), min_size=1, max_size=3), places=_PLACES)
    def edit(self, several: list[Changing], places: list[int]) -> None:
        """Edits the document, and requests answers after each edit."""
        for change in several:
            self.workspace.edit(self.path, change)
            self._stepped(places)

    @rule(several=st.lists(changes(), min_size=2, max_size=6), asked=st.integers(0, 3))
    def edit_fast(self, several: list[Changing], asked: int) -> None:
        """Sends edits before the answers to requests in between, which are then cancelled."""
        buffer = self.workspace.open[self.path]
        waiting = []
        for number, change in enumerate(several):
            self.workspace.edit(self.path, change)
            if number == asked:
                document = {"uri": buffer.uri}
                position = buffer.position(len(buffer.text) // 2)
                waiting.append(buffer.talk.ask("textDocument/diagnostic", textDocument=document))
                waiting.append(
                    buffer.talk.ask("textDocument/hover", textDocument=document, position=position)
                )
        for identifier in waiting:
            buffer.talk.result(identifier)
        self._stepped([])

    @rule(count=st.integers(1, 4))
    def undo(self, count: int) -> None:
        """Undoes the last edits."""
        self.workspace.undo(self.path, count)
        self._stepped([])

    @rule(file=_FILE)
    def show(self, file: int) -> None:
        """Makes another document the edited one, opens it if necessary, and closes the oldest one beyond the limit."""
        self.path = self.workspace.file(file)
        self.workspace.show(self.path)
        if len(self.workspace.open) > MOST_OPEN:
            self.workspace.close(next(each for each in self.workspace.open if each != self.path))
        self._stepped([])

    @rule(file=_FILE)
    def close(self, file: int) -> None:
        """Closes a document without saving it, if another one stays open."""
        others = list(self.workspace.open)
        closed = others.pop(file % len(others))
        if others:
            self.workspace.close(closed)
            self.path = others[-1]
        self._stepped([])

    @rule(file=_FILE, action=st.one_of(st.sampled_from(("deleted", "restored", "saved")), changes()))
    def change_on_disk(self, file: int, action: str | Changing) -> None:
        """Changes, deletes or restores a file, or saves a document."""
        path = self.workspace.file(file)
        if not isinstance(action, str):
            self.workspace.change_on_disk(path, action)
        elif action == "deleted":
            self.workspace.delete(path)
        elif action == "restored":
            self.workspace.restore(path)
        else:
            self.workspace.save(self.path)
        self._stepped([])

    @rule(text=st.sampled_from(HEADERS))
    def replace_header(self, text: str) -> None:
        """Replaces the header on disk that edits include."""
        self.workspace.write(self.folder / HEADER, text)
        self._stepped([])

    def compare(self) -> None:
        """Compares all answers about all open documents with a new server's."""
        type(self).compared += 1
        self.behind = 0
        places = [at % (len(self.workspace.open[self.path].text) + 1) for at in (*self.places, 0)]
        self.places = []
        mine = self._answers(self.workspace.open, places)
        talk = Talk(self.loop, self.folder)
        try:
            opened = {path: Buffer(talk, each.uri, each.text) for path, each in self.workspace.open.items()}
            expected = self._answers(opened, places)
        finally:
            talk.close()
        if mine != expected:
            for path, buffer in self.workspace.open.items():
                note(f"the text of {path.relative_to(self.folder)}:\n{buffer.text}")
        for path, answers in expected.items():
            for what, answer in answers.items():
                name = path.relative_to(self.folder)
                assert mine[path][what] == answer, f"{name}, {what}: {_difference(mine[path][what], answer)}"

    def teardown(self) -> None:
        """Compares what was not compared yet, and removes the folder."""
        try:
            if self.behind:
                self.compare()
        finally:
            self.cleaning.close()
            # servers keep the collector away from what they analysed; these are gone
            gc.unfreeze()
            gc.collect()

    def _answers(self, buffers: Mapping[Path, Buffer], places: list[int]) -> dict[Path, dict[str, Any]]:
        """All answers about each document, and about some positions of the edited one."""
        for buffer in buffers.values():
            buffer.settle()
        return {path: each.answers(places if path == self.path else []) for path, each in buffers.items()}

    def _stepped(self, places: list[int]) -> None:
        self.behind += 1
        self.places += places
        type(self).edits += self.workspace.edits
        self.workspace.edits = 0
        if self.behind >= self.every:
            self.compare()
        else:
            self.workspace.open[self.path].answers([])


def _difference(mine: Any, expected: Any, where: str = "") -> str:
    """Describes the first difference between two answers."""
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
