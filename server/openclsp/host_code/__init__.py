"""Finds the OpenCL C programs in the string literals of host code, with a source map for each."""
