"""Which unit an open document stands for, given the client's settings and what lies beside the document."""

from __future__ import annotations

import os
from dataclasses import replace

from openclsp.ide.severities import project_problems
from openclsp.lsp.documents import OpenDocument
from openclsp.lsp.settings import Settings
from openclsp.lsp.uris import is_file
from openclsp.lsp.world import World
from openclsp.source.document import Document
from openclsp.workspace.evidence_search import EvidenceSearch
from openclsp.workspace.files import FileSystem
from openclsp.workspace.host_options.project import HostProjects
from openclsp.workspace.options import OptionProblem, Options, parse_options
from openclsp.workspace.units import PlannedUnit, plan_unit

_BY_COMMAND = "chosen by command for this workspace"


def plan(
    document: OpenDocument,
    world: World,
    files: FileSystem,
    search: EvidenceSearch | None = None,
    root: Document | None = None,
    hosts: HostProjects | None = None,
) -> PlannedUnit:
    """The unit of the document, or, for the document, that of a kernel `root` which includes it. One that is no file is
    taken for a file of the first workspace folder: it has that folder's options. `search` finds the language version in
    the text where no option says it, `hosts` knows what the host code says."""
    start = document.document if root is None else root
    name = start.name
    folder = world.folder_of(name) if is_file(name) else "".join(world.folders[:1])
    stand_in = name if is_file(name) or not folder else os.path.join(folder, "untitled.cl")
    parsed = parse_options(_arguments(world.settings_of(folder)), folder or None)
    planned = plan_unit(
        stand_in,
        client=parsed.options,
        command_line=Options(standard=world.checked_as) if world.checked_as else None,
        workspace_folders=world.folders,
        files=files,
        document=start,
        opened={name: each.document for name, each in world.documents.items()},
        search=search,
        variant=world.variant_of(document.name),
        subject="" if root is None else document.name,
        hosts=hosts,
    )
    unit = replace(planned.unit, root=name)
    if world.checked_as:
        unit = replace(unit, origins=replace(unit.origins, dialect=_BY_COMMAND))
    return replace(
        planned,
        unit=unit,
        problems=(*parsed.problems, *planned.problems),
        cpp_for_opencl=planned.cpp_for_opencl or document.cpp_for_opencl,
    )


def complaints(planned: PlannedUnit) -> tuple[str, ...]:
    """What is to be said of the unit's options, a message each; the project's file has one for all."""
    where = f" ({planned.compile_flags})" if planned.compile_flags else ""
    problems = tuple(f"openclsp: {_told(problem)}{where}; it is ignored" for problem in planned.problems)
    wrong = project_problems(planned.unit.project)
    project: tuple[str, ...] = ("openclsp: " + "\n".join(wrong),) if wrong else ()
    project += tuple(f"openclsp: {told}" for told in planned.host.problems)
    return problems + project + tuple(f"openclsp: {note}" for note in planned.notes)


def _told(problem: OptionProblem) -> str:
    return f"{problem.option}: {problem.message}"


def _arguments(settings: Settings) -> list[str]:
    """The settings as an OpenCL host would pass them."""
    arguments = [f"-cl-std={settings.language_version}"] if settings.language_version is not None else []
    if settings.extensions is not None:
        arguments.append(f"-cl-ext={settings.extensions}")
    arguments += [f"-D{define}" for define in settings.defines or ()]
    return arguments + [f"-I{include}" for include in settings.include_folders or ()]
