"""Included documents: separate units between items, spliced into the line elsewhere."""

from __future__ import annotations

import pytest
from openclsp.source import document_preprocessing
from openclsp.source.document import Document
from openclsp.source.include_cache import IncludeCache
from openclsp.source.options import PreprocessorOptions, UnreadInclude
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.source_locations import Span

from .marks import NAME, Headers, expansion, messages, run

TYPES = "#ifndef TYPES_H\n#define TYPES_H\ntypedef int T;\n#define SIZE 4\n#endif\n"


def test_between_items_an_include_is_a_unit_of_its_own() -> None:
    unit = run('int a;\n#include "types.h"\nint b[SIZE];\n', {"types.h": TYPES})
    assert unit.text == b"int a;\n\nint b[4];\n"
    (inclusion,) = unit.includes
    assert inclusion.offset == len("int a;\n")
    assert inclusion.preprocessed.document.name == "types.h"
    assert inclusion.preprocessed.text.split() == b"typedef int T;".split()


@pytest.mark.parametrize(
    ("kernel", "text"),
    [
        ('void f() {\n#include "body.h"\n}\n', "void f() {\na = 1 ; b ( ) ;\n}\n"),
        ('int t[] = {\n  #include "body.h"\n};', "int t[] = {\na = 1 ; b ( ) ;\n};\n"),
        ('int x =\n#include "body.h"\n', "int x =\na = 1 ; b ( ) ;\n"),
    ],
)
def test_elsewhere_it_is_spliced_into_the_line_of_its_directive(kernel: str, text: str) -> None:
    unit = run(kernel, {"body.h": "// all\na = ONE;\nb();\n#define TWO 2\n"}, defines=(("ONE", "1"),))
    assert unit.text.decode().split() == text.split()
    assert unit.text.count(b"\n") == text.count("\n")
    assert unit.includes == ()
    assert b"TWO" in unit.macros


def test_spliced_text_maps_to_its_own_document() -> None:
    header = "#define ADD(a, b) a + b\nx = ADD(y, 1);\n"
    unit = run('void f() {\n#include "body.h"\n}\n', {"body.h": header})
    start = unit.text.index(b"y")
    place = header.index("y, 1")
    assert unit.source_map.spelled(start, start + 1) == Span("body.h", place, place + 1)
    assert unit.source_map.expanded("body.h", place) == start
    written = unit.source_map.written(unit.text.index(b"+"), unit.text.index(b"+") + 1)
    assert (written.document, header[written.start : written.end]) == ("body.h", "ADD")


def test_a_range_that_begins_before_a_splice_stays_in_the_includer() -> None:
    source = 'void f() {\n#include "body.h"\n}\n'
    unit = run(source, {"body.h": "x;\n"})
    written = unit.source_map.written(0, unit.text.index(b"}") + 1)
    assert (written.document, source[written.start : written.end]) == (NAME, source.strip())


def test_a_header_that_is_no_run_of_items_is_spliced() -> None:
    unit = run('#include "open.h"\n int x; }\n', {"open.h": "void f() {"})
    assert unit.includes == ()
    assert unit.text.split() == b"void f ( ) { int x; }".split()


def test_macros_make_names_of_headers() -> None:
    headers = {"types.h": TYPES, "v/types.h": TYPES}
    source = "#define STR(x) #x\n#define XSTR(x) STR(x)\n#define H XSTR(v/types.h)\n#include H\n#define A <types.h>\n#include A\nSIZE"
    unit = run(source, headers)
    assert [inclusion.preprocessed.document.name for inclusion in unit.includes] == ["v/types.h", "types.h"]


@pytest.mark.parametrize(
    "header",
    [
        TYPES,
        "#pragma once\ntypedef int T;\n#define SIZE 4\n",
    ],
)
def test_a_guarded_header_counts_once(header: str) -> None:
    unit = run('#include "h"\n#include "h"\nSIZE\n', {"h": header})
    texts = [inclusion.preprocessed.text.split() for inclusion in unit.includes]
    assert [text for text in texts if text] == [b"typedef int T;".split()]


def test_import_counts_once() -> None:
    unit = run('#import "h"\n#import "h"\n', {"h": "int a;\n"})
    assert len(unit.includes) == 1


def test_a_missing_header_is_a_hint_and_a_name() -> None:
    source = '#include "missing.h"\nint a;\n'
    assert messages(source, {}) == ["1: hint[include-not-found] 'missing.h': file not found"]
    unit = run('#include "h"\n', {"h": source})
    assert unit.includes[0].preprocessed.unknown_includes == ("missing.h",)
    assert unit.has_unknown_include
    assert [problem.document for problem in unit.all_problems] == ["h"]


