"""Expansions of macros and of whole documents."""
