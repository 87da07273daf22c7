"""Groups and items of an edited document equal those of the same text parsed afresh."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openclsp.semantics.translation_unit import TranslationUnit

from .units import edited, unit_of

PARTS = [
    "void f(int a) {\n  int b = a;\n  if (a) { b = 2; } else { b = 3; }\n  for (;;) { b++; }\n}\n",
    "kernel void k(global int *p) {\n  p[0] = 1;\n  {\n    p[1] = M;\n  }\n}\n",
    "struct S { int a; };\n",
    "constant int t[2] = { 1, 2 };\n",
    "// c {\n",
    "/* } */ int x;\n",
    "#define M 3\n",
    " void h() { }\n",
    "for (int i = 0; i < 3; i++) { x = i; }\n",
]
PIECES = (
    ["", "", "{", "}", ";", " ", "\n", "a", "int q = 1;", "/*", "*/", "//", '"', "'", "(", ")", "= {", "struct Q {"]
    + ["\nvoid g(int z) {", "\nkernel void l() {", "void w() { }", "M", "#if 0\n", "#endif\n", "for (", "}\n}", "x = 1;"]
)  # fmt: skip


def cut(unit: TranslationUnit) -> tuple[object, ...]:
    """The groups of a unit, the syntactic data of its items, and the offsets of their tokens."""
    (main,) = unit.parts()
    groups = [(group.start, group.text, group.has_error) for group in main.groups]
    items = [
        (
            item.key,
            item.start,
            item.length,
            item.names,
            item.digest,
            item.structural_digest,
            item.head_digest,
            item.summary,
        )
        for item in unit.items
    ]
    tokens = [(*item.token_index_starts, *item.token_index_ends) for item in unit.items]
    return groups, items, tokens


@given(st.data())
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_after_any_edits_the_chunks_equal_those_of_a_new_fragment(data: st.DataObject) -> None:
    text = "".join(data.draw(st.lists(st.sampled_from(PARTS), min_size=1, max_size=6)))
    unit = unit_of(text.encode(), "CL1.2")
    at = data.draw(st.integers(0, len(text)))
    for piece in data.draw(st.lists(st.sampled_from(PIECES), max_size=8)):
        end = min(at + data.draw(st.sampled_from([0, 0, 1, 5])), len(text))
        text = text[:at] + piece + text[end:]
        edited(unit, text.encode())
        assert cut(unit) == cut(unit_of(text.encode(), "CL1.2"))
        at = max(min(at + data.draw(st.sampled_from([len(piece), 0, -7, 40])), len(text)), 0)


def test_an_edit_in_a_function_reuses_the_rest_of_its_table() -> None:
    text = "void f(int a) { int b = a; @ a = b; }"
    unit = unit_of(text.replace("@", "b;").encode(), "CL1.2")
    (main,) = unit.parts()
    tables = []
    for word in ("bc;", "bcd;", "bcde;"):
        edited(unit, text.replace("@", word).encode())
        tables.append(main.table_of(unit.items[0]))
    first, *_, last = tables
    assert last is not first
    assert last.tokens[:10] == first.tokens[:10]
    # the very objects, which a tree that is read anew makes anew
    names = [token for token, text in enumerate(last.tokens) if text == b"int"]
    assert names
    assert all(last.tokens[token] is first.tokens[token] for token in names)


@pytest.mark.parametrize("around", ["%s;", "int %s", "int %s = 1 2 3;", "%s("])
def test_an_edit_within_a_name_parses_nothing(around: str) -> None:
    text = "void f(int a) { int b = a; @ a = b; }"
    unit = unit_of(text.replace("@", around % "n").encode(), "CL1.2")
    (main,) = unit.parts()
    tables = []
    for name in ("na", "nam", "some_name"):
        changed = text.replace("@", around % name).encode()
        edited(unit, changed)
        tables.append(main.table_of(unit.items[0]))
        assert cut(unit) == cut(unit_of(changed, "CL1.2"))
    # the very object, which a tree that is read anew makes anew
    assert tables[0].kind is tables[1].kind is tables[2].kind


def test_a_chunk_that_ends_before_a_function_is_cut_again_if_the_function_goes() -> None:
    text = "void f(int a) { if (a) {\n  a = 1;\n}\nkernel void k() { }\nint z;\n"
    for at in range(text.index("kernel"), len(text)):
        unit = unit_of(text.encode(), "CL1.2")
        for new in ("x", ""):
            changed = text[:at] + new + text[at:]
            edited(unit, changed.encode())
            assert cut(unit) == cut(unit_of(changed.encode(), "CL1.2"))


def test_chunks_that_differ_in_names_only_are_parsed_once() -> None:
    function = "t_%d f_%d(t_%d a, int n) { return a.x * n + other_%d; }"
    text = "".join(function % ((number,) * 4) for number in (2, 40, 800, 16)) + "int f( {\nint f( {\n"
    unit = unit_of(text.encode(), "CL1.2")
    tables = [item.table for item in unit.items[:4]]
    assert all(table is not None and tables[0] is not None for table in tables)
    # the very object, which a tree that is read anew makes anew
    assert len({id(table.kind) for table in tables if table is not None}) == 1
    edited(unit, (text + " ").encode())
    assert cut(unit) == cut(unit_of((text + " ").encode(), "CL1.2"))
