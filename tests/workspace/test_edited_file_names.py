"""The names of an edited text are those of the text, and only the edited part is read."""

from __future__ import annotations

import random

import pytest
from openclsp.workspace import edited_file_names
from openclsp.workspace.edited_file_names import EditedFileNames
from openclsp.workspace.file_names import FileNames, extract_file_names

from ..interpreted import interpreted

TEXT = b"""\
#define SQUARE(x) \\
    ((x) * helper(x))
typedef struct node {
    int a;
} node_t;
enum mode {
    FAST,
    SLOW
}
;
float helper(float f)
{
    return f * 2; // }
}
/* }
*/
static float sum(global node_t *p)
{
    return p->a + helper(1);
}
kernel void k(global node_t *p) {
    p->a = SQUARE(2) + sum(p);
}\r
#if 0
void other(void) {
}
#endif
"""
PIECES = (
    b"}",
    b"{",
    b"\n}\n",
    b"/*",
    b"*/",
    b"//",
    b'"',
    b"\\\n",
    b"(",
    b")",
    b";",
    b" helper",
    b"\n",
    b"\r",
    b"=",
    b",",
    b"enum e {A,\n}\n;",
)


def _content(names: FileNames) -> tuple[object, ...]:
    uses = {name: list(places) for name, places in names.uses.items()}
    return names.declared, uses, list(names.lines), names.is_ascii, names.size


@pytest.mark.parametrize("seed", range(4))
def test_after_each_edit_the_names_are_those_of_the_text(seed: int) -> None:
    choose, edited, data = random.Random(seed), EditedFileNames(), 2 * TEXT
    for _ in range(60):
        start = choose.randrange(len(data) + 1)
        end = min(start + choose.choice((0, 0, 1, 3, 30)), len(data))
        new = b"".join(choose.choices(PIECES, k=choose.randrange(3)))
        data = data[:start] + new + data[end:]
        found, expected = edited.extract(data), extract_file_names(data)
        assert _content(found) == _content(expected), data
        assert len(found.uses) == len(expected.uses)
        assert [name in found.uses for name in (b"helper", b"no_such_name")] == [
            b"helper" in expected.uses,
            False,
        ]
        with pytest.raises(KeyError):
            found.uses[b"no_such_name"]


@interpreted(edited_file_names)
def test_an_edit_reads_one_construct_and_the_last_part(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[bytes] = []
    whole = edited_file_names.extract_whole_constructs

    def record(part: bytes) -> FileNames | None:
        read.append(part)
        return whole(part)

    monkeypatch.setattr(edited_file_names, "extract_whole_constructs", record)
    edited, data = EditedFileNames(), 20 * TEXT
    edited.extract(data)
    everything = sum(map(len, read))
    assert everything < 2 * len(data)
    read.clear()
    edited.extract(data.replace(b"p->a + helper(1)", b"p->a + helper(2)", 1))
    assert 0 < sum(map(len, read)) < len(TEXT)
    # a brace that is not closed costs no more than reading the text twice
    read.clear()
    edited.extract(data.replace(b"return f * 2;", b"return f * 2; {", 1))
    assert sum(map(len, read)) < 2 * len(data)
