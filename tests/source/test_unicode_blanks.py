"""Unicode white space is replaced by blanks before the text is divided into tokens, as clang does."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.source import document_preprocessing
from openclsp.source.document import Document
from openclsp.source.include_cache import IncludeCache
from openclsp.source.unicode_blanks import has_unicode_blank, replace_unicode_blanks

from ..rules.analysis import analyse
from .marks import expansion
from .test_incremental import NAME, OPTIONS, OneHeader, answers, edited, fresh

BLANKS = "\u0085\u00a0\u1680\u180e\u2000\u2003\u200a\u2028\u2029\u202f\u205f\u3000"
TEXT = "#define{0}N{0}4\nkernel{0}void k(global{0}int *p)\n{{\n{0}{0}p[0]{0}={0}N ||{0}p[1];{0}\n}}\n"


@pytest.mark.parametrize("blank", BLANKS)
def test_a_program_with_unicode_blanks_has_no_error(blank: str) -> None:
    for dialect in ("CL1.2", "CL2.0", "CL3.0"):
        assert list(compute_diagnostics(analyse(TEXT.format(blank), dialect))) == []


@pytest.mark.skipif(shutil.which("clang-22") is None, reason="needs clang")
@pytest.mark.parametrize("blank", [*BLANKS, "\u200b", "\u2060", "\u00ad", "\u00b7"])
def test_clang_takes_the_same_characters_for_white_space(tmp_path: Path, blank: str) -> None:
    path = tmp_path / "k.cl"
    path.write_text(TEXT.format(blank), "utf-8")
    command = ["clang-22", "-x", "cl", "-cl-std=CL1.2", "-fsyntax-only", str(path)]
    assert (subprocess.run(command, capture_output=True, check=False).returncode == 0) == (blank in BLANKS)
    assert has_unicode_blank(blank.encode()) == (blank in BLANKS)


@pytest.mark.parametrize(
    ("source", "replaced"),
    [
        ("int\u00a0a;", "int  a;"),
        ("a =\u3000b;\n", "a =   b;\n"),
        ("/*\u00a0*/ a\u00a0// \u00a0", "/*\u00a0*/ a  // \u00a0"),
        ('"\u00a0" \'\u00a0\'\u00a0"\\"\u00a0"', '"\u00a0" \'\u00a0\'  "\\"\u00a0"'),
        ("/*\u00a0", "/*\u00a0"),
        ("caf\u00e9 \u65e5\u672c\u200b", "caf\u00e9 \u65e5\u672c\u200b"),
    ],
)
def test_blanks_outside_comments_and_literals_are_replaced(source: str, replaced: str) -> None:
    assert replace_unicode_blanks(source.encode()).decode() == replaced


def test_names_next_to_a_unicode_blank_are_expanded() -> None:
    assert expansion("#define X 1\nX\u00a0+\u00a0X;").split() == ["1", "+", "1;"]


def test_edits_of_unicode_blanks_give_the_result_of_a_fresh_run() -> None:
    chance = random.Random(1)
    blank = "\u00a0".encode()
    pieces = [blank, b"/*", b"*/", b"//", b"\n", b'"', b"#define X 1\n", b"X" + blank, b"", b"\\\n"]
    unit = fresh(
        Document.of(NAME, b"/* a" + blank + b"*/\nint" + blank + b"a;\nint b = X;\n#define Y 2\nint d = Y;\n")
    )
    for _ in range(200):
        document, edit = edited(unit, chance.random(), chance.choice((0, 0, 1, 3)), chance.choice(pieces))
        unit = document_preprocessing.update(
            unit, document, edit, OPTIONS, OneHeader(), IncludeCache()
        ).result
        assert answers(unit) == answers(fresh(document))
