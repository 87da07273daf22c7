"""Types and address spaces of casts, conversion functions and address space functions."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..rules.marked_block import assert_marks, marked_cases
from ..rules.marked_page import Block

KERNELS = Path(__file__).with_name("casts.md")


@pytest.mark.parametrize(("kernel", "dialect"), marked_cases(KERNELS))
def test_a_cast_has_the_marked_type_or_error(kernel: Block, dialect: str) -> None:
    assert_marks(kernel, dialect)
