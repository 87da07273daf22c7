"""Runs the tools of `openclsp mcp` and returns their results as JSON; refuses files outside the workspace."""

from __future__ import annotations

import io
import os
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from openclsp.cli.agents.tool_definitions import DEFAULT_MAXIMUM
from openclsp.cli.build_arguments import BuildArguments
from openclsp.cli.builds import RequestedBuilds
from openclsp.cli.check_command import check
from openclsp.cli.check_report import CheckReport, ReportedDiagnostic
from openclsp.cli.command_error import CommandError
from openclsp.cli.expand_command import expand_json, expand_report
from openclsp.cli.flow_command import flow_report, flow_report_json
from openclsp.cli.hover_command import hover_json, hover_report
from openclsp.cli.inputs import CheckInput, CheckInputs, allowed_folders_of_run, read_inputs, read_named
from openclsp.cli.json_output import VERSION, Json, check_json, diagnostic_json
from openclsp.cli.layout_command import layout_json, layout_report
from openclsp.cli.project_units import make_project_sharing
from openclsp.cli.report_filters import filter_by_code, limit_report, split_codes
from openclsp.cli.rule_book import page_names, rule_page
from openclsp.cli.scanned_projects import ScannedProjects
from openclsp.cli.user_files import read_whole_file, replace_file
from openclsp.ide.fixes.project_units import MAXIMUM_OTHER_PROGRAMS
from openclsp.project.file_system import BYTE_ORDER_MARK, FileProblem
from openclsp.rules.finding import Severity
from openclsp.source.document import Document, DocumentName
from openclsp.source.text import Text

_NUMBER = re.compile(r"[0-9]+")

Arguments = Mapping[str, Any]
"""The arguments of a tool, which have been validated by its schema."""


class WorkspaceTools:
    """The tools for one workspace folder. `writing`: whether `try_fix` may write files."""

    def __init__(self, folder: str, given: BuildArguments, *, writing: bool) -> None:
        self._folder, self._given, self._writing = os.path.realpath(folder), given, writing
        self._options = given.options()

    def call(self, name: str, arguments: Arguments) -> Mapping[str, Json]:
        """Runs a tool and returns its result.

        Raises CommandError for an unknown tool or invalid arguments.
        """
        match name:
            case "check":
                return self._check(arguments)
            case "hover":
                hovered = hover_report(self._place(arguments), self._options, is_opencl=self._given.is_opencl)
                return {"version": VERSION, **hover_json(hovered)}
            case "flow":
                flow = flow_report(self._place(arguments), self._options, is_opencl=self._given.is_opencl)
                return {"version": VERSION, **flow_report_json(flow)}
            case "layout":
                layout = layout_report(self._place(arguments), self._options, is_opencl=self._given.is_opencl)
                return {"version": VERSION, **layout_json(layout)}
            case "expand":
                expanded = expand_report(
                    self._place(arguments), self._options, is_opencl=self._given.is_opencl
                )
                return {"version": VERSION, **expand_json(expanded)}
            case "explain":
                if "code" in arguments:
                    return {"page": rule_page(arguments["code"])}
                return {"names": list(page_names())}
            case "try_fix":
                return self._try_fix(arguments)
            case _:
                raise CommandError(f"there is no tool '{name}'")

    def _check(self, arguments: Arguments) -> Mapping[str, Json]:
        select = split_codes("select", arguments.get("select", ()))
        ignore = split_codes("ignore", arguments.get("ignore", ()))
        paths = [self._path(path) for path in arguments.get("paths", (self._folder,))]
        report = check(self._read(paths), self._options, with_fixes=arguments.get("fixes", True))
        report = limit_report(
            filter_by_code(report, select, ignore), arguments.get("maximum", DEFAULT_MAXIMUM)
        )
        return {"version": VERSION, **check_json(report)}

    def _try_fix(self, arguments: Arguments) -> Mapping[str, Json]:
        edited = self._apply(arguments["edits"])
        inputs = self._read([os.path.relpath(name) for name in (*edited, *self._including_programs(edited))])
        before = check(inputs, self._options, with_fixes=False)
        changed = tuple(
            CheckInput(
                each.path,
                edited.get(each.document.name, each.document),
                each.is_opencl,
                each.is_named,
                each.is_certain,
            )
            for each in inputs.inputs
        )
        after = check(CheckInputs(changed), self._options, with_fixes=False, open_documents=edited)
        fixed, added = _difference(before, after), _difference(after, before)
        written: list[Json] = []
        if arguments.get("write", False):
            if not self._writing:
                raise CommandError("this server does not write files: start it with --write")
            errors = [each.message for each in added if each.severity is Severity.ERROR]
            if errors:
                raise CommandError(
                    f"nothing is written, because the edits add errors: {'; '.join(errors[:3])}"
                )
            written += self._write(edited)
        return {
            "fixed": [_located(each) for each in fixed],
            "added": [_located(each) for each in added],
            "remaining": sum(len(file.diagnostics) for file in after.files),
            "written": written,
        }

    def _including_programs(self, edited: Collection[DocumentName]) -> Iterator[DocumentName]:
        """Yields at most MAXIMUM_OTHER_PROGRAMS programs of the workspace that include an edited document.

        The edits may cause errors in these programs.
        """
        sharing = make_project_sharing(ScannedProjects(), self._options, RequestedBuilds())
        found = sorted(set(sharing.including_programs(tuple(edited))) - set(edited))
        inside = (name for name in found if os.path.realpath(name).startswith(os.path.join(self._folder, "")))
        yield from islice(inside, MAXIMUM_OTHER_PROGRAMS)

    def _path(self, path: str) -> str:
        """Returns the path relative to the workspace.

        Raises CommandError for a path outside the workspace, and does not access that path.
        """
        name = os.path.realpath(os.path.join(self._folder, path))
        if name != self._folder and not name.startswith(os.path.join(self._folder, "")):
            raise CommandError(f"{path} is outside the workspace")
        return os.path.relpath(name)

    def _place(self, arguments: Arguments) -> str:
        return f"{self._path(arguments['path'])}:{arguments['line']}:{arguments['column']}"

    def _read(self, paths: Sequence[str]) -> CheckInputs:
        return read_inputs(
            paths,
            None,
            io.BytesIO(),
            allowed_folders_of_run(self._options),
            any_is_opencl=self._given.is_opencl,
        )

    def _apply(self, edits: Sequence[Arguments]) -> dict[DocumentName, Document]:
        """Applies the edits and returns the edited documents.

        Raises CommandError for a range that does not exist and for overlapping ranges.
        """
        by_name: dict[DocumentName, list[tuple[int, int, str]]] = {}
        texts: dict[DocumentName, Text] = {}
        for edit in edits:
            path = self._path(edit["path"])
            name = os.path.abspath(path)
            if name not in texts:
                document = read_named(path, allowed_folders_of_run(self._options))
                if isinstance(document, FileProblem):
                    raise CommandError(f"{edit['path']} {document.reason}")
                texts[name] = document.text
            ends = edit["range"]["start"], edit["range"]["end"]
            start, end = (
                _offset(edit["path"], texts[name], place["line"], place["column"]) for place in ends
            )
            if end < start:
                raise CommandError(f"an edit of {edit['path']} ends before it starts")
            by_name.setdefault(name, []).append((start, end, edit["text"]))
        return {name: Document(name, _edited(name, texts[name], found)) for name, found in by_name.items()}

    def _write(self, edited: Mapping[DocumentName, Document]) -> list[str]:
        written: list[str] = []
        for name, document in sorted(edited.items()):
            path = os.path.relpath(name)
            try:
                mark = BYTE_ORDER_MARK if read_whole_file(name).startswith(BYTE_ORDER_MARK) else b""
                replace_file(name, mark + document.text.data)
            except OSError as error:
                done = f"; already written: {', '.join(written)}" if written else ""
                raise CommandError(f"{path} cannot be written: {error.strerror}{done}") from error
            written.append(path)
        return written


