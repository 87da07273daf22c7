"""The scanner of keys and values in TOML, complete and half-typed."""

from __future__ import annotations

import pytest
from openclsp.workspace.toml_scanner import TomlPlace, find_cursor, scan_entries

TEXT = b"""\
language-version = "CL2.0" # = [
extensions = ["-a",  # "x"
  "c"]
[ device ]
limits = { max-constant-args = 4, "local-mem-size" = 1_000 }
[variants.'my build']
defines.REAL = 1.5
files = ["a/*.cl"
[severity]
recursion = 'off'
"""


def test_each_key_and_header_is_found_with_its_values() -> None:
    found = [
        (".".join(each.path), TEXT[each.start : each.end], [TEXT[start:end] for start, end in each.items])
        for each in scan_entries(TEXT)
    ]
    assert found == [
        ("language-version", b"language-version", [b'"CL2.0"']),
        ("extensions", b"extensions", [b'"-a"', b'"c"']),
        ("device", b"device", []),
        ("device.limits", b"limits", []),
        ("device.limits.max-constant-args", b"max-constant-args", [b"4"]),
        ("device.limits.local-mem-size", b'"local-mem-size"', [b"1_000"]),
        ("variants.my build", b"variants.'my build'", []),
        ("variants.my build.defines.REAL", b"defines.REAL", [b"1.5"]),
        ("variants.my build.files", b"files", [b'"a/*.cl"']),
        ("severity", b"severity", []),
        ("severity.recursion", b"recursion", [b"'off'"]),
    ]


@pytest.mark.parametrize(
    ("before", "place", "path", "word"),
    [
        ("", TomlPlace.KEY, "", ""),
        ("a = 1\nlan", TomlPlace.KEY, "", "lan"),
        ("[device]\npro", TomlPlace.KEY, "device", "pro"),
        ("device.lim", TomlPlace.KEY, "device", "lim"),
        ("[device]\nlimits = { a = 1, max", TomlPlace.KEY, "device.limits", "max"),
        ("[", TomlPlace.HEADER, "", ""),
        ("[device.li", TomlPlace.HEADER, "device", "li"),
        ("a = ", TomlPlace.VALUE, "a", ""),
        ('a = "CL', TomlPlace.VALUE, "a", "CL"),
        ('a = ["x", "y', TomlPlace.VALUE, "a", "y"),
        ('a = ["x",\n\n"y', TomlPlace.VALUE, "a", "y"),
        ('a = ["x",\nb = tr', TomlPlace.VALUE, "b", "tr"),
        ('a = "b" ', TomlPlace.NONE, "", ""),
        ('a = "b"', TomlPlace.NONE, "", ""),
        ("# a = ", TomlPlace.NONE, "", ""),
        ("a ", TomlPlace.NONE, "", ""),
        ("[device] ", TomlPlace.NONE, "", ""),
    ],
)
def test_the_place_at_the_end_of_a_text(before: str, place: TomlPlace, path: str, word: str) -> None:
    found = find_cursor(before.encode())
    assert (found.place, ".".join(found.path), found.word.decode()) == (place, path, word)


def test_every_prefix_of_a_text_is_scanned() -> None:
    for end in range(len(TEXT)):
        scan_entries(TEXT[:end])
        find_cursor(TEXT[:end] + b"\xff}]")
