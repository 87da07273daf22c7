"""The structure of a text that follows edits."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from openclsp.ide.structure.incremental_structure import update_structure
from openclsp.ide.structure.text_structure import TextStructure, read_structure

PIECES = (
    b"{", b"}", b"(", b")", b"[", b"]", b";", b"\n", b"\r", b"\r\n", b"\\\n", b"\\", b"/", b"*", b"//", b"/*", b"*/",
    b'"', b"'", b"#", b"#if A\n", b"#ifdef A // b\n", b"#else\n", b"#elif B\n", b"#endif\n", b"#define M(x) {x\n",
    b"void f(int a)\n{\n    g(a[1], (2));\n}\n", b"int a;\n", b"// comment\n", b"/* a\n b */", b" ", b"word ",
)  # fmt: skip


def found(structure: TextStructure) -> TextStructure:
    """What a structure says of its text."""
    return replace(structure, resume_points=())


WHOLE = (
    b"void f(int a)\n{\n    g(a[1], (2));\n}\n", b"int a;\n", b"// comment\n", b"/* a\n b */", b"#define M(x) {x\n",
    b"#if A\n", b"#else\n", b"#endif\n", b"\n", b'char *s = "{";\n',
)  # fmt: skip
"""Pieces that leave no bracket open, so that there are points at which a scan can begin."""


@pytest.mark.parametrize("seed", range(40))
def test_after_edits_it_is_that_of_a_new_scan(seed: int) -> None:
    chance = random.Random(seed)
    text = b"".join(chance.choices(WHOLE, k=chance.choice((0, 10, 60, 200))))
    structure = read_structure(text)
    for _ in range(60):
        start = chance.randint(0, len(text))
        end = min(start + chance.choice((0, 0, 1, 2, 20)), len(text))
        edited = text[:start] + b"".join(chance.choices(PIECES, k=chance.choice((0, 1, 1, 3)))) + text[end:]
        structure = update_structure(structure, text, edited)
        assert found(structure) == found(read_structure(edited)), (text, edited)
        text = edited


def test_an_edit_scans_the_function_that_it_touches() -> None:
    function = b"void f(int a)\n{\n    if (a) {\n        g((a));\n    }\n    /* so */\n    g(a);\n}\n\n"
    text = b"#ifndef GUARD\n#define GUARD\n" + 400 * function + b"#endif\n"
    before = read_structure(text)
    at = text.index(b"if (a)", len(text) // 2)
    after = update_structure(before, text, text[:at] + b"if (b)" + text[at + 6 :])
    assert found(after) == found(before)
    # what was not scanned again is the same object
    scanned = [each for each, other in zip(after.nestings, before.nestings, strict=True) if each is not other]
    assert 1 <= len(scanned) < 20


def test_an_edit_that_moves_lines_moves_the_rest() -> None:
    function = b"void f(int a)\n{\n    g((a));\n}\n// so\n#if A\n#else\n#endif\n"
    text = b"#ifndef GUARD\n#define GUARD\n" + 40 * function + b"#endif\n"
    structure = read_structure(text)
    for new in (b"\n\n", b"{ }", b"{", b"/*", b"#if B\n", b'"', b"#endif\n"):
        at = text.index(b"g((a))", len(text) // 2)
        edited = text[:at] + new + text[at:]
        after = update_structure(structure, text, edited)
        assert found(after) == found(read_structure(edited))
        assert found(update_structure(after, edited, text)) == found(structure)
