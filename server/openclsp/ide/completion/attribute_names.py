"""Completion candidates for the names of attributes."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.ide.completion.completion_list import CompletionCandidate
from openclsp.ide.completion.predefined_names import NameKind
from openclsp.language.attributes import ATTRIBUTES, Attribute


def attribute_candidates(*, snippets: bool) -> Iterator[CompletionCandidate]:
    """Yields a candidate for each attribute, the most common first.

    With `snippets`, a candidate inserts a snippet with placeholders for the attribute's arguments.
    """
    for each in ATTRIBUTES.values():
        yield CompletionCandidate(
            each.name, NameKind.KEYWORD, each.description, insertion=_snippet(each) if snippets else ""
        )


def _snippet(attribute: Attribute) -> str:
    if not attribute.example:
        return ""
    arguments = attribute.example[1:-1].split(", ")
    fields = (f"${{{number}:{each}}}" for number, each in enumerate(arguments, 1))
    return f"{attribute.name}({', '.join(fields)})"
