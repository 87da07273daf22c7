"""Editor features for `openclsp.toml` itself: diagnostics, completion and hovers."""
