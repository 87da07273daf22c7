"""Formatting: the style of a project, and the check that the program stays the same."""
