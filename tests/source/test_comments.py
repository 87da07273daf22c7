"""Finding comments: all of them, and nothing else."""

from __future__ import annotations

import pytest
from openclsp.source.comments import comments

from ..fuzz.test_growth import MOST, calls_of


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
def test_the_work_is_proportional_to_the_text(piece: bytes) -> None:
    for before in (b"", b'"', b"'", b"//"):
        once, twice = (
            calls_of(lambda text=before + piece * count: list(comments(text))) for count in (1_000, 2_000)
        )
        assert twice <= MOST * once
