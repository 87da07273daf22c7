"""Edits that keep include directives valid when files are renamed or moved."""
