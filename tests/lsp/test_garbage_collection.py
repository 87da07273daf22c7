"""Garbage collection skips the analyses."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from openclsp.lsp.session.analysis_session import AnalysisSession
from openclsp.lsp.session.garbage_collection import (
    collect_garbage,
    disable_collection,
    enable_rare_collection,
)
from openclsp.lsp.session.open_documents import OpenDocument
from openclsp.lsp.session.snapshot import Snapshot
from openclsp.source.text import Text


@pytest.fixture
def collector() -> Iterator[None]:
    """The process' own settings come back afterwards."""
    thresholds = gc.get_threshold()
    yield
    gc.enable()
    gc.set_threshold(*thresholds)
    gc.unfreeze()


def test_a_new_unit_is_left_out_once_it_has_answered(collector: None) -> None:
    enable_rare_collection()
    assert gc.isenabled() and gc.get_threshold()[0] > 100_000
    session = AnalysisSession()
    text = Text.of(b"kernel void k(global int *p) { *p = 1; }\n")
    document = OpenDocument("file:///k.cl", "/k.cl", "opencl", 1, text, 1)
    world = Snapshot(documents={"/k.cl": document})
    session.freeze_new_unit()
    before = gc.get_freeze_count()
    session.analyse(document, world, lambda: None)
    # what was frozen may be freed meanwhile, but nothing new is frozen yet
    analysed = gc.get_freeze_count()
    assert analysed <= before
    session.freeze_new_unit()
    frozen = gc.get_freeze_count()
    assert frozen > analysed
    session.analyse(document, world, lambda: None)
    session.freeze_new_unit()
    assert gc.get_freeze_count() <= frozen


def test_nothing_is_searched_before_the_process_has_started(collector: None) -> None:
    gc.unfreeze()
    disable_collection()
    assert not gc.isenabled()
    enable_rare_collection()
    assert gc.isenabled() and gc.get_freeze_count() > 0


class Circle:
    """Garbage that only a search finds."""

    alive = 0

    def __init__(self) -> None:
        self.itself = self
        Circle.alive += 1

    def __del__(self) -> None:
        Circle.alive -= 1


def test_a_pause_frees_what_is_new(collector: None) -> None:
    enable_rare_collection()
    collect_garbage()
    for _ in range(1000):
        Circle()
    assert Circle.alive == 1000
    collect_garbage()
    assert Circle.alive == 0


def test_what_grew_old_is_freed_in_some_later_pause(collector: None) -> None:
    enable_rare_collection()
    old = [Circle() for _ in range(1000)]
    for _ in range(30):
        collect_garbage()
    assert Circle.alive == 1000
    del old
    pauses = 0
    while Circle.alive:
        collect_garbage()
        pauses += 1
    assert 1 < pauses < 500


def test_typing_without_any_pause_is_bounded(collector: None) -> None:
    enable_rare_collection()
    most = 0
    for _ in range(300_000):
        Circle()
        most = max(most, Circle.alive)
    assert most < 250_000
    gc.collect()
    assert Circle.alive == 0
