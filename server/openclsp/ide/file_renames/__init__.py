"""Edits that follow a rename or move of files."""
