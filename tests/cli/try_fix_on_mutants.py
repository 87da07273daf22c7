"""Compares the tool `try_fix` with `check --fix` on mutated kernels.

    python -m tests.cli.try_fix_on_mutants [FOLDER…] [--count 100] [--seed 0]

Address spaces of real kernels are changed at random (tests/oracle/mutations.py); a mutant counts if `check --fix`
repairs at least one of its diagnostics. An agent, which is a client of the official SDK, then tries the preferred fix of
each diagnostic by `try_fix` and writes those that work, until none is left. It must repair every diagnostic that
`check --fix` repairs, and no fix may be refused, add an error or a warning, or leave its own. Without a folder, the
kernels of the tests are used. Mutants in which a fix removes the text that the language version was found in are
counted, but not compared: `try_fix` checks the result in the version that it then has.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mcp.client import Client
from openclsp.cli.agents.mcp_server import make_server
from openclsp.cli.agents.workspace_tools import WorkspaceTools
from openclsp.cli.build_arguments import BuildArguments

from ..oracle.mutations import mutations
from .corpus_formats import run

KERNELS = Path(__file__).parents[1] / "kernels"
NOTHING = BuildArguments(None, (), (), (), (), None)
MAXIMUM_ROUNDS = 30
MAXIMUM_BYTES = 60_000
"""Larger kernels are left out: each round checks the kernel three times."""


def dialects_of(report: dict[str, Any]) -> set[str]:
    """The dialects in which the files were checked."""
    return {each["dialect"] for each in report["files"]}


def errors_of(report: dict[str, Any]) -> Counter[tuple[str, str]]:
    """The errors of a report by code and message."""
    return Counter(
        (each["code"], each["message"])
        for file in report["files"]
        for each in file["diagnostics"]
        if each["severity"] == "error"
    )


def repair_by_command(folder: Path, name: str) -> tuple[int, dict[str, Any]]:
    """Runs `check --fix`; the number of repaired diagnostics, and the report afterwards."""
    os.chdir(folder)
    _, out, _ = run("check", "--jobs", "1", "--fix", "--format", "json", name)
    report = json.loads(out)
    return len(report["fixed"]), report


async def repair_by_agent(folder: Path, name: str) -> tuple[list[str], dict[str, Any]]:
    """Tries and writes preferred fixes until none is left; complaints, and the report afterwards."""
    os.chdir(folder)
    complaints: list[str] = []
    tools = WorkspaceTools(".", NOTHING, writing=True)
    async with Client(make_server(tools, writing=True)) as client:
        for _ in range(MAXIMUM_ROUNDS):
            report = (await client.call_tool("check", {"paths": [name]})).structured_content
            assert report is not None
            preferred = [
                (each, fix)
                for file in report["files"]
                for each in file["diagnostics"]
                for fix in each["fixes"]
                # A fix that creates a file cannot be tried.
                if fix["preferred"] and all(os.path.exists(edit["path"]) for edit in fix["edits"])
            ]
            if not preferred:
                break
            found, fix = preferred[0]
            answer = await client.call_tool("try_fix", {"edits": fix["edits"], "write": True})
            said = f"{found['code']}: {found['message']}; {fix['title']}"
            if answer.is_error:
                complaints.append(f"refused ({answer.content[0].text}): {said}")
                break
            tried = answer.structured_content or {}
            if not any(each["diagnostic"]["code"] == found["code"] for each in tried["fixed"]):
                complaints.append(f"not repaired: {said}")
                break
            # A repaired declaration may reveal hints.
            added = (each["diagnostic"] for each in tried["added"])
            complaints += [
                f"adds {each['message']}: {said}"
                for each in added
                if each["severity"] in ("error", "warning")
            ]
    return complaints, dict(report)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="*", metavar="FOLDER", default=[str(KERNELS)])
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    chance = random.Random(given.seed)
    kernels = sorted(
        path.resolve()
        for folder in given.folders
        for path in Path(folder).rglob("*.cl")
        if path.is_file() and path.stat().st_size <= MAXIMUM_BYTES
    )
    mutants = repaired = same_text = other_version = tried = 0
    failures: list[str] = []
    while mutants < given.count and tried < 20 * given.count:
        tried += 1
        path = chance.choice(kernels)
        made = mutations(path.read_bytes(), chance)
        if not made:
            continue
        mutation = chance.choice(made)
        with tempfile.TemporaryDirectory() as temporary:
            folders = [Path(temporary, each) for each in ("command", "agent")]
            for folder in folders:
                # The files beside the kernel are its headers and options.
                shutil.copytree(path.parent, folder, ignore=_only_files)
                (folder / ".git").mkdir()
                (folder / path.name).write_bytes(mutation.applied(path.read_bytes()))
            os.chdir(folders[1])
            before = json.loads(run("check", "--jobs", "1", "--no-fixes", "--format", "json", path.name)[1])
            fixed, by_command = repair_by_command(folders[0], path.name)
            if not fixed:
                continue
            if dialects_of(before) != dialects_of(by_command):
                other_version += 1
                continue
            complaints, by_agent = asyncio.run(repair_by_agent(folders[1], path.name))
            left = errors_of(by_agent) - errors_of(by_command)
            complaints += [f"left by try_fix alone: {code}: {message}" for code, message in left]
            mutants, repaired = mutants + 1, repaired + fixed
            same_text += (folders[0] / path.name).read_bytes() == (folders[1] / path.name).read_bytes()
            failures += [f"{path.name} [{mutation.kind}] {each}" for each in complaints]
            os.chdir("/")
    print("\n".join(failures) or "no failure")
    print(
        f"{mutants} mutants of {tried}, {repaired} diagnostics repaired by --fix; same text in {same_text}; "
        f"{other_version} more with another language version after the fix; {len(failures)} failures"
    )
    return 1 if failures or mutants < given.count else 0


def _only_files(folder: str, names: Sequence[str]) -> list[str]:
    """What is not copied: folders, and files that no kernel needs."""
    kept = (".cl", ".clh", ".h", ".hpp", ".inc", ".txt", ".toml", ".in")
    return [name for name in names if not name.endswith(kept) or os.path.isdir(os.path.join(folder, name))]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
