"""Pictures, Visual Studio Code and Neovim use the same colours for the address spaces."""

from __future__ import annotations

import json
import re
from pathlib import Path

from openclsp.ide.flow.palette import PALETTE

EDITORS = Path(__file__).parents[2] / "editors"
SPACES = ("global", "local", "constant", "private", "generic")


def test_the_panel_of_vs_code():
    style = (EDITORS / "vscode" / "media" / "flow.css").read_text(encoding="utf-8")
    light, dark = (
        dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", part)) for part in style.split("body.vscode-dark", 1)
    )
    assert light == {space: colour.light for space, colour in PALETTE.items()}
    assert dark == {space: colour.dark for space, colour in PALETTE.items()}


def test_the_semantic_tokens_of_vs_code():
    manifest = json.loads((EDITORS / "vscode" / "package.json").read_text(encoding="utf-8"))
    rules = manifest["contributes"]["configurationDefaults"]["editor.semanticTokenColorCustomizations"]
    light = [each["rules"] for key, each in rules.items() if "Light" in key]
    assert light
    for space in SPACES:
        name = f"*.{space}:opencl"
        assert rules["rules"][name]["foreground"] == PALETTE[space].dark
        assert {each[name]["foreground"] for each in light} == {PALETTE[space].light}


def test_the_highlight_groups_of_neovim():
    written = (EDITORS / "neovim" / "lsp" / "openclsp.lua").read_text(encoding="utf-8")
    groups = re.findall(r"(\w+) = \{ fg = '(#[0-9a-f]{6})'", written)
    for space in SPACES:
        assert {colour for name, colour in groups if name == space.title()} == set(PALETTE[space])
