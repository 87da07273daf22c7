"""Types of initialisers and of the objects that they initialise, and the conversions between them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..rules.marked_block import assert_marks, marked_cases
from ..rules.marked_page import Block

KERNELS = Path(__file__).with_name("initialisers.md")


@pytest.mark.parametrize(("kernel", "dialect"), marked_cases(KERNELS))
def test_an_initialiser_has_the_marked_types_and_errors(kernel: Block, dialect: str) -> None:
    assert_marks(kernel, dialect)
