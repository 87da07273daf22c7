"""A small OpenCL C program with a name, and functions that create many of them."""

from __future__ import annotations

import itertools
import string
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

SPELLED: Mapping[str, str] = {
    "g": "global ",
    "l": "local ",
    "p": "private ",
    "c": "constant ",
    "n": "",
}
"""The letters that stand for a space in a program's name (`n`: none written), with the qualifier, a space behind it."""

WITH_GENERIC: Mapping[str, str] = {**SPELLED, "u": "generic "}
"""The same with the reserved word, which some compilers take for the unnamed generic space."""


@dataclass(frozen=True, slots=True)
class Program:
    """A translation unit. `name` is unique among all programs and describes how the text was created."""

    name: str
    text: str


def matrix(
    name: str, template: str, letters: Mapping[str, str] = SPELLED, **more: Mapping[str, str]
) -> Iterator[Program]:
    """Yields one program for each way to fill the template's fields.

    A field in capitals (`{D}`) takes the spaces of `letters`; any other takes those of the mapping given under its
    name. A choice's key becomes part of the program's name, in the fields' alphabetical order (the destination `D`
    before the source `S`).
    """
    fields = sorted({field for _, field, _, _ in string.Formatter().parse(template) if field})
    choices = [letters if field.isupper() else more[field] for field in fields]
    for keys in itertools.product(*choices):
        values = {field: choice[key] for field, choice, key in zip(fields, choices, keys, strict=True)}
        separator = "" if all(len(key) == 1 for key in keys) else "-"
        yield Program(f"{name}-{separator.join(keys)}" if keys else name, template.format(**values))


def matrices(
    prefix: str, templates: Mapping[str, str], letters: Mapping[str, str] = SPELLED, **more: Mapping[str, str]
) -> Iterator[Program]:
    """Yields the programs of each template, named by the prefix and the template's name."""
    for name, template in templates.items():
        yield from matrix(f"{prefix}-{name}", template, letters, **more)
