"""Collects failures that the analysis logs and continues after."""

from __future__ import annotations

import logging


class Collecting(logging.Handler):
    """Logged failures count as crashes: the analysis goes on where a rule fails, and says so in the log only."""

    def __init__(self, crashes: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._crashes = crashes

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the message with its traceback."""
        self._crashes.append(self.format(record))
