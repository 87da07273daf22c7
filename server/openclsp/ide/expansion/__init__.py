"""Text after preprocessing: expansions of macros and of whole documents."""
