"""Completion of names, keywords and snippets at the cursor."""
