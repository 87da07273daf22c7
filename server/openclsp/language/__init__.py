"""The OpenCL C language as values and tables: dialects, address spaces, types and built-in functions.

No module of this package reads program text.
"""
