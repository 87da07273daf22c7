"""Finding comments: all of them, and nothing else."""

from __future__ import annotations

import time

import pytest
from openclsp.source.comments import comments


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int i; // a\nint j; /* b */ int k;", ["// a", "/* b */"]),
        ("/* a\n * b\n */ // c", ["/* a\n * b\n */", "// c"]),
        ("// a \\\nstill a\nnot", ["// a \\\nstill a"]),
        ("// a\r\nnot", ["// a"]),
        ("/\\\n/ a\nnot", ["/\\\n/ a"]),
        ("/\\\n* a *\\  \n\\\n/ not */", ["/\\\n* a *\\  \n\\\n/"]),
        ("a /\\\n b", []),
        ("/* no end // at all", ["/* no end // at all"]),
        ('"// no" // yes', ["// yes"]),
        (r'"\"// no" // yes', ["// yes"]),
        ("'\"' // yes", ["// yes"]),
        ("a / b * c /d", []),
        ("#error it's // hidden\n\"open /* hidden\n/* yes */", ["/* yes */"]),
        ('R"(\n// inside\n)"', ["// inside"]),
    ],
)
def test_comments(text: str, expected: list[str]) -> None:
    data = text.encode()
    assert [data[start:end].decode() for start, end in comments(data)] == expected


@pytest.mark.parametrize("piece", [b'\\"', b'"', b"'", b"/*", b"//", b"\\\n", b"*\\\n", b"/\\\n", b'R"x('])
def test_no_text_takes_long(piece: bytes) -> None:
    begin = time.process_time()
    for before in (b"", b'"', b"'", b"//"):
        list(comments(before + piece * 100_000))
    assert time.process_time() - begin < 5
