"""The configuration that the workspace planned for a translation unit."""

from __future__ import annotations

from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.workspace.units import UnitConfig


def unit_config(unit: TranslationUnit) -> UnitConfig:
    """Returns the build configuration of a unit.

    The unit's target must be a `UnitConfig`, which is the case for all units of editor features.
    """
    config = unit.target
    assert isinstance(config, UnitConfig), type(config)
    return config
