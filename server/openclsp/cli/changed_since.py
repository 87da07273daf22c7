"""`check --changed-since REV`: reports only the diagnostics that the change since a revision caused.

The files of the revision are written to a temporary folder and checked there. A diagnostic on a changed line
is reported. A diagnostic on an unchanged line is reported if the working tree has more diagnostics with the
same code, line text and message than the revision.
"""

from __future__ import annotations

import difflib
import hashlib
import os
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Mapping

from openclsp.cli.check_report import CheckReport, ReportedDiagnostic
from openclsp.cli.fingerprints import fingerprint
from openclsp.cli.git_revision import find_top_folder, list_files, read_blobs, resolve_revision
from openclsp.cli.report_filters import filter_report
from openclsp.dataclass import dataclass
from openclsp.host_options.compile_commands import FILE_NAME as DATABASE_NAME
from openclsp.project.file_system import BYTE_ORDER_MARK, LOCAL_FILE_SYSTEM, FileProblem
from openclsp.project.project_roots import read_permission_of_folder
from openclsp.project.project_scan import ScannedFileKind, scan_project

_NUMBER = re.compile(r"[0-9]+")

CheckFolder = Callable[[str, str, Mapping[str, str]], CheckReport]
"""A function that checks the inputs as they were at a revision. Its arguments are the top folder, the folder
with the revision's files, and the renamed files by their old paths.
"""


@dataclass(frozen=True, slots=True)
class ChangedFiles:
    """The changes between a revision and the working tree.

    Paths are relative to the top folder of the repository.

    - `lines`: for each changed file, the changed lines, from 0
    - `unchanged`: the other files of the revision
    - `renamed`: maps paths of the revision to paths of the working tree
    """

    lines: Mapping[str, frozenset[int]]
    unchanged: frozenset[str]
    renamed: Mapping[str, str]

    def has_changed(self, path: str, first: int, last: int) -> bool:
        """Whether any of the lines `first` to `last` of a file has changed; always True for a new file."""
        if path in self.unchanged:
            return False
        changed = self.lines.get(path)
        return changed is None or any(line in changed for line in range(first, last + 1))


def keep_changed(report: CheckReport, folder: str, revision: str, check_folder: CheckFolder) -> CheckReport:
    """Returns the report with only the diagnostics that the change since `revision` caused.

    `folder` is in the repository that contains the revision. `check_folder` checks the files of the revision
    in a temporary folder. Raises CommandError.
    """
    top = os.path.realpath(find_top_folder(folder))
    commit = resolve_revision(top, revision)
    with tempfile.TemporaryDirectory(prefix="openclsp-") as temporary:
        state = os.path.realpath(temporary)
        changed = write_revision(top, commit, state)
        before = check_folder(top, state, changed.renamed)
    known = Counter(
        _identity(each, changed.renamed.get(path, path))
        for file in before.files
        for each in file.diagnostics
        for path in [_path_below(state, each.location.path)]
    )
    kept: set[int] = set()
    for file in report.files:
        for each in file.diagnostics:
            path = _path_below(top, each.location.path)
            identity = _identity(each, path)
            if changed.has_changed(path, each.location.first.line, each.location.last.line):
                kept.add(id(each))
            elif known[identity]:
                known[identity] -= 1
            else:
                kept.add(id(each))
    return filter_report(report, lambda each: id(each) in kept, f"older than the change since {revision}")


def moved_path(path: str, top: str, state: str) -> str:
    """Replaces the folder `top` at the start of a path by the folder `state`.

    Returns a path outside `top` unchanged.
    """
    name = os.path.realpath(path)
    if name == top:
        return state
    inside = name.startswith(os.path.join(top, ""))
    return os.path.join(state, os.path.relpath(name, top)) if inside else name


def _path_below(folder: str, path: str) -> str:
    """Returns the path of a file relative to a folder, with `/` as the separator.

    Returns the absolute path if the file is not in the folder.
    """
    name = os.path.realpath(path)
    inside = name.startswith(os.path.join(folder, ""))
    return os.path.relpath(name, folder).replace(os.sep, "/") if inside else name


def _identity(found: ReportedDiagnostic, path: str) -> tuple[str, str]:
    """Returns the key by which diagnostics of the revision and of the working tree are matched.

    Numbers in messages are masked.
    """
    return fingerprint(found, path), _NUMBER.sub("#", found.message)


