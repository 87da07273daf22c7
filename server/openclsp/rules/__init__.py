"""The rule book: a pair per rule, a module and its page. A rule turns one fact into diagnostics and fixes."""
