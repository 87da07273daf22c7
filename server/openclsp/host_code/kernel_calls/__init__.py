"""Kernels that host code names: the objects made of them, and the calls that pass arguments to them."""
