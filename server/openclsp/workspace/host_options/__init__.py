"""The build options of kernels that a project's own files tell: host code, compilation databases, build lists."""
