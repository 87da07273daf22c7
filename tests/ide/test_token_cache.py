"""After any edits, a client that applies token deltas holds the tokens of a fresh analysis."""

from __future__ import annotations

import os
import random
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from openclsp.ide.tokens.semantic_tokens import compute_semantic_tokens, compute_tokens_between
from openclsp.semantics.translation_unit import TranslationUnit

from ..semantics.test_translation_unit import BASE, HEADERS, PIECES, applied, edits
from ..semantics.units import ROOT, Headers, answers, edited, unit_of
from .tokens import Token, decoded, patched

_LINE_END = re.compile("\r\n|\n|\r")
_NAME, _ANY = re.compile(r"[A-Za-z_]\w*\\?\Z"), re.compile(r"[\s\S]+\Z")
_NAMED = ("macro", "type", "struct", "enum", "enumMember", "function", "parameter", "variable", "property")
_SPELLED = {**dict.fromkeys(_NAMED, _NAME), "number": re.compile(r"\.?\d")}
STEPS = int(os.environ.get("OPENCLSP_EDITS", "60"))
CLEAN = Path(__file__).parent.parent / "kernels" / "clean"


class Client:
    """A client: the numbers and the identity of the last response."""

    def __init__(self, unit: TranslationUnit) -> None:
        self.unit = unit
        first = compute_semantic_tokens(unit, ROOT, "utf-16")
        self.numbers, self.identity = first.numbers.tolist(), first.identity
        self.splices = 0

    def renew(self) -> list[int]:
        """Requests a delta and applies it."""
        found = compute_semantic_tokens(self.unit, ROOT, "utf-16", self.identity)
        assert found.deltas is not None
        self.splices = sum(splice.count + len(splice.numbers) for splice in found.deltas)
        self.numbers, self.identity = patched(self.numbers, found.deltas), found.identity
        return self.numbers


def fresh(text: bytes, headers: Headers) -> list[int]:
    """The numbers of a new analysis; asserts that the tokens are at words, numbers and comments."""
    numbers = compute_semantic_tokens(unit_of(text, headers=headers), ROOT, "utf-16").numbers.tolist()
    lines = _LINE_END.split(text.decode())
    row = column = 0
    for each in decoded(numbers):
        assert (each.row, each.column) >= (row, column)
        row, column = each.row, each.column + each.length
        kind = each.meaning.split()[0]
        assert _SPELLED.get(kind, _ANY).match(lines[row][each.column : column]), (each, lines[row])
    return numbers


@settings(max_examples=STEPS, deadline=None, suppress_health_check=list(HealthCheck))
@given(edits)
# the second edit of the last step begins in a function that the first took the beginning of
@example([("move", 0.0, (1.0, 69)), ("move", 0.2265625, (0.0, 149)), ("delete", 0.0, 59)])
def test_patched_is_fresh(steps: list[tuple[str, float, object]]) -> None:
    unit = unit_of(BASE, headers=HEADERS)
    client, patient = Client(unit), Client(unit)
    history = [BASE]
    for step in steps:
        history.append(applied(history[-1], step, history))
        edited(unit, history[-1])
        assert decoded(client.renew()) == decoded(fresh(history[-1], HEADERS))
    # a client that has made no request for a while has an older response
    if len(steps) < 8:
        assert patient.renew() == client.numbers


def test_an_item_of_a_header_changes_the_number_of_an_equal_one() -> None:
    text = b'#include "h"\nint x;\nint y;\nf(x);\n'
    headers = Headers({"h": b"void f(int a);\n"})
    unit = unit_of(text, headers=headers)
    client = Client(unit)
    # the first declaration without a type is now in the header, the second one in the document
    headers.texts["h"] = b"b = 1;\n"
    unit.update(unit.document, headers_changed=True)
    assert decoded(client.renew()) == decoded(fresh(text, headers))


def tokens_shown(unit: TranslationUnit) -> list[Token]:
    return decoded(compute_semantic_tokens(unit, "/shown", "utf-16").numbers.tolist())


