"""The language server: the only package that depends on the Language Server Protocol."""
