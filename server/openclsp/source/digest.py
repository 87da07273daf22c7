"""The hash function for content digests.

It is imported without `hashlib`, which would load OpenSSL and take longer.
"""

from __future__ import annotations

try:
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

__all__ = ["blake2b"]