@pytest.mark.parametrize("first", [b"", b"#define SPACE local\n"])
def test_an_earlier_header_changes_a_macro_that_only_the_body_of_another_macro_names(
    first: bytes,
) -> None:
    headers = Headers({"first": b"#define SPACE global\n", "shown": b"#define QUALIFIER SPACE\nint a;\n"})
    text = b'#include "first"\n#include "shown"\nint end;\n'
    unit = unit_of(text, headers=headers, subject="/shown")
    before = tokens_shown(unit)
    headers.texts["first"] = first
    unit.update(unit.document, headers_changed=True)
    assert tokens_shown(unit) == tokens_shown(unit_of(text, headers=headers, subject="/shown")) != before


def test_a_header_that_was_spliced_into_another_part_has_new_tokens() -> None:
    headers = Headers({"begin": b"{ x;", "first": b"x", "shown": b"T t;"})
    headers.texts["type"] = b'#include "first"\ntypedef struct { int a; } T;\n{ }'
    text = b'#include "begin"\n#include "type"\n#include "shown"'
    unit = unit_of(text, headers=headers, subject="/shown")
    for first in (b"x", b"#include.h", b'"'):
        headers.texts["first"] = first
        unit.update(unit.document, headers_changed=True)
        assert tokens_shown(unit) == tokens_shown(unit_of(text, headers=headers, subject="/shown"))


LINES = st.sampled_from(
    ["f(A);", "f(1);", "int x = A, y;", "x", "/* A", "*/", "#if A", "#endif", "#define A 1", "#undef A", ""]
)


@settings(max_examples=STEPS, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(st.tuples(LINES, st.booleans()), min_size=4, max_size=12),
    st.lists(
        st.tuples(st.integers(0, 11), st.none() | st.tuples(LINES, st.booleans())), min_size=1, max_size=5
    ),
)
# the last of three joined lines is the second one with a macro, and no longer is one with a macro
@example(
    [("#define A 1", False), ("f(A);", True), ("f(1);", True), ("f(A);", False)], [(3, ("f(1);", False))]
)
@example([("#define A 1", False), ("f(A);", True), ("f(1);", True), ("f(A);", False)], [(1, ("f(1);", True))])
@example(
    [("#define A 1", False), ("f(A);", True), ("f(1);", True), ("f(A);", False)], [(2, ("f(1);", False))]
)
@example([("#define A 1", False), ("f(A);", True), ("f(1);", True), ("f(A);", False)], [(0, None)])
def test_lines_joined_by_backslashes(
    lines: list[tuple[str, bool]], edits: list[tuple[int, tuple[str, bool] | None]]
) -> None:
    def joined() -> bytes:
        return "".join(line + (" \\\n" if is_joined else "\n") for line, is_joined in lines).encode()

    unit = unit_of(joined(), headers=HEADERS)
    client = Client(unit)
    for at, line in edits:
        at %= len(lines)
        lines = [*lines[:at], *([] if line is None else [line]), *lines[at + 1 :]] or [("", False)]
        edited(unit, joined())
        assert decoded(client.renew()) == decoded(fresh(joined(), HEADERS))


