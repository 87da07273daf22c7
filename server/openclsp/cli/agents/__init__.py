"""The tools of `openclsp mcp`, with which other programs and agents ask about the kernels of a workspace."""
