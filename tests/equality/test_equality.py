"""Whatever a person edits, the server answers as it does about a document that was opened just now.

`python -m tests.equality` goes on looking for as long as it is let.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from .kernels import real, samples
from .machine import Editing

SETTINGS = settings(derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))


def test_samples() -> None:
    class EditingSamples(Editing):
        kernels = samples()

    run_state_machine_as_test(
        EditingSamples, settings=settings(SETTINGS, max_examples=40, stateful_step_count=25)
    )


def test_real_kernels() -> None:
    class EditingReal(Editing):
        kernels = real("darktable", most_lines=400)
        every = 10

    if not EditingReal.kernels:
        pytest.skip("Debian's package darktable cannot be had here")
    run_state_machine_as_test(
        EditingReal, settings=settings(SETTINGS, max_examples=25, stateful_step_count=40)
    )