@pytest.mark.parametrize("name", sorted(path.name for path in CLEAN.iterdir()))
def test_patched_is_fresh_for_whole_kernels(name: str) -> None:
    rng = random.Random(name)
    text = (CLEAN / name).read_bytes()
    unit = unit_of(text, headers=Headers({}))
    client = Client(unit)
    for _ in range(STEPS // 4):
        at = rng.randrange(len(text) + 1)
        if len(text) < 100:
            text = (CLEAN / name).read_bytes()
        elif rng.random() < 0.4:
            text = text[:at] + text[at + rng.randrange(1, 200) :]
        else:
            text = text[:at] + rng.choice(PIECES) + text[at:]
        edited(unit, text)
        assert decoded(client.renew()) == decoded(fresh(text, Headers({})))


def test_a_range_is_a_part_of_the_whole() -> None:
    unit = unit_of(BASE, headers=HEADERS)
    whole = decoded(fresh(BASE, HEADERS))
    lines = BASE.count(b"\n") + 1
    for first in range(lines):
        for last in range(first, lines):
            part = decoded(compute_tokens_between(unit, ROOT, "utf-16", first, last))
            assert part == [each for each in whole if first <= each.row <= last]


def test_a_keystroke_makes_the_tokens_of_one_function_anew() -> None:
    body = "".join(f"float f{number}(global float *p) {{ return p[{number}]; }}\n" for number in range(200))
    unit = unit_of(body.encode())
    client = Client(unit)
    before = unit.database.computed["flow token meanings"]
    edited(unit, body.replace("p[100]", "p[100 ]").encode())
    client.renew()
    assert unit.database.computed["flow token meanings"] == before
    assert client.splices <= 2
    edited(unit, body.replace("p[100]", "p[100] + 1").encode())
    client.renew()
    assert unit.database.computed["flow token meanings"] == before + 1
    assert client.splices <= 10


def test_a_name_that_becomes_another_thing_is_shown_so_everywhere() -> None:
    text = "global int *at;\n" + "".join(f"int f{number}(void) {{ return *at; }}\n" for number in range(20))
    unit = unit_of(text.encode())
    client = Client(unit)
    edited(unit, text.replace("global int *at", "constant int *at").encode())
    assert decoded(client.renew()) == decoded(
        fresh(text.replace("global int *at", "constant int *at").encode(), Headers({}))
    )
    assert sum("constant" in each.meaning for each in decoded(client.numbers)) == 22


def test_an_edit_in_one_function_changes_what_another_one_holds() -> None:
    text = "int f(int *p) { return *p; }\nkernel void k(global int *g, local int *l) { f(g); }\n"
    unit = unit_of(text.encode())
    client = Client(unit)
    assert [each.meaning for each in decoded(client.numbers)].count("parameter global generic") == 1
    edited(unit, text.replace("f(g);", "f(g); f(l);").encode())
    assert decoded(client.renew()) == decoded(
        fresh(text.replace("f(g);", "f(g); f(l);").encode(), Headers({}))
    )
    assert [each.meaning for each in decoded(client.numbers)].count("parameter generic") == 1


def test_trying_an_edit_leaves_the_tokens_as_they_were() -> None:
    unit = unit_of(BASE, headers=HEADERS)
    client = Client(unit)
    tried = unit.document.text.replace(0, 0, b"typedef local int *foo_t;\n")
    with unit.with_edits({unit.document.name: tried}):
        answers(unit)
    assert client.renew() == fresh(BASE, HEADERS)
    edited(unit, tried.data)
    assert client.renew() == fresh(tried.data, HEADERS)


def test_an_answer_that_is_not_known_is_given_whole() -> None:
    unit = unit_of(BASE, headers=HEADERS)
    assert compute_semantic_tokens(unit, ROOT, "utf-16", "elsewhere").deltas is None


def test_what_has_the_same_text_further_left_in_another_line_is_read_anew() -> None:
    now = " scratch[item] = sum; } \\\n for (uint get_local_id = get_local_size(0) / 2; half_size > 0; half_size /= 2)) { \\\n"
    loop = "        for (uint half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2)) { \\\n"
    head = ' T *partial, uint count) \\\n"    { \\\n#line 7\n            sum += values[i]; \\\n        scratch[ite \\\n'
    before = head + loop * 2 + now
    unit = unit_of(before.encode(), headers=HEADERS)
    client = Client(unit)
    edited(unit, now.encode())
    assert client.renew() == fresh(now.encode(), HEADERS)


def test_a_removed_name_in_a_line_of_two_groups_near_the_edit() -> None:
    """A macro's line becomes two groups; the second holds the name, the first the line's tokens."""
    removed = b"};\n#define SIZE 10\nconstant uint table[] = {\n"
    kept = b"};\n#define STEP(a, b, c)  \\\n  a += f(b); \\\n  a += c; \\\n\n  w = u;\n  STEP(A, B, w + table[0]);\nuint j = (n[SIZE]);\n"
    unit = unit_of(removed + kept)
    client = Client(unit)
    edited(unit, kept)
    assert decoded(client.renew()) == decoded(fresh(kept, Headers({})))
