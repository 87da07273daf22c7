"""Settings for all property tests: no time limits, because a busy machine is no fault, and fixed examples by default.

With fixed examples only a change of the code decides whether the tests pass. A run that requests more examples gets
different ones each time.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

MORE = ("FUZZ_EXAMPLES", "OPENCLSP_EDITS", "OPENCLSP_FLOW_EDITS")
"""The variables that say how many examples some properties are tried with."""

# The configuration of whoever runs the tests decides nothing.
os.environ["XDG_CONFIG_HOME"] = os.path.join(os.path.dirname(os.path.abspath(__file__)), "no configuration")

# A failed comparison of marks shows how they differ, as in the test modules.
pytest.register_assert_rewrite("tests.rules.marked_block")

settings.register_profile(
    "unhurried",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=not any(name in os.environ for name in MORE),
)
settings.load_profile("unhurried")
