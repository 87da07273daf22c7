"""Which bytes are parsed as a program."""

from __future__ import annotations

import pytest
from openclsp.source.parser import is_text, parse

_COMMENT = "後方フィールド判定"
_FUNCTION = b"int f(int y) { return y; }"


@pytest.mark.parametrize("written", ["// {}\n", "/* {} */\n", 'constant char s[] = "{}";\n'])
@pytest.mark.parametrize("encoding", ["utf-8", "shift_jis"])
def test_comments_and_strings_in_any_language_are_text(written: str, encoding: str) -> None:
    text = written.format(_COMMENT * 20).encode(encoding) + _FUNCTION
    # Shift JIS writes some characters with a backslash or an asterisk as second byte
    assert is_text(text)
    if encoding == "utf-8":
        assert not parse(text).root_node.has_error


def test_other_bytes_are_not_text() -> None:
    noise = bytes(range(0x80, 0x100))
    assert not is_text(noise)
    assert not is_text(_FUNCTION + noise)
    assert not is_text(b"/* " + noise)
    assert is_text(b"")
