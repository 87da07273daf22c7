"""Build options of kernels, read from host code, compilation databases and build lists."""
