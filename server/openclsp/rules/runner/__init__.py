"""Applies the rules to facts, and caches their findings."""
