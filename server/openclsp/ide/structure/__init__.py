"""Structure of a text as written: folding ranges, selection ranges and linked editing ranges."""
