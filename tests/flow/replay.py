"""Replays commits of a repository, and prints which pointers each changed.

    python -m tests.flow.replay CLONE PATH [--count N] [--std CL2.0] [-I FOLDER]…

CLONE is a clone that may be checked out; PATH is the folder of its kernels. For each of the last N commits that touch
OpenCL files in it, the pointers of the whole folder are compared with those before; `-I` folders are relative to the clone.
The exit status is 1 where the comparison of a state with itself finds a change, where two ways of counting disagree, or where
`flow --diff`, which writes the earlier state to a folder of its own, answers differently.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

from openclsp.cli.flow_difference import changed_pointers, compare_flows, pointers_of, read_files
from openclsp.ide.flow.pointer_states import PointerKey, PointerState
from openclsp.project.option_parser import BuildOptions


def git(clone: Path, *arguments: str) -> str:
    """The output of a git command in the clone."""
    ran = subprocess.run(["git", *arguments], cwd=clone, check=True, capture_output=True, text=True)
    return ran.stdout


def state_of(clone: Path, path: str, commit: str, options: BuildOptions) -> dict[PointerKey, PointerState]:
    """The pointers below the path at a commit."""
    git(clone, "checkout", "--quiet", "--force", commit)
    folder = str(clone / path)
    return pointers_of(read_files((folder,), options), options, str(clone))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("clone", type=Path)
    parser.add_argument("path")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--std", default="CL2.0")
    parser.add_argument("-I", dest="folders", action="append", default=[])
    given = parser.parse_args()
    clone: Path = given.clone.resolve()
    options = BuildOptions(
        standard=given.std, include_folders=tuple(str((clone / each).resolve()) for each in given.folders)
    )
    log = git(clone, "log", "--first-parent", "--format=%H", f"-{given.count + 1}", "--", given.path)
    commits = log.split()[::-1]
    before = state_of(clone, given.path, commits[0], options)
    wrong = 0
    for commit in commits[1:]:
        started = time.perf_counter()
        after = state_of(clone, given.path, commit, options)
        changed = list(changed_pointers(before, after))
        # each pointer of the same name and place that differs is among the changed ones, and no other is
        differing = {
            key
            for key in before.keys() & after.keys()
            if (before[key].spaces, before[key].generic) != (after[key].spaces, after[key].generic)
        }
        here = {each.key for each in changed if each.key in before}
        said = compare_flows((str(clone / given.path),), f"{commit}~", options).changed
        disagrees = [each.key for each in said] != [each.key for each in changed]
        wrong += here != differing or any(changed_pointers(after, after)) or disagrees
        seconds = time.perf_counter() - started
        subject = git(clone, "log", "-1", "--format=%s", commit).strip()[:60]
        print(
            f"{commit[:10]} {len(after):5} pointers {len(changed):3} changed {seconds:6.1f} s  {subject}"
            + (f"; flow --diff: {len(said)} changed" if disagrees else ""),
            flush=True,
        )
        before = after
    print(f"{len(commits) - 1} commits, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
