"""Hovers."""
