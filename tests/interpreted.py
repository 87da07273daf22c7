"""Marks tests that replace parts of a module, which compiled modules do not allow."""

from __future__ import annotations

from types import ModuleType

import pytest


def interpreted(module: ModuleType) -> pytest.MarkDecorator:
    """Marks a test that replaces functions within the module, which compiled code does not look up."""
    return pytest.mark.skipif(
        is_compiled(module), reason=f"{module.__name__} is compiled: its calls are not seen"
    )


def is_compiled(module: ModuleType) -> bool:
    """Whether the module is compiled."""
    return not str(module.__file__).endswith(".py")
