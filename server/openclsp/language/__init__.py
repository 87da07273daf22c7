"""OpenCL C itself: dialects, spaces, types, built-in functions. Values and tables; reads no text."""
