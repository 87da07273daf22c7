"""Compares macro expansion with clang on unusual programs."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openclsp.source import document_preprocessing
from openclsp.source.document import Document
from openclsp.source.options import PreprocessorOptions

from .compare_with_clang import CLANG, clang_command, clang_tokens, difference, our_tokens, predefined
from .marks import Headers

needs_clang = pytest.mark.skipif(CLANG is None, reason="no clang is installed to compare with")

PARAMETERS = ("p", "q", "r")
ARITY = {"f": 1, "g": 2, "h": 3, "k": 0}


@st.composite
def expressions(
    draw: st.DrawFn, depth: int = 3, names: tuple[str, ...] = ("x", "1", "A", "B", "f", "g")
) -> str:
    """Draws calls, names and operators, with paired brackets and white space anywhere."""
    space = draw(st.sampled_from(["", " ", "\n", "/* c */", " // d\n"]))
    kind = draw(st.integers(0, 5 if depth else 1))
    if kind <= 1:
        return draw(st.sampled_from((*names, "__LINE__"))) + space
    inner = expressions(depth - 1, names)
    if kind == 2:
        return f"({draw(inner)}){space}"
    if kind == 3:
        return draw(inner) + draw(st.sampled_from([" + ", "-", ".", " "])) + draw(inner)
    name = draw(st.sampled_from(tuple(ARITY)))
    return f"{name}{space}({', '.join(draw(inner) for _ in range(ARITY[name]))})"


@st.composite
def bodies(draw: st.DrawFn, parameters: tuple[str, ...]) -> str:
    """Draws a replacement list for these parameters."""
    piece = expressions(1, (*parameters, "x", "A", "B", "f", "g")).map(
        lambda text: text.replace("\n", " ").replace("//", "/**/")
    )
    operators = [*(f"#{name}" for name in parameters)]
    operators += [f"{a} ## {b}" for a in (*parameters, "x") for b in (*parameters, "A")]
    return " ".join(draw(st.lists(st.one_of(piece, st.sampled_from(operators)), max_size=4)))


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Draws definitions and uses."""
    lines = [f"#define {name} {draw(bodies(()))}" for name in ("A", "B")]
    for name, arity in ARITY.items():
        parameters = PARAMETERS[:arity]
        lines.append(f"#define {name}({', '.join(parameters)}) {draw(bodies(parameters))}")
    uses = st.lists(
        st.one_of(expressions(), st.just("#undef A"), st.just("#define B f")), min_size=1, max_size=5
    )
    return "\n".join([*lines, *draw(uses)]) + "\n"


@cache
def environment() -> tuple[list[str], PreprocessorOptions]:
    """clang's command, and its predefined macros."""
    command = clang_command("CL2.0", [])
    return command, PreprocessorOptions(predefined(command))


@needs_clang
@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(source=programs())
def test_the_tokens_are_those_of_clang_line_by_line(
    source: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path: Path = tmp_path_factory.getbasetemp() / "program.cl"
    path.write_text(source)
    command, options = environment()
    theirs = clang_tokens(command, str(path))
    if theirs is None:
        return  # a paste that forms no token: said, and left as two tokens
    unit = document_preprocessing.full(Document.of(str(path), source.encode()), options, Headers({}))
    assert difference(list(our_tokens(unit)), theirs) is None