def test_a_document_that_includes_itself_ends() -> None:
    unit = run('#include "h"\nint a;\n', {"h": '#include "h"\nint b;\n'})
    assert [problem.code for problem in unit.all_problems] == ["include-too-deep"]
    both = run('#include "h"\nint a;\n', {"h": '#include "h"\n#include "h"\n'})
    assert [problem.code for problem in both.all_problems] == ["include-too-deep"]


def test_a_cyclic_include_is_reported_where_it_closes_the_cycle_and_the_rest_is_read() -> None:
    headers = {"a.h": '#include "b.h"\nint a;\n', "b.h": '#include "a.h"\nint b;\n'}
    again = run('#include "h"\nint a;\n', {"h": '#define S global\n#include "h"\nint b = {\n'})
    assert [problem.code for problem in again.all_problems] == ["include-too-deep"]
    assert b"".join(each.text for each in again.with_included()).count(b"int b") == 2
    unit = run('#include "a.h"\nint c;\n', headers)
    (problem,) = unit.all_problems
    assert (problem.document, problem.start) == ("b.h", 0)
    assert (
        problem.message
        == "cyclic include a.h \N{RIGHTWARDS ARROW} b.h \N{RIGHTWARDS ARROW} a.h: this one is skipped"
    )
    assert [each.text.strip() for each in unit.with_included()] == [b"int c;", b"int a;", b"int b;"]


def test_what_ends_by_itself_is_no_circle() -> None:
    """A file may include itself as long as some macro has changed since."""
    header = '#ifndef ONE\n#define ONE\n#include "h"\n#elif !defined TWO\n#define TWO\n#include "h"\nint deep;\n#endif\n'
    unit = run('#include "h"\n', {"h": header})
    assert unit.all_problems == ()
    assert b"int deep;" in b"".join(each.text for each in unit.with_included())
    level = '#if __INCLUDE_LEVEL__ < 5\n#include "h"\n#else\nint deep;\n#endif\n'
    unit = run('#include "h"\n', {"h": level})
    assert unit.all_problems == ()
    assert sum(each.text.count(b"int deep;") for each in unit.with_included()) == 1


def test_circles_leave_nothing_behind_in_the_cache() -> None:
    headers = Headers({"a.h": '#include "b.h"\nint a;\n', "b.h": '#include "a.h"\nint b;\n'})
    cache = IncludeCache()
    for first in ("a.h", "b.h", "a.h"):
        document = Document.of("k.cl", f'#include "{first}"\n'.encode())
        kept = document_preprocessing.full(document, PreprocessorOptions(), headers, cache)
        fresh = document_preprocessing.full(document, PreprocessorOptions(), headers)
        assert kept.all_problems == fresh.all_problems


def test_documents_that_double_forty_times_end() -> None:
    headers = {f"h{n}": f'#include "h{n + 1}"\n#include "h{n + 1}"\n' for n in range(40)} | {
        "h40": "int a;\n"
    }
    unit = run('#include "h0"\n', headers)
    assert {problem.code for problem in unit.all_problems} == {"include-too-deep"}
    assert sum(1 for _ in unit.with_included()) < 30_000


@pytest.mark.parametrize("name", ["{{header}}", "${folder}/a.h", "<%= name %>.h", "@DIR@/a.h", "#{name}.h"])
def test_a_header_whose_name_a_template_inserts_is_not_reported(name: str) -> None:
    unit = run(f'#include "{name}"\nint a;\n', {})
    assert not unit.all_problems
    assert unit.unknown_includes == (name,)


def test_only_the_limit_that_compilers_have_is_an_error() -> None:
    chain = {f"h{n}": f'#include "h{n + 1}"\n' for n in range(201)} | {"h201": ""}
    assert [problem.severity for problem in run('#include "h0"\n', chain).all_problems] == ["error"]
    many = run('#include "h201"\n' * 2_001, chain)
    assert [(problem.code, problem.severity) for problem in many.all_problems] == [
        ("include-too-deep", "warning")
    ]


def test_has_include() -> None:
    source = '#if __has_include("h") && !__has_include(<i>)\nyes\n#endif'
    assert expansion(source, {"h": ""}) == "yes"


def test_an_include_within_a_call_is_refused() -> None:
    assert messages('#define F(x) x\nF(\n#include "h"\n1)', {"h": "2"}) == [
        "3: error[include-in-macro-arguments] embedding an #include directive within macro arguments is not supported"
    ]


