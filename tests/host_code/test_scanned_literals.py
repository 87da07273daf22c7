"""Programs in the strings of host languages that are not parsed."""

from __future__ import annotations

import time

import pytest
from openclsp.host_code.host_language import STRING_ONLY_LANGUAGES, HostLanguage
from openclsp.host_code.program_finder import find_programs
from openclsp.host_code.string_edits import edits_of_host

INCOMPLETE = b'#include "unknown-part-of-the-program"\n'
KERNEL = "kernel void k(global int *p) { if (p) { p[0] = 1; } }"


def programs(source: str, language: HostLanguage) -> list[str]:
    found = find_programs(source.encode(), language).programs
    return [each.value.data.removeprefix(INCOMPLETE).decode() for each in found]


RUST = {
    "a raw string": 'const A: &str = r#"@"#;',
    "a raw string without #": 'const A: &str = r"@";',
    "a byte string": 'const A: &[u8] = br##"@"##;',
    "a plain string": 'const A: &str = "@";',
    "after lifetimes and characters": "fn f<'a>(x: &'a str) -> char { '\"' }\nconst A: &str = r\"@\";",
    "after a comment with a quote": '// it\'s 3" long\n/* " */ const A: &str = r"@";',
    "an argument of a call": 'let q = ProQue::builder().src(r#"@"#).build();',
}
D = {
    "a string of tokens": "immutable(string) a = q{@};",
    "a raw string": 'auto a = r"@";',
    "back quotes": "auto a = `@`;",
    "a delimiter": 'auto a = q"EOS\n@\nEOS";',
    "brackets": 'auto a = q"[@]";',
    "a plain string": 'auto a = "@";',
    "after a nested comment": '/+ " +/ enum c = \'"\'; auto a = "@";',
}
RUBY = {
    "a here document": "a = <<EOF\n@\nEOF\n",
    "an indented here document": "a = <<-CLC\n@\n  CLC\n",
    "a squiggly here document": 'f(<<~"CLC", 3)\n@\nCLC\n',
    "a here document without interpolation": "a = <<'CLC'\n@\nCLC\n",
    "braces": "a = %q{@}",
    "a plain string": '# it\'s "a" comment\na = "@"',
}
HASKELL = {
    "a plain string": 'a = "@"',
    "a quasi-quotation": "a = [clProg|@|]",
    "a quasi-quotation of an old compiler": "a = [$clProg|@|]",
    "after names with primes and comments": '-- it\'s "a"\n{- " -}\nf\' = foldl\' \'"\'\na = "@"',
}
GO = {
    "back quotes": "const a = `@`",
    "a plain string": 'var a = "@\\n"',
    "after the text of cgo": '/*\n#include "a.h"\nchar *s = "`";\n*/\nimport "C"\nvar r = \'`\'\nvar a = `@`',
    "an argument": "p, err := c.CreateProgramWithSource([]string{`@`})",
}
JAVA = {
    "a plain string": 'static final String A = "@\\n";',
    "a text block": 'String a = """\n    @\n    """;',
    "after a character and a comment": '// it\'s "\nchar c = \'"\'; String a = "@";',
}
KOTLIN = {
    "a plain string": 'val a = "@"',
    "a raw string": 'val a = """\n@\n""".trimIndent()',
    "a raw string with margins": 'val a = """\n  |@\n  """.trimMargin()',
}
SCALA = {
    "a plain string": 'val a = "@"',
    "a raw string": 'val a = """@"""',
    "a raw string with margins": 'val a = """\n  |@\n  """.stripMargin',
    "an interpolated string": 'val a = s"@"',
}
CSHARP = {
    "a plain string": 'const string a = "@";',
    "a raw string": 'var a = """\n@\n""";',
}
JAVASCRIPT = {
    "a template literal": "const a = `@`;",
    "a plain string": "const a = '@\\n';",
    "quotation marks": 'const a = "@";',
    "after a regular expression": "const r = /[\"'`/]/.test(x) ? 1 / 2 : 3 / 4;\nconst a = `@`;",
}
CASES = [
    (language, source)
    for language, sources in (
        (HostLanguage.RUST, RUST),
        (HostLanguage.D, D),
        (HostLanguage.RUBY, RUBY),
        (HostLanguage.HASKELL, HASKELL),
        (HostLanguage.GO, GO),
        (HostLanguage.JAVA, JAVA),
        (HostLanguage.KOTLIN, KOTLIN),
        (HostLanguage.SCALA, SCALA),
        (HostLanguage.CSHARP, CSHARP),
        (HostLanguage.JAVASCRIPT, JAVASCRIPT),
    )
    for source in sources.values()
]


