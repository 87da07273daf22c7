"""The style for clang-format, the comparison of tokens, and the lines that typing a character formats."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from openclsp.ide.formatting.formatted_ranges import lines_to_format
from openclsp.ide.formatting.formatting_style import StyleProblem, find_style
from openclsp.ide.formatting.token_comparison import have_same_tokens
from openclsp.project.file_system import LOCAL_FILE_SYSTEM
from openclsp.project.read_permission import ReadPermission
from openclsp.source.text import Text


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("int  a ;", "int a;", True),
        ("(float4)(1,2 , 3,4)", "(float4)(1, 2, 3, 4)", True),
        ("a = b/* c */;", "a = b; // c", True),
        ("a = b - -c;", "a = b--c;", False),
        ("if (a) b;", "if (a) { b; }", False),
        ('s = "a b";', 's = "a " "b";', False),
        ("#define A (x)\nb", "#define A  ( x )\nb", True),
        ("#define A (x)\nb", "#define A(x)\nb", False),
        ("#define A \\\n  1\nb", "#define A 1\nb", True),
        ("#define A 1\nb", "#define A 1 b", False),
        ("#if A\n b\n#endif\n", "#if A\nb\n#endif\n", True),
    ],
)
def test_only_white_space_and_comments_may_differ(before: str, after: str, same: bool) -> None:
    assert have_same_tokens(before.encode(), after.encode()) is same


def style_in(folder: Path, texts: dict[str, str]) -> dict[str, object] | StyleProblem:
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    permission = ReadPermission.for_named_paths((str(folder / "project"),), resolve=LOCAL_FILE_SYSTEM.resolve)
    kernel = str(folder / "project" / "src" / "k.cl")
    found = find_style(kernel, LOCAL_FILE_SYSTEM, permission, 3, insert_spaces=True)
    return found if isinstance(found, StyleProblem) else json.loads(found)


def test_the_nearest_style_of_the_project_applies(tmp_path: Path) -> None:
    (tmp_path / "project" / "src").mkdir(parents=True)
    found = style_in(tmp_path, {".clang-format": "BasedOnStyle: Google\n"})
    assert found == {
        "BasedOnStyle": "LLVM",
        "IndentWidth": 3,
        "TabWidth": 3,
        "UseTab": "Never",
        "SortIncludes": "Never",
        "SortUsingDeclarations": "Never",
        "BreakStringLiterals": False,
    }
    found = style_in(
        tmp_path,
        {
            "project/.clang-format": (
                "---\nBasedOnStyle: Google\nIndentWidth: 7\n---\nLanguage: Cpp\nIndentWidth: 5\nSortIncludes: true\n"
                "---\nLanguage: Java\nIndentWidth: 9\n"
            )
        },
    )
    assert isinstance(found, dict)
    assert (found["BasedOnStyle"], found["IndentWidth"], found["SortIncludes"]) == ("Google", 5, "Never")
    assert "Language" not in found
    nearest = style_in(tmp_path, {"project/src/_clang-format": "BasedOnStyle: InheritParentConfig\n"})
    assert isinstance(nearest, dict)
    assert nearest["BasedOnStyle"] == "LLVM"


@pytest.mark.parametrize(
    "text", ["- a\n- b\n", "a: &b 1\nc: *b\n", "a: [\n", "a: 1\n" * 20_000, "[" * 5000, "just words"]
)
def test_a_broken_style_is_a_problem(tmp_path: Path, text: str) -> None:
    found = style_in(tmp_path, {"project/src/.clang-format": text})
    assert isinstance(found, StyleProblem)
    assert ".clang-format" in found.reason


@pytest.mark.parametrize(
    ("marked", "lines"),
    [
        ("void f(void) {\n  a = 1;@\n}", (1, 1)),
        ("void f(void) {\n  if (a) {\n    b;\n  }@\n}", (1, 3)),
        ("void f(void) {\n  if (a) {\n    b;\n  }\n}@", (0, 4)),
        ("}@", (0, 0)),
        ("// a;@", None),
        ('s = "a;@";', None),
        ("#define A ;@\n", None),
        ("a@", None),
    ],
)
def test_the_lines_that_a_typed_character_completes(marked: str, lines: tuple[int, int] | None) -> None:
    text = Text.of(marked.replace("@", "").encode())
    assert lines_to_format(text, marked.index("@")) == lines
