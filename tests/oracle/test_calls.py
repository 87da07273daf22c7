"""Overload resolution of random calls, compared with clang if it is installed.

For many more calls: `python -m tests.oracle.calls`.
"""

from __future__ import annotations

import pytest
from openclsp.language.dialect import Dialect

from ..language.clang import needs_clang
from .calls import calls, verdicts


@needs_clang
@pytest.mark.parametrize("name", ["CL1.2", "CL2.0", "CL3.0"])
def test_clang_means_the_same(name: str) -> None:
    dialect = Dialect.of(name)
    tried = calls(dialect, 500, seed=1)
    answers = zip(tried, verdicts(dialect, tried), strict=True)
    assert [(call.text, call.mine, said) for call, said in answers if not call.agrees(said)] == []
