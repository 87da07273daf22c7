"""The file patterns that the server registers contain every ending that the analysis knows."""

from __future__ import annotations

import re

import pytest
from openclsp.lsp.features import file_renames
from openclsp.lsp.features.watched_files import watcher_registrations
from openclsp.project.file_discovery import C_HEADER_SUFFIXES, INCLUDABLE_SUFFIXES
from openclsp.project.project_scan import SCANNED_SUFFIXES, classify_file_name
from openclsp.workspace.source_detection import has_source_file_name


def endings(pattern: str) -> set[str]:
    """The endings in a pattern of the form `**/*.{a,b}`."""
    found = re.fullmatch(r"\*\*/\*\.\{(.*)\}", pattern)
    return set() if found is None else {f".{name}" for name in found[1].split(",")}


def watched() -> set[str]:
    """The endings of all files whose changes the client reports."""
    (registration,) = watcher_registrations()
    return {name for each in registration.register_options.watchers for name in endings(each.glob_pattern)}


@pytest.mark.parametrize("ending", sorted({*INCLUDABLE_SUFFIXES, *SCANNED_SUFFIXES}))
def test_every_file_that_is_read_is_watched(ending: str) -> None:
    assert ending in watched()


@pytest.mark.parametrize("ending", INCLUDABLE_SUFFIXES)
def test_includes_of_every_file_with_a_name_of_source_are_renamed(ending: str) -> None:
    assert has_source_file_name(f"a{ending}")
    assert ending in endings(file_renames._FILES)


@pytest.mark.parametrize("ending", sorted({*C_HEADER_SUFFIXES} - {".def", ".tab"}))
def test_headers_are_scanned(ending: str) -> None:
    assert classify_file_name(f"a{ending}") is not None
