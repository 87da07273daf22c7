"""Hovers over pointers that are private by default: what they would hold if they were generic."""

from __future__ import annotations

from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.hover.hover import compute_hover
from openclsp.ide.hover.hover_rendering import render_markdown
from openclsp.source.document import Document

from ..rules.analysis import NAME, analyse

TEXT = """\
void inner(int *p) { *p = 1; }
void outer(int *o) { inner(o); }
kernel void k(global int *g, local int *l) {
    outer(g);
    inner(l);
}
"""


def lines(text: str, at: str, dialect: str = "CL1.2") -> list[str]:
    """The lines of the hover over what follows `at`, which are the same before and after the diagnostics are known."""
    unit = analyse(text, dialect)
    found = compute_hover(unit, NAME, text.index(at) + len(at))
    assert found is not None
    compute_diagnostics(unit)
    assert compute_hover(unit, NAME, text.index(at) + len(at)) == found
    return render_markdown(found, lambda step: f"line {step.line}").splitlines()


def test_each_space_with_its_chain() -> None:
    found = lines(TEXT, "void inner(int *")
    assert found[-5:-2] == [
        "- **no address space is specified: if it were generic, it would hold {global, local}**",
        (
            "  - `global`: kernel parameter `g` (line 3) → argument of `outer` (line 4) → parameter `o` (line 2) → "
            "argument of `inner` (line 2)"
        ),
        "  - `local`: kernel parameter `l` (line 3) → argument of `inner` (line 5)",
    ]


def test_where_it_is_named_too() -> None:
    assert "- **no address space is specified: if it were generic, it would hold {global}**" in lines(
        TEXT, "{ inner("
    )


def test_no_more_than_adds_something() -> None:
    # generic pointers hold what they hold
    assert not [each for each in lines(TEXT, "void inner(int *", "CL2.0") if "would hold" in each]
    # the space is written
    assert not [each for each in lines(TEXT, "kernel void k(global int *") if "would hold" in each]
    private = TEXT.replace("outer(g)", "{ int x; outer(&x); }")
    assert not [each for each in lines(private, "void outer(int *") if "would hold" in each]


def test_it_follows_edits() -> None:
    unit = analyse(TEXT, "CL1.2")
    compute_diagnostics(unit)
    text = TEXT.replace("inner(l)", "inner(g)")
    unit.update(Document.of(NAME, text.encode()))
    found = compute_hover(unit, NAME, text.index("p)"))
    assert found is not None
    assert found.flow_if_generic is not None
    assert [space.word for space in found.flow_if_generic.spaces] == ["global"]
    # and goes when no error is left that speaks of such a pointer
    text = "kernel void k(global int *g) { global int *p = g; *p = 1; int *q = 0; }\n"
    unit.update(Document.of(NAME, text.encode()))
    assert not compute_diagnostics(unit)
    found = compute_hover(unit, NAME, text.index("q"))
    assert found is not None
    assert found.flow_if_generic is None
