"""Enumerates the builds of a file: combinations of a variant and a language version.

Without `--all-variants` and `--all-std`, a file has one build.
"""

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
    """The variants and language versions that the command line requests.

    - `variant`: the name of the requested variant; None for the default
    - `all_variants`: whether all variants are requested
    - `all_versions`: whether all language versions are requested
    """

    variant: str | None = None
    all_variants: bool = False
    all_versions: bool = False

    @property
    def has_several_builds(self) -> bool:
        """Whether a file can have several builds: all variants or all language versions are requested."""
        return self.all_variants or self.all_versions


def plan_builds(
    plan: PlanFunction, options: BuildOptions, requested: RequestedBuilds
) -> Iterator[tuple[str, PlannedUnit]]:
    """Yields the planned unit of each build of a file, with the name of the build.

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