def test_forced_documents_come_first() -> None:
    loader = Headers({})
    forced = [Document.of("types.h", TYPES.encode())]
    unit = document_preprocessing.full(
        Document.of(NAME, b"int a[SIZE];"), PreprocessorOptions(), loader, None, forced
    )
    assert unit.text == b"int a[4];\n"
    assert unit.includes[0].preprocessed.document.name == "types.h"


def test_a_forced_document_that_is_not_read_may_define_any_name() -> None:
    kernel = Document.of(NAME, b"#ifdef SIZE\nint a[SIZE];\n#endif\n")
    unread = document_preprocessing.full(
        kernel, PreprocessorOptions(), Headers({}), None, [UnreadInclude("types.h")]
    )
    assert unread.unknown_includes == ("types.h",)
    assert [guess.hidden for guess in unread.guesses] == [frozenset(("a",))]
    read = document_preprocessing.update(
        unread,
        kernel,
        None,
        PreprocessorOptions(),
        Headers({}),
        IncludeCache(),
        [Document.of("types.h", TYPES.encode())],
        headers_changed=True,
    ).result
    assert (read.text.strip(), read.unknown_includes, read.guesses) == (b"int a[4];", (), ())


class Cached:
    """Preprocesses roots with one cache."""

    def __init__(self, headers: dict[str, str]) -> None:
        self.loader = Headers(headers)
        self.cache = IncludeCache()

    def run(self, source: str) -> tuple[Preprocessed, int]:
        """Returns a root's result, and the number of documents that were preprocessed for it."""
        before = self.cache.misses
        document = Document.of(NAME, source.encode())
        unit = document_preprocessing.full(document, PreprocessorOptions(), self.loader, self.cache)
        alone = document_preprocessing.full(document, PreprocessorOptions(), self.loader)
        assert [u.text for u in unit.with_included()] == [u.text for u in alone.with_included()]
        assert unit.all_problems == alone.all_problems
        assert unit.hidden_names == alone.hidden_names
        assert [u.guesses for u in unit.with_included()] == [u.guesses for u in alone.with_included()]
        assert {name: macro.text for name, macro in unit.macros.items()} == {
            name: macro.text for name, macro in alone.macros.items()
        }
        return unit, self.cache.misses - before


HEADERS = {
    "a.h": '#pragma once\n#include "b.h"\n#ifdef FAST\nint fast;\n#else\nint slow = WIDTH;\n#endif\n#define A B\n',
    "b.h": "#ifndef WIDTH\n#define WIDTH 8\n#endif\n#define B 1\n#undef OLD\n#define CAT(x, y) x ## y\nint CAT(na, me);\n",
}


@pytest.mark.parametrize(
    ("first", "second", "read"),
    [
        ("int x;\n", "int y;\n", 0),
        ("", "#define UNRELATED\n", 0),
        ("", "#define FAST\n", 1),
        ("", "#define WIDTH 16\n", 2),
        ("", "#define OLD\n", 2),
        ("", "#define name other\n", 2),
        ("", "#define slow quick\n", 1),
        ("", "#define B 1\n", 2),
        # b.h is kept as it was read before everything else.
        ('#include "b.h"\n', "", 1),
    ],
)
def test_a_result_is_kept_as_long_as_the_macros_it_looked_at_stay(first: str, second: str, read: int) -> None:
    cached = Cached(HEADERS)
    rest = '#include "a.h"\nint a = A, w = WIDTH;\n'
    cached.run(first + rest)
    assert cached.run(second + rest)[1] == read
    assert cached.run(first + rest)[1] == 0


def test_pragma_once_is_a_dependency_of_a_result() -> None:
    headers = {"a.h": '#include "o.h"\nint a;\n', "o.h": "#pragma once\nint o;\n"}
    cached = Cached(headers)
    cached.run('#include "a.h"\n')
    unit, _ = cached.run('#include "o.h"\n#include "a.h"\n')
    assert [u.document.name for u in unit.with_included()] == [NAME, "o.h", "a.h"]


def test_a_changed_header_is_read_again() -> None:
    cached = Cached(HEADERS)
    root = '#include "a.h"\n'
    cached.run(root)
    cached.loader = Headers({**HEADERS, "b.h": "int changed;\n"})
    assert b"changed" in b"".join(unit.text for unit in cached.run(root)[0].with_included())


