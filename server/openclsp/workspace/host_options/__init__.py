"""Kernel build options found in a project's own files: host code, compilation databases, build files."""
