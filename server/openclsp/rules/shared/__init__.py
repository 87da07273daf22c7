"""Wording and predicates that several rules share."""
