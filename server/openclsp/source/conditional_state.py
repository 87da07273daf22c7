"""The state of an open `#if`, and the record of a closed one whose condition reads undefined names."""

from __future__ import annotations

from dataclasses import field

from openclsp.dataclass import dataclass
from openclsp.source.lexer import (
    Token,
)


@dataclass(slots=True)
class Conditional:
    """An open #if group.

    `unknown`: the undefined names that its conditions have read. `tentative`: its conditions read a macro
    that the document defines only if the host does not. `doubtful`: the names may have other values than C
    assumes, so that the branch taken is as uncertain as those left out. `changes`: number of macro changes
    before its first line.
    """

    start: int
    end: int
    taken: bool
    seen_else: bool = False
    unknown: tuple[Token, ...] = ()
    tentative: bool = False
    doubtful: bool = False
    changes: int = 0
    left_out: list[tuple[int, int]] = field(default_factory=list)
    read_from: int = -1
    """Offset of the branch being read; -1 if none is"""
    read: list[tuple[int, int]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class UndecidedConditional:
    """A conditional group that reads undefined names.

    `left_out`: the stretches of its inactive branches. `read`: the stretches that were read although the
    decision is doubtful.
    """

    start: int
    end: int
    unknown: tuple[Token, ...]
    left_out: tuple[tuple[int, int], ...]
    read: tuple[tuple[int, int], ...] = ()
    closed: int = 0
    """Where its #endif begins"""