def write_revision(top: str, commit: str, state: str) -> ChangedFiles:
    """Writes the files of a commit to the folder `state`; returns how the working tree differs from them."""
    # A marker of the project's root: the files of a revision never include one of this name.
    os.mkdir(os.path.join(state, ".git"))
    permission = read_permission_of_folder(top)
    files = {each.path: each.blob for each in list_files(top, commit)}
    unchanged: set[str] = set()
    present: dict[str, bytes] = {}
    for path, blob in files.items():
        data = LOCAL_FILE_SYSTEM.read(os.path.join(top, path), permission)
        if isinstance(data, FileProblem):
            continue
        if blob in (_blob_name(data, blob), _blob_name(BYTE_ORDER_MARK + data, blob)):
            unchanged.add(path)
            _write(state, path, data)
        else:
            present[path] = data
    other = [path for path in files if path not in unchanged]
    blobs = read_blobs(top, tuple(dict.fromkeys(files[path] for path in other)))
    for path in other:
        _write(state, path, blobs[files[path]])
    _copy_untracked(top, state, files)
    renamed = _find_renamed(top, {path: blobs[files[path]] for path in other if path not in present}, files)
    lines = {
        path: _changed_lines(blobs[files[path]].removeprefix(BYTE_ORDER_MARK), data)
        for path, data in present.items()
    }
    for old, new in renamed.items():
        data = LOCAL_FILE_SYSTEM.read(os.path.join(top, new), permission)
        if not isinstance(data, FileProblem):
            lines[new] = _changed_lines(blobs[files[old]].removeprefix(BYTE_ORDER_MARK), data)
    return ChangedFiles(lines, frozenset(unchanged), renamed)


def _blob_name(data: bytes, like: str) -> str:
    """Returns the object name that git computes for a file with the content `data`.

    `like` is another object name of the repository; it determines the hash algorithm.
    """
    algorithm = hashlib.sha1 if len(like) == 40 else hashlib.sha256
    return algorithm(b"blob %d\0" % len(data) + data).hexdigest()


def _write(folder: str, path: str, data: bytes) -> None:
    target = os.path.join(folder, path)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "wb") as file:
        file.write(data)


def _copy_untracked(top: str, state: str, tracked: Collection[str]) -> None:
    """Copies the untracked files that affect a check to the folder `state`: headers, compilation databases.

    Without them, the revision would be checked with other options than the working tree.
    """
    headers = scan_project(top).files_of_kinds(ScannedFileKind.HEADER, ScannedFileKind.OPENCL_HEADER)
    databases = (os.path.join(top, folder, DATABASE_NAME) for folder in ("", "build"))
    permission = read_permission_of_folder(top)
    for name in (*(each.path for each in headers), *databases):
        path = _path_below(top, name)
        data = LOCAL_FILE_SYSTEM.read(name, permission)
        if path not in tracked and not isinstance(data, FileProblem):
            _write(state, path, data.replace(os.fsencode(top), os.fsencode(state)))


def _find_renamed(top: str, deleted: Mapping[str, bytes], tracked: Collection[str]) -> dict[str, str]:
    """Maps each deleted file to the new file with the same name in another folder, if there is exactly one.

    `tracked` are the files of the revision; any other file is new.
    """
    new: dict[str, list[str]] = {}
    if deleted:
        for file in scan_project(top).files:
            path = _path_below(top, file.path)
            if path not in tracked:
                new.setdefault(os.path.basename(path), []).append(path)
    renamed: dict[str, str] = {}
    for path in deleted:
        candidates = new.get(os.path.basename(path), [])
        if len(candidates) == 1:
            renamed[path] = candidates.pop()
    return renamed


def _changed_lines(before: bytes, after: bytes) -> frozenset[int]:
    """Returns the lines of `after`, from 0, that are new or next to a removed line.

    White space at the ends of lines is ignored.
    """
    old, new = _lines(before), _lines(after)
    common = 0
    while common < min(len(old), len(new)) and old[common] == new[common]:
        common += 1
    tail = 0
    while tail < min(len(old), len(new)) - common and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    matcher = difflib.SequenceMatcher(
        None, old[common : len(old) - tail], new[common : len(new) - tail], autojunk=True
    )
    changed: set[int] = set()
    for kind, _, _, start, end in matcher.get_opcodes():
        if kind != "equal":
            changed.update(range(common + start, common + max(end, start + 1)))
    return frozenset(changed)


def _lines(data: bytes) -> list[bytes]:
    return [line.rstrip() for line in data.splitlines()]
