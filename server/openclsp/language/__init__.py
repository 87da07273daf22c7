"""The OpenCL C language as values and tables: dialects, address spaces, types, built-in functions.

Reads no text.
"""
