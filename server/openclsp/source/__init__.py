"""Documents, preprocessor, source map and parser: from a file's bytes to the syntax trees of its expanded
text."""