@pytest.mark.parametrize(("language", "source"), CASES)
def test_a_literal_with_a_kernel_is_a_program(language: HostLanguage, source: str) -> None:
    assert [each.strip() for each in programs(source.replace("@", KERNEL), language)] == [KERNEL]
    assert programs(source.replace("@", "no kernel void here"), language) == []


@pytest.mark.parametrize(
    ("language", "source", "value"),
    [
        (HostLanguage.RUST, r'const A: &str = "@ // \"a\"\n";', '@ // "a"\n'),
        (HostLanguage.D, 'auto a = "@\\n" ~ "int n;" ~ size ~ "int m;";', "@\nint n;${size}int m;"),
        (HostLanguage.RUBY, "a = <<EOF\n@\\n\nint n = #{n};\nEOF\n", "@\n\nint n = ${n};\n"),
        (HostLanguage.RUBY, "a = <<'EOF'\n@\nint n = #{n};\nEOF\n", "@\nint n = #{n};\n"),
        (HostLanguage.RUBY, 'a = "@" +\n  "int n;"', "@int n;"),
        (HostLanguage.HASKELL, 'a = "@\\n\\\n    \\int n;\\n\\\n\\"', "@\nint n;\n"),
        (HostLanguage.HASKELL, 'a = "@" ++\n  "int n;" <> rest', "@int n;"),
        (HostLanguage.HASKELL, "a = [c|@ int n = $exp:n + #{m};|]", "@ int n = ${exp_n} + ${m};"),
        (HostLanguage.GO, 'a := "@\\n" +\n  `int n;\\n` + size', "@\nint n;\\n"),
        (HostLanguage.JAVA, 'a = "@\\n"\n  + "int n = " + n + ";\\n";', "@\nint n = ${n};\n"),
        (HostLanguage.JAVA, 'a = """\n@\nint n; \\\nint m;""";', "@\nint n; int m;"),
        (HostLanguage.KOTLIN, 'a = """@ int n = $n + ${m};"""', "@ int n = ${n} + ${m};"),
        (HostLanguage.SCALA, 'a = s"@ int n = ${n};"', "@ int n = ${n};"),
        (HostLanguage.SCALA, 'a = """@\n  |int $n;\n  """.stripMargin', "@\nint $n;\n  "),
        (HostLanguage.JAVASCRIPT, "a = `@ int n = ${ f({n}) };\\n` + 'int m;'", "@ int n = ${f_n};\nint m;"),
        (HostLanguage.JAVASCRIPT, r"a = String.raw`@ char c = '\n';` + '\n'", "@ char c = '\\n';\n"),
        (
            HostLanguage.JAVASCRIPT,
            "a = `@ ${ names.map(n => `int ${n}, { x }`).join('') } int m;`; b = `c`",
            "@ ${names_map_n_int_n_x_joi} int m;",
        ),
    ],
)
def test_the_value_is_that_of_the_literals(language: HostLanguage, source: str, value: str) -> None:
    assert programs(source.replace("@", KERNEL), language) == [value.replace("@", KERNEL)]


@pytest.mark.parametrize(
    ("language", "operator", "comment"),
    [
        (HostLanguage.JAVA, "+", "// it's\n"),
        (HostLanguage.GO, "+", '/* " */'),
        (HostLanguage.CSHARP, "+", "// a\n  // b\n"),
        (HostLanguage.JAVASCRIPT, "+", "// a\n"),
        (HostLanguage.KOTLIN, "+", "/* a */ /* b */"),
        (HostLanguage.SCALA, "+", "// a\n"),
        (HostLanguage.RUBY, "+", "# it's\n"),
        (HostLanguage.D, "~", "/+ a +/"),
        (HostLanguage.HASKELL, "++", "{- a -}"),
    ],
)
def test_comments_do_not_end_a_string_of_several_literals(
    language: HostLanguage, operator: str, comment: str
) -> None:
    first, second = "kernel void k(global int *p) {", " p[0] = 1; }"
    sources = [f'"{first}" {operator} {comment} "{second}"']
    if language is not HostLanguage.RUBY:
        # A line that begins with an operator does not continue an expression of Ruby.
        sources.append(f'"{first}" {comment} {operator} "{second}"')
        sources.append(f'"{first}" {operator} {comment} name {comment} {operator} {comment} "{second}"')
    for source in sources:
        (found,) = programs(source, language)
        assert found.startswith(first) and found.endswith(second), source


@pytest.mark.parametrize("language", sorted(STRING_ONLY_LANGUAGES, key=lambda each: each.value))
@pytest.mark.parametrize("operand", ["'c'", "/* a */ 'c'", "/", "/*", "'", "{-", ""])
def test_an_operand_that_is_no_literal_ends_a_string(language: HostLanguage, operand: str) -> None:
    kernel = "kernel void k(global int *p) { }"
    for operator in ("+", "~", "++", "<<", "<>"):
        found = programs(f'"{kernel}" {operator} {operand} {operator} name {operator} {operand}', language)
        assert [each.startswith(kernel) for each in found] == [True]


