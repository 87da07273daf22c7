"""Types and address spaces of names, by their declarators."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..rules.marked_block import assert_marks, marked_cases
from ..rules.marked_page import Block

KERNELS = Path(__file__).with_name("declarators.md")


@pytest.mark.parametrize(("kernel", "dialect"), marked_cases(KERNELS))
def test_a_declarator_gives_its_name_the_marked_type(kernel: Block, dialect: str) -> None:
    assert_marks(kernel, dialect)
