"""The tools of `openclsp mcp`, by which other programs and agents query the kernels of a workspace."""
