"""Digraphs (C99 6.4.6p3) are brackets in the expanded text, at the same places; and tokens that a backslash-newline divides."""

from __future__ import annotations

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics

from ..rules.analysis import analyse
from .marks import expansion, run


@pytest.mark.parametrize(
    ("source", "expanded"),
    [
        ("int a<:2:> = <%1, 2%>;", "int a[ 2]  = { 1, 2} ;"),
        ("a<:b<:0:>:>", "a[ b[ 0] ]"),
        ("a<<:b; a<<%b", "a<<:b; a<<%b"),
        ("s = \"<%\" '<:' /* <: */ + x<:1:>; // <%", "s = \"<%\" '<:' /* <: */ + x[ 1] ; // <%"),
        ("/* it's\n <: */ a<:0:>", "/* it's\n<: */ a[ 0]"),
        ("#define AT(a, i) a<:i:>\nAT(p, 1) = q<:2:>;", "p[ 1]  = q[ 2] ;"),
        ("#define BEGIN <%\n#define END %>\nBEGIN a; END", "{  a; }"),
        ("#define CAT(a, b) a##b\np CAT(<, :) 0 CAT(:, >)", "p [  0 ]"),
        ("#define STRING(x) %:x\nSTRING(<:) <:", '"<:" ['),
        ("a <\\\n: 1 :\\\n>", "a [\n1 ]"),
        ("/\\\n/ TWO\na;", "a;"),
        ("a /* b *\\\n/ = /\\\n* c */ 1; /\\\n/ d", "a\n=\n1;"),
        ("// a; \\\n} b; \\  \nc; {\nint x; // d", "int x; // d"),
        ('s = "//" \\\n"a"; /* // \\\n */ x; // b\\c', 's = "//" \\\n"a";\nx; // b\\c'),
        ("i +\\\n= 1\\\n0 <<\\\n= 2;", "i +=\n10\n<<=\n2;"),
    ],
)  # fmt: skip
def test_digraphs_are_expanded_to_brackets(source: str, expanded: str) -> None:
    assert expansion(source) == expanded


def test_the_text_after_a_digraph_keeps_its_place() -> None:
    source = "int a<:2:> = <%1, 2%>;\nint b;\n"
    unit = run(source)
    assert len(unit.text) == len(source)
    assert unit.text.index(b"= {") == source.index("= <%")
    assert not any(unit.source_map.rows)


def test_a_digraph_in_a_template_is_a_tag() -> None:
    assert expansion("int a = <%= n %>;\n<% if x %>int b;<% end %>").split() == [
        "int",
        "a",
        "=",
        "$___n___;",
        "int",
        "b;",
    ]


def test_a_line_comment_of_several_lines_may_contain_code() -> None:
    text = """\
// #define SWAP(a, b) do { \\
    int t = (a); \\
    int u = (b); \\
} while (0)
kernel void k(global int *p) { *p = 1; }
"""
    assert list(compute_diagnostics(analyse(text, "CL1.2"))) == []


@pytest.mark.parametrize("dialect", ["CL1.2", "CL2.0", "CL3.0"])
def test_a_program_of_digraphs_has_no_syntax_error(dialect: str) -> None:
    text = """\
%:define CAT(a, b) a%:%:b
struct s <% int a<:2:>; %>;
int CAT(x, y)(private int *p) <% return p<:1:>; %>
kernel void k(global int *p) <%
    struct s s = <% .a = <% <:1:> = 1 %> %>;
    p<:s.a<:0:>:> = xy(s.a);
%>
"""
    assert not [
        each for each in compute_diagnostics(analyse(text, dialect)) if each.severity.value == "error"
    ]
