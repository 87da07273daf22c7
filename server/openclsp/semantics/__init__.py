"""Items, declared types, facts and the incremental engine. Reports no diagnostics."""
