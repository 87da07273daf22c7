"""The outcome of one step of computing the flow of a project's programs in the background."""

from __future__ import annotations

from enum import Enum


class JoinStep(Enum):
    """The outcome of one step of computing program flows in the background: see `SessionFlows.advance`.

    - `NEW_RESULT`: diagnostics and other answers about open documents may have changed
    - `SAME_RESULT`: a flow was computed again, and is equal to the known one
    - `NONE_LEFT`: all flows are up to date
    """

    NEW_RESULT = "new result"
    SAME_RESULT = "same result"
    NONE_LEFT = "none left"
