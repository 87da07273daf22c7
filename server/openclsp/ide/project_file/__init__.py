"""Editor features in `openclsp.toml` itself: diagnostics, completion and hovers."""
