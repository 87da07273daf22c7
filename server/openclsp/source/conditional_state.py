"""The state of an open conditional, and the record of a closed one that depends on undefined names."""

from __future__ import annotations

from dataclasses import field

from openclsp.dataclass import dataclass
from openclsp.source.lexer import (
    Token,
)


@dataclass(slots=True)
class Conditional:
    """A conditional (`#if` to `#endif`) that is being read.

    - `start`, `end`: the range of the opening directive.
    - `taken`: whether a branch has been selected already.
    - `unknown`: the undefined names in the conditions that were evaluated.
    - `tentative`: a condition contains a macro that the document defines only if the host does not.
    - `uncertain`: another branch may be the right one, because a header is missing or two undefined names are
      compared.
    - `changes`: the number of macro changes before its first line.
    - `left_out`: the ranges of its inactive branches.
    - `read`: the ranges of its active branches.
    """

    start: int
    end: int
    taken: bool
    seen_else: bool = False
    unknown: tuple[Token, ...] = ()
    tentative: bool = False
    uncertain: bool = False
    changes: int = 0
    left_out: list[tuple[int, int]] = field(default_factory=list)
    read_from: int = -1
    """Offset of the branch being read; -1 if none is"""
    read: list[tuple[int, int]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class UndecidedConditional:
    """A conditional with undefined names in its conditions.

    - `left_out`: the ranges of its inactive branches.
    - `read`: the ranges of its active branches, if other branches may be the right ones.
    """

    start: int
    end: int
    unknown: tuple[Token, ...]
    left_out: tuple[tuple[int, int], ...]
    read: tuple[tuple[int, int], ...] = ()
    closed: int = 0
    """Where its #endif begins"""
