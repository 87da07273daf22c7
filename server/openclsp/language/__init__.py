"""The OpenCL C language as values and tables.

Dialects, address spaces, types and built-in functions; reads no text.
"""
