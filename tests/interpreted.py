"""Tests that look into a module, which can be done only where it is not compiled."""

from __future__ import annotations

from types import ModuleType

import pytest


def interpreted(module: ModuleType) -> pytest.MarkDecorator:
    """For a test that replaces what the module calls within itself: compiled code does not look that up."""
    return pytest.mark.skipif(
        not str(module.__file__).endswith(".py"),
        reason=f"{module.__name__} is compiled: its calls are not seen",
    )
