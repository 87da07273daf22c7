"""Thresholds for the effect of a mask on an address stored in an integer."""

from __future__ import annotations

from typing import Final

PAGE: Final = 1 << 12
"""A mask below this value keeps only low bits, which do not determine an address's space."""
HIGH: Final = 1 << 31
"""A mask from this value on, or a negative one, preserves an address; a smaller one does not."""
