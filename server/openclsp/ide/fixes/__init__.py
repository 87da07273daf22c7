"""Quick-fixes: candidate edits, and the checks that accept them."""
