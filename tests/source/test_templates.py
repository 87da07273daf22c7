"""Templates are recognised by text that OpenCL C cannot contain, and masked without moving anything."""

from __future__ import annotations

from random import Random

import pytest
from openclsp.source.code_extraction import code_after, code_of
from openclsp.source.templates import template_of
from openclsp.source.text import Edit, Text

from .marks import expansion, messages


def read(source: str) -> str:
    template = template_of(source.encode())
    assert template is not None
    assert len(template.data) == len(source.encode())
    assert template.data.count(b"\n") == source.count("\n")
    return "\n".join(line.strip() for line in template.data.decode().split("\n") if line.strip())


@pytest.mark.parametrize(
    ("source", "kind", "expected"),
    [
        ("global ${T} *p;", "`${…}`", "global $_T_ *p;"),
        ("float${n} v;", "`${…}`", "float$_n_ v;"),
        ("int a = ${'}' + x};", "`${…}`", "int a = $_______x_;"),
        ("% for i in range(3):\nint a${i};\n% endfor\n", "Mako", "int a$_i_;"),
        ('<%def name="f(x)">\nint a;\n</%def>\nint b;', "Mako", "int b;"),
        ('<%def name="f(x)">\nkernel void k() {}\n</%def>', "Mako", "kernel void k() {}"),
        ("<%! import math %>\nint a = ${math.pi};", "Mako", "int a = $_math_pi_;"),
        ("% if x:\nint a;\n% else:\nint b;\n% endif\nint c;", "Mako", "int a;\nint c;"),
        ("% if x:\n% if y:\nint a;\n% else:\nint b;\n% endif\n% else:\nint c;\n% endif", "Mako", "int a;"),
        ("{% if x %}int a;{% elif y %}int b;{% else %}int c;{% endif %}", "Jinja", "int a;"),
        ("int a = {{ n }}; {{ T }} b;", "Jinja", "int a = $__n___; $__T___ b;"),
        ("int a[{{ N }}];", "Jinja", "int a[$__N___];"),
        ("int f(int n) {\n    return {{f}};\n}", "Jinja", "int f(int n) {\nreturn $_f__;\n}"),
        ("{{head}}\nint a;", "Jinja", "$_head__\nint a;"),
        ("/* a */\n{{head}}\n// b\n{{more}}\nint a;", "Jinja", "/* a */\n$_head__\n// b\n$_more__\nint a;"),
        ("int a;\n{{more}}\nint b;", "Jinja", "int a;\n$_more__\nint b;"),
        ("#define N {{N}}\nint a;", "Jinja", "#define N $_N__\nint a;"),
        ("# define TYPE\t{{ type }}\nint a;", "Jinja", "# define TYPE\t$__type___\nint a;"),
        ("int a = b * {{n}};", "Jinja", "int a = b * $_n__;"),
        ("int a = {{n}} / 2;", "Jinja", "int a = $_n__ / 2;"),
        ("int a = n > 1 ? {{x}} : 0;", "Jinja", "int a = n > 1 ? $_x__ : 0;"),
        ("{% for i in x %}{# why #}f({{ i }});{% endfor %}", "Jinja", "f($__i___);"),
        ("{% macro f(x) %}int {{x}};{% endmacro %}int y;", "Jinja", "int y;"),
        ("## for Arg in Args\nglobal {{Arg.Type}} x,\n## endfor", "Inja", "global $_Arg_Type__ x,"),
        ("### macro f(x)\n### call g(x)\nint a;\n### endcall\n### endmacro\nint b;", "Jinja", "int b;"),
        ("### call f(x)\nx = 1;\n### endcall\nint b;", "Jinja", "int b;"),
        ("### from 'a.cl' import f\n### if x\nint a;\n### else\nint b;\n### endif", "Jinja", "int a;"),
        ("#define N %d\nint a[N];", "`%s`", "#define N $d\nint a[N];"),
        ("#define N % d\n% s\nint a[N];", "`%s`", "#define N $_d\n$_s\nint a[N];"),
        ("#define N %d\nint a = 5 %% N;", "`%s`", "#define N $d\nint a = 5 %  N;"),
        ("global %s *p;", "`%s`", "global $s *p;"),
        ("%s\nint a;", "`%s`", "$s\nint a;"),
        ("// a\n%s\n  %d;\nint a;\n%s\nint b;", "`%s`", "// a\n$s\n$d;\nint a;\n$s\nint b;"),
        ("int a = <%= n %>;\n<% if x %>int b;<% end %>", "ERB", "int a = $___n___;\nint b;"),
        ("global %TYPE *p = (%TYPE%V) q;", "`%NAME`", "global $TYPE *p = ($TYPE$V) q;"),
        ("<?=T?> <?=name?>_f(<?=T?> x);", "`<?…?>`", "$__T__ $__name___f($__T__ x);"),
        ("<? if x then ?>int a;<? elseif y then ?>int b;<? else ?>int c;<? end ?>", "`<?…?>`", "int a;"),
        ("<?\nfor i=1,3 do -- don't\n?>int a<?=i?>;\n<? end ?>", "`<?…?>`", "int a$__i__;"),
        ("<? local function f(x) ?>int a;<?\nend\nf(1)\n?>int b;", "`<?…?>`", "int b;"),
        ("#define A <?=f{ \\\nx }?>\\\n<? if y --\\\nthen ?>b", "`<?…?>`", "#define A $__f__\\\n\\\n\\\nb"),
        ("<? if false then -- <?=x?> later ?>int a;<? else ?>int b;<? end ?>int c;", "`<?…?>`", "int c;"),
        ("{% if false %}int a;{% endif %}int c;", "Jinja", "int c;"),
        ("% if False:\nint a;\n% else:\nint b;\n% endif\nint c;", "Mako", "int c;"),
        ("int a = <?=x or\n  'y'?>;", "`<?…?>`", "int a = $__x_or\n;"),
        ("%(type)s4 a = (%(type)s4)(0);", "`%s`", "$_type_s4 a = ($_type_s4)(0);"),
        ("int a[@SIZE@];", "`@…@`", "int a[$SIZE_];"),
        ("#define N #{n}\n", "`#{…}`", "#define N $_n_"),
        ("#define N #N#\n#OPTION#\nint a[N];", "`#NAME#`", "#define N $N_\n$OPTION_\nint a[N];"),
        ("#FILE:a/b.cl:FILE#\nint a;", "`#NAME#`", "$FILE_a_b_cl_FILE_\nint a;"),
        ("{T} {T}_sum({T} a, global {T}* b);", "`{NAME}`", "$T_ $T__sum($T_ a, global $T_* b);"),
        (
            "struct s_{t}_{n} {{ {t} a[{n}][{}]; }};\nvoid f() {{ if (x) {{ g_{t}_h(); }}}}",
            "`{name}`",
            "struct s_$t__$n_ {  $t_ a[$n_][$_]; } ;\nvoid f() {  if (x) {  g_$t__h(); } }",
        ),
        (
            "void s_{t}_{n}() { s_{t}_f(); int a[] = {n}; }",
            "`{NAME}`",
            "void s_$t__$n_() { s_$t__f(); int a[] = {n}; }",
        ),
        (
            ".EXT.\nkernel void k(.SPACE. .TYPE..N. *p, .S. int *q) { }",
            "`.NAME.`",
            "$EXT_\nkernel void k($SPACE_ $TYPE_$N_ *p, $S_ int *q) { }",
        ),
        (
            "typedef .TYPE..N. T;\nfloat a = s.A.x * .5f;",
            "`.NAME.`",
            "typedef $TYPE_$N_ T;\nfloat a = s.A.x * .5f;",
        ),
        ("#define N <n>\nint a[N];", "`<name>`", "#define N $n_\nint a[N];"),
        ("#define EPS <re:EPS>\nint a = EPS;", "`<name>`", "#define EPS $re_EPS_\nint a = EPS;"),
        ("#include <a>\nint a[F(<n>, 4)];", "`<name>`", "#include <a>\nint a[F($n_, 4)];"),
        ("global <T> *p;\nint a = b <c> d;", "`<name>`", "global $T_ *p;\nint a = b $c_ d;"),
        (
            "kernel void f_{n}(global {T} *p) {{\n  p[0] = ({T})1;\n}}",
            "`{name}`",
            "kernel void f_$n_(global $T_ *p) {\np[0] = ($T_)1;\n}",
        ),
        (
            "float{0} f(float{0} a)\n{{\n  if (a) {{ a /= {1:.3f}; }}\n  float b[2] = {{ 1, 2 }};\n}}\n",
            "`{name}`",
            "float$0_ f(float$0_ a)\n{\nif (a) {  a /= $1__3f_; }\nfloat b[2] = {  1, 2 } ;\n}",
        ),
        ("---HEAD---\nint f() {\n  ---CODE---\n}\n", "`---NAME---`", "int f() {\n}"),
        ("int a;\r\n---MORE--- \r\nint b;", "`---NAME---`", "int a;\nint b;"),
    ],
)
def test_constructs(source: str, kind: str, expected: str) -> None:
    template = template_of(source.encode())
    assert template is not None and kind in template.kind
    assert read(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "#define N {{M}}\nint a[1][1] = N;",
        "int a[1][1] = {{n}};",
        "int a[1][1] = {{n}}; // one",
        "int a[1][1] = {{n}} /* one */;",
        "int a[1][1] = /* one */ {{n}};",
        "int a[1][1] = /* one */\n  {{n}}\n;",
        "int a[2][1][1] = { // one\n{{n}}\n, {{n}} };",
        "int a[2][1][1] = {{{n}}, {{m}}};",
        "p = (T){{n}};",
        "do {{ g(); }} while (x);",
        "int a = b % d;",
        "int a = b---C---d;\nint e = b\n---C---d;",
        "/*\n---NOTE---\n*/\n// ---A---\nint a;",
        "#define TEXT(A, B) #A#B #A # B",
        "#define TEXT(A) #A",
        "#define NAME(A, B) A##B##A",
        "#include <a>\nint a = b <c> d + f(b)<c>(d);",
        "int a = b ? c <d:e> f;",
        "#if __has_include(<a>)\n#endif",
        "f<<<n>>>(x); g(vector<int>(n));",
        '// #A# <n>\nchar *a = "#A# <n>";',
        "int a = b %d;",
        "int a = (b) %s;",
        "int a = b %SIZE, c = (b)%SIZE, d = e[0] %\nSIZE;",
        "int a = b[1] %d + c %f;",
        "int a = b\n    %d;",
        "int a = b % d;\nint c = b[1] % d + f(c) % i;",
        "int a = b\n    % d;",
        "int a = b\n  % elif;",
        "int a[2][2] = {{1, 2}, {3, 4}};",
        "enum e {A}__attribute__((packed)); int a[1] = {A}; void f() { if (x) {CHECK}else {CHECK} }",
        "struct S s = {{ x }};",
        "struct S s = {{ x }, { y }};",
        "void f() {{ g(); }}",
        "int a[1] = {n};\nvoid f() {{\n g();\n }}",
        "struct s *f(global float *p) {{\n  p[0] = 1; }}\nvoid g() {{ T a = (T){n}; }}",
        "void f({T} *p) {{\n g();\n }}\nvoid g() { }",
        "void f() {{ int a; { int b; } }}",
        'kernel void k() { printf("%d %s ${x} {% if x %}\\n", 1, "a"); }',
        'printf("** %d of \\\n  work<%d,1,1> %s", a, b, c);',
        '// <?=x?>\nchar *a = "<? x ?>"; /* <? */',
        "// ${x} {% if x %} @N@\nint a; /* %(x)s\n% if x:\n*/",
        "#define S(x) #x\n#define P(a, b) a ## b\n",
        "#define L(x) { #x, x }\n",
        "#define F(a) \\\n    ## a\n",
        "if (a) <% b(); %>",
        "struct S s = {.A.B = 1, .C = a.D.E, .F[0].G = 2, .H\n.I = b .J.K};",
        "float x = 1.E. + v.XYZ.x + f().A.b + a[0].B.c;",
        "a.B.\nc = 1;",
        "x = a .B. c + a\n.B. c;",
        "kernel void k(global int *$x) { $x[0] = 1; }",
        '__attribute__((annotate("a@b"))) int a;',
        "int e = a % (b) * c;",
        "for (i = 0; i %(n) < 3; i++) {}",
        "",
    ],
)
def test_ordinary_programs_are_none(source: str) -> None:
    assert template_of(source.encode()) is None


