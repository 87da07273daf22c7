"""Start of the server: the first answers before pygls is loaded, then the server itself."""
