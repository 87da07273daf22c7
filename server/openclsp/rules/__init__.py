"""The diagnostic rules, each a module with a page.

A rule turns one fact into findings with candidate fixes.
"""
