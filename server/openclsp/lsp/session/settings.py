"""The client's settings: their structure, parsing and validation."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from typing import TypeVar

from openclsp.dataclass import dataclass
from openclsp.lsp.session.feature_groups import FEATURE_GROUPS

T = TypeVar("T")

SECTION = "openclsp"
"""The section of the client's configuration, and the key that may wrap the settings."""

_KEYS = (
    "languageVersion",
    "extensions",
    "defines",
    "includeFolders",
    "readableFolders",
    "inlayHints",
    "leaveToOtherServer",
    "otherServerIn",
    "generalErrors",
    "workspaceDiagnostics",
    "hostCode",
)
_INLAY_HINTS = ("off", "inferred", "all")
_EXTENTS = ("auto", "on", "off")
_OTHER_SERVER_DOCUMENTS = ("headers", "all")


@dataclass(frozen=True, slots=True)
class Settings:
    """The client's build and display options; None for an option that it does not set.

    - `language_version`: a value of `-cl-std=`
    - `extensions`: a value of `-cl-ext=`
    - `defines`: values of `-D`
    - `include_folders`: values of `-I`; relative folders are relative to the workspace folder
    - `readable_folders`: folders outside the project that the user permits the project's options to name
    - `inlay_hints`: `off`, `inferred` or `all`
    - `leave_to_other_server`: keys of `FEATURE_GROUPS`; the requests of these groups are left to another
      server in documents that the client calls C or C++
    - `other_server_in`: `all` extends `leave_to_other_server` to all documents
    - `general_errors`: whether errors of C that have nothing to do with OpenCL are reported; another server
      of the same document may report them too
    - `workspace_diagnostics`: whether diagnostics of closed kernels are shown: `on`, `off`, or `auto` for
      projects in which that takes little time
    - `host_code`: whether kernels in strings of C, C++ and Python are analysed
    """

    language_version: str | None = None
    extensions: str | None = None
    defines: tuple[str, ...] | None = None
    include_folders: tuple[str, ...] | None = None
    readable_folders: tuple[str, ...] | None = None
    inlay_hints: str | None = None
    leave_to_other_server: tuple[str, ...] | None = None
    other_server_in: str | None = None
    general_errors: bool | None = None
    workspace_diagnostics: str | None = None
    host_code: bool | None = None

    def with_fallback(self, other: Settings) -> Settings:
        """Returns these settings; options that they do not set are taken from `other`."""
        mine = {each.name: getattr(self, each.name) for each in fields(self)}
        return replace(other, **{name: value for name, value in mine.items() if value is not None})


def parse_settings(value: object) -> tuple[Settings, tuple[str, ...]]:
    """Parses a client's settings value; returns the settings and one message for each problem.

    An invalid option counts as not set. The value may be wrapped in an object with the key `openclsp`.
    Unknown keys are ignored, because clients keep keys of their own in this object. An unknown key that looks
    like a misspelled option is reported.
    """
    # An empty Lua table arrives as an empty array.
    if value is None or value == []:
        return Settings(), ()
    if not isinstance(value, Mapping):
        return Settings(), (f"openclsp: the settings are {_json_kind(value)}, not an object; using defaults",)
    wrapped = value.get(SECTION)
    values: Mapping[object, object] = wrapped if isinstance(wrapped, Mapping) else value
    problems: list[str] = []

    def read(key: str, reader: Callable[[object], T | None], wanted: str) -> T | None:
        given = values.get(key)
        # Settings forms of editors send an empty string for an option that is not set.
        if given is None or given == "":
            return None
        found = reader(given)
        if found is None:
            problems.append(
                f"openclsp: the setting '{key}' is {_json_kind(given)}, not {wanted}; it is ignored"
            )
        return found

    settings = Settings(
        language_version=read("languageVersion", _string, "a string"),
        extensions=read("extensions", _joined_strings, "a string or a list of strings"),
        defines=read("defines", _strings, "a list of strings"),
        include_folders=read("includeFolders", _strings, "a list of strings"),
        readable_folders=read("readableFolders", _strings, "a list of strings"),
        inlay_hints=read("inlayHints", _hints, "'off', 'inferred' or 'all'"),
        leave_to_other_server=read(
            "leaveToOtherServer", _feature_groups, f"a list of {', '.join(map(repr, FEATURE_GROUPS))}"
        ),
        other_server_in=read("otherServerIn", _other_server_documents, "'headers' or 'all'"),
        general_errors=read("generalErrors", _boolean, "true or false"),
        workspace_diagnostics=read("workspaceDiagnostics", _extent, "'auto', 'on' or 'off'"),
        host_code=read("hostCode", _boolean, "true or false"),
    )
    for key in values:
        near = difflib.get_close_matches(str(key), _KEYS, n=1, cutoff=0.8)
        if near and key not in _KEYS:
            problems.append(f"openclsp: unknown setting '{key}'; did you mean '{near[0]}'?")
    return settings, tuple(problems)


def settings_scopes(folders: Sequence[str]) -> tuple[str, ...]:
    """Returns the scopes for which settings are requested: the global scope and each workspace folder.

    The name of the global scope is empty.
    """
    return "", *folders


def parse_settings_by_scope(
    values: Mapping[str, object], initial: Settings
) -> tuple[dict[str, Settings], tuple[str, ...]]:
    """Parses the settings values of all scopes; returns the settings by scope, and the problems found.

    The empty key is the scope of the global settings; options that these do not set are taken from `initial`.
    """
    settings: dict[str, Settings] = {}
    problems: list[str] = []
    for scope, value in values.items():
        settings[scope], wrong = parse_settings(value)
        problems += wrong
    settings[""] = settings.get("", Settings()).with_fallback(initial)
    return settings, tuple(problems)


def _string(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _boolean(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _hints(value: object) -> str | None:
    return value if isinstance(value, str) and value in _INLAY_HINTS else None


def _extent(value: object) -> str | None:
    return value if isinstance(value, str) and value in _EXTENTS else None


def _feature_groups(value: object) -> tuple[str, ...] | None:
    names = _strings(value)
    return names if names is not None and all(each in FEATURE_GROUPS for each in names) else None


def _other_server_documents(value: object) -> str | None:
    return value if isinstance(value, str) and value in _OTHER_SERVER_DOCUMENTS else None


def _strings(value: object) -> tuple[str, ...] | None:
    if isinstance(value, str):
        return (value,)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    return None


def _joined_strings(value: object) -> str | None:
    items = _strings(value)
    return None if items is None else ",".join(items)


def _json_kind(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a string"
    return "a list" if isinstance(value, list) else "an object"
