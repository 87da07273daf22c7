"""Ignore comments: their effect on diagnostics, and the actions that write them."""
