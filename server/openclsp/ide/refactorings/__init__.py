"""Refactorings: changes of correct code that the user requests, checked like fixes."""
