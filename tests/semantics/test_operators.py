"""Types and address spaces of expressions, by their operators."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..rules.marked_block import assert_marks, marked_cases
from ..rules.marked_page import Block

KERNELS = Path(__file__).with_name("operators.md")


@pytest.mark.parametrize(("kernel", "dialect"), marked_cases(KERNELS))
def test_an_expression_has_the_marked_type(kernel: Block, dialect: str) -> None:
    assert_marks(kernel, dialect)
