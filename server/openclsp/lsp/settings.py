"""Options that come from the client: their shape, and what is wrong with them."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from openclsp.dataclass import dataclass

T = TypeVar("T")

SECTION = "openclsp"
"""The section of the client's configuration, and the key that may wrap it."""

_KEYS = ("languageVersion", "extensions", "defines", "includeFolders", "readableFolders", "inlayHints")
_INLAY_HINTS = ("off", "inferred", "all")


@dataclass(frozen=True, slots=True)
class Settings:
    """Build options, and what is to be shown, as a client gives them; None where it is silent.

    `language_version` as in `-cl-std=`, `extensions` as in `-cl-ext=`, `defines` as in `-D`, `include_folders` as in
    `-I`; relative folders count from the workspace folder. `readable_folders` may be read where the project's own options name
    them. `inlay_hints` is `off`, `inferred` or `all`.
    """

    language_version: str | None = None
    extensions: str | None = None
    defines: tuple[str, ...] | None = None
    include_folders: tuple[str, ...] | None = None
    readable_folders: tuple[str, ...] | None = None
    inlay_hints: str | None = None

    def over(self, other: Settings) -> Settings:
        """These settings, and those of `other` where these are silent."""
        return Settings(
            _first(self.language_version, other.language_version),
            _first(self.extensions, other.extensions),
            _first(self.defines, other.defines),
            _first(self.include_folders, other.include_folders),
            _first(self.readable_folders, other.readable_folders),
            _first(self.inlay_hints, other.inlay_hints),
        )


def parse_settings(value: object) -> tuple[Settings, tuple[str, ...]]:
    """The settings in a client's value, and one line for each thing wrong with it; what is wrong counts as absent.

    The value may stand under the key `openclsp`. Keys that are not ours are left alone, for clients keep their own
    there, but a key that looks like one of ours misspelled is reported.
    """
    # An empty table of Lua arrives as an empty array.
    if value is None or value == []:
        return Settings(), ()
    if not isinstance(value, Mapping):
        return Settings(), (f"openclsp: the settings are {_kind(value)}, not an object; defaults are used",)
    wrapped = value.get(SECTION)
    values: Mapping[object, object] = wrapped if isinstance(wrapped, Mapping) else value
    problems: list[str] = []

    def read(key: str, reader: Callable[[object], T | None], wanted: str) -> T | None:
        given = values.get(key)
        # An editor's form holds an empty field for what is not set.
        if given is None or given == "":
            return None
        found = reader(given)
        if found is None:
            problems.append(f"openclsp: the setting '{key}' is {_kind(given)}, not {wanted}; it is ignored")
        return found

    settings = Settings(
        language_version=read("languageVersion", _string, "a string"),
        extensions=read("extensions", _joined, "a string or a list of strings"),
        defines=read("defines", _strings, "a list of strings"),
        include_folders=read("includeFolders", _strings, "a list of strings"),
        readable_folders=read("readableFolders", _strings, "a list of strings"),
        inlay_hints=read("inlayHints", _hints, "'off', 'inferred' or 'all'"),
    )
    for key in values:
        near = difflib.get_close_matches(str(key), _KEYS, n=1, cutoff=0.8)
        if near and key not in _KEYS:
            problems.append(f"openclsp: unknown setting '{key}'; did you mean '{near[0]}'?")
    return settings, tuple(problems)


def scopes_of(folders: Sequence[str]) -> tuple[str, ...]:
    """What a client is asked for the settings of: no folder, and each workspace folder."""
    return "", *folders


def by_scope(values: Mapping[str, object], initial: Settings) -> tuple[dict[str, Settings], tuple[str, ...]]:
    """The settings of each workspace folder, and under the empty key those that hold elsewhere, where `initial` is what the
    values are silent about; with what is wrong with them."""
    settings: dict[str, Settings] = {}
    problems: list[str] = []
    for scope, value in values.items():
        settings[scope], wrong = parse_settings(value)
        problems += wrong
    settings[""] = settings.get("", Settings()).over(initial)
    return settings, tuple(problems)


def _first(mine: T | None, other: T | None) -> T | None:
    return other if mine is None else mine


def _string(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _hints(value: object) -> str | None:
    return value if isinstance(value, str) and value in _INLAY_HINTS else None


def _strings(value: object) -> tuple[str, ...] | None:
    if isinstance(value, str):
        return (value,)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    return None


def _joined(value: object) -> str | None:
    items = _strings(value)
    return None if items is None else ",".join(items)


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a string"
    return "a list" if isinstance(value, list) else "an object"
