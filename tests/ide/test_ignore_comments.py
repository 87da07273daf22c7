"""Ignore comments: the diagnostics that they silence, and the reports about unused ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_all_diagnostics, compute_diagnostics
from openclsp.ide.fixes.fixes import compute_fixes

from .units import analyse

# Both initialisers are errors of the same kind; the second `global` is a warning.
FAULTS = """\
kernel void k(global int *a) {
    local int *one = a;%s
    local int *two = a;%s
    global global int *three = a;%s
}
"""


def codes_by_line(folder: Path, text: str) -> list[tuple[int, str]]:
    """(line from 1, code) of each diagnostic."""
    unit = analyse(folder, text)
    return [
        (unit.document.text.line_of(each.location.start) + 1, each.code)
        for each in compute_diagnostics(unit)
        if each.location.document == unit.document.name
    ]


@pytest.mark.parametrize(
    "comment",
    [
        " // openclsp: ignore[pointer-conversion]",
        "//openclsp:ignore[ pointer-conversion ]",
        " // openclsp: ignore[pointer-conversion] the host knows why",
        " // openclsp: ignore",
        " // openclsp: ignore, for now",
        " /* openclsp: ignore[pointer-conversion] */",
        " /* openclsp: ignore[pointer-conversion] */ int other;",
        " /* openclsp: ignore[pointer-conversion]\n */",
    ],
)
def test_a_comment_behind_the_code_ignores_its_line(tmp_path: Path, comment: str) -> None:
    lines = comment.count("\n")
    assert codes_by_line(tmp_path, FAULTS % (comment, "", "")) == [
        (3 + lines, "pointer-conversion"),
        (4 + lines, "duplicate-space"),
    ]


@pytest.mark.parametrize(
    "comment",
    [
        "// openclsp: ignore[pointer-conversion]",
        "/* openclsp: ignore[pointer-conversion] */",
        "/* openclsp: ignore[pointer-conversion]\n   for a long reason */",
        "// openclsp: ignore[pointer-conversion]\n// openclsp: ignore-file[recursion, duplicate-space]",
    ],
)
def test_a_comment_alone_ignores_the_next_line(tmp_path: Path, comment: str) -> None:
    initialiser = "    local int *b = a;\n"
    above = f"void f(global int *a) {{\n{initialiser * 2}    {comment}\n%s{initialiser * 2}}}\n"
    for between, left in (("", 3), ("\n", 4)):
        codes = [code for _, code in codes_by_line(tmp_path, above % between)]
        assert codes.count("pointer-conversion") == left


def test_comments_above_one_another_speak_of_the_same_line(tmp_path: Path) -> None:
    text = """\
void f(global int *a) {
    // openclsp: ignore[pointer-conversion]
    // openclsp: ignore[duplicate-space]
    local local int *b = a;
}
"""
    assert codes_by_line(tmp_path, text) == []


def test_several_codes_and_only_these(tmp_path: Path) -> None:
    comment = " // openclsp: ignore[pointer-conversion, duplicate-space]"
    text = f"void f(global int *a) {{\n    local local int *b = a;{comment}\n    local int *c = a;\n}}\n"
    assert codes_by_line(tmp_path, text) == [(3, "pointer-conversion")]


@pytest.mark.parametrize("place", ["start", "end", "inside"])
def test_the_whole_file(tmp_path: Path, place: str) -> None:
    comment = "// openclsp: ignore-file[pointer-conversion]"
    text = FAULTS % (f" {comment}" if place == "inside" else "", "", "")
    text = {"start": f"{comment}\n{text}", "end": f"{text}{comment}", "inside": text}[place]
    assert [code for _, code in codes_by_line(tmp_path, text)] == ["duplicate-space"]


def test_the_whole_file_and_all_codes(tmp_path: Path) -> None:
    assert codes_by_line(tmp_path, "/* openclsp: ignore-file */\n" + FAULTS % ("", "", "")) == []


def test_lines_joined_by_backslashes_are_one(tmp_path: Path) -> None:
    text = """\
