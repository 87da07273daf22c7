"""Writes the report of `check` in the formats of other programs: SARIF, GitHub, GitLab and reviewdog."""
