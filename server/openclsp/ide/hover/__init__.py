"""Hovers: the type and address spaces of the entity under the cursor."""
