"""The settings that an untrusted workspace may set in Visual Studio Code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from openclsp.lsp.session.settings import _KEYS

MANIFEST: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "editors" / "vscode" / "package.json").read_text(encoding="utf-8")
)
SETTINGS: dict[str, Any] = MANIFEST["contributes"]["configuration"]["properties"]
HARMLESS = {"languageVersion", "extensions", "defines", "inlayHints", "trace.server"}
"""They name no folder and no program."""


def test_what_names_a_folder_or_a_program_counts_in_a_trusted_workspace_only() -> None:
    restricted = MANIFEST["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"]
    assert set(restricted) == set(SETTINGS) - {f"openclsp.{name}" for name in HARMLESS}


def test_every_setting_of_the_server_is_there() -> None:
    assert {f"openclsp.{key}" for key in _KEYS} <= set(SETTINGS)
