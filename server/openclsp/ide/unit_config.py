"""The configuration that the workspace planned for a translation unit."""

from __future__ import annotations

from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.workspace.units import UnitConfig


def unit_config(unit: TranslationUnit) -> UnitConfig:
    """Returns the configuration of a unit. Units of the editor features are created from a `UnitConfig`."""
    config = unit.target
    assert isinstance(config, UnitConfig), type(config)
    return config
