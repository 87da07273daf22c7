"""The hash by which equal texts are known. `hashlib` has it too, but loads OpenSSL, which takes long."""

from __future__ import annotations

try:
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

__all__ = ["blake2b"]
