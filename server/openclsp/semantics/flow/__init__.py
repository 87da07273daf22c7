"""The flow layer: points-to analysis of address spaces for generic pointers.

Advisory: no error depends on this layer.
"""
