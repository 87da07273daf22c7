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
HARMLESS = {
    "languageVersion",
    "extensions",
    "defines",
    "inlayHints",
    "generalErrors",
    "hostCode",
    "leaveToOtherServer",
    "otherServerIn",
    "trace.server",
    "workspaceDiagnostics",
}
"""Settings that name neither a folder nor a program."""


def test_settings_that_name_folders_or_programs_require_a_trusted_workspace() -> None:
    restricted = MANIFEST["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"]
    assert set(restricted) == set(SETTINGS) - {f"openclsp.{name}" for name in HARMLESS}


def test_every_setting_of_the_server_is_there() -> None:
    assert {f"openclsp.{key}" for key in _KEYS} <= set(SETTINGS)
