"""The user's own openclsp.toml."""

from __future__ import annotations

from pathlib import Path

import pytest
from openclsp.workspace import user_configuration as module
from openclsp.workspace.user_configuration import NO_USER_CONFIGURATION, read_user_configuration


def written(tmp_path: Path, text: str) -> module.UserConfiguration:
    (tmp_path / "openclsp").mkdir()
    (tmp_path / "openclsp" / "openclsp.toml").write_text(text)
    return read_user_configuration(environment={"XDG_CONFIG_HOME": str(tmp_path)})


def test_its_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.sys, "platform", "linux")
    monkeypatch.setenv("HOME", "/home/me")
    found = written(tmp_path, 'readable-folders = ["/opt/sdk", "~/sdk"]\ninclude-folders = ["inc"]\n')
    assert found.problems == ()
    assert found.options.readable_folders == ("/opt/sdk", "/home/me/sdk")
    assert found.options.include_folders == (str(tmp_path / "openclsp" / "inc"),)
    assert found.layer.written_by_user


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a = [", ":1: "),
        ("\nreadable-folders = 3", ":2: 'readable-folders' must be a list, but is a whole number"),
        ("readable-folders = [3]", ":1: an item of 'readable-folders' must be a string"),
        (
            "severity = 3",
            ":1: unknown key 'severity'; the known keys are 'include-folders' and 'readable-folders'",
        ),
    ],
)
def test_an_invalid_setting_is_reported(
    tmp_path: Path, text: str, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module.sys, "platform", "linux")
    (told,) = written(tmp_path, text).problems
    assert told.startswith(str(tmp_path / "openclsp" / "openclsp.toml") + problem)


def test_a_missing_file_is_not_reported(tmp_path: Path) -> None:
    environment = {"XDG_CONFIG_HOME": str(tmp_path), "APPDATA": str(tmp_path)}
    assert read_user_configuration(environment=environment) == NO_USER_CONFIGURATION


@pytest.mark.parametrize(
    ("platform", "environment", "folder"),
    [
        ("linux", {"XDG_CONFIG_HOME": "/xdg"}, "/xdg"),
        ("linux", {"XDG_CONFIG_HOME": "relative"}, "/home/me/.config"),
        ("linux", {}, "/home/me/.config"),
        ("darwin", {}, "/home/me/Library/Application Support"),
        ("win32", {"APPDATA": "/roaming"}, "/roaming"),
        ("win32", {}, ""),
    ],
)
def test_where_it_is_looked_for(
    monkeypatch: pytest.MonkeyPatch, platform: str, environment: dict[str, str], folder: str
) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    assert module._find_configuration_folder(environment, platform) == folder
