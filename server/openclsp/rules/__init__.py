"""The rules, a module and a page for each. A rule turns one fact into diagnostics and candidate fixes."""
