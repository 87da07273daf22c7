"""Text of a program in a hover is inert: it loads no image, makes no link and starts no HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from openclsp.ide.hover.hover import compute_hover
from openclsp.ide.hover.hover_rendering import render_markdown
from openclsp.ide.hover.markdown import escape_sentence, fence_code

from .units import analyse

PARSER = MarkdownIt("commonmark")
IMAGE = "![x](https://example.org/seen.png)"


def tokens(text: str) -> Iterator[Token]:
    for token in PARSER.parse(text):
        yield token
        yield from token.children or ()


def active(text: str) -> list[str]:
    """The kinds of active content: everything except text, code, lists and emphasis."""
    harmless = {"inline", "text", "text_special", "code_inline", "softbreak", "fence"}
    allowed = re.compile(r"(paragraph|bullet_list|list_item|strong|em)_(open|close)")
    return [
        each.type for each in tokens(text) if each.type not in harmless and not allowed.fullmatch(each.type)
    ]


PIECES = st.sampled_from(
    [
        *"`![]()<>\\*_#&;:/-+=.~|\"' \n\tax1",
        "``",
        IMAGE,
        "[a](command:b)",
        "<b>",
        "<!--",
        "http://x",
        "\n\n# ",
    ]
)


@example("`a`b\\`[c](d)`")
@given(st.lists(PIECES, max_size=30).map("".join))
def test_a_sentence_is_text_and_code(sentence: str) -> None:
    written = f"- says {escape_sentence(sentence)}"
    assert not {"link_open", "image", "html_inline", "html_block", "fence", "code_block"} & set(
        active(written)
    )
    # emphasis may take signs away, and nothing else
    shown = "".join(
        each.content for each in tokens(written) if each.type in ("text", "text_special", "code_inline")
    )
    letters = "says" + re.sub(r"[^\w!\[\]()<>]", "", sentence.replace("_", ""))
    assert re.sub(r"[^\w!\[\]()<>]", "", shown.replace("_", "")) == letters


def test_an_address_is_no_link() -> None:
    """Editors make links of bare addresses, and do not treat a backtick after one, or after a tilde, as the start of code."""
    assert escape_sentence("~`a`") == "\\~`a`"
    assert escape_sentence("`a` at https://example.org`b`") == "`a` at https\\://example.org`b`"
    assert escape_sentence("aWWW.example.org, ftp://x, a@b.c") == "aWWW\\.example.org, ftp\\://x, a\\@b.c"


@given(st.lists(st.sampled_from(["`", "```", "~~~", "\n", "a", IMAGE]), max_size=20).map("".join))
def test_a_block_ends_where_it_is_ended(code: str) -> None:
    [block] = [each for each in PARSER.parse(fence_code(code)) if each.level == 0]
    assert block.type == "fence"
    assert block.content == f"{code}\n"


def test_a_sentence_without_signs_is_left_alone() -> None:
    for sentence in ("x < y; of `vectors` -1", "from `-DX=1` in src/a_b.c:2", "written at k.cl:3", "a * b"):
        assert escape_sentence(sentence) == sentence


@pytest.mark.parametrize(
    "hostile",
    [
        f"`{IMAGE}",
        f"``{IMAGE}",
        IMAGE,
        f"`{IMAGE}`",
        "`<img src=x>",
        "\\`[a](command:b)",
        f"`[{IMAGE}](command:b)",
    ],
)
def test_the_hovers_of_a_hostile_repository(hostile: str, tmp_path: Path) -> None:
    macros = f"#define M {hostile}\n#define N(x) #x {hostile}\n"
    text = macros + "kernel void k(global int *g) { int *p = g; M; N(1); }\n#if X\n#endif\n"
    unit = analyse(tmp_path, text, {"compile_flags.txt": f"-DX={hostile}\n"})
    hovers = {
        render_markdown(found, lambda step: "")
        for offset in range(len(text))
        if (found := compute_hover(unit, unit.document.name, offset)) is not None
    }
    assert len(hovers) > 4
    assert any("-DX=" in plain(each) for each in hovers)
    assert {each: active(each) for each in hovers if active(each)} == {}


def plain(text: str) -> str:
    return "".join(each.content for each in tokens(text))