def test_counters_are_not_kept() -> None:
    cached = Cached({"c.h": "int n = __COUNTER__;\n"})
    unit, _ = cached.run('#include "c.h"\n#include "c.h"\n')
    assert [inclusion.preprocessed.text for inclusion in unit.includes] == [b"int n = 0;\n", b"int n = 1;\n"]


DOUBLING = "#define A0 1,\n" + "".join(f"#define A{n + 1} A{n} A{n}\n" for n in range(20))
DROPPING = f"{DOUBLING}#define NONE(x)\n#define DROP(x) NONE(x)\n"
STATEFUL = {
    "macros.h": DROPPING,
    "large.h": "int a[] = { A18 };\n",
    "large_and_medium.h": "int a[] = { A18 };\nint b[] = { A15 };\n",
    "medium.h": "int c[] = { A15 };\n",
    "condition.h": "#ifdef OPTION\nint option;\n#else\nint none;\n#endif\n",
    "outer.h": '#include "condition.h"\n',
    "option.h": "#define OPTION\n#undef OPTION\n",
}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("large.h", "large.h"),
        ("large_and_medium.h", "large.h medium.h"),
        ("medium.h", "large.h medium.h"),
        ("large.h medium.h", "medium.h"),
        ("condition.h", "option.h condition.h"),
        ("option.h condition.h", "condition.h"),
        ("outer.h", "option.h outer.h condition.h"),
        ("option.h outer.h condition.h", "outer.h"),
    ],
)
def test_what_a_run_has_seen_before_a_header_is_a_dependency_of_its_result(first: str, second: str) -> None:
    """These are the macros that were too large, the steps of expansions, and names that were once defined."""
    cached = Cached(STATEFUL)
    for names in (first, second, first):
        root = "".join(f'#include "{name}"\n' for name in ["macros.h", *names.split()])
        unit, _ = cached.run(root)
        assert unit.trace.stateful == ("large" in names)


def test_headers_that_are_cached_count_towards_the_limit_of_steps() -> None:
    headers = {"macros.h": DROPPING, "many.h": "int m[] = {" + "DROP(A10) " * 30 + "};\n"}
    unit, _ = Cached(headers).run('#include "macros.h"\n' + '#include "many.h"\n' * 50)
    assert unit.trace.stateful


def test_headers_that_are_cached_count_towards_the_limit_of_includes() -> None:
    headers = {f"h{n}": f'#include "h{n + 1}"\n#include "h{n + 1}"\n' for n in range(8)} | {"h8": "int a;\n"}
    cached = Cached(headers)
    cached.run('#include "h0"\n')
    unit, _ = cached.run('#include "h0"\n' * 6)
    assert {problem.code for problem in unit.all_problems} == {"include-too-deep"}
    assert sum(1 for _ in unit.with_included()) <= 2_001


@pytest.mark.parametrize("extra", ["}", "{", ")", "(", "};", "struct S {"])
def test_a_bracket_too_many_in_a_header_ends_with_it(extra: str) -> None:
    """Otherwise all later text would be one line within an item, and each edit would expand it again."""
    headers = {"a.h": f"typedef int T;\n{extra}\ntypedef int U;\n", "b.h": "typedef int V;\n"}
    unit = run('#include "a.h"\n#include "b.h"\nvoid f() {\n}\n', headers)
    assert [inclusion.preprocessed.document.name for inclusion in unit.includes] == ["a.h", "b.h"]
    assert unit.text == b"\n\nvoid f() {\n}\n"


@pytest.mark.parametrize(
    "source",
    [
        '#include "open.h"\nint x;\n#include "close.h"\nint y;\n',
        '#include "open.h"\nint x;\n}\nint y;\n',
        '#include "both.h"\nint y;\n',
        '#include "open.h"\n#include "missing.h"\nint y;\n',
        '#include "open.h"\n#ifdef UNKNOWN\n}\n#endif\nint y;\n',
    ],
)
def test_brackets_that_documents_may_close_for_each_other(source: str) -> None:
    headers = {
        "open.h": "void f() {\n",
        "close.h": "}\n",
        "both.h": '#include "open.h"\n#include "close.h"\n',
    }
    unit = run(source, headers)
    whole = next(each for each in unit.with_included() if b"void f ( ) {" in each.text)
    assert [
        each.preprocessed.document.name
        for each in whole.includes
        if each.preprocessed.document.name == "open.h"
    ] == []


def test_a_closing_bracket_too_many_before_an_include() -> None:
    unit = run('}\n#include "types.h"\nint b[SIZE];\n', {"types.h": TYPES})
    assert unit.text == b"}\n\nint b[4];\n"
    assert len(unit.includes) == 1
