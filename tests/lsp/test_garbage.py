"""Garbage collection skips the analyses."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from openclsp.lsp.documents import OpenDocument
from openclsp.lsp.garbage import look_not_yet, look_now, look_seldom
from openclsp.lsp.session import Session
from openclsp.lsp.world import World
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
    look_seldom()
    assert gc.isenabled() and gc.get_threshold()[0] > 100_000
    session = Session()
    text = Text.of(b"kernel void k(global int *p) { *p = 1; }\n")
    document = OpenDocument("file:///k.cl", "/k.cl", "opencl", 1, text, 1)
    world = World(documents={"/k.cl": document})
    session.settle()
    before = gc.get_freeze_count()
    session.analysed(document, world, lambda: None)
    # what was frozen may be freed meanwhile, but nothing new is frozen yet
    analysed = gc.get_freeze_count()
    assert analysed <= before
    session.settle()
    frozen = gc.get_freeze_count()
    assert frozen > analysed
    session.analysed(document, world, lambda: None)
    session.settle()
    assert gc.get_freeze_count() <= frozen


def test_nothing_is_searched_before_the_process_has_started(collector: None) -> None:
    gc.unfreeze()
    look_not_yet()
    assert not gc.isenabled()
    look_seldom()
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
    look_seldom()
    look_now()
    for _ in range(1000):
        Circle()
    assert Circle.alive == 1000
    look_now()
    assert Circle.alive == 0


def test_what_grew_old_is_freed_in_some_later_pause(collector: None) -> None:
    look_seldom()
    old = [Circle() for _ in range(1000)]
    for _ in range(30):
        look_now()
    assert Circle.alive == 1000
    del old
    pauses = 0
    while Circle.alive:
        look_now()
        pauses += 1
    assert 1 < pauses < 500


def test_typing_without_any_pause_is_bounded(collector: None) -> None:
    look_seldom()
    most = 0
    for _ in range(300_000):
        Circle()
        most = max(most, Circle.alive)
    assert most < 250_000
    gc.collect()
    assert Circle.alive == 0
