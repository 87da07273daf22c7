"""The exit codes of the commands."""

from __future__ import annotations

from typing import Final

CLEAN: Final = 0
"""The command ran, and no diagnostic is as severe as `--fail-on`."""
ERRORS_FOUND: Final = 1
"""The command ran, and a diagnostic is as severe as `--fail-on`, or more."""
COULD_NOT_RUN: Final = 2
"""The command could not run, or not on all files; a line on standard error gives the reason."""
