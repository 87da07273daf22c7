"""README.md is true: the output that it shows, the options that it lists, the commands that it gives."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from openclsp.cli import main
from openclsp.cli.program import program

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_output_shown_is_the_real_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(ROOT)
    (shown,) = re.findall(r"```console\n\$ openclsp ([^\n]+)\n(.*?)```", README, re.DOTALL)
    main(shown[0].split())
    assert capsys.readouterr().out == shown[1]


def test_every_command_and_option_is_listed():
    for name, command in program.commands.items():
        assert f"`openclsp {name}" in README
        for parameter in command.params:
            for option in parameter.opts:
                assert not option.startswith("-") or f"`{option}" in README, f"{name} {option}"


def test_the_commands_use_the_locked_requirements():
    assert re.findall(r"pip install -r (\S+) ", README) == ["requirements/run.txt"]
    for name in ("requirements/run.txt", "requirements/test.txt"):
        lock = (ROOT / name).read_text(encoding="utf-8")
        pinned = [line for line in lock.splitlines() if line and line[0] not in " #"]
        assert pinned
        assert all(re.match(r"[a-z0-9._-]+==[0-9]", line) for line in pinned)
        assert lock.count("--hash=sha256:") >= len(pinned)


def test_the_command_that_runs_the_tests_is_what_continuous_integration_runs():
    (command,) = re.findall(r"^python3 (tests/\S+)$", README, re.MULTILINE)
    assert (ROOT / command).exists()
    assert f'"${{PYTHON:-python3}}" {command} ' in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_links_lead_somewhere():
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", README):
        assert (ROOT / target).exists(), target


def test_the_bound_on_fixes_is_the_one_told():
    from openclsp.ide.project_sharing import MAXIMUM_OTHERS

    assert MAXIMUM_OTHERS == 8
    assert "Where there are more than eight" in README


def _keys(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
        for each in value.values():
            yield from _keys(each)
    elif isinstance(value, list):
        for each in value:
            yield from _keys(each)


@pytest.mark.parametrize(
    "command",
    [
        "check --show-options faulty",
        "check --kernels --all-std generic",
        "check --fix faulty",
        "hover generic/smooth.cl:23:12",
        "flow generic/smooth.cl:23:12",
        "rules",
        "rules --concepts",
    ],
)
def test_every_key_of_the_json_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: str
):
    shutil.copytree(ROOT / "tests" / "kernels", tmp_path / "kernels")
    monkeypatch.chdir(tmp_path / "kernels")
    main([*command.split(), "--format", "json"])
    keys = set(_keys(json.loads(capsys.readouterr().out)))
    assert len(keys) > 3
    assert [key for key in sorted(keys) if not re.search(rf"[\"`]{key}[\"`]", README)] == []
