"""The state of a session: documents, snapshots, the analysis thread and what was published."""
