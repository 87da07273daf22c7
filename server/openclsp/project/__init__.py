"""Files and build options of a project: file access, permissions, project scans and option values."""
