"""Start of the server: the first answers before pygls is imported, then the server itself."""
