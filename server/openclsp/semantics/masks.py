"""What a mask leaves of an address that is held in an integer."""

from __future__ import annotations

from typing import Final

PAGE: Final = 1 << 12
"""A mask below takes the last bits of an address, which say nothing of its space."""
HIGH: Final = 1 << 31
"""A mask at or above it, or a negative one, leaves an address; what is left below one is no address any more."""
