"""Finds the build options of kernels in host code, compilation databases and build files."""
