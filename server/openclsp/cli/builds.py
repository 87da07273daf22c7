"""Enumerates the builds of a file: one, or one for each variant under each language version."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from openclsp.cli.build_options import build_options
from openclsp.dataclass import dataclass
from openclsp.project.option_parser import BuildOptions
from openclsp.workspace.units import PlannedUnit

LANGUAGE_VERSIONS = ("CL1.0", "CL1.1", "CL1.2", "CL2.0", "CL3.0")

PlanFunction = Callable[[BuildOptions, "str | None"], PlannedUnit]
"""A function that plans the unit of a file from the command line's options and the name of a variant."""


@dataclass(frozen=True, slots=True)
class RequestedBuilds:
    """The builds requested on the command line: one variant, all variants, or all language versions."""

    variant: str | None = None
    all_variants: bool = False
    all_versions: bool = False

    @property
    def has_several_builds(self) -> bool:
        """Whether all variants or versions are requested, so that a file can have more than one build."""
        return self.all_variants or self.all_versions


def plan_builds(
    plan: PlanFunction, options: BuildOptions, requested: RequestedBuilds
) -> Iterator[tuple[str, PlannedUnit]]:
    """Yields the units of a file, each with the name of its build.

    The name consists of the variant, if the file has variants, and the language version, if all versions are
    requested. Otherwise it is empty.
    """
    for version in LANGUAGE_VERSIONS if requested.all_versions else (None,):
        under = options
        if version is not None:
            chosen = build_options(version, (), (), ())
            under = replace(options, standard=version, standard_written=chosen.standard_written)
        first = plan(under, requested.variant)
        rest = first.unit_config.variants[1:] if requested.all_variants else ()
        if requested.all_variants and first.unit_config.variants:
            first = plan(under, first.unit_config.variants[0].name)
        for planned in (first, *(plan(under, each.name) for each in rest)):
            variant = planned.unit_config.variant
            name = " ".join(part for part in (variant.name if variant else "", version or "") if part)
            yield name, planned