def _offset(path: str, text: Text, line: int, column: int) -> int:
    """Returns the byte offset of a line and a column, both counted from 1.

    Raises CommandError if the text has no such position.
    """
    if line > text.line_count:
        raise CommandError(f"line {line} is outside {path}, which has {text.line_count} lines")
    if column > text.position(text.line_end(line - 1), "utf-32").column + 1:
        raise CommandError(f"column {column} is outside line {line} of {path}")
    return text.offset(line - 1, column - 1, "utf-32")


def _edited(name: DocumentName, text: Text, edits: Collection[tuple[int, int, str]]) -> Text:
    end_before = len(text.data) + 1
    for start, end, inserted in sorted(edits, reverse=True):
        if end > end_before:
            raise CommandError(f"two edits of {os.path.relpath(name)} overlap")
        end_before = start
        try:
            text = text.replace(start, end, inserted.encode())
        except UnicodeEncodeError as error:
            raise CommandError("the text of an edit is not valid Unicode") from error
    return text


def _identity(found: ReportedDiagnostic) -> tuple[str, str, str]:
    """Returns a key by which a diagnostic is found again after edits.

    The key does not depend on locations. Numbers in messages are masked, because edits may change them.
    """
    return found.location.path, found.code, _NUMBER.sub("#", found.message)


def _difference(of: CheckReport, without: CheckReport) -> list[ReportedDiagnostic]:
    """Returns the diagnostics that are in the report `of` but not in the report `without`."""
    known = Counter(_identity(each) for file in without.files for each in file.diagnostics)
    found: list[ReportedDiagnostic] = []
    for file in of.files:
        for each in file.diagnostics:
            if known[_identity(each)]:
                known[_identity(each)] -= 1
            else:
                found.append(each)
    return found


def _located(found: ReportedDiagnostic) -> Json:
    return {"path": found.location.path, "diagnostic": diagnostic_json(found)}
