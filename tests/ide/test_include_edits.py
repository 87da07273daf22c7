"""Includes that follow moved files."""

from __future__ import annotations

import os

import pytest
from openclsp.ide.file_renames.file_moves import FileMoves
from openclsp.ide.file_renames.include_edits import IncludeSearch, compute_include_edits
from openclsp.project.project_headers import ProjectHeaders
from openclsp.source.document import Document

FILES = ("/p/k.cl", "/p/lib/a.h", "/p/lib/b.h", "/q/inc/c.h", "/p/other/a.h")
FOLDERS = ("/q/inc",)


def after(includer: str, text: str, *pairs: tuple[str, str]) -> str:
    """The text of an includer after the edits for some moves."""

    def target(name: str, angled: bool) -> str | None:
        own = () if angled else (os.path.dirname(includer),)
        places = (os.path.normpath(os.path.join(folder, name)) for folder in (*own, *FOLDERS))
        return next((place for place in places if place in FILES), None)

    search = IncludeSearch(target, (), FOLDERS, FILES.__contains__, None)
    data = text.encode()
    for edit in reversed(compute_include_edits(Document.of(includer, data), FileMoves(pairs), search)):
        data = data[: edit.location.start] + edit.text.encode() + data[edit.location.end :]
    return data.decode()


@pytest.mark.parametrize(
    ("includer", "text", "pairs", "expected"),
    [
        ("/p/k.cl", '#include "lib/a.h"\n', [("/p/lib/a.h", "/p/lib/n.h")], '#include "lib/n.h"\n'),
        ("/p/k.cl", '#include "./lib/a.h"\n', [("/p/lib/a.h", "/p/n.h")], '#include "./n.h"\n'),
        ("/p/k.cl", '#include "lib/a.h"\n', [("/p/lib", "/p/more/lib")], '#include "more/lib/a.h"\n'),
        ("/p/k.cl", '#include "lib/b.h"\n', [("/p/lib/a.h", "/p/n.h")], '#include "lib/b.h"\n'),
        # the includer moves: what it includes relative to itself follows
        ("/p/k.cl", '#include "lib/a.h"\n', [("/p/k.cl", "/p/sub/k.cl")], '#include "../lib/a.h"\n'),
        ("/p/lib/a.h", '#include "b.h"\n#include "../k.cl"\n', [("/p/lib", "/p/x/y")], '#include "b.h"\n#include "../../k.cl"\n'),
        ("/p/lib/a.h", '#include "b.h"\n', [("/p/lib/a.h", "/p/n.h")], '#include "lib/b.h"\n'),
        # through an include folder
        ("/p/k.cl", "#include <c.h>\n", [("/q/inc/c.h", "/q/inc/sub/d.h")], "#include <sub/d.h>\n"),
        ("/p/k.cl", "#include <c.h>\n", [("/p/k.cl", "/p/sub/k.cl")], "#include <c.h>\n"),
        ("/p/k.cl", "#include <c.h>\n", [("/q/inc/c.h", "/p/lib/c.h")], '#include "lib/c.h"\n'),
        ("/p/k.cl", '#include "lib/a.h"\n', [("/p/lib/a.h", "/q/inc/n.h")], '#include "n.h"\n'),
        # a file of the same name that comes into the way
        ("/p/lib/a.h", '#include "c.h"\n', [("/p/other/a.h", "/p/lib/c.h")], '#include "../../q/inc/c.h"\n'),
        # an exchange
        ("/p/k.cl", '#include "lib/a.h"\n', [("/p/lib/a.h", "/p/lib/b.h"), ("/p/lib/b.h", "/p/lib/a.h")], '#include "lib/b.h"\n'),
        # as it is written
        ("/p/k.cl", '#if 0\n #  include "lib/a.h" // a.h\n#endif\n', [("/p/lib/a.h", "/p/n.h")], '#if 0\n #  include "n.h" // a.h\n#endif\n'),
        ("/p/k.cl", '// #include "lib/a.h"\n#include NAME\n#include "gone.h"\n', [("/p/lib/a.h", "/p/n.h")], '// #include "lib/a.h"\n#include NAME\n#include "gone.h"\n'),
    ],
)  # fmt: skip
def test_includes_follow(includer: str, text: str, pairs: list[tuple[str, str]], expected: str) -> None:
    assert after(includer, text, *pairs) == expected


def test_a_name_that_matches_the_end_of_a_path_follows() -> None:
    moves = FileMoves((("/p/lib/a.h", "/p/lib/n.h"), ("/p/other", "/p/next")))
    headers = ProjectHeaders.of_paths("/p", FILES).after_moves(moves.new_path)
    search = IncludeSearch(lambda name, angled: f"/p/{name}", (), (), FILES.__contains__, headers)
    text = b'#include "lib/a.h"\n#include "other/a.h"\n#include "lib/b.h"\n'
    found = compute_include_edits(Document.of("/p/sub/k.cl", text), moves, search)
    assert [each.text for each in found] == ['"lib/n.h"', '"next/a.h"']


def test_a_header_that_compilers_find_is_not_left_to_the_structure_of_the_project() -> None:
    """Otherwise `"a.h"` would mean `/p/inc/a.h` by the end of its path, which no compiler searches."""
    moves = FileMoves((("/p/lib/a.h", "/p/inc/a.h"),))
    headers = ProjectHeaders.of_paths("/p", FILES).after_moves(moves.new_path)
    search = IncludeSearch(lambda name, angled: f"/p/lib/{name}", (), (), FILES.__contains__, headers)
    found = compute_include_edits(Document.of("/p/lib/b.h", b'#include "a.h"\n'), moves, search)
    assert [each.text for each in found] == ['"../inc/a.h"']


def test_the_innermost_move_applies() -> None:
    moves = FileMoves((("/p/lib", "/q"), ("/p/lib/a.h", "/r/a.h")))
    assert [moves.new_path(each) for each in ("/p/lib/a.h", "/p/lib/b.h", "/p/library")] == [
        "/r/a.h",
        "/q/b.h",
        "/p/library",
    ]
    assert [moves.old_path(each) for each in ("/r/a.h", "/q/b.h", "/p/lib/b.h", "/p/x")] == [
        "/p/lib/a.h",
        "/p/lib/b.h",
        None,
        "/p/x",
    ]
