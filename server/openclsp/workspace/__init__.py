"""Which documents exist, with which options each is built: yields translation units."""
