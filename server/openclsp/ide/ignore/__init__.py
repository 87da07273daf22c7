"""`openclsp: ignore` comments: their effect on diagnostics, and the code actions that insert them."""
