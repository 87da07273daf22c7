"""Reads the files of a git revision.

Runs only git commands that read objects. None of them reads the index, runs a hook or a filter, or contacts
another machine, however the repository is configured.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence

from openclsp.cli.command_error import CommandError
from openclsp.dataclass import dataclass
from openclsp.project.file_system import MAXIMUM_FILE_SIZE

_SETTINGS = ("core.fsmonitor=false", "core.hooksPath=/dev/null", "protocol.allow=never")
_REGULAR_MODES = ("100644", "100755")


@dataclass(frozen=True, slots=True)
class RevisionFile:
    """A regular file of a revision: its path from the top folder, with `/`, and its git object name."""

    path: str
    blob: str


def find_top_folder(folder: str) -> str:
    """Finds the top folder of the git repository that contains the folder. Raises CommandError."""
    top = _git(folder, "rev-parse", "--show-toplevel", problem=f"{folder} is not in a git repository")
    return os.fsdecode(top.rstrip(b"\n"))


def resolve_revision(top: str, revision: str) -> str:
    """Returns the full name of the commit that a revision denotes. Raises CommandError."""
    problem = f"there is no revision '{revision}' in {top}"
    # git would read it as an option, or as several revisions.
    if revision.startswith("-") or not revision.strip():
        raise CommandError(problem)
    name = _git(top, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}", problem=problem)
    return name.decode("ascii", "replace").strip()


def list_files(top: str, commit: str) -> Iterator[RevisionFile]:
    """Yields the regular files of a commit that are small enough to be read. Raises CommandError."""
    listed = _git(top, "ls-tree", "-r", "-l", "-z", "--full-tree", commit, problem=f"{commit} cannot be read")
    for entry in listed.split(b"\0"):
        head, tab, path = entry.partition(b"\t")
        words = head.decode("ascii", "replace").split()
        if tab and words[0] in _REGULAR_MODES and words[3].isdigit() and int(words[3]) <= MAXIMUM_FILE_SIZE:
            yield RevisionFile(os.fsdecode(path), words[2])


def read_blobs(top: str, blobs: Sequence[str]) -> dict[str, bytes]:
    """Returns the content of each of the objects named `blobs`.

    Raises CommandError if an object is missing, as in a shallow clone.
    """
    blob_lines = "".join(f"{blob}\n" for blob in blobs).encode()
    data = _git(top, "cat-file", "--batch", problem="files of the revision cannot be read", stdin=blob_lines)
    found: dict[str, bytes] = {}
    place = 0
    for blob in blobs:
        end = data.index(b"\n", place)
        words = data[place:end].split()
        if len(words) != 3:
            raise CommandError(
                f"object {blob} of the revision is missing: fetch it, or clone without a depth"
            )
        size = int(words[2])
        found[blob] = data[end + 1 : end + 1 + size]
        place = end + 1 + size + 1
    return found


def _git(folder: str, *arguments: str, problem: str, stdin: bytes = b"") -> bytes:
    settings = [word for setting in _SETTINGS for word in ("-c", setting)]
    environment = {
        **os.environ,
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
    }
    try:
        ran = subprocess.run(
            ["git", *settings, *arguments],
            cwd=folder,
            input=stdin,
            capture_output=True,
            env=environment,
            check=False,
        )
    except OSError as error:
        raise CommandError(f"git cannot be started: {error.strerror}") from error
    if ran.returncode != 0:
        said = ran.stderr.decode("utf-8", "replace").strip().splitlines()
        raise CommandError(f"{problem}{f' ({said[0]})' if said else ''}")
    return ran.stdout
