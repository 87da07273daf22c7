"""The files with which other programs run openclsp: the action, the CMake function, the hooks, the problem matcher."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from openclsp.cli.commands import program as commands
from openclsp.project.file_discovery import HEADER_SUFFIXES, KERNEL_SUFFIXES

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "continuous-integration.md").read_text(encoding="utf-8")
FAULTY = "kernel void k(global int *g) { local int *l = g; }\n"
CLEAN = '#include "n.clh"\nkernel void k(global int *g) { *g = N; }\n'

pytestmark = pytest.mark.skipif(os.name != "posix", reason="runs a shell script")


@pytest.fixture
def installed(folder: Path) -> Path:
    """A program `openclsp` of this environment."""
    path = folder / ".bin" / "openclsp"
    path.parent.mkdir()
    path.write_text(f"#!{sys.executable}\nimport sys\nfrom openclsp.cli import main\nsys.exit(main())\n")
    path.chmod(0o755)
    return path


def run_action(installed: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Runs the script of the action with the environment that action.yml gives it."""
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    (step,) = action["runs"]["steps"]
    environment = {"OPENCLSP_PROGRAM": str(installed), "GITHUB_ACTION_PATH": str(ROOT)}
    for name, value in step["env"].items():
        (given,) = re.fullmatch(r"\$\{\{ inputs\.([\w-]+) \}\}", value).groups()
        environment[name] = inputs.pop(given.replace("-", "_"), action["inputs"][given]["default"])
    assert not inputs
    return subprocess.run(
        ["bash", "-c", step["run"]],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_action(write, folder, installed):
    write("src dir/k.cl", FAULTY)
    ran = run_action(installed)
    assert (ran.returncode, ran.stderr) == (1, "")
    assert ran.stdout.startswith("::error file=src dir/k.cl,line=1,")
    ran = run_action(
        installed,
        paths="src dir/k.cl\n",
        options="--std\nCL1.1\n$(touch broken)\n",
        fail_on="never",
        sarif="out.sarif",
    )
    assert ran.returncode == 2
    assert "$(touch broken)" in ran.stderr
    assert not (folder / "broken").exists()
    ran = run_action(installed, paths="src dir", options="--select\npointer-conversion", sarif="out.sarif")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert len(json.loads((folder / "out.sarif").read_text())["runs"][0]["results"]) == 1


@pytest.mark.skipif(
    shutil.which("cmake") is None or shutil.which("make") is None, reason="cmake and make are not installed"
)
def test_the_cmake_function(write, folder, installed):
    write("n.clh", "#define N 1\n")
    write("a/k.cl", CLEAN.replace("n.clh", "../n.clh"))
    write("b c/k.cl", "kernel void k(void) {}\n")
    write(
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.20)\nproject(p NONE)\n"
        f'include("{ROOT}/integrations/openclsp.cmake")\n'
        'openclsp_check(TARGET check_kernels SOURCES a/k.cl "b c/k.cl" OPTIONS --std CL1.2 ALL)\n',
    )
    subprocess.run(
        ["cmake", "-S", ".", "-B", "build", "-G", "Unix Makefiles", f"-DOPENCLSP_PROGRAM={installed}"],
        check=True,
        capture_output=True,
    )

    def build() -> tuple[int, str]:
        ran = subprocess.run(["cmake", "--build", "build"], capture_output=True, text=True, check=False)
        return ran.returncode, ran.stdout

    code, output = build()
    assert (code, output.count("Checking ")) == (0, 2)
    assert build()[1].count("Checking ") == 0
    later = os.stat(folder / "n.clh").st_mtime + 10
    write("n.clh", "#define N (local int *)0 + g\n")
    os.utime(folder / "n.clh", (later, later))
    code, output = build()
    assert code != 0
    assert output.count("Checking ") == 1
    assert "a/k.cl" in output


def test_the_hooks_name_options_and_files_that_exist():
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    for hook in hooks:
        program, *arguments = hook["entry"].split()
        assert program == "openclsp"
        assert CliRunner().invoke(commands, [*arguments, "--help"]).exit_code == 0
        assert all(
            re.search(hook["files"], f"a/k{suffix}") for suffix in (*KERNEL_SUFFIXES, *HEADER_SUFFIXES)
        )
        assert not re.search(hook["files"], "a/k.cpp")


def test_the_problem_matcher_matches_the_output(openclsp, write):
    (block,) = (
        each for each in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL) if "problemMatcher" in each
    )
    pattern = json.loads(block)["tasks"][0]["problemMatcher"]["pattern"]
    write("sub/k.cl", FAULTY + "kernel void j(global int *g) { global global int *p = g; }\n")
    lines = openclsp("check", "sub").out.splitlines()
    found = [match for line in lines if (match := re.match(pattern["regexp"], line))]
    assert [
        (match[pattern["file"]], match[pattern["line"]], match[pattern["severity"]]) for match in found
    ] == [
        ("sub/k.cl", "1", "error"),
        ("sub/k.cl", "2", "warning"),
    ]
    assert found[0][pattern["code"]] == "pointer-conversion"


def test_every_option_on_the_page_exists():
    (check,) = (command for name, command in commands.commands.items() if name == "check")
    known = {option for parameter in check.params for option in parameter.opts}
    used = set(
        re.findall(r"(?<![\w-])--[a-z][a-z-]*", re.sub(r"```(?:yaml|cmake).*?```", "", PAGE, flags=re.DOTALL))
    )
    assert used
    assert used <= known
