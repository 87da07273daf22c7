"""Summaries of kernels: memory, limits of the device."""
