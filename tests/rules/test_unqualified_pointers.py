"""Errors about pointers that are private by default: the spaces that would reach them, and the fixes."""

from __future__ import annotations

import random
from typing import Any

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics, unlimited_diagnostics
from openclsp.ide.feature_results import Diagnostic
from openclsp.ide.fixes.fixes import compute_fixes
from openclsp.rules.runner import flow_explanations
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document

from ..interpreted import interpreted
from .analysis import NAME, analyse, applied, line_and_columns


def said(text: str, dialect: str = "CL1.2") -> list[str]:
    """The reason that each error gives: the message after the failed conversion."""
    return [each.message.split(": ", 1)[1] for each in compute_diagnostics(analyse(text, dialect))]


def offered(text: str, number: int = 0) -> list[tuple[str, bool]]:
    """The titles of the fixes of an error, without those that change the language version, and which is preferred."""
    unit = analyse(text, "CL1.2")
    found = compute_fixes(unit, compute_diagnostics(unit)[number])
    return [(each.title, each.preferred) for each in found if not each.dialect]


DEFAULT = "points into private because no address space is specified (OpenCL C 1.2)"
HELPER = "void use(int *p) { *p = 1; }\n"
PUT = "void put(global int *x) { *x = 1; }\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            HELPER + "kernel void k(global int *a) { use(a); }",
            f"global and private are disjoint; `p` {DEFAULT}, but only global reaches it (`a` of kernel `k`)",
        ),
        (
            PUT + "void use(int *p) { put(p); }\nkernel void k() { int own; use(&own); }",
            f"private and global are disjoint; `p` {DEFAULT}, and only private reaches it (`own` of kernel `k`)",
        ),
        (
            HELPER + "kernel void k(global int *a) { use(a); use(elsewhere(a)); }",
            f"global and private are disjoint; `p` {DEFAULT}, but global reaches it (`a` of kernel `k`), perhaps among others",
        ),
        (
            "int *pick(global int *g) { return g; }\nkernel void k(global int *a) { pick(a); }",
            (
                "global and private are disjoint; the result of `pick` "
                f"{DEFAULT}, but only global reaches it (`a` of kernel `k`)"
            ),
        ),
        (
            "constant int table[2] = {1, 2};\n" + HELPER + "kernel void k() { use(table); }",
            f"constant and private are disjoint; `p` {DEFAULT}, but only constant reaches it (`table`)",
        ),
        (
            HELPER + "kernel void k(global int *a) { use((int *)a); }",
            (
                f"global and private are disjoint; the result of the cast {DEFAULT}, "
                "but only global reaches it (`a` of kernel `k`)"
            ),
        ),
        (
            "union either { int *p; float *q; };\nkernel void k(global int *a) { union either e; e.p = a; }",
            f"global and private are disjoint; `p` {DEFAULT}, but only global reaches it (`a` of kernel `k`)",
        ),
        # what else may lie in the union is said too; what lies in another union has no part in it
        (
            (
                "union either { int *p; float *q; };\nunion other { int *p; };\n"
                "kernel void k(global int *a, local float *b, constant int *c) "
                "{ union either e; e.p = a; e.q = b; union other o; o.p = c; }"
            ),
            (
                f"global and private are disjoint; `p` {DEFAULT}, "
                "but global (`a` of kernel `k`) and local (`b` of kernel `k`) reach it"
            ),
        ),
        # in a file without a kernel nobody knows what its functions are given
        (PUT + "void use(int *p) { put(p); }", "private and global are disjoint"),
        # where the space is written there is nothing to be said of it
        (
            PUT + "void use(private int *p) { put(p); }\nkernel void k(global int *a) { use(a); }",
            "private and global are disjoint",
        ),
    ],
)
def test_the_reason(text: str, reason: str) -> None:
    assert said(text)[0] == reason


def test_several_spaces_and_their_chains() -> None:
    text = """\
void use(int *p) { *p = 1; }
void between(int *o) { use(o); }
kernel void k(global int *a, local int *b) {
    use(a);
    between(b);
}
"""
    first, second = compute_diagnostics(analyse(text, "CL1.2"))
    assert first.message.endswith(
        f"; `p` {DEFAULT}, but global (`a` of kernel `k`) and local (`b` of kernel `k`) reach it"
    )
    assert second.message.endswith(f"; `o` {DEFAULT}, but only local reaches it (`b` of kernel `k`)")
    # the argument at the error itself is no news; what else reaches the parameter is
    assert related(text, first) == [
        "0: `p` points into private",
        "2: `a` points into global",
        "2: local: kernel parameter `b`",
        "4: local: argument of `between`",
        "1: local: parameter `o`",
        "1: local: argument of `use`",
    ]
    assert related(text, second) == ["1: `o` points into private", "2: `b` points into local"]


def related(text: str, diagnostic: Diagnostic) -> list[str]:
    return [f"{line_and_columns(text, each.location)[0]}: {each.message}" for each in diagnostic.related]


