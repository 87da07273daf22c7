"""Items: the top-level constructs of a translation unit, their syntax tables and incremental updates."""
