"""openclsp: a language server for OpenCL C that knows the address space of every pointer."""

__version__ = "0.1.0"
