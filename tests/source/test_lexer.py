"""Preprocessing tokens, compared with clang's."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openclsp.source.lexer import lex_line, token_end, token_start


def spellings(source: str) -> list[str]:
    tokens, _ = lex_line(source.encode(), 0)
    return [token[1].decode() for token in tokens]


@pytest.mark.parametrize(
    ("source", "tokens"),
    [
        ("a+++b", ["a", "++", "+", "b"]),
        ("x->y...z", ["x", "->", "y", "...", "z"]),
        ("0x1.8p-3f+1", ["0x1.8p-3f", "+", "1"]),
        ("0xE+1", ["0xE+1"]),
        (".5e+3.x", [".5e+3.x"]),
        ("\"a\\\"b\" L\"c\" '\\'' L'd'", ['"a\\"b"', 'L"c"', "'\\''", "L'd'"]),
        ("a/*b*/c//d", ["a", "c"]),
        ('R"x(a)" /* )x" b', ['R"x(a)" /* )x"', "b"]),
        ("<:%:%:> ", ["<:", "%:%:", ">"]),
        ("don't do", ["don", "'t do"]),
        ("größe$", ["größe$"]),
        ("a\\\nb", ["ab"]),
        ('"x\\\ny" z', ['"xy"', "z"]),
        ("/\\\n* c *\\\n/ d", ["d"]),
        ("// c \\\n still\nnext", []),
        ("a /* over\nlines */ b\nc", ["a", "b"]),
        ("@ `", ["@", "`"]),
    ],
)
def test_tokens(source: str, tokens: list[str]) -> None:
    assert spellings(source) == tokens


def test_a_token_knows_where_it_is_written_across_a_splice() -> None:
    source = b"x = FO\\\nO + y;\n"
    tokens, end = lex_line(source, 0)
    assert (token_start(tokens[2]), token_end(tokens[2])) == (4, 9)
    assert source[token_start(tokens[4]) : token_end(tokens[4])] == b"y"
    assert end == len(source)


@settings(deadline=None)
@given(st.binary(max_size=60) | st.text(alphabet="ab01\"'\\\n\r/*R(). #\t", max_size=60).map(str.encode))
def test_lines_follow_one_another_and_tokens_stand_where_they_say(data: bytes) -> None:
    at = 0
    while at < len(data):
        tokens, end = lex_line(data, at)
        assert at < end <= len(data)
        place = at
        for token in tokens:
            assert place <= token_start(token) < token_end(token) <= end
            if isinstance(token[3], int):
                assert data[token_start(token) : token_end(token)] == token[1]
            place = token_end(token)
        at = end


@pytest.mark.parametrize("size", [0, 1, 126, 127, 128, 129, 130, 4000])
@pytest.mark.parametrize("within", ["x", "*", "\n", " *x"])
def test_comments_of_any_length_end_at_their_first_end(size: int, within: str) -> None:
    comment = (within * size)[:size].rstrip("/")
    assert spellings(f"a/*{comment}*/b*/c\nd") == ["a", "b", "*", "/", "c"]
    assert spellings(f"a /*{comment}") == ["a"]
    assert spellings(f"a /*/{comment}*/ b") == ["a", "b"]
