"""One module for each LSP feature."""
