"""The parser of rule pages: valid and invalid pages."""

from __future__ import annotations

import ast
import posixpath
import re
from pathlib import Path

import pytest
from openclsp.rules.runner import rule_registry
from openclsp.rules.runner.page import (
    DIALECT_NAMES,
    PageError,
    Trait,
    concept_names,
    page_codes,
    parse_page,
    read_page,
)
from openclsp.source import preprocessor

from .marked_page import marked_page

HEADER = """# some-code: What is wrong

- Severity: error | warning
- Dialects: CL1.2 CL2.0
- Clause: OpenCL C 6.7
- clang: err_one err_two
"""


def test_header() -> None:
    read = parse_page(f"{HEADER}\nProse.\n\nMore.\n")
    assert (read.code, read.title) == ("some-code", "What is wrong")
    assert read.severities == ("error", "warning")
    assert read.dialects == ("CL1.2", "CL2.0")
    assert read.clause == "OpenCL C 6.7"
    assert read.clang == ("err_one", "err_two")
    assert read.text.split("\n")[read.body_line] == "Prose."


def test_traits_are_optional_and_known() -> None:
    assert parse_page(f"{HEADER}\nProse.\n").traits == ()
    traits = parse_page(f"{HEADER}- Traits: C error | program scope\n\nProse.\n").traits
    assert traits == (Trait.C_ERROR, Trait.PROGRAM_SCOPE)
    with pytest.raises(PageError, match="Traits"):
        parse_page(f"{HEADER}- Traits: C error | no such trait\n\nProse.\n")


@pytest.mark.parametrize("missing", ["Severity", "Dialects", "Clause", "clang"])
def test_every_header_line_is_needed(missing: str) -> None:
    lines = [line for line in HEADER.split("\n") if not line.startswith(f"- {missing}")]
    with pytest.raises(PageError, match=missing):
        parse_page("\n".join(lines))


ELSEWHERE = {
    "expansion-too-large": "an example would keep clang busy for ever",
    "feature-requirement": "the fault is in the options, not in a kernel",
    "inactive-code": "editors alone are told",
    "project-file": "the fault is in openclsp.toml",
    "include-too-deep": "an example needs files that include each other",
    "too-many-diagnostics": "an example would need a thousand marks",
}
"""The pages that show no example, with the reason."""


def test_every_rule_has_its_page() -> None:
    assert {rule.code for rule in rule_registry.RULES} <= set(page_codes())
    for code in rule_registry.CODES:
        read = rule_registry.page(code)
        assert read is not None and read.code == code
    assert rule_registry.page("no-such-code") is None


def test_every_code_of_the_preprocessor_has_its_page() -> None:
    folder = Path(preprocessor.__file__).parent
    codes = set()
    for file in folder.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("report", "fault"):
                codes |= {each.value for each in ast.walk(node.args[0]) if isinstance(each, ast.Constant)}
    codes &= {code for code in codes if isinstance(code, str) and code != "error"}
    assert len(codes) > 10
    assert codes - set(page_codes()) == set()


@pytest.mark.parametrize("code", page_codes())
def test_a_page_shows_what_its_header_names(code: str) -> None:
    page, read = read_page(code), marked_page(code)
    if code in ELSEWHERE:
        assert not read.blocks, "the page has examples after all"
        return
    assert read.prose and page.title[0].isupper()
    marks = [mark for block in (*read.blocks, *read.host_blocks) for mark in block.marks if mark.code == code]
    assert {mark.severity for mark in marks} == set(page.severities), "each severity of the header is shown"
    if read.host_blocks:
        assert not read.blocks and page.dialects == DIALECT_NAMES, "host code knows no dialect"
        return
    shown = {
        dialect
        for block in read.blocks
        if any(mark.code == code for mark in block.marks)
        for dialect in block.dialects
    }
    assert shown == set(page.dialects), "each dialect of the header, and no other, has a marked example"


def test_the_header_of_a_concept_is_its_clause() -> None:
    text = "# some-concept: What it is about\n\n- Clause: OpenCL C 6.7\n\nProse.\n\n```cl\nint a;\n```\n"
    read = parse_page(text, concept=True)
    assert (read.code, read.clause, read.severities, read.clang) == ("some-concept", "OpenCL C 6.7", (), ())
    assert text.split("\n")[read.body_line] == "Prose."
    with pytest.raises(PageError, match="the header of a concept"):
        parse_page(text.replace("- Clause", "- Severity: error\n- Clause"), concept=True)


@pytest.mark.parametrize("name", concept_names())
def test_a_concept_has_a_page_of_its_own_name_with_examples(name: str) -> None:
    read = rule_registry.page(name)
    assert read is not None and read.code == name and name not in page_codes()
    shown = marked_page(name)
    assert shown.blocks and shown.prose
    assert all(block.name for block in shown.blocks), "a statement can point at each block"


_LINK = re.compile(r"\]\((?P<path>[\w./]+)\)")


@pytest.mark.parametrize("name", [*page_codes(), *concept_names()])
def test_links_between_pages_lead_somewhere(name: str) -> None:
    read = marked_page(name)
    folder = "concepts" if name in concept_names() else "book"
    files = {f"book/{code.replace('-', '_')}.md" for code in page_codes()}
    files |= {f"concepts/{each.replace('-', '_')}.md" for each in concept_names()}
    for found in _LINK.finditer(read.prose):
        assert posixpath.normpath(posixpath.join(folder, found["path"])) in files, found[0]


ERRORS = [code for code in page_codes() if "error" in read_page(code).severities]
_NO_FIX = re.compile(r"(?:^|\n\n)No fix: [^\n.]+(?:\n[^\n.]+)*\.")


@pytest.mark.parametrize("code", ERRORS)
def test_an_error_has_a_fix_or_says_why_there_is_none(code: str) -> None:
    read = marked_page(code)
    shown = any(block.fixes for block in read.blocks)
    assert shown or _NO_FIX.search(read.prose), "neither a fix block nor a paragraph that begins `No fix: `"


@pytest.mark.parametrize("code", ERRORS)
def test_an_error_names_its_clause_and_what_clang_calls_it(code: str) -> None:
    read = read_page(code)
    if marked_page(code).host_blocks:
        assert not read.clang, "clang sees no host code"
        return
    assert read.clang and all(re.fullmatch(r"(?:err|ext|warn|note)_\w+", name) for name in read.clang)
    assert re.search(r"\d", read.clause) or read.clause.startswith("none"), "a clause has a number"


def test_rules_are_found_by_the_kind_of_fact() -> None:
    for rule in rule_registry.RULES:
        assert rule in rule_registry.rules_for_fact(rule.fact)
    assert rule_registry.rules_for_fact(int) == ()  # type: ignore[arg-type]
