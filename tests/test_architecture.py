"""ARCHITECTURE.md names the package's folders, and every file that it names exists."""

from __future__ import annotations

import re
from pathlib import Path

from .test_imports import required

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "server" / "openclsp"
TEXT = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
QUOTED = frozenset(re.findall(r"`([^`\n]+)`", TEXT))
FILE = re.compile(r"(?:[\w./]+/)?\w+\.(?:py|md|json|toml)")
OF_A_PROJECT = {"openclsp.toml"}
"""Files that it names of the projects which are checked."""
NOT_OURS = {"Final", "warn_unreachable"}
"""Names of Python and mypy."""


def section(title: str) -> str:
    """The text under a heading."""
    return TEXT.split(f"\n## {title}\n")[1].split("\n## ")[0]


def test_the_rooms_are_the_folders_of_the_package() -> None:
    rows = re.findall(r"^\| (`.+?`) \|", section("Rooms"), re.MULTILINE)
    rooms = {room for row in rows for room in re.findall(r"`(\w+)/`", row)}
    assert rooms == {path.parent.name for path in PACKAGE.glob("*/__init__.py")}


def test_every_file_named_is_there() -> None:
    named = {name for name in QUOTED if FILE.fullmatch(name)} - OF_A_PROJECT
    assert len(named) > 30
    missing = [
        name
        for name in sorted(named)
        if not (ROOT / name).is_file() and not (PACKAGE / name).is_file() and not _of_a_folder_named(name)
    ]
    assert missing == []


def _of_a_folder_named(name: str) -> bool:
    """Whether a folder of the package that the text names has a file of this bare name."""
    folders = (PACKAGE / folder for folder in QUOTED if folder.endswith("/"))
    return "/" not in name and any((folder / name).is_file() for folder in folders)


def test_every_folder_named_is_there() -> None:
    folders = [name for name in QUOTED if re.fullmatch(r"[\w./]+/", name)]
    assert [name for name in folders if not (ROOT / name).is_dir() and not (PACKAGE / name).is_dir()] == []


def test_every_class_function_and_constant_named_is_there() -> None:
    named = {name for name in QUOTED if re.fullmatch(r"[A-Z]\w*(?:\.\w+)?|[a-z]+_\w+", name)} - NOT_OURS
    assert len(named) > 20
    defined = set()
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        defined |= set(re.findall(r"^\s*(?:class|(?:async )?def) (\w+)", text, re.MULTILINE))
        defined |= set(re.findall(r"^\s*(?:self\.)?(\w+)\b *[:=]", text, re.MULTILINE))
    assert [name for name in sorted(named) if not defined.issuperset(name.split("."))] == []


def test_every_invariant_is_held_by_tests() -> None:
    rows = re.findall(r"^\| \d+ \|.*\| (.+) \|$", section("Invariants"), re.MULTILINE)
    assert rows
    assert [row for row in rows if "`tests/" not in row] == []


def test_every_requirement_is_named() -> None:
    named = section("Dependencies").lower()
    assert [name for name in sorted(required()) if name not in named] == []
