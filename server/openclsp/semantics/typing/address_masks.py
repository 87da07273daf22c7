"""Bounds for the masks that preserve the address space of an address: `address & mask`."""

from __future__ import annotations

from typing import Final

PAGE: Final = 1 << 12
"""Masks below this keep only low bits, which do not determine the space."""
HIGH: Final = 1 << 31
"""Masks from this value on, or negative ones, preserve an address; smaller ones do not."""