def test_it_is_not_said_where_unqualified_pointers_are_generic() -> None:
    text = "void use(int *p) { global int *g = p; *g = 1; }\nkernel void k(global int *a) { use(a); }"
    assert not any("no address space is specified" in each for each in said(text, "CL2.0"))
    without = "no address space is specified (OpenCL C 3.0 without the generic address space)"
    assert all(without in each for each in said(text, "CL3.0-generic"))


ONLY_GLOBAL = PUT + "void use(int *p) { put(p); }\nvoid between(int *o) { use(o); }\n"


def test_one_space_is_preferred_and_goes_up_to_those_who_hand_it_on() -> None:
    text = ONLY_GLOBAL + "kernel void k(global int *a) { between(a); }\n"
    assert offered(text)[0] == ("Point `p` into global and update dependent code", True)
    unit = analyse(text, "CL1.2")
    for found in compute_diagnostics(unit):
        (preferred,) = [fix for fix in compute_fixes(unit, found) if fix.preferred]
        after = text.replace("use(int", "use(global int").replace("between(int", "between(global int")
        assert applied(text, preferred) == after


def test_a_pointer_behind_a_pointer() -> None:
    text = """\
void step(global int **x) { *x += 1; }
void steps(int **p) { step(p); }
kernel void k(global int *a) { global int *own = a; steps(&own); }
"""
    assert said(text)[0].endswith(f"; `*p` {DEFAULT}, but only global reaches it (`a` of kernel `k`)")
    for number in range(2):
        assert offered(text, number)[0] == ("Point `*p` into global", True)


def test_an_argument_of_a_function_with_overloads() -> None:
    text = "void count(volatile int *p) { atomic_inc(p); }\nkernel void k(local int *a) { count(a); }\n"
    assert said(text)[0].endswith(f"; `p` {DEFAULT}, but only local reaches it (`a` of kernel `k`)")
    assert offered(text) == [("Point `p` into local", True)]


def test_a_qualifier_is_written_before_a_macro_that_is_the_type() -> None:
    text = "#define VEC uint4\nvoid use(VEC *p) { *p = 1; }\nkernel void k(global VEC *a) { use(a); }\n"
    unit = analyse(text, "CL1.2")
    (found,) = compute_diagnostics(unit)
    (preferred,) = [fix for fix in compute_fixes(unit, found) if fix.preferred]
    assert applied(text, preferred) == text.replace("use(VEC", "use(global VEC")


def test_only_private_is_no_reason_to_write_another_space() -> None:
    text = ONLY_GLOBAL + "kernel void k() { int own; between(&own); }\n"
    assert not [title for title, _ in offered(text) if title.startswith("Point `p`")]


def test_of_several_spaces_none_is_preferred() -> None:
    text = ONLY_GLOBAL + "kernel void k(global int *a, local int *b) { between(a); between(b); }\n"
    assert not [title for title, preferred in offered(text) if preferred]
    variable = "kernel void k(global int *a, local int *b) { int *v = a; v = b; *v = 1; }\n"
    assert not [title for title, preferred in offered(variable) if preferred]
    # callers differ: a copy for each
    differing = HELPER + "kernel void k(global int *a, local int *b) { use(a); use(b); }\n"
    assert offered(differing) == [
        ("Copy `use` as `use_global` and call the copy here", True),
        ("Add overloads of `use` for `global` and `local` (needs a clang-based compiler)", False),
    ]


def test_what_is_not_known_chooses_nothing() -> None:
    known = "void use(int *p) { global int *g = p; *g = 1; }\nkernel void k(global int *a) { use(a); }\n"
    assert offered(known)[0] == ("Point `p` into global", True)
    unknown = known.replace("use(a);", "use(a); use(elsewhere());")
    assert offered(unknown)[0] == ("Point `g` into private", False)


def _earlier(unit: TranslationUnit) -> tuple[Diagnostic, ...]:
    """The diagnostics that may show an earlier flow solution."""
    return unlimited_diagnostics(unit, allow_stale_flow=True)


def test_the_flow_may_wait() -> None:
    plain = "global and private are disjoint (a pointee without a qualifier is private in OpenCL C 1.2)"
    text = HELPER + "kernel void k(global int *a) { use(a); }\n"
    unit = analyse(text, "CL1.2")
    assert [each.message.split(": ", 1)[1] for each in _earlier(unit)] == [plain]
    (known,) = compute_diagnostics(unit)
    assert known.message.endswith("reaches it (`a` of kernel `k`)")
    # what was known is still said while the next is waited for
    unit.update(Document.of(NAME, text.replace("*p = 1;", "*p = 12; ;").encode()))
    (again,) = _earlier(unit)
    assert again.message == known.message


