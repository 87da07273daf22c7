"""The command line: the same answers as in the editor, for a terminal and for other programs."""

from openclsp.cli.program import main

__all__ = ["main"]
