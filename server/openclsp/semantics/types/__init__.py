"""The types of OpenCL C, interned, with their sizes and compatibility."""
