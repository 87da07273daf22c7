"""Typing of items: declarations, expressions, overload resolution and the facts that they yield."""
