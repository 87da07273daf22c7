"""Finds the kernels that host code creates, and the arguments that it passes to them."""
