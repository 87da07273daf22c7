"""Documentation comments: which comment belongs to a declaration, and what it says."""

from __future__ import annotations

import pytest
from openclsp.ide.doc_comments import (
    DocComment,
    doc_comment_of,
    doc_comment_of_item,
    doc_comment_of_macro,
    parse_doc_comment,
)
from openclsp.ide.location_map import LocationMap

from ..rules.analysis import analyse


def comment_of(program: str, name: str) -> DocComment | None:
    """The comment of the last entity with this name."""
    unit = analyse(program, "CL3.0")
    places = LocationMap(unit)
    found = [
        entity.ref
        for item in unit.items
        for entity in places.context(item.key).entities.values()
        if entity.name == name
    ]
    return doc_comment_of(places, found[-1])


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("/** Adds. */", DocComment("Adds.")),
        ("/*! Adds. */", DocComment("Adds.")),
        ("/// Adds\n/// numbers.\n///\n/// Twice.", DocComment("Adds numbers.\n\nTwice.")),
        ("//! Adds.", DocComment("Adds.")),
        ("/**\n * Adds.\n *\n * - one\n * - two\n */", DocComment("Adds.\n\n- one\n- two")),
        (
            "/**\n * @brief Adds.\n * @param a the first\n *   number\n * @param[in,out] b - the second\n * @return the sum\n */",
            DocComment("Adds.", (("a", "the first number"), ("b", "the second")), "the sum"),
        ),
        (
            "/** \\param a,b numbers\n\\returns @p a */",
            DocComment("", (("a", "numbers"), ("b", "numbers")), "`a`"),
        ),
        ("/** @param x one\n *\n * More. */", DocComment("More.", (("x", "one"),))),
        ("/** Adds.\n * @deprecated use add2 */", DocComment("Adds.\n\nDeprecated: use add2")),
        ("/******\n * Adds. *\n ******/", DocComment("Adds. *")),
        ("/** @retval 0 none\n @retval 1 one */", DocComment("", (), "`0`: none `1`: one")),
        ("/** x\r\n * y\r\n */", DocComment("x y")),
        ("/** \u00e4 \xff */", DocComment("\u00e4 \xff")),
        ("/***/", None),
        ("/** */", None),
        ("/** @param */", None),
        ("//------", None),
    ],
)
def test_the_parts_of_a_comment(comment: str, expected: DocComment | None) -> None:
    assert parse_doc_comment(comment.encode()) == expected


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("/** Adds. */\nint f(int a);", "Adds."),
        ("/** Adds. */\n\nint f(int a);", "Adds."),
        ("/** Adds. */ int f(int a);", "Adds."),
        ("/** Adds. */\n__attribute__((always_inline))\nint\nf(int a) { return a; }", "Adds."),
        ("/// Adds.\n__attribute__((reqd_work_group_size(8, 8, 1)))\nkernel void f(int a) { }", "Adds."),
        ("#define INLINE inline\n/** Adds. */\nINLINE int f(int a) { return a; }", "Adds."),
        ("// Adds a number\n// to another.\nint f(int a);", "Adds a number to another."),
        ("/* Adds. */\nint f(int a);", "Adds."),
        # a declaration without a comment has that of another one
        ("/** Adds. */\nint f(int a);\nint f(int a) { return a; }", "Adds."),
        (
            "/** Adds. */\nint __attribute__((overloadable)) f(int a);\nint __attribute__((overloadable)) f(char a);",
            None,
        ),
        ("// Adds.\n\nint f(int a);", None),
        ("/** Adds. */\nint g;\nint f(int a);", None),
        ("/** Adds. */\n#pragma unroll\nint f(int a);", None),
        ("int g; // Counts.\nint f(int a);", None),
        ("int g; ///< Counts.\nint f(int a);", None),
        ("int g; /**< Counts. */\nint f(int a);", None),
        ("/* int f(int); */\nint f(int a);", None),
        ("// int g = 1;\nint f(int a);", None),
        ("//////////\nint f(int a);", None),
        ("int f(int a);", None),
    ],
)
def test_the_comment_of_a_function(program: str, expected: str | None) -> None:
    found = comment_of(program + "\n", "f")
    assert (found.summary if found else None) == expected


@pytest.mark.parametrize(
    ("program", "name", "expected"),
    [
        ("struct S { int a; ///< The count.\n int b; };", "a", "The count."),
        ("struct S { int a; ///< The count.\n int b; };", "b", None),
        ("struct S { /** The count. */ int a; /** The other. */ int b; };", "b", "The other."),
        ("struct S {\n  /// The count.\n  int a;\n};", "a", "The count."),
        ("/** Sizes. */\ntypedef struct { int a; } T;", "T", "Sizes."),
        ("/** A table. */\nconstant int table[2] = { 1, 2 };", "table", "A table."),
        ("void f(\n  int a, /**< the count */\n  int b /**< the other */);", "a", "the count"),
        ("void f(\n  int a, /**< the count */\n  int b /**< the other */);", "b", "the other"),
        ("/** @param b the other */\nvoid f(int a, int b);", "b", "the other"),
        ("/** @param b the other */\nvoid f(int a, int b);", "a", None),
        ("/** Adds. */\nvoid f(\n  int a,\n  int b);", "b", None),
    ],
)
def test_the_comment_of_another_declaration(program: str, name: str, expected: str | None) -> None:
    found = comment_of(program + "\n", name)
    assert (found.summary if found else None) == expected


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("/** The tile's width. */\n#define TILE 16", "The tile's width."),
        ("// The tile's width.\n#define TILE 16", "The tile's width."),
        ("#define TILE 16 ///< The tile's width.", "The tile's width."),
        ("#define OTHER 1 // other\n#define TILE 16", None),
        ("#define TILE 16", None),
    ],
)
def test_the_comment_of_a_macro(program: str, expected: str | None) -> None:
    unit = analyse(program + "\n", "CL3.0")
    found = doc_comment_of_macro(unit, unit.preprocessed.macros[b"TILE"])
    assert (found.summary if found else None) == expected


def test_the_comment_of_a_struct_without_typedef() -> None:
    unit = analyse("/** Sizes. */\nstruct S { int a; };\n", "CL3.0")
    assert doc_comment_of_item(LocationMap(unit), unit.items[0].key) == DocComment("Sizes.")


def test_a_long_comment_is_cut_and_takes_linear_time() -> None:
    found = parse_doc_comment(b"/** " + b"@param x y\n" * 100_000 + b"*/")
    assert found is not None
    assert found.parameter("x") == "y"
    assert comment_of("/** " + "(" * 200_000 + "*/\nint f(int a);\n", "f") is None
