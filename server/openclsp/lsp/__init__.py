"""The language server: the one room that knows the protocol."""
