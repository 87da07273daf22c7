"""Layouts of structs and unions."""
