"""Refactorings: changes of correct code that the user requests.

Like fixes, they are checked by re-analysis.
"""
