"""After any edits, the server's answers equal those of a new server.

This runs a few hundred edits. `python -m tests.equality` makes as many others as requested.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from .kernels import real, samples, sharing
from .machine import Editing

FEWEST = 20
"""The fewest edits of a run: a machine that makes none compares nothing.

Hypothesis draws constants from the modules that are loaded, so the number differs with the tests that ran before.
"""
SETTINGS = settings(derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))


def test_samples() -> None:
    class EditingSamples(Editing):
        kernels = samples()
        every = 2

    run_state_machine_as_test(
        EditingSamples, settings=settings(SETTINGS, max_examples=5, stateful_step_count=25)
    )
    assert EditingSamples.edits >= FEWEST


def test_kernels_that_share_headers() -> None:
    class EditingSharing(Editing):
        kernels = sharing()
        every = 3

    run_state_machine_as_test(
        EditingSharing, settings=settings(SETTINGS, max_examples=6, stateful_step_count=30)
    )
    assert EditingSharing.edits >= FEWEST


def test_real_kernels() -> None:
    class EditingReal(Editing):
        kernels = real("darktable", most_lines=400)
        every = 10

    if not EditingReal.kernels:
        pytest.skip("Debian's package darktable cannot be had here")
    run_state_machine_as_test(
        EditingReal, settings=settings(SETTINGS, max_examples=3, stateful_step_count=40)
    )
    assert EditingReal.edits >= FEWEST