void f(global int *a) {
    // openclsp: ignore[pointer-conversion]
    local int \\
        *b = \\
        a;
    local int \\
        *c = a; // openclsp: ignore[pointer-conversion]
}
"""
    assert codes_by_line(tmp_path, text) == []


@pytest.mark.parametrize(
    "text",
    [
        'constant char s[] = "// openclsp: ignore-file";\n',
        "// see openclsp: ignore-file\n",
        "// openclsp: about this file\n",
        "// openclsp:\n",
    ],
)
def test_what_is_no_such_comment_does_nothing(tmp_path: Path, text: str) -> None:
    assert [code for _, code in codes_by_line(tmp_path, text + FAULTS % ("", "", ""))] == [
        "pointer-conversion",
        "pointer-conversion",
        "duplicate-space",
    ]


def test_the_analysis_knows_nothing_of_it(tmp_path: Path) -> None:
    unit = analyse(tmp_path, "// openclsp: ignore-file\n" + FAULTS % ("", "", ""))
    found = [each for each in compute_all_diagnostics(unit) if not each.code.startswith("unused-")]
    assert len(found) == 3
    assert compute_diagnostics(unit) == ()


def test_a_header_has_its_own_comments(tmp_path: Path) -> None:
    header = "void f(global int *a) { local int *b = a; %s }\n"
    for comment, count in (
        ("", 1),
        ("/* openclsp: ignore[pointer-conversion] */", 0),
        ("/* openclsp: ignore */", 0),
    ):
        unit = analyse(tmp_path, '#include "h.h"\n', {"h.h": header % comment})
        assert len(compute_diagnostics(unit, header_bodies=True)) == count
    spliced = {"body.h": "local int *b = a; // openclsp: ignore[pointer-conversion]\nlocal int *c = a;\n"}
    unit = analyse(tmp_path, 'void f(global int *a) {\n#include "body.h"\n}\n', spliced)
    (left,) = compute_diagnostics(unit)
    assert (left.location.document, left.location.start) == (
        str(tmp_path / "body.h"),
        spliced["body.h"].rindex("a"),
    )
    # what a header's comment ignores depends on who includes it: a comment that ignores nothing is not reported
    unit = analyse(tmp_path, '#include "h.h"\n', {"h.h": "int f(void); // openclsp: ignore\n"})
    assert compute_diagnostics(unit, header_bodies=True) == ()


@pytest.mark.parametrize(
    ("line", "message", "fixed_line"),
    [
        ("return; // openclsp: ignore", "this comment ignores nothing", "return;"),
        ("return; // openclsp: ignore[recursion]", "this comment ignores nothing", "return;"),
        ("/* openclsp: ignore */ return;", "this comment ignores nothing", " return;"),
        ("// openclsp: ignore-file[recursion]\nreturn;", "this comment ignores nothing", "return;"),
        (
            "  // openclsp: ignore[recursion, main-function]\nreturn;",
            "this comment ignores nothing",
            "return;",
        ),
        (
            "local int *l = a; // openclsp: ignore[recursion, pointer-conversion]",
            "no `recursion` diagnostic is ignored here",
            "local int *l = a; // openclsp: ignore[pointer-conversion]",
        ),
        (
            "local int *l = a; // openclsp: ignore[pointer-conversion, recursion]",
            "no `recursion` diagnostic is ignored here",
            "local int *l = a; // openclsp: ignore[pointer-conversion]",
        ),
        (
            "local int *l = a; // openclsp: ignore[pointer-conversion, pointer-conversoin]",
            "there is no rule `pointer-conversoin`; did you mean `pointer-conversion`?",
            "local int *l = a; // openclsp: ignore[pointer-conversion, pointer-conversion]",
        ),
        ("return; // openclsp: ignore[xyzzy]", "there is no rule `xyzzy`", "return;"),
        (
            "return; // openclsp: ignroe[recursion]",
            "there is no comment `openclsp: ignroe`; did you mean 'ignore'?",
            "return;",
        ),
    ],
)
def test_one_that_ignores_nothing_is_reported_and_fixed(
    tmp_path: Path, line: str, message: str, fixed_line: str
) -> None:
    def frame(inside: str) -> str:
        return f"void f(global int *a) {{\n{inside}\n}}\n"

    unit = analyse(tmp_path, frame(line))
    (hint,) = compute_diagnostics(unit)
    assert (hint.code, hint.severity.value, hint.message) == ("unused-ignore", "hint", message)
    fix = compute_fixes(unit, hint)[0]
    assert fix.preferred
    text = unit.document.text
    for edit in fix.edits:
        text = text.replace(edit.location.start, edit.location.end, edit.text.encode())
    assert text.data.decode() == frame(fixed_line)


def test_the_hint_itself_can_be_ignored(tmp_path: Path) -> None:
    assert (
        codes_by_line(tmp_path, "// openclsp: ignore-file[unused-ignore]\nint f(void); // openclsp: ignore\n")
        == []
    )
    assert codes_by_line(tmp_path, "int f(void); // openclsp: ignore[unused-ignore]\n") == [
        (1, "unused-ignore")
    ]


@pytest.mark.parametrize(
    "text",
    [
        '#include "not_there.h"\nint f(void); // openclsp: ignore\n',
        "#if 0\nint f(void); // openclsp: ignore\n#endif\n",
        # a rule of OpenCL C 2.0 and newer: in 1.2 there is nothing that it could report
        "int f(void); // openclsp: ignore[program-scope-pointer]\n",
    ],
)
def test_nothing_is_said_where_it_may_be_needed(tmp_path: Path, text: str) -> None:
    assert "unused-ignore" not in [code for _, code in codes_by_line(tmp_path, text)]
