"""Collects failures that the analysis logs and continues after."""

from __future__ import annotations

import logging


class Collecting(logging.Handler):
    """Counts logged failures as crashes: if a rule fails, the analysis continues and logs the failure."""

    def __init__(self, crashes: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._crashes = crashes

    def emit(self, record: logging.LogRecord) -> None:
        """Keeps the message with its traceback."""
        self._crashes.append(self.format(record))
