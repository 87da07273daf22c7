"""Projects of several files that share the functions of one generated program.

Two forms. *Including*: the helpers are in a header, and each kernel is in a file of its own that includes it; each
file is a program, so that a use in the header holds what any of these programs brings. *Linked*: every function is in one of
several files, which share a header of prototypes; together they are the one program.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from openclsp.cli.builds import RequestedBuilds
from openclsp.cli.project_flows import ProjectFlows
from openclsp.cli.scanned_projects import ScannedProjects
from openclsp.ide.feature_results import PointerFlow
from openclsp.ide.flow.pointer_flow import compute_flow_of_token
from openclsp.ide.location_map import LocationMap
from openclsp.project.file_system import LOCAL_FILE_SYSTEM, DocumentStore
from openclsp.project.option_parser import BuildOptions
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document

from . import program as p
from .printing import MARK, OpenCL

FORMS = ("including", "linked")
HEADER = "shared.h"
_NUMBERS = p.Array(p.INT, 4)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a use is: the file, the offset in bytes from 0, and the line from 1."""

    file: str
    offset: int
    line: int


@dataclass(frozen=True, slots=True)
class Project:
    """The files of a project, the place of each use by its number, and the programs that the files make."""

    name: str
    files: Mapping[str, str]
    uses: Mapping[int, Place]
    programs: tuple[p.Program, ...]


def project_of(program: p.Program, form: str, seed: int) -> Project:
    """The program as a project of that form."""
    chance = random.Random(f"{form} {program.name} {seed}")
    marked = _including(program, chance) if form == "including" else _linked(program, chance)
    files: dict[str, str] = {}
    uses: dict[int, Place] = {}
    for name, text in marked.items():
        files[name] = ""
        for number, part in enumerate(MARK.split(text)):
            if number % 2:
                uses[int(part)] = Place(name, len(files[name]), files[name].count("\n") + 1)
            else:
                files[name] += part
    programs = tuple(_with_kernels(program, form))
    return Project(f"{program.name}-{form}", files, uses, programs)


def _with_kernels(program: p.Program, form: str) -> Iterator[p.Program]:
    kernels = [each for each in program.functions if each.kernel]
    if form == "linked":
        yield program
        return
    for kernel in kernels:
        functions = tuple(each for each in program.functions if not each.kernel or each is kernel)
        yield replace(program, name=f"{program.name}-{kernel.name}", functions=functions, known={})


def _including(program: p.Program, chance: random.Random) -> dict[str, str]:
    printer = OpenCL(program)
    helpers = [each for each in program.functions if not each.kernel]
    parts = [printer.record(each) for each in program.records]
    parts += [printer.global_variable(each) for each in program.globals]
    parts += [printer.signature(each) + ";" for each in helpers]
    parts += [*printer.helpers(), *map(printer.function, helpers)]
    files = {HEADER: "\n".join(["#pragma once", *parts]) + "\n"}
    for kernel in (each for each in program.functions if each.kernel):
        text = f'#include "{HEADER}"\n{printer.function(kernel)}\n'
        if chance.random() < 0.3:
            # a kernel in an included file counts as a kernel of the file that includes it
            files[f"{kernel.name}.h"] = text
            text = f'#include "{kernel.name}.h"\n'
        files[f"{kernel.name}.cl"] = text
    return files


def _linked(program: p.Program, chance: random.Random) -> dict[str, str]:
    """The functions in several files; the header declares what another file calls, and nothing else.

    What nobody but its own file calls would be unknown if the header declared it, and so would be a pointer that is
    `extern`: functions that use pointers at program scope stay in the first file.
    """
    printer = OpenCL(program)
    count = chance.randint(2, 4)
    texts = {each: printer.function(each) for each in program.functions}
    pointers = [each.variable.name for each in program.globals if each.variable.type != _NUMBERS]
    file_of = {
        each: 0 if _mentions(text, pointers) else chance.randrange(count) for each, text in texts.items()
    }
    shared = {
        each
        for each in program.functions
        if any(
            _mentions(text, [each.name]) and file_of[other] != file_of[each] for other, text in texts.items()
        )
    }
    numbers = [each for each in program.globals if each.variable.type == _NUMBERS]
    header = [printer.record(each) for each in program.records]
    header += ["extern " + printer.global_variable(replace(each, value=None)) for each in numbers]
    header += [printer.signature(each) + ";" for each in program.functions if each in shared]
    files = {HEADER: "\n".join(["#pragma once", *header, *printer.helpers()]) + "\n"}
    for number in range(count):
        own = [each for each in program.functions if file_of[each] == number]
        text = [printer.global_variable(each) for each in program.globals] if not number else []
        text += [printer.signature(each) + ";" for each in own if not each.kernel and each not in shared]
        text += [texts[each] for each in own]
        if text:
            files[f"file{number}.cl"] = "\n".join([f'#include "{HEADER}"', *text]) + "\n"
    return files


def _mentions(text: str, names: Sequence[str]) -> bool:
    return any(re.search(rf"\b{name}\b", text) is not None for name in names)


def flows_of(project: Project, folder: Path, uses: Sequence[int]) -> Iterator[tuple[int, PointerFlow | None]]:
    """The flow at each of the uses, each asked in the file that has it."""
    for name, text in project.files.items():
        (folder / name).write_text(text)
    (folder / "openclsp.toml").write_text("")
    projects = ScannedProjects(for_many_inputs=True)
    options = BuildOptions(standard="CL2.0")
    units: dict[str, LocationMap] = {}
    for number in uses:
        place = project.uses[number]
        if place.file not in units:
            units[place.file] = LocationMap(_unit(project, folder, place.file, projects, options))
        found = units[place.file].item_at(str(folder / place.file), place.offset)
        assert found is not None
        yield number, compute_flow_of_token(units[place.file], found[0].key, found[1])


def _unit(
    project: Project, folder: Path, name: str, projects: ScannedProjects, options: BuildOptions
) -> TranslationUnit:
    """The unit of a file: of a header, one that includes it."""
    names = (name, name.replace(".h", ".cl"), *project.files)
    root = next(each for each in names if each.endswith(".cl") and each in project.files)
    document = Document.of(str(folder / root), project.files[root].encode())
    planned = projects.plan(document, options, None, "" if root == name else str(folder / name))
    documents = DocumentStore(LOCAL_FILE_SYSTEM, {document.name: document})
    unit = TranslationUnit(planned.unit_config, document, planned.make_include_loader(documents))
    ProjectFlows(projects, options, RequestedBuilds(), {}).attach(unit)
    return unit
