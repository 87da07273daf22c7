"""grammar/src is what grammar/grammar.js generates."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from .words import MODULE, module

GRAMMAR = Path(__file__).parents[2] / "grammar"
GENERATED = ("parser.c", "grammar.json", "node-types.json", "tree_sitter/parser.h")


def wanted_versions() -> dict[str, str]:
    versions: dict[str, str] = json.loads((GRAMMAR / "package.json").read_text())["devDependencies"]
    return versions


def version_of_command(command: str) -> str | None:
    """The version that `command --version` prints, without a commit in parentheses; None if it cannot be run."""
    try:
        run = subprocess.run([command, "--version"], capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    words = run.stdout.split()
    return words[1] if len(words) > 1 else None


def find_command_line(version: str) -> str | None:
    """Finds a tree-sitter command line of that version, on PATH or in npm's folder."""
    local = GRAMMAR / "node_modules" / ".bin" / "tree-sitter"
    found = (shutil.which("tree-sitter"), str(local) if local.exists() else None)
    return next((command for command in found if command and version_of_command(command) == version), None)


def installed_grammar_of_c() -> str | None:
    package = GRAMMAR / "node_modules" / "tree-sitter-c" / "package.json"
    return json.loads(package.read_text())["version"] if package.exists() else None


def test_digest_of_the_grammar_is_the_one_that_was_generated_from() -> None:
    """Detects, even without node, that grammar.js was edited without generating the parser again."""
    recorded = (GRAMMAR / "src" / "grammar.js.sha256").read_text().strip()
    # A checkout may have put carriage returns at the ends of lines.
    grammar = (GRAMMAR / "grammar.js").read_bytes().replace(b"\r\n", b"\n")
    assert hashlib.sha256(grammar).hexdigest() == recorded


def test_sources_are_what_the_grammar_generates(tmp_path: Path) -> None:
    versions = wanted_versions()
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    command = find_command_line(versions["tree-sitter-cli"])
    if command is None:
        pytest.skip(f"the tree-sitter command line {versions['tree-sitter-cli']} is not on PATH")
    if installed_grammar_of_c() != versions["tree-sitter-c"]:
        pytest.skip(f"tree-sitter-c {versions['tree-sitter-c']} is not in grammar/node_modules (npm install)")
    for name in ("grammar.js", "tree-sitter.json", "package.json"):
        shutil.copy(GRAMMAR / name, tmp_path / name)
    os.symlink(GRAMMAR / "node_modules", tmp_path / "node_modules")
    subprocess.run([command, "generate"], cwd=tmp_path, check=True, timeout=300)
    for name in GENERATED:
        committed = (GRAMMAR / "src" / name).read_text(encoding="utf-8")
        assert (tmp_path / "src" / name).read_text(encoding="utf-8") == committed, name


def test_the_words_of_the_grammar_are_those_that_the_package_knows() -> None:
    assert MODULE.read_text() == module(), "python -m tests.grammar.words"
