"""Diagnostics of a unit: findings with severities, folding and exclusions applied."""
