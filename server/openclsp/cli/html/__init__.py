"""The HTML report of `check`: a page for each file, without scripts and external resources."""
