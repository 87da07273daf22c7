"""README.md and docs/command-line.md are true: the output, options, commands and JSON keys that they show."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from openclsp.cli import main
from openclsp.cli.commands import program
from openclsp.host_code.host_language import HostLanguage

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMAND_LINE = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
LIMITATIONS = (ROOT / "docs" / "limitations.md").read_text(encoding="utf-8")
PICTURE = ROOT / "docs" / "pictures" / "flow.svg"
MAXIMUM_LINES = 150


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
        assert f"`openclsp {name}" in COMMAND_LINE
        for parameter in command.params:
            for option in parameter.opts:
                assert not option.startswith("-") or f"`{option}" in COMMAND_LINE, f"{name} {option}"


def test_the_commands_use_the_locked_requirements():
    assert re.findall(r"^python3 (install\.py) ", README, re.MULTILINE) == ["install.py"]
    assert '"requirements" / "run.txt"' in (ROOT / "install.py").read_text(encoding="utf-8")
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


PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "editors").glob("*.md")),
    *sorted((ROOT / "server" / "openclsp" / "rules").rglob("*.md")),
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_link_leads_to_a_file(page: Path):
    text = page.read_text(encoding="utf-8")
    # A subscript before a parenthesis in code is not a link.
    prose = re.sub(r"^ *(```+).*?^ *\1$|`[^`\n]+`", "", text, flags=re.DOTALL | re.MULTILINE)
    for target in re.findall(r"\]\((?!https?:)([^)#]+)[^)]*\)", prose):
        assert (page.parent / target).exists(), target


def test_the_readme_is_short():
    assert README.count("\n") <= MAXIMUM_LINES


def test_the_picture_is_the_output_of_the_program(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(ROOT)
    assert "docs/pictures/flow.svg" in README
    main(["flow", "tests/kernels/generic/smooth.cl:23:12"])
    assert capsys.readouterr().out == PICTURE.read_text(encoding="utf-8")


def test_the_limit_of_rechecked_programs_is_the_documented_one():
    from openclsp.ide.fixes.project_units import MAXIMUM_OTHER_BUILDS, MAXIMUM_OTHER_PROGRAMS

    assert (MAXIMUM_OTHER_BUILDS, MAXIMUM_OTHER_PROGRAMS) == (24, 8)
    assert "If there are more than 24 other builds or eight programs" in LIMITATIONS


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
def test_every_json_key_is_documented(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: str
):
    shutil.copytree(ROOT / "tests" / "kernels", tmp_path / "kernels")
    monkeypatch.chdir(tmp_path / "kernels")
    main([*command.split(), "--format", "json"])
    keys = set(_keys(json.loads(capsys.readouterr().out)))
    assert len(keys) > 3
    assert [key for key in sorted(keys) if not re.search(rf"[\"`]{key}[\"`]", COMMAND_LINE)] == []


def test_the_host_languages_are_counted_and_the_missing_one_is_missing() -> None:
    """A notebook holds Python, and JavaScript and TypeScript are two languages of one kind."""
    known = {
        name
        for each in HostLanguage
        if each is not HostLanguage.NOTEBOOK
        for name in each.value.split(" or ")
    }
    assert f"strings of {len(known)} host languages" in " ".join(README.split())
    (missing,) = re.findall(r"not found in other host languages, such as (\w+)\.", README)
    assert missing not in known
