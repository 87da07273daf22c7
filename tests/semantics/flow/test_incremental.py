"""After any edits, the flow of a unit equals that of a fresh analysis, at the cost of the changed parts."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openclsp.semantics.database.derived_queries import FLOW
from openclsp.semantics.flow.flow_queries import POINTS_TO, solution
from openclsp.semantics.flow.points_to_values import PointsTo
from openclsp.semantics.translation_unit import TranslationUnit

from ..units import edited, unit_of

FUNCTIONS = ("pick", "walk", "keep", "take", "chain")
HEAD = """\
struct S { int *p; struct S *next; };
int *global kept;
int *pick(int *a, int *b, int n); int *walk(struct S *s, int *a, int n); int *keep(int *a, int *b, int n);
int *take(int *a, int *b, int n); int *chain(int *a, int *b, int n);
"""
STATEMENTS = (
    "a = b;",
    "b = a;",
    "if (n) a = b; else b = 0;",
    "while (n--) { int *t = a; a = b; b = t; }",
    "kept = a;",
    "b = kept;",
    "a = pick(b, a, n);",
    "a = keep(a, b, n - 1);",
    "b = take(a, a, n);",
    "a = chain(b, b, n);",
    "{ struct S s; s.p = a; s.next = &s; b = walk(&s, b, n); }",
    "if (to_local(a)) b = a;",
    "if (a) return b;",
    "{ int *t = 0; __builtin_memcpy(&t, &a, sizeof a); b = t; }",
    "a = (int *)(global int *)b;",
    "{ int *t = a; int **h = &t; *h = b; a = t; }",
    "int (^f)(int *) = ^(int *q) { kept = q; return *b; }; f(a);",
    "b = (int *)(ulong)a;",
    "{ struct S s, t; s.p = a; for (int i = 0; i < n; i++) ((char *)&t)[i] = ((char *)&s)[i]; b = t.p; }",
)
KERNELS = (
    "kernel void first(global int *g, local int *l, int n) { %s }",
    "kernel void second(global int *g, int n) { int x; %s }",
)
CALLS = (
    "pick(g, g, n);",
    "keep(g, 0, n);",
    "take(g, g, n);",
    "chain(g, g, n);",
    "struct S s; walk(&s, g, n);",
)

bodies = st.lists(st.lists(st.sampled_from(STATEMENTS), max_size=4), min_size=5, max_size=5)
calls = st.lists(st.lists(st.sampled_from(CALLS), max_size=3, unique=True), min_size=2, max_size=2)
programs = st.tuples(bodies, calls, st.booleans())


def text_of(program: tuple[list[list[str]], list[list[str]], bool]) -> bytes:
    """The text of a program: the statements of each function, the calls of each kernel, and whether the first kernel exists."""
    statements, called, first = program
    text = HEAD
    for name, body in zip(FUNCTIONS, statements, strict=True):
        parameters = "struct S *s, int *a, int n" if name == "walk" else "int *a, int *b, int n"
        start = "int *b = s->p; s = s->next;" if name == "walk" else ""
        text += f"int *{name}({parameters}) {{\n  {start}\n  " + "\n  ".join(body) + "\n  return a;\n}\n"
    for kernel, body in zip(KERNELS[not first :], called, strict=False):
        text += kernel % " ".join(f"{{ {each} }}" for each in body) + "\n"
    return text.encode()


def held(unit: TranslationUnit) -> dict[object, PointsTo]:
    """What the pointers of every item hold."""
    solution(unit, FLOW)
    return {item.key: unit.database.read(POINTS_TO, item.key) for item in unit.items}


@settings(
    max_examples=int(os.environ.get("OPENCLSP_FLOW_EDITS", "60")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(st.lists(programs, min_size=2, max_size=5))
def test_the_flow_after_edits_is_that_of_the_last_text(
    versions: list[tuple[list[list[str]], list[list[str]], bool]],
) -> None:
    unit = unit_of(text_of(versions[0]))
    held(unit)
    for version in versions[1:]:
        text = text_of(version)
        edited(unit, text)
        assert held(unit) == held(unit_of(text))


PROGRAM = b"""\
int inner(int *p) { return *p; }
int outer(int *p) { int *q = p; return inner(q); }
int other(int *p) { return *p; }
kernel void k(global int *g, local int *l) { outer(g); other(g); }
"""


DEFINITION_OF_OTHER = ("function_definition", "other", 0)


def solved_by(text: bytes) -> set[str]:
    """The functions that are solved again after an edit of the program."""
    unit = unit_of(PROGRAM)
    solution(unit, FLOW).solved.clear()
    edited(unit, text)
    return set(solution(unit, FLOW).solved)


def test_a_comment_works_out_nothing() -> None:
    assert solved_by(PROGRAM.replace(b"int outer", b"// outside\nint outer")) == set()


def test_typing_in_a_body_works_out_that_function() -> None:
    assert solved_by(PROGRAM.replace(b"int *q = p;", b"int *q = p; int n = 1;")) == {"outer"}


def test_a_changed_argument_changes_a_parameter_without_solving_its_function() -> None:
    """The summary of `other` is unchanged: the set of its parameter is updated, but the function is not solved again."""
    unit = unit_of(PROGRAM)
    before = held(unit)
    solution(unit, FLOW).solved.clear()
    edited(unit, PROGRAM.replace(b"other(g)", b"other(l)"))
    after = held(unit)
    assert set(solution(unit, FLOW).solved) == {"k"}
    assert {key for key in after if after[key] != before[key]} == {DEFINITION_OF_OTHER}


def test_it_stops_where_nothing_changes() -> None:
    """`outer` passes the same pointers on, so `inner` is not solved again."""
    assert solved_by(PROGRAM.replace(b"int *q = p;", b"int *q; q = p;")) == {"outer"}


def test_what_others_pass_too_wakes_nobody() -> None:
    """Removing one of several calls with the same arguments affects no other function."""
    program = PROGRAM + b"kernel void m(global int *g) { other(g); other(g + 1); }\n"
    unit = unit_of(program)
    solution(unit, FLOW).solved.clear()
    edited(unit, program.replace(b"outer(g); other(g);", b"outer(g);"))
    assert set(solution(unit, FLOW).solved) == {"k"}


def test_many_functions_that_flow_as_they_did_are_left_alone() -> None:
    text = b"#define N 3\n" + b"".join(
        b"int *f%d(int *p) { return p + N; }\n" % number for number in range(150)
    )
    unit = unit_of(text)
    solution(unit, FLOW).solved.clear()
    edited(unit, text.replace(b"#define N 3", b"#define N 4"))
    assert len(unit.changed_keys) >= 150
    assert not solution(unit, FLOW).solved


def test_where_the_last_caller_goes_others_may_call() -> None:
    text = b"int *addr(int *p) { return p + 1; }\nvoid caller(int *q) { addr(q); }\nint other(void);\n"
    without = text.replace(b"void caller(int *q) { addr(q); }\n", b"")
    unit = unit_of(text)
    held(unit)
    edited(unit, without)
    assert held(unit) == held(unit_of(without))


class _Superseded(Exception):
    """The job that needs the solution was cancelled."""


def test_an_interrupted_analysis_is_resumed() -> None:
    expected = held(unit_of(PROGRAM))
    unit = unit_of(PROGRAM)
    attempts = 0
    steps = 1
    while True:
        left = steps

        def check() -> None:
            nonlocal left
            left -= 1
            if left < 0:
                raise _Superseded

        unit.database.checkpoint = check
        try:
            solution(unit, FLOW)
            break
        except _Superseded:
            attempts += 1
            # always one step further, so that each place is one where it is given up
            steps += 1
    unit.database.checkpoint = lambda: None
    assert attempts > 5
    assert held(unit) == expected


def test_a_function_loses_a_parameter_whose_value_it_returned() -> None:
    text = """\
%s
static float *nearer(float *far, float *near, int distance)
{
    return distance > 16 ? far : near;
kernel void smooth(global float *rows, local float *cached, int width)
{
    float *source = nearer(rows, cached, width);
"""
    unit = unit_of((text % "").encode(), "CL3.0")
    assert held(unit) == held(unit_of((text % "").encode(), "CL3.0"))
    changed = (text % "#define int helper for rows in any memory").encode()
    edited(unit, changed)
    assert held(unit) == held(unit_of(changed, "CL3.0"))
