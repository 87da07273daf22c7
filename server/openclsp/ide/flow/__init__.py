"""Address-space flow of a pointer, as chains and pictures."""
