"""Documents, preprocessor, source map, tree: from the bytes of a file to the tree of its expanded text."""
