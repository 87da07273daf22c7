"""From the bytes of a file to syntax trees: documents, preprocessor, source map and parser."""
