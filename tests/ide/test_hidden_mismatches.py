"""A fix that inserts a cast hides no other error of the expression."""

from __future__ import annotations

import itertools
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.fixes.fixes import compute_fixes
from openclsp.language.dialect import Dialect

from ..language.clang import QUIETLY, clang_command, needs_clang
from ..oracle.clang import reported
from ..rules.analysis import analyse, applied

_SPACES = ("global", "local", "")
_POINTEES = ("int", "float4", "const int", "global int *private")
_CAST = re.compile(
    r"\((?:global |local |private |constant |generic |const )*(?:int|float4|void)[^()]*\*[^()]*\)"
)


@dataclass(frozen=True, slots=True)
class Conversion:
    """A conversion between two types, in one of four forms."""

    source: str
    target: str
    how: str

    @property
    def text(self) -> str:
        source, target = f"{self.source} *s", f"{self.target} *t"
        match self.how:
            case "initialise":
                return f"void f({source}) {{\n    {target} = s;\n}}\n"
            case "assign":
                return f"void f({source}) {{\n    {target};\n    t = s;\n}}\n"
            case "pass":
                return f"void h({target});\nvoid f({source}) {{\n    h(s);\n}}\n"
            case _:
                return f"{self.target} *f({source}) {{\n    return s;\n}}\n"

    def mismatches(self, dialect: str) -> int:
        """The number of kinds of faults in the conversion, computed from the words of its types."""
        source, target = (_Type.of(each) for each in (self.source, self.target))
        return (
            (source.space != target.space and (target.space != "" or dialect == "CL1.2"))
            + (source.element != target.element and "void" not in (source.element, target.element))
            + (source.const and not target.const)
        )


@dataclass(frozen=True, slots=True)
class _Type:
    space: str
    element: str
    const: bool

    @staticmethod
    def of(text: str) -> _Type:
        words = text.split()
        space = words.pop(0) if words[0] in _SPACES else ""
        const = words[0] == "const"
        return _Type(space, " ".join(words[const:]), const)


def conversions() -> Iterator[Conversion]:
    types = [f"{space} {pointee}".strip() for space in _SPACES for pointee in _POINTEES]
    for source, target in itertools.product(types, types):
        for how in ("initialise", "assign", "pass", "return"):
            yield Conversion(source, target, how)


def faults_of_clang(folder: Path, texts: list[str], dialect: str) -> list[bool]:
    """Whether clang reports an error, or a warning about a discarded qualifier, in each text."""
    files = [folder / f"{number}.cl" for number in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text)
    dropped = "-Werror=incompatible-pointer-types-discards-qualifiers"
    command = [*clang_command(Dialect.of(dialect)), *QUIETLY, "-fsyntax-only", dropped, *map(str, files)]
    finished = subprocess.run(command, check=False, capture_output=True, text=True)
    found = reported(finished.stderr)
    return [str(file) in found for file in files]


@needs_clang
@pytest.mark.parametrize("dialect", ["CL1.2", "CL2.0"])
def test_clang_still_reports_what_a_cast_does_not_mend(tmp_path: Path, dialect: str) -> None:
    cases: list[tuple[Conversion, str, str]] = []
    for conversion in conversions():
        unit = analyse(conversion.text, dialect)
        for diagnostic in compute_diagnostics(unit):
            for fix in compute_fixes(unit, diagnostic):
                after = applied(conversion.text, fix) if fix.edits else ""
                if len(_CAST.findall(after)) > len(_CAST.findall(conversion.text)):
                    cases.append((conversion, fix.title, after))
    assert len(cases) > 40
    found = faults_of_clang(tmp_path, [after for _, _, after in cases], dialect)
    hidden = [
        (title, after)
        for (conversion, title, after), errors in zip(cases, found, strict=True)
        if conversion.mismatches(dialect) > 1 and not errors
    ]
    assert not hidden, "\n".join(f"{title}\n{after}" for title, after in hidden[:10])


def test_an_extra_star_is_taken_away_and_the_rest_is_reported() -> None:
    text = "kernel void k(global float *g, int n) {\n    global float4 **p = g + n;\n}\n"
    for dialect, left in (("CL1.2", "incompatible-pointer"), ("CL2.0", "incompatible-pointer")):
        unit = analyse(text, dialect)
        offered = [
            fix
            for each in compute_diagnostics(unit)
            if each.severity.value == "error"
            for fix in compute_fixes(unit, each)
        ]
        assert [(fix.title, fix.preferred) for fix in offered] == [("Remove one `*` from `p`", False)]
        after = applied(text, offered[0])
        assert "global float4 *p = g + n;" in after
        assert [each.code for each in compute_diagnostics(analyse(after, dialect))] == [left]


def test_a_cast_that_reads_another_type_is_not_taken_away() -> None:
    text = "void f(global float *g, global int *h) {\n    h[0] = *(local int *)g;\n}\n"
    unit = analyse(text, "CL1.2")
    titles = [fix.title for each in compute_diagnostics(unit) for fix in compute_fixes(unit, each)]
    assert "Remove the cast" not in titles
    assert "Cast to a pointer into global" in titles
