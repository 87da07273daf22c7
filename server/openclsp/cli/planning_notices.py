"""Messages about problems of the build options and the project file of a planned unit."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.ide.diagnostics.severity_settings import list_project_problems
from openclsp.workspace.units import PlannedUnit


def planning_notices(planned: PlannedUnit) -> Iterator[str]:
    """Yields messages about invalid options, refused paths and features that options turn off."""
    for problem in planned.problems:
        yield f"{problem.message} (in {planned.compile_flags}; the option is ignored)"
    yield from list_project_problems(planned.unit_config.project)
    yield from planned.refused
    yield from planned.host_options.problems
    yield from planned.permission_advice
    yield from planned.notes
