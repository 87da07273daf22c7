"""`flow --diff REV`: compares the address spaces of pointers with those at a git revision.

The files of the revision are written to a temporary folder. Both versions of the project are analysed
completely, because a change of one function may change the address spaces that reach pointers of other
functions and files.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from io import BytesIO

from openclsp.cli.builds import RequestedBuilds
from openclsp.cli.changed_since import moved_path, write_revision
from openclsp.cli.excerpt import printable
from openclsp.cli.git_revision import find_top_folder, resolve_revision
from openclsp.cli.inputs import CheckInputs, allowed_folders_of_run, has_opencl_name, read_inputs
from openclsp.cli.json_output import Json
from openclsp.cli.pointer_changes import (
    SPACE_ORDER,
    ChangedPointer,
    FlowDifference,
    describe_consequence,
    describe_state,
    describe_totals,
)
from openclsp.cli.project_flows import ProjectFlows
from openclsp.cli.project_units import units_of_file
from openclsp.cli.scanned_projects import ScannedProjects
from openclsp.cli.styled_text import StyledLine
from openclsp.ide.feature_results import Location
from openclsp.ide.flow.pointer_states import PointerKey, PointerState, pointer_states
from openclsp.project.option_parser import BuildOptions

_NOTHING_KNOWN = PointerState(frozenset(("unknown",)), True, 0, Location("", 0, 0), 1)


def compare_flows(paths: tuple[str, ...], revision: str, options: BuildOptions) -> FlowDifference:
    """Compares the address spaces of the pointers in the files at `paths` with those at a git revision.

    Raises CommandError.
    """
    first = os.path.abspath(paths[0])
    top = os.path.realpath(find_top_folder(first if os.path.isdir(first) else os.path.dirname(first)))
    commit = resolve_revision(top, revision)
    now = read_files(paths, options)
    after = pointers_of(now, options, top)
    with tempfile.TemporaryDirectory(prefix="openclsp-") as temporary:
        state = os.path.realpath(temporary)
        renamed = write_revision(top, commit, state).renamed
        old_paths = [moved_path(each, top, state) for each in paths]
        folders = tuple(moved_path(each, top, state) for each in options.include_folders)
        old_options = replace(options, include_folders=folders)
        moved = (old for old, new in renamed.items() if has_opencl_name(old) and _is_in(top, new, paths))
        present = dict.fromkeys(each for each in old_paths if os.path.exists(each))
        present.update(dict.fromkeys(os.path.join(state, old) for old in moved))
        before = {
            key._replace(document=renamed.get(key.document, key.document)): value
            for key, value in (
                pointers_of(read_files(tuple(present), old_options), old_options, state) if present else {}
            ).items()
        }
    return FlowDifference(
        revision,
        tuple(changed_pointers(before, after)),
        sum(each.flat_accesses for each in before.values()),
        sum(each.flat_accesses for each in after.values()),
        now.notices,
        top,
    )


def document_of(found: FlowDifference, path: str) -> str:
    """Returns the name of a file's document in `found`: its path relative to the top folder."""
    return os.path.relpath(os.path.realpath(path), found.top)


def read_files(paths: tuple[str, ...], options: BuildOptions) -> CheckInputs:
    """Reads the files whose pointers are compared. Raises CommandError."""
    return read_inputs(paths, None, BytesIO(), allowed_folders_of_run(options), any_is_opencl=False)


def _is_in(top: str, name: str, paths: tuple[str, ...]) -> bool:
    path = os.path.join(top, name)
    return any(
        path == each or path.startswith(os.path.join(each, "")) for each in map(os.path.realpath, paths)
    )


def pointers_of(inputs: CheckInputs, options: BuildOptions, top: str) -> dict[PointerKey, PointerState]:
    """Returns the pointers of the inputs and of the files that they include, in one version of the project.

    Documents are named by their paths relative to the top folder of that version.
    """
    projects = ScannedProjects(for_many_inputs=True, named_folders=inputs.named_folders)
    flows = ProjectFlows(projects, options, RequestedBuilds(), {})
    found: dict[PointerKey, PointerState] = {}
    for each in inputs.inputs:
        units = units_of_file(each.document.name, projects, options, RequestedBuilds(), opencl=each.is_opencl)
        for unit in units:
            if unit.dialect.generic:
                flows.attach(unit)
                for key, state in pointer_states(unit).items():
                    path = os.path.relpath(key.document, top)
                    # A program that does not call a function has no information about its parameters.
                    if (
                        not path.startswith(os.pardir)
                        and found.get(key._replace(document=path), _NOTHING_KNOWN).spaces
                        == _NOTHING_KNOWN.spaces
                    ):
                        found[key._replace(document=path)] = state
            unit.close()
    return found


def changed_pointers(
    before: Mapping[PointerKey, PointerState], after: Mapping[PointerKey, PointerState]
) -> Iterator[ChangedPointer]:
    """Yields the pointers whose address spaces differ between two versions of a project.

    A pointer that is no longer in its file is compared with the pointer of the same function and name in
    another file, if there is only one.
    """
    elsewhere: dict[tuple[str, str, int], list[PointerKey]] = {}
    for key in before:
        if key not in after:
            elsewhere.setdefault(key[1:], []).append(key)
    for key, now in sorted(after.items()):
        others = elsewhere.get(key[1:], [])
        then = before.get(key) or (before[others[0]] if len(others) == 1 else None)
        if then is not None and (then.spaces, then.generic) != (now.spaces, now.generic):
            yield ChangedPointer(key, then, now)


def flow_difference_text(found: FlowDifference) -> Iterator[StyledLine]:
    """Yields the text output of `flow --diff`."""
    path = ""
    for each in found.changed:
        if each.key.document != path:
            path = each.key.document
            yield [(printable(path), "bold")]
        name = printable(f"{each.key.function}: {each.key.name}")
        yield [
            (f"  {each.after.line}  {name}", ""),
            (f"  {describe_state(each.before)} → {describe_state(each.after)}", "cyan"),
        ]
        consequence = describe_consequence(each)
        if consequence:
            yield [(f"      {consequence}", "")]
    count, *accesses = describe_totals(found)
    yield [(printable(count), "bold")]
    yield from ([(each, "")] for each in accesses)


def flow_difference_json(found: FlowDifference) -> dict[str, Json]:
    """Returns the JSON output of `flow --diff`."""
    return {
        "revision": found.revision,
        "changed": [
            {
                "path": each.key.document,
                "line": each.after.line,
                "function": each.key.function,
                "name": each.key.name,
                "before": _state_json(each.before),
                "after": _state_json(each.after),
            }
            for each in found.changed
        ],
        "flat_accesses": {"before": found.flat_before, "after": found.flat_after},
    }


def _state_json(state: PointerState) -> dict[str, Json]:
    return {
        "spaces": [word for word in SPACE_ORDER if word in state.spaces],
        "generic": state.generic,
        "flat_accesses": state.flat_accesses,
    }