def test_a_template_is_reported_once_at_its_first_construct() -> None:
    found = messages("int a;\nglobal ${T} *p;\n% if x:\nint c;\n% endif\n")
    assert found == [
        "2: hint[template] this is a Mako template: diagnostics that depend on inserted values are not reported"
    ]


def test_directives_within_a_template_are_obeyed() -> None:
    assert expansion("#define G global\nG ${T} *p;\n#if 0\nint x;\n#endif\n") == "global $_T_ *p;"


@pytest.mark.parametrize(
    "piece", ["${", "{%", "{{", "<%", "<%def ", "%(", "@a", "#{", "{#", "% if", "%s", "${'", "<%!\n"]
)
def test_what_is_opened_again_and_again_takes_no_more_than_its_length(piece: str) -> None:
    source = "global ${T} *p;\n{% if x %}\n" + piece * 20_000
    assert template_of(source.encode()) is not None


def test_edits_read_the_code_as_a_fresh_look_does() -> None:
    pieces = [
        b"int a =",
        b"\n",
        b"\n",
        b"{{x}}",
        b";",
        b"%s",
        b"}",
        b"// c",
        b" ",
        b"return ",
        b"x ",
        b"{",
        b"f() {{",
        b"}}",
        b" {T} ",
        b"/*",
        b"*/",
    ]
    random = Random(1)
    for _ in range(20_000):
        before = b"".join(random.choice(pieces) for _ in range(random.randrange(2, 12)))
        start = random.randrange(len(before) + 1)
        edit = Edit(
            start, min(len(before), start + random.randrange(4)), random.choice(pieces) * random.randrange(2)
        )
        after = before[: edit.start] + edit.new + before[edit.old_end :]
        old = Text.of(before)
        code, fresh = code_after(code_of(old), old, edit, Text.of(after)), code_of(Text.of(after))
        assert (code.text.data, code.plain) == (fresh.text.data, fresh.plain), (before, after)


@pytest.mark.parametrize(
    "source",
    ["#define N {0}\n#define N 3\n", "#define N 3\n#define N {0}\n", "#define N {0}\n#define N 2*{0}\n"],
)
@pytest.mark.parametrize("value", ["%d", "${n}", "@N@", "{{N}}", "{{ n }}"])
def test_a_macro_whose_value_is_filled_in_may_keep_its_value(source: str, value: str) -> None:
    found = messages(source.replace("{0}", value))
    assert [each for each in found if "[macro-redefined]" in each] == []
