"""The rule book: a module and a page for each diagnostic code."""
