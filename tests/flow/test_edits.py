"""The flow of an edited generated program equals that of its final text."""

from __future__ import annotations

import random

import pytest
from openclsp.semantics.database.derived_queries import FLOW
from openclsp.semantics.flow.flow_queries import POINTS_TO, solution
from openclsp.semantics.flow.points_to_values import PointsTo
from openclsp.semantics.translation_unit import TranslationUnit

from ..semantics.units import edited, unit_of
from .compare import made
from .printing import printed
from .random_programs import PROFILES

SEEDS = 4
EDITS = 8


def held(unit: TranslationUnit) -> dict[object, PointsTo]:
    """Returns what the pointers of every item hold."""
    solution(unit, FLOW)
    return {item.key: unit.database.read(POINTS_TO, item.key) for item in unit.items}


def changed(text: str, original: str, chance: random.Random) -> str:
    """Returns the text after one edit; sometimes all edits are undone."""
    if chance.random() < 0.2:
        return original
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    edit = chance.choice(["take away", "take away", "add", "space"])
    if edit == "take away":
        lines[at] = ""
    elif edit == "add":
        lines.insert(at, chance.choice(original.split("\n")))
    else:
        lines[at] = lines[at].replace("global", "local").replace("private", "global")
    return "\n".join(lines)


@pytest.mark.parametrize("profile", PROFILES)
def test_the_flow_is_that_of_the_last_text(profile: str) -> None:
    for seed in range(SEEDS):
        chance = random.Random(seed)
        original = text = printed(made(profile, seed)).text
        unit = unit_of(text.encode())
        held(unit)
        for number in range(EDITS):
            text = changed(text, original, chance)
            edited(unit, text.encode())
            assert held(unit) == held(unit_of(text.encode())), (
                f"{profile}, seed {seed}, edit {number}:\n{text}"
            )
