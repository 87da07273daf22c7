"""Formats of other programs for the report of `check`."""
