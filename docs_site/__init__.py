"""Builds the documentation site (`mkdocs build --strict`), the generated references, and the manual page."""
