"""The state of a session: documents, snapshots, the analysis thread and published diagnostics."""