def test_a_step_in_what_was_edited_waits_too() -> None:
    text = HELPER + "void between(int *o) { use(o); }\nkernel void k(global int *a) { between(a); use(a); }\n"
    unit = analyse(text, "CL1.2")
    compute_diagnostics(unit)
    unit.update(
        Document.of(
            NAME, text.replace("kernel void k(global int *a)", "kernel void k(global int *a, int n)").encode()
        )
    )
    assert len(_earlier(unit)) == 2
    unit.update(Document.of(NAME, text[: text.index("kernel")].encode()))
    assert not _earlier(unit)


def test_a_step_whose_place_stays_is_still_shown() -> None:
    text = HELPER + "void between(int *o) { use(o); }\nkernel void k(global int *a) { between(a); }\n"
    text += "kernel void other(local int *b) { use(b); }\n"
    unit = analyse(text, "CL1.2")
    before = [len(each.related) for each in compute_diagnostics(unit)]
    assert before == [2, 6]
    unit.update(Document.of(NAME, text.replace("use(o);", "use(o); sizeof(int);").encode()))
    assert [len(each.related) for each in compute_diagnostics(unit)] == before


@interpreted(flow_explanations)
def test_only_so_many_pointers_are_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flow_explanations, "MAXIMUM_POINTERS", 2)
    helpers = "".join(f"void use{n}(int *p{n}) {{ *p{n} = 1; }}\n" for n in range(4))
    calls = " ".join(f"use{n}(a);" for n in range(4))
    found = said(helpers + f"kernel void k(global int *a) {{ {calls} }}\n")
    assert ["no address space is specified" in each for each in found] == [True, True, False, False]


@interpreted(flow_explanations)
def test_until_the_pause_only_the_edited_item_is_explained_again(monkeypatch: pytest.MonkeyPatch) -> None:
    kernels = "".join(f"kernel void k{n}(global int *a) {{ use(a); }}\n" for n in range(5))
    unit = analyse(HELPER + kernels, "CL1.2")
    before = flow_explanations.explain_findings(unit)
    assert len(before) == 5
    explained: list[str] = []
    explain = flow_explanations._explain_item

    def record(*arguments: Any) -> None:
        explained.append(arguments[2][1])
        explain(*arguments)

    monkeypatch.setattr(flow_explanations, "_explain_item", record)
    edited = kernels.replace("k2(global int *a) { use(a);", "k2(global int *a) { use(a); use(a + 1);")
    unit.update(Document.of(NAME, (HELPER + edited).encode()))
    after = flow_explanations.explain_findings(unit, allow_stale_flow=True)
    assert explained == ["k2"]
    assert [key[1] for key, findings in after.items() if findings is not before[key]] == ["k2"]
    assert all("reaches it" in each.message for findings in after.values() for each in findings)


_PIECES: tuple[tuple[str, ...], ...] = (
    ("struct cell { int *value; };\n", "struct cell { int count; global int *value; };\n"),
    (
        "int *next(int *p) { return p + 1; }\n",
        "int *next(global int *p) { return p; }\n",
        "int *next(int *p);\n",
    ),
    (
        "void keep(struct cell *c, int *p) { c->value = p; }\n",
        "void keep(struct cell *c, int *q) { *q = 1; }\n",
    ),
    ("int load(int *p) {\n    return *next(p);\n}\n", "int load(local int *p) {\n    return *p;\n}\n"),
    ("kernel void first(global int *g, local int *l) {\n", "void first(global int *g, local int *l) {\n"),
    ("    int *p = l;\n", "    int *p = g;\n", "    int *p;\n", "    int *p = 0;\n"),
    ("    g[0] = load(p);\n", "    g[0] = load(g) + load(l);\n", "    g[0] = *next(p);\n"),
    ("    struct cell c;\n    keep(&c, p);\n", "    // none\n", "    next(elsewhere());\n"),
    ("}\n",),
    ("kernel void second(constant int *c) {\n    load(c);\n}\n", ""),
)


def test_edited_is_fresh() -> None:
    explained = 0
    for seed in range(6):
        chance = random.Random(seed)
        pieces = [chance.choice(each) for each in _PIECES]
        unit = analyse("".join(pieces), "CL1.2")
        for _ in range(8):
            number = chance.randrange(len(pieces))
            pieces[number] = chance.choice(_PIECES[number])
            text = "\n" * chance.randrange(2) + "".join(pieces)
            unit.update(Document.of(NAME, text.encode()))
            unlimited_diagnostics(unit, allow_stale_flow=bool(chance.randrange(2)))
            now = everything(unit)
            assert now == everything(analyse(text, "CL1.2"))
            explained += str(now).count("no address space is specified")
    assert explained > 40


def everything(unit: TranslationUnit) -> list[tuple[object, ...]]:
    """All diagnostics of a unit, with the fixes of each error."""
    return [
        (each.code, each.location, each.message, each.related, compute_fixes(unit, each))
        for each in compute_diagnostics(unit)
    ]
