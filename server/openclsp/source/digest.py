"""The hash function for content digests.

Importing `hashlib` instead would load OpenSSL, which is slow.
"""

from __future__ import annotations

try:
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

__all__ = ["blake2b"]
