"""Reports of `check` in the formats of other programs."""
