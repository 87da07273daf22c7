"""A file that is a C++ raw string is checked as its content, at its positions in the file."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openclsp.source.code_extraction import code_after, code_of
from openclsp.source.raw_strings import content_of_raw_strings
from openclsp.source.text import Edit, Text

from .marks import expansion, run

KERNEL = "#define SPACE __local\nkernel void k(SPACE int *p) {}\n"
EXPANDED = "kernel void k(__local int *p) {}"


@pytest.mark.parametrize(
    "around",
    [
        'R"({})"',
        '// Loaded with #include.\nR"(\n{})"\n// the end\n',
        '/* why */ R"delimiter({})delimiter";\n',
        'static const char *const source = R"CLC(\n{})CLC";\n',
        'const std::string kernel_text = R"(\n{})";',
        'const char source[] =\nR"(\n{}\n)"\n',
        'u8R"({})"',
        '#pragma once\nconst std::string source(R"(\n{})");\n',
        'cl::Program::Sources sources{R"({})"};',
        'static const QString source = QStringLiteral(R"(\n{})");\n',
        'const char *sources[] = {"" R"({})"};',
        'R"(\n{}',
        'R""(\n{})""\n',  # a quote may be part of the delimiter
        'const char *source = R"a"b({})a"b";\n',
    ],
)
def test_the_content_is_read(around: str) -> None:
    assert expansion(around.replace("{}", KERNEL)).replace("// the end", "").strip().endswith(EXPANDED)


def test_raw_strings_in_a_row_are_one_text() -> None:
    source = 'R"(\n#define N 4\nint a[N\n)" // too long for one literal\nR"+(\n];\n)+"\n'
    assert expansion(source).replace("// too long for one literal", "") == "int a[4\n\n];"


def test_places_are_those_of_the_file() -> None:
    source = '// head\nR"(\nint é, SPACE;\n)"'
    unit = run(source)
    at = unit.text.index(b"SPACE")
    assert source.encode()[at : at + 5] == b"SPACE"
    assert unit.document.text.data == source.encode()
    assert unit.source_map.spelled(at, at + 5) is not None


@pytest.mark.parametrize(
    "source",
    [
        KERNEL,
        'constant char text[] = R"(hello)";\nkernel void k() {}\n',
        'kernel void k() { printf(R"(hello)"); }\n',
        '#include "a.h"\nR"(int a;)"\n',
        'kernel void k() { f(R"(hello)"); }\n',
        "",
        "// only a comment\n",
    ],
)
def test_what_is_more_than_raw_strings_stays_as_it_is(source: str) -> None:
    assert content_of_raw_strings(source.encode()) is None


def test_the_content_may_be_a_template() -> None:
    source = 'R"(\n#define N {{ n }}\nint a[N];\n## if b\nint b;\n## endif\n)"\n'
    code = code_of(Text.of(source.encode()))
    assert code.raw and code.template is not None
    assert b"{{" not in code.text.data and b"##" not in code.text.data
    assert b"int a[N];" in code.text.data and b"int b;" in code.text.data


PIECES = st.sampled_from(
    ['R"(', ')"', 'R"x(', ')x"', "int a;\n", "// c\n", "/*", "*/", '"', "${x}", "%s", "= %d;", "{% if x %}", "{% endif %}", "\n", "{{ x }} y", "\\\n", "  % for i in x:\n", "a % d", "@N@"]
)  # fmt: skip


@settings(deadline=None, max_examples=400)
@given(
    st.lists(PIECES, max_size=12),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 16), PIECES), max_size=4),
)
def test_after_an_edit_it_is_as_if_read_for_the_first_time(
    pieces: list[str], edits: list[tuple[float, int, str]]
) -> None:
    text = Text.of("".join(pieces).encode())
    code = code_of(text)
    for share, removed, new in edits:
        start = round(share * len(text.data))
        edit = Edit(start, min(start + removed, len(text.data)), new.encode())
        after = text.apply(edit)
        code = code_after(code, text, edit, after)
        fresh = code_of(after)
        assert (code.text.data, code.raw, code.template) == (fresh.text.data, fresh.raw, fresh.template)
        assert len(code.text.data) == len(after.data) and code.text.lines.count == after.lines.count
        text = after


def test_an_edit_removes_the_last_code_outside() -> None:
    string = 'R"(\nint b;\n)"\n\n'
    old, new = Text.of(f"{string}int a;\n".encode()), Text.of(string.encode())
    edit = Edit(len(string), len(old.data), b"")
    code = code_after(code_of(old), old, edit, old.apply(edit))
    assert code.raw
    assert code.text.data == code_of(new).text.data
