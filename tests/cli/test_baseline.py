"""`--baseline`: known diagnostics stay known after edits elsewhere, new ones are reported."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

KERNELS = Path(__file__).parents[1] / "kernels" / "faulty"
FAULTY = """\
kernel void k(global int *g) {
    local int *l = g;
    local int *l2 = g;
}
"""


def reported(ran: Any) -> list[dict[str, Any]]:
    return [each for file in json.loads(ran.out)["files"] for each in file["diagnostics"]]


def test_known_diagnostics_are_not_reported(openclsp, write, folder):
    write("sub/k.cl", FAULTY)
    ran = openclsp("check", "--baseline", "known.json", "--write-baseline", "sub")
    assert (ran.code, ran.out, ran.err) == (0, "", "openclsp: known.json lists 2 diagnostics\n")
    for path in ("sub", "./sub/k.cl", str(folder / "sub")):
        ran = openclsp("check", "--baseline", "known.json", path)
        assert ran.code == 0
        assert "2 diagnostics are not shown (in the baseline)." in ran.out
    write("sub/k.cl", FAULTY.replace("}", "    local int *new = g;\n    local int *l = g;\n}"))
    ran = openclsp("check", "--baseline", "known.json", "--format", "json", "sub")
    assert ran.code == 1
    assert {each["range"]["start"]["line"] for each in reported(ran)} == {4, 5}


def test_a_baseline_survives_edits_elsewhere(openclsp, write):
    """Comments, blank lines, white space, functions and other files do not make a known diagnostic new."""
    source = random.Random(7)
    for path in sorted(KERNELS.glob("*.cl*")):
        write(f"kernels/{path.name}", path.read_bytes())
    openclsp("check", "--no-fixes", "--baseline", "known.json", "--write-baseline", "kernels")
    ran = openclsp("check", "--no-fixes", "--format", "json", "kernels")
    at_lines: dict[str, set[int]] = {}
    for file in json.loads(ran.out)["files"]:
        for each in file["diagnostics"]:
            lines = range(each["range"]["start"]["line"] - 1, each["range"]["end"]["line"])
            at_lines.setdefault(file["path"], set()).update(lines)
    assert sum(map(len, at_lines.values())) >= 5
    for path, faulty in sorted(at_lines.items()):
        text = Path(path).read_text().splitlines()
        marked = [(line, number in faulty) for number, line in enumerate(text)]
        for _ in range(100):
            edit_line(marked, source)
        write(path, "\n".join(line for line, _ in marked) + "\n")
    write("kernels/another.cl", "kernel void another(void) {}\n")
    ran = openclsp("check", "--no-fixes", "--baseline", "known.json", "--format", "json", "kernels")
    assert (ran.code, reported(ran)) == (0, [])


def edit_line(marked: list[tuple[str, bool]], source: random.Random) -> None:
    """Makes one edit that changes neither the tokens of a faulty line nor what they mean."""
    place = source.randrange(len(marked))
    line, faulty = marked[place]
    depth = sum(each.count("{") - each.count("}") for each, _ in marked[:place])
    kind = source.randrange(5)
    continued = place and marked[place - 1][0].endswith("\\")
    if continued or line.endswith("\\"):
        return
    if kind == 0:
        marked.insert(place, ("", False))
    elif kind == 1:
        marked.insert(place, ("// an edit", False))
    elif kind == 2 and not depth and place and marked[place - 1][0].strip() in ("}", "};"):
        marked.insert(place, (f"constant int edit_{source.randrange(10**9)} = 1;", False))
    elif kind == 3 and "//" not in line and '"' not in line and not line.startswith("#"):
        marked[place] = (f"{line}  /* {source.random()} */", faulty)
    elif kind == 4 and line and not line.startswith("#"):
        marked[place] = (f"\t{line}", faulty)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "it is not JSON"),
        ("[]", 'it has no "openclspBaseline"'),
        ('{"openclspBaseline": 99}', "is a baseline of version 99, but this openclsp reads version 1"),
        ('{"openclspBaseline": 1}', '"diagnostics" has another form'),
        ('{"openclspBaseline": 1, "diagnostics": {"k.cl": {"a": {"b": "c"}}}}', "has another form"),
        ('{"openclspBaseline": 1, "diagnostics": {"k.cl": {"a": 1}}}', "has another form"),
        ("[" * 100_000, "it is not JSON"),
    ],
)
def test_a_broken_baseline_is_one_message(openclsp, write, content, message):
    write("k.cl", FAULTY)
    write("known.json", content)
    ran = openclsp("check", "--baseline", "known.json", "k.cl")
    assert (ran.code, ran.out) == (2, "")
    (line,) = ran.err.splitlines()
    assert message in line


def test_bad_arguments(openclsp, write):
    write("k.cl", FAULTY)
    ran = openclsp("check", "--baseline", "none.json", "k.cl")
    assert (ran.code, ran.err) == (2, "openclsp: none.json cannot be read: No such file or directory\n")
    ran = openclsp("check", "--write-baseline", "k.cl")
    assert (ran.code, ran.err) == (2, "openclsp: --write-baseline needs --baseline FILE, the file to write\n")
