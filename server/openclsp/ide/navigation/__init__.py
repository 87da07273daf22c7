"""Navigation: definitions, references, renaming, calls and the symbols of a project."""
