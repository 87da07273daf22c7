"""No document or script has pip install openclsp by name from a package index."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

_BY_NAME = re.compile(
    r"""(?:pip3?|pipx|uvx?|conda|npm)\b[^\n;|&]*\b(?:install|add|tool|run)\b[^\n;|&]*?   # an installer's command
        (?<![\w./${\\-])openclsp(?![\w./-])   # with the bare name
        | openclsp\s*[=~><]=\s*[\d$"'{]       # a requirement
    """,
    re.VERBOSE,
)


def _told() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode != 0:
        pytest.skip("this is no checkout")
    kinds = (".md", ".ts", ".mjs", ".json", ".lua", ".py", ".toml", ".txt", ".in", "run", "package")
    paths = [ROOT / name for name in listed.stdout.splitlines() if name.endswith(kinds)]
    return [path for path in paths if path.is_file() and path != Path(__file__).resolve()]


def test_nothing_installs_openclsp_by_its_name() -> None:
    found = {
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in _told()
        for match in _BY_NAME.finditer(path.read_text(encoding="utf-8", errors="replace"))
    }
    # The extension's own test uses such a name: it is interpreted as a path. wheels.py writes one with hashes, into a list that
    # is installed with --no-index.
    exempt = ("editors/vscode/test/packages.mjs", "editors/vscode/wheels.py")
    assert {each for each in found if not each.startswith(exempt)} == set()


@pytest.mark.parametrize(
    "written",
    [
        "pip install openclsp",
        "pip install --upgrade openclsp  # then",
        "['-m', 'pip', 'install', '--no-input', `openclsp==${version}`]",
        "pipx install openclsp",
        "uv tool install openclsp",
        "openclsp>=0.1",
    ],
)
def test_such_commands_would_be_found(written: str) -> None:
    assert _BY_NAME.search(written)
