"""What holds for all tests: a property has no time limit, for a busy machine is no fault of the code."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
