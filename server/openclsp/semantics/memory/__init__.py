"""Memory effects of functions: local and constant memory, barriers."""
