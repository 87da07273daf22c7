"""The names of files by their tokens, and the index of a project."""

from __future__ import annotations

import os
from pathlib import Path

from openclsp.project.project_scan import scan_project
from openclsp.source.text import Text
from openclsp.workspace.file_names import MEMBER, TAG, DeclaredKind, decode_use, extract_file_names
from openclsp.workspace.include_graph import IncludeGraph
from openclsp.workspace.name_index import NameIndex, ProjectNames

TEXT = b"""\
#define N 4
#define SQUARE(x) \\
    ((x) * helper(x))
typedef struct node { int a; float f; } node_t;
enum mode { FAST, SLOW = N };
constant float table[N] = {1, 2};
float helper(float);
static inline float helper(float f) { return f * 2; } // helper
kernel __attribute__((vec_type_hint(int))) void k(global node_t *restrict p, int unused) {
    int FAST = 1; helper(p->a); struct node n; n.f = SQUARE(2) * table[FAST]; { int other; other = 1; }
}
"""


def test_declarations() -> None:
    kinds = DeclaredKind
    found = extract_file_names(TEXT)
    assert [(each.name, each.kind, each.is_definition) for each in found.declared] == [
        ("N", kinds.MACRO, True),
        ("SQUARE", kinds.MACRO, True),
        ("node", kinds.STRUCT, True),
        ("node_t", kinds.TYPE, True),
        ("mode", kinds.ENUM, True),
        ("FAST", kinds.ENUMERATOR, True),
        ("SLOW", kinds.ENUMERATOR, True),
        ("table", kinds.VARIABLE, True),
        ("helper", kinds.FUNCTION, False),
        ("helper", kinds.FUNCTION, True),
        ("k", kinds.KERNEL, True),
    ]
    assert all(TEXT[each.start :].startswith(each.name.encode()) for each in found.declared)


def test_uses() -> None:
    found = extract_file_names(TEXT)

    def flags(name: bytes) -> list[int]:
        places = [decode_use(use) for use in found.uses.get(name, ())]
        assert all(TEXT[start:].startswith(name) for start, _ in places)
        return [flag for _, flag in places]

    # the body of a macro, two declarations, one call; not the comment
    assert len(flags(b"helper")) == 4
    assert flags(b"a") == [MEMBER]
    assert flags(b"node") == [TAG, TAG]
    # the kernel declares its own `FAST`, `other` and `n`
    assert len(flags(b"FAST")) == 1
    assert flags(b"other") == flags(b"n") == []
    assert found.line_and_column(TEXT.index(b"SQUARE(2)")) == (9, 53)


def test_any_text_has_names() -> None:
    for text in (b"", b"}}}}((", b"#define", b"/* open", b"'", b"a(", b"typedef;", b"\xff\x00{", b"#\\\n"):
        extract_file_names(text)


def test_the_index_reads_changed_files_again(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    header, kernel = tmp_path / "h.h", tmp_path / "k.cl"
    header.write_text("float f(float);\n")
    kernel.write_text('#include "h.h"\nkernel void k(void) { f(1); }\n')
    graph, index = IncludeGraph(), NameIndex()

    def names(opened: dict[str, Text] | None = None) -> list[str]:
        graph.update(scan_project(str(tmp_path)))
        index.update(graph.opencl_files, graph.permission)
        index.advance(lambda: None)
        assert index.is_complete
        project = ProjectNames(graph, index, opened or {})
        return sorted(each.name for _, file in project.every_file() for each in file.declared)

    assert names() == ["f", "k"]
    kernel.write_text('#include "h.h"\nkernel void other(void) { f(1); }\n')
    os.utime(kernel, ns=(1, 1))
    assert names() == ["f", "other"]
    assert names({str(kernel): Text.of(b"void open(void) {}\n")}) == ["f", "open"]
    kernel.unlink()
    # no kernel includes the header any more
    assert names() == []


def test_an_index_is_built_in_slices(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    for number in range(5):
        (tmp_path / f"k{number}.cl").write_text("void f(void) {}\n")
    graph, index = IncludeGraph(), NameIndex()
    graph.update(scan_project(str(tmp_path)))
    index.update(graph.opencl_files, graph.permission)
    slices = 0
    while not index.is_complete:
        index.advance_for(0.0, lambda: None)
        slices += 1
    assert slices == 5
