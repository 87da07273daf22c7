"""Notes on attributes: what the attribute under the cursor means."""

from __future__ import annotations

from openclsp.ide.location_map import nodes_around
from openclsp.language.attributes import ATTRIBUTES
from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.typing.specifiers import is_attribute


def describe_attribute(table: Table, token_index: int) -> tuple[str, ...]:
    """Returns a note on the attribute whose name is this token; empty if it is no known attribute."""
    word = table.token(token_index)
    name = word[2:-2] if word.startswith("__") and word.endswith("__") else word
    attribute = ATTRIBUTES.get(name)
    if attribute is None or not any(
        is_attribute(table.kind[node]) for node in nodes_around(table, token_index)
    ):
        return ()
    return (f"attribute `{word}`: {attribute.description}",)
