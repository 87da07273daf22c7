"""Items, declared types, facts and the query database. Reports no diagnostics."""
