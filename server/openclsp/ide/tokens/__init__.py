"""Semantic tokens: the kind and address space of each token, for syntax highlighting."""
