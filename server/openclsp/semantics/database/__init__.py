"""The query database of a translation unit, its inputs and the queries about items."""
