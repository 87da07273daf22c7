"""The progress line of long runs, which is shown on standard error if that is a terminal."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Final, TextIO, TypeAlias

from openclsp.cli.excerpt import printable

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

PROGRESS_LINE_DELAY: Final = 0.5
"""The seconds after which a run shows its progress."""

ProgressStep: TypeAlias = "Callable[[str, str, int, int], None]"
"""Reports the start of a step: the action, the file's path, its number from 1, and the number of files."""


def ignore_progress(_action: str, _path: str, _number: int, _total: int) -> None:
    """The progress function of runs without a progress line. It does nothing."""


class ProgressLine:
    """A context manager that shows the current step of a run in a line on a terminal.

    The line appears `PROGRESS_LINE_DELAY` seconds after entry, and disappears at exit.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._step = "reading the project"
        self._live: Live | None = None
        self._over = False
        self._lock = threading.Lock()
        # A timer delays the import of rich, so that a short run does not import it.
        self._timer = threading.Timer(PROGRESS_LINE_DELAY, self._show)
        self._timer.daemon = True

    def _begin(self, action: str, path: str, number: int, total: int) -> None:
        """Sets the current step."""
        self._step = f"{action} {f'{number} of {total}: ' if total > 1 else ''}{path}"

    def __enter__(self) -> ProgressStep:
        # rich's own test is not used: FORCE_COLOR makes it treat a pipe as a terminal. A dumb terminal cannot
        # erase a line.
        if self._stream.isatty() and os.environ.get("TERM") not in ("dumb", "unknown"):
            self._timer.start()
        return self._begin

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        with self._lock:
            self._over = True
            if self._live is not None:
                self._live.stop()

    def _show(self) -> None:
        from rich.console import Console
        from rich.live import Live
        from rich.spinner import Spinner
        from rich.text import Text

        # ASCII characters only, which every terminal's encoding has.
        spinner = Spinner("line")

        def line() -> RenderableType:
            step = printable(self._step).encode(self._stream.encoding, "replace")
            spinner.update(text=Text(step.decode(self._stream.encoding), no_wrap=True, overflow="ellipsis"))
            return spinner

        console = Console(file=self._stream, highlight=False)
        live = Live(
            get_renderable=line,
            console=console,
            transient=True,
            refresh_per_second=8,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        with self._lock:
            if not self._over:
                live.start()
                # rich hides the cursor; if the process is killed, it would stay hidden.
                console.show_cursor(True)
                self._live = live
