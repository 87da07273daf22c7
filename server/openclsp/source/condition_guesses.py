"""The guesses that a preprocessing run makes for conditions that read unknown names."""

from __future__ import annotations

from openclsp.source.conditional_state import Question
from openclsp.source.directives import Directives
from openclsp.source.hidden_names import hidden_names, included_names, is_balanced
from openclsp.source.lexer import token_end, token_start
from openclsp.source.options import Refusal
from openclsp.source.preprocessed import (
    Guess,
    NameRead,
)
from openclsp.source.preprocessing_run import (
    MAX_INCLUDE_DEPTH,
)


def guess_condition(run: Directives, question: Question) -> Guess | None:
    """Builds the guess for a condition that reads unknown names.

    It holds the names that the inactive branches would declare.
    """
    unknown = run.guessed(question.unknown)
    if not unknown:
        return None
    name = run.document.name
    names: list[NameRead] = []
    for token in unknown:
        start, end = token_start(token), token_end(token)
        names.append(NameRead(token[1].decode("utf-8", "replace"), name, start, end))
    hidden: set[str] = set()
    unbalanced = False
    for start, end in question.left_out:
        text = run.data[start:end]
        unbalanced = unbalanced or not is_balanced(text)
        hidden |= hidden_names(text)
        hidden |= _names_behind(run, text)
    return Guess(
        name,
        question.start,
        question.end,
        tuple(names),
        frozenset(hidden),
        unbalanced,
        question.read,
        question.closed,
    )


def _names_behind(run: Directives, text: bytes) -> set[str]:
    """Returns all names that the documents included by a text may declare.

    All of their branches count. A quoted include that cannot be loaded, or a macro as the name, makes
    every name possible. An include in angle brackets that is not found belongs to another language's
    system headers: OpenCL C has none.
    """
    names: set[str] = set()
    pending = [(text, run.document.name)]
    seen: set[str] = set()
    while pending:
        text, includer = pending.pop()
        for header, angled in included_names(text):
            if not header:
                run.unknown_includes.append(header)
                continue
            found = run.load(header, angled, includer)
            if isinstance(found, Refusal):
                if not angled:
                    run.unknown_includes.append(header)
            elif found.name not in seen and len(seen) < MAX_INCLUDE_DEPTH:
                seen.add(found.name)
                names |= hidden_names(found.text.data)
                pending.append((found.text.data, found.name))
    return names
