"""Summaries of kernels: their memory use, and the limits of the device."""
