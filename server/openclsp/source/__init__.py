"""Documents, preprocessor, source map and parser: from file bytes to syntax trees."""
