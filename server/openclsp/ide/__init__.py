"""Answers in editor terms, one file a feature: pure functions from (analysis, place) to plain values."""
