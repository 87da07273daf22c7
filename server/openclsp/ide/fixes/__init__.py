"""Quick-fixes: candidate edits, and the trials that accept them."""
