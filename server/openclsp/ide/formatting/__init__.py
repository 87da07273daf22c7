"""Formatting: the style of a project, and the check that formatting does not change a program's tokens."""