def test_a_format_string_of_rust_has_holes_and_doubled_braces() -> None:
    body = "kernel void k(global int *p) {{ p[{}] = {n:>3}; }}"
    wanted = "kernel void k(global int *p) { p[${unknown}] = ${n_3}; }"
    for macro in ('format!(r#"@"#, 1)', 'write!(out, "@", 1)', 'let s = format! { "@" };'):
        assert programs(macro.replace("@", body), HostLanguage.RUST) == [wanted]
    kept = "kernel void k(global int *p) { int a[2][1] = {{1}, {2}}; }"
    assert programs(f'let s = r"{kept}";', HostLanguage.RUST) == [kept]


def test_braces_are_doubled_in_interpolated_strings_of_csharp() -> None:
    body = "kernel void k{n}(global int *p) {{ p[0] = {n + 1}; printf(QUOTE%dQUOTE, 1); }}"
    wanted = 'kernel void k${n}(global int *p) { p[0] = ${n_1}; printf("%d", 1); }'
    assert programs('var a = $@"' + body.replace("QUOTE", '""') + '";', HostLanguage.CSHARP) == [wanted]
    assert programs('var a = $"' + body.replace("QUOTE", '\\"') + '";', HostLanguage.CSHARP) == [wanted]
    plain = 'kernel void k(global int *p) { printf("%d", 1); }'
    doubled = plain.replace('"', '""')
    assert programs(f'var a = @"{doubled}";', HostLanguage.CSHARP) == [plain]


def test_conversions_are_holes() -> None:
    body = "kernel void k%v(global %s *p) { p[%[1]d %% 3] = 0; }"
    wanted = "kernel void k${value}(global ${value} *p) { p[${value} % 3] = 0; }"
    assert programs(f"s := fmt.Sprintf(`{body}`, 1)", HostLanguage.GO) == [wanted]
    assert programs(f"fmt.Fprintf(&b, `{body}`, 1)", HostLanguage.GO) == [wanted]
    assert programs(f"s := f(`{KERNEL}`, 1)", HostLanguage.GO) == [KERNEL]
    java = body.replace("%v", "%1$s").replace("%[1]d", "%2$d")
    assert programs(f'String s = String.format("{java}", 1);', HostLanguage.JAVA) == [wanted]
    assert programs(f'String s = """\n{java}""".formatted(1);', HostLanguage.JAVA) == [wanted]


def test_a_comment_marks_a_string() -> None:
    assert programs('// language=OpenCL\nconst A: &str = "int f(int n);";', HostLanguage.RUST) == [
        "int f(int n);"
    ]
    assert programs("# language=OpenCL\na = <<A\nint f(int n);\nA\n", HostLanguage.RUBY) == [
        "int f(int n);\n"
    ]


def test_code_in_comments_is_no_program() -> None:
    assert programs(f'/* let s = "{KERNEL}"; */', HostLanguage.RUST) == []
    assert programs(f'//     let s = r#"{KERNEL}"#;', HostLanguage.RUST) == []
    assert programs(f'{{- s = "{KERNEL}" -}}', HostLanguage.HASKELL) == []
    assert programs(f'=begin\ns = "{KERNEL}"\n=end\n', HostLanguage.RUBY) == []


def test_a_fix_edits_a_raw_string() -> None:
    source = f'const A: &str = r#"{KERNEL}"#;'.encode()
    (program,) = find_programs(source, HostLanguage.RUST).programs
    at = program.value.data.index(b"global")
    (edit,) = edits_of_host(program.value, source, at, at + 6, b"local") or ()
    assert source[edit.start : edit.old_end] == b"global" and edit.new == b"local"
    assert edits_of_host(program.value, source, at, at + 6, b'"#') is None


@pytest.mark.parametrize("language", sorted(STRING_ONLY_LANGUAGES, key=lambda each: each.value))
@pytest.mark.parametrize(
    "part",
    [
        '"',
        "'",
        "q{",
        "{-",
        "/+",
        "<<A\n",
        "r#",
        "[a|",
        "--",
        "%{",
        "\\",
        'q"(',
        "format!(",
        "~ a ",
        "a" * 20,
        "/[",
        "`",
        '$@"',
        '"""',
        "${",
        "+ a ",
    ],
)
def test_no_text_takes_long(language: HostLanguage, part: str) -> None:
    start = time.process_time()
    find_programs((part * 4000 + " kernel void k() {}").encode(), language)
    assert time.process_time() - start < 2
