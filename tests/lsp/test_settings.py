"""Valid and invalid settings from editors."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from openclsp.lsp.session.settings import Settings, parse_settings
from openclsp.lsp.session.snapshot import Snapshot


@pytest.mark.parametrize("wrap", [dict, lambda value: {"openclsp": value}])
def test_every_setting_is_read(wrap: Callable[[object], object]) -> None:
    value = {
        "languageVersion": "CL2.0",
        "extensions": "+all,-cl_khr_fp64",
        "defines": ["N=4", "FAST"],
        "includeFolders": ["include"],
    }
    assert parse_settings(wrap(value)) == (
        Settings("CL2.0", "+all,-cl_khr_fp64", ("N=4", "FAST"), ("include",)),
        (),
    )


@pytest.mark.parametrize("value", [None, {}, [], {"languageVersion": "", "defines": None}])
def test_silence_is_no_problem(value: object) -> None:
    assert parse_settings(value) == (Settings(), ())


def test_extensions_may_be_a_list() -> None:
    assert parse_settings({"extensions": ["-all", "+cl_khr_fp16"]})[0].extensions == "-all,+cl_khr_fp16"


@pytest.mark.parametrize(
    "value, named",
    [
        ("CL2.0", "the settings are a string"),
        ({"languageVersion": 2.0}, "'languageVersion' is a number, not a string"),
        ({"defines": {"N": "4"}}, "'defines' is an object"),
        ({"defines": ["N=4", 5]}, "'defines' is a list"),
        ({"includeFolders": True}, "'includeFolders' is true"),
        (
            {"leaveToOtherServer": ["hover", "nothing"]},
            "'leaveToOtherServer' is a list, not a list of 'navigation'",
        ),
        ({"otherServerIn": "kernels"}, "'otherServerIn' is a string, not 'headers' or 'all'"),
        ({"languageversion": "CL2.0"}, "did you mean 'languageVersion'?"),
    ],
)
def test_an_invalid_setting_is_reported_in_one_line_and_ignored(value: object, named: str) -> None:
    settings, (problem,) = parse_settings(value)
    assert settings == Settings()
    assert named in problem
    assert "\n" not in problem


def test_one_wrong_setting_leaves_the_others() -> None:
    settings, problems = parse_settings({"languageVersion": 2, "defines": ["N=4"]})
    assert settings == Settings(defines=("N=4",))
    assert len(problems) == 1


def test_keys_that_a_client_keeps_for_itself_are_left_alone() -> None:
    assert parse_settings({"trace": {"server": "off"}, "path": "/usr/bin/openclsp"}) == (Settings(), ())


def test_settings_of_the_inner_folder_come_before_the_general_ones() -> None:
    snapshot = Snapshot(
        folders=("/w", "/w/inner"),
        settings={"": Settings(language_version="CL1.1", defines=("A",)), "/w/inner": Settings("CL2.0")},
    )
    assert snapshot.folder_of("/w/inner/k.cl") == "/w/inner"
    assert snapshot.settings_of("/w/inner") == Settings("CL2.0", defines=("A",))
    assert snapshot.folder_of("/w/k.cl") == "/w"
    assert snapshot.settings_of("/w") == Settings("CL1.1", defines=("A",))
    assert snapshot.folder_of("/weather/k.cl") == ""
