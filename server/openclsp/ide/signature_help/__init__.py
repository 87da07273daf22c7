"""Signature help."""
