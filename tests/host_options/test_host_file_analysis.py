"""Build options in host code, in the ways in which hosts assemble them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Found = Callable[..., tuple[list[str], list[str]]]
"""The options of a kernel that are certain, and those that are not, by the host's name and text."""

C = """
int build(void) {{
    const char *source = read_file("k.cl");
    {0}
    return clBuildProgram(program, 1, &device, options, NULL, NULL);
}}
"""
CPP = """
#include <CL/cl.hpp>
void build(cl::Context context) {{
    cl::Program program(context, read_file("k.cl"));
    {0}
}}
"""
PYTHON = """
import pyopencl as cl
def build(ctx, n, fp64):
    source = open("k.cl").read()
    {0}
"""


@pytest.mark.parametrize(
    ("text", "certain"),
    [
        ('const char *options = "-cl-std=CL2.0 -DN=16 -I.";', ["-cl-std=CL2.0", "-DN=16", "-I."]),
        ('const char options[] = "-D N=16 " "-D M";', ["-DN=16", "-DM"]),
        ('char options[99]; sprintf(options, "-DN=%d -DT=%s", n, "float");', ["-DN=…", "-DT=float"]),
        ('char options[99]; snprintf(options, sizeof options, "-DN=%zu", n);', ["-DN=…"]),
        (
            'char options[99]; strcpy_s(options, 99, "-DA"); strcat_s(options, 99, " -DB=2");',
            ["-DA", "-DB=2"],
        ),
        ('char options[99]; _snprintf_s(options, 99, 98, "-DN=%d", 4);', ["-DN=4"]),
        ('char options[99]; MY_SNPRINTF(options, sizeof options, "-DN=%d", 4);', ["-DN=4"]),
        ('char options[99]; my_sprintf(options, "-DN=%d", 4);', ["-DN=4"]),
        ('char options[99] = "-DA"; print(options, "-DN=%d", 4);', ["-DA"]),
        ('char options[99]; strcpy(options, "-DA"); strcat(options, " -DB=2");', ["-DA", "-DB=2"]),
        (
            'char options[99]; int n = sprintf(options, "-DA"); sprintf(options + n, " -DB=%d", 3);',
            ["-DA", "-DB=3"],
        ),
        ('char *options; asprintf(&options, "-DA=%s", name);', ["-DA=…"]),
        ('const char *options = "-DA=\\"b c\\"";', ["-DA=b c"]),
        ('const char *options = R"(-DA -DB)";', ["-DA", "-DB"]),
        ('const char *options = "-DA \\\n -DB";', ["-DA", "-DB"]),
        ("const char *options = NULL;", []),
        ('const char *options = wide ? "-DT=float4" : "-DT=float";', ["-DT=…"]),
        ('const char *options = wide ? "-DT=int -DW" : "-DT=int";', ["-DT=int"]),
        ('const char *options; if (a) options = "-DT=a -DX"; else options = "-DT=a";', ["-DT=a"]),
        ('const char *options = "-DA"; /* options = "-DB"; */ // "-DC"', ["-DA"]),
        ('const char *options = "-DA";\n#if 0\noptions = "-DB";\n#endif', ["-DA"]),
        ('const char *options = "-DA"; switch (n) { case 1: options = "-DA -DB"; }', ["-DA"]),
    ],
)
def test_c(found: Found, text: str, certain: list[str]) -> None:
    assert found("host.c", C.format(text))[0] == certain


@pytest.mark.parametrize(
    ("text", "certain"),
    [
        (
            'std::string o = "-DA"; o += " -DB=" + std::to_string(4); program.build(o.c_str());',
            ["-DA", "-DB=4"],
        ),
        ('std::string o("-DA"); program.build({device}, o.c_str());', ["-DA"]),
        ('std::string o{"-DA"}; o.append(" -DB"); program.build(devices, o.c_str());', ["-DA", "-DB"]),
        (
            'std::stringstream s; s << "-DN=" << n << " -DM=" << 3; program.build(s.str().c_str());',
            ["-DN=…", "-DM=3"],
        ),
        (
            'std::ostringstream s("-DA"); s << " -cl-std=CL" << 2.0; program.build(s.str());',
            ["-DA", "-cl-std=CL2.0"],
        ),
        ('auto o = std::format("-DN={} -DT={}", 8, "int"); program.build(o.c_str());', ["-DN=8", "-DT=int"]),
        ('std::vector<std::string> o = {"-DA", "-DB"}; program.build(join(o, " ").c_str());', ["-DA", "-DB"]),
        (
            'std::vector<std::string> o; o.push_back("-DA"); o.emplace_back("-DB"); build_kernel("k.cl", o);',
            ["-DA", "-DB"],
        ),
        ('program.build("-DA");', ["-DA"]),
        ('program.build({device}, "-DA=1");', ["-DA=1"]),
        ('program = compute::program::build_with_source(source, context, "-DA");', ["-DA"]),
        ('cv::ocl::Kernel k("k", src, "-D T=" + type);', ["-DT=…"]),
        ('auto o = [&](int n) { program.build("-DA"); };', ["-DA"]),
        ('for (auto &d : devices) { program.build({d}, "-DA"); }', ["-DA"]),
        ('try { program.build(devices, "-DA"); } catch (cl::Error &e) { log("-DB"); }', ["-DA"]),
    ],
)
def test_cpp(found: Found, text: str, certain: list[str]) -> None:
    assert found("host.cpp", CPP.format(text))[0] == certain


@pytest.mark.parametrize(
    ("text", "certain"),
    [
        ('cl.Program(ctx, source).build(options="-DA -DB=2")', ["-DA", "-DB=2"]),
        ('cl.Program(ctx, source).build(options=["-DA", "-I", "inc"])', ["-DA", "-Iinc"]),
        ('cl.Program(ctx, source).build("-DN=%d" % n)', ["-DN=…"]),
        ('cl.Program(ctx, source).build("-DN=%d -DT=%s" % (8, "int"))', ["-DN=8", "-DT=int"]),
        ('cl.Program(ctx, source).build("-DN={} -DM={m}".format(n, m=3))', ["-DN=…", "-DM=3"]),
        ('o = f"-DN={n} -DM={4}"\n    cl.Program(ctx, source).build(options=o)', ["-DN=…", "-DM=4"]),
        (
            'o = ["-DA"]\n    o.append("-DB")\n    o += ["-DC"]\n    cl.Program(ctx, source).build(" ".join(o))',
            ["-DA", "-DB", "-DC"],
        ),
        ('o = "-DA"\n    if fp64:\n        o += " -DF"\n    cl.Program(ctx, source).build(o)', ["-DA"]),
        ('o = "-DT=a" if fp64 else "-DT=b"\n    cl.Program(ctx, source).build(o)', ["-DT=…"]),
        ('cl.Program(ctx, source).build(options="-I" + os.path.join("src", "cl"))', ["-Isrc/cl"]),
        ('cl.Program(ctx, source).build(options=("-DA "\n        "-DB"))', ["-DA", "-DB"]),
        ("cl.Program(ctx, source).build()", []),
        ('cl.Program(ctx, source).build(["-include", "inc/n.h"])', ["-include inc/n.h"]),
        ('cl.Program(ctx, source).build(["-imacros", "inc/n.h"])', ["-imacros inc/n.h"]),
        ('cl.Program(ctx, source).build("-include inc/n.h")', ["-include inc/n.h"]),
        ('cl.Program(ctx, source).build(["-isystem", "inc"])', ["-isystem inc"]),
        ('cl.Program(ctx, source).build(["-I", "inc"])', ["-Iinc"]),
        ('cl.Program(ctx, source).build(["-D", "N=3"])', ["-DN=3"]),
        ('cl.Program(ctx, source).build(["-D", f"N={n}"])', ["-DN=…"]),
        ('cl.Program(ctx, source).build(["-w", "-U", "N"])', ["-w", "-UN"]),
        ('a, b = 12, 7\n    cl.Program(ctx, source).build(f"-DA={a} -DB={b}")', ["-DA=12", "-DB=7"]),
        ('o, e = make_options()\n    cl.Program(ctx, source).build(["-DA", o])', ["-DA"]),
    ],
)
def test_python(found: Found, text: str, certain: list[str]) -> None:
    assert found("host.py", PYTHON.format(text))[0] == certain


STRINGIZED = """
#define STR_(x) #x
#define STR(x) STR_(x)
#define TILE 8
#define PASTE(a, b) a##b
#ifdef WIDE
#define LANES 8
#else
#define LANES 4
#endif
"""


@pytest.mark.parametrize(
    ("options", "certain"),
    [
        ('"-DN=" STR(COUNT)', ["-DN=…"]),
        ('"-DN=" STR(COUNT) " -DM=2"', ["-DN=…", "-DM=2"]),
        ('"-DN=" STR(COUNT * 2)', ["-DN=…"]),
        ('"-DN=(" STR(COUNT) ")"', ["-DN=(…)"]),
        ('"-DN=" STR(TILE)', ["-DN=8"]),
        ('"-DN=" STR(TILE * 2)', ["-DN=8*2"]),
        ('"-DT=" STR(float)', ["-DT=float"]),
        ('"-DT=" STR_(real)', ["-DT=real"]),
        ('"-DN=" STR(LANES)', ["-DN=…"]),
        ('"-DN=" PASTE(1, 6)', ["-DN=16"]),
        ('"-DN=" STR(PASTE(PRE, FIX))', ["-DN=…"]),
        ('"-DN=" OTHER(4) " -DM"', ["-DN=…", "-DM"]),
        ('"-DN=" OTHER " -DM"', ["-DN=…", "-DM"]),
        ('"-D" STR(NAME) "=4 -DM"', ["-D…=4", "-DM"]),
        ('"-I" STR(FOLDER) " -DM"', ["-I…", "-DM"]),
        ('"-cl-std=CL" STR(MAJOR) ".0 -DM"', ["-cl-std=CL….0", "-DM"]),
    ],
)
def test_what_macros_make(found: Found, options: str, certain: list[str]) -> None:
    text = STRINGIZED + C.format(f"const char *options = {options};")
    assert found("host.c", text)[0] == certain


@pytest.mark.parametrize(
    ("printed", "certain"),
    [
        ('"-DN=%" PRIu64 " -DM=%d -DO=%d", n, 3, 4', ["-DN=…", "-DM=3", "-DO=4"]),
        ('"-DN=%8" PRIx32, n', ["-DN=…"]),
        ('"-DN=%" "d -DM=%d", 3, 4', ["-DN=3", "-DM=4"]),
        ('"-DN=%d " OTHER " -DM=%d", 3, 4', ["-DN=3", "-DM=…"]),
        ('"-DN=%d", TILE + 1', ["-DN=…"]),
        ('"-DN=%d", TILE * 2', ["-DN=…"]),
        ('"-DN=%d", wide ? 1 : 2', ["-DN=…"]),
        ('"-cl-std=CL%d.%d -DN=%d", a, b, 4', ["-cl-std=CL….…", "-DN=4"]),
    ],
)
def test_what_is_printed(found: Found, printed: str, certain: list[str]) -> None:
    text = STRINGIZED + C.format(f"char options[99]; sprintf(options, {printed});")
    assert found("host.c", text)[0] == certain


@pytest.mark.parametrize(
    ("options", "certain"),
    [
        (
            '(boost::format("-DN=%1% -DT=%2% -DM=%3%") % n % (type + "2") % 4).str()',
            ["-DN=…", "-DT=…", "-DM=…"],
        ),
        ('boost::str(boost::format("-DN=%|1$d| -DT=%2$s -DM") % n % type)', ["-DN=…", "-DT=…", "-DM"]),
        ('str(format("-DN=100%% -DT=%1%", type))', ["-DN=100%", "-DT=…"]),
        ('QString("-DN=%1 -DT=%L2 -DM").arg(n).arg(type)', ["-DN=…", "-DT=…", "-DM"]),
        ('QString("-DN=%1 -DM").arg(8).toStdString()', ["-DN=…", "-DM"]),
    ],
)
def test_placeholders_with_numbers(found: Found, options: str, certain: list[str]) -> None:
    assert found("host.cpp", CPP.format(f"program.build({options});"))[0] == certain


def test_conversions_with_positions(found: Found) -> None:
    host = """
    class Host {
        void build() {
            String source = read("k.cl");
            clBuildProgram(program, 0, null, String.format("-DN=%2$d -DT=%1$s -DM=%1$s", "int", 8), null, null);
        }
    }
    """
    assert found("Host.java", host)[0] == ["-DN=8", "-DT=int", "-DM=int"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("host.cpp", CPP.format('program.build("-DT=" + of<float>() + " -DN=" + n * 2 + " -DM");')),
        ("host.py", PYTHON.format('cl.Program(ctx, source).build(f"-DT={of(n)} -DN={n * 2} -DM")')),
        ("Host.java", ('class H { void build() { s = read("k.cl"); '
         'clBuildProgram(p, 0, null, "-DT=" + of() + " -DN=" + n * 2 + " -DM", null, null); } }')),
    ],
)  # fmt: skip
def test_arithmetic_in_a_part_of_the_text(found: Found, name: str, text: str) -> None:
    assert found(name, text)[0] == ["-DT=…", "-DN=…", "-DM"]


def test_a_binding_that_omits_the_number_of_devices(found: Found) -> None:
    # LWJGL
    host = """
    class Host {
        void build() {
            String source = read("k.cl");
            if (CL30.clBuildProgram(program, device, "-cl-std=CL2.0 -DN=4", null, NULL) != CL30.CL_SUCCESS) { }
        }
    }
    """
    assert found("Host.java", host)[0] == ["-cl-std=CL2.0", "-DN=4"]


def test_java(found: Found) -> None:
    host = """
    import static org.jocl.CL.*;
    class Host {
        static final int TILE = 8;
        void build() {
            String source = read("k.cl");
            StringBuilder o = new StringBuilder();
            o.append("-DA").append(" -DTILE=" + TILE);
            clBuildProgram(program, 0, null, String.format("-cl-std=CL2.0 -DN=%d", n), null, null);
        }
    }
    """
    assert found("Host.java", host)[0] == ["-cl-std=CL2.0", "-DN=…"]


def test_c_sharp(found: Found) -> None:
    host = """
    class Host
    {
        private const string Kernel = @"kernels\\k.cl";
        public Program Build(IEnumerable<string> sources)
        {
            string source = File.ReadAllText("k.cl");
            Result result = NativeApi.BuildProgram(program, 0, null, "-cl-std=CL2.0 -DN=4", IntPtr.Zero, IntPtr.Zero);
        }
    }
    """
    assert found("Host.cs", host)[0] == ["-cl-std=CL2.0", "-DN=4"]


@pytest.mark.parametrize(
    ("options", "certain"),
    [
        ('$"-cl-std=CL{v} -DN={n}"', ["-cl-std=CL…", "-DN=…"]),
        ('$"-DN={n} -DM={Tile}"', ["-DN=…", "-DM=8"]),
        ('$"-DN={n:D4} -DM={n,5} -DT={type ?? Tile} -DU"', ["-DN=…", "-DM=…", "-DT=…", "-DU"]),
        ('$"-DN={map["a b"]} -DM={f(new[] {1})} -DU"', ["-DN=…", "-DM=…", "-DU"]),
        ('$"-DN={{{n}}} -DM={{2}}"', ["-DN={…}", "-DM={2}"]),
        ('$@"-DN={n} -DP={n}/a"', ["-DN=…", "-DP=…/a"]),
        ('@$"-DN={n} -DM=2"', ["-DN=…", "-DM=2"]),
        ('$"""-DN={n} -DM=2"""', ["-DN=…", "-DM=2"]),
        ('@"-DN={2}"', ["-DN={2}"]),
        ('@"-D" + $"N={n}"', ["-DN=…"]),
        ('string.Format("-cl-std=CL{0} -DN={1} -DM={0}", v, 4)', ["-cl-std=CL…", "-DN=4", "-DM=…"]),
        (
            'String.Format("-DN={1:X} -DM={0,4} -DT={1} -DB={{1}}", v, 4)',
            ["-DN=…", "-DM=…", "-DT=4", "-DB={1}"],
        ),
        ('string.Format(CultureInfo.InvariantCulture, "-DN={0} -DM", n)', ["-DN=…", "-DM"]),
    ],
)
def test_templates_of_c_sharp(found: Found, options: str, certain: list[str]) -> None:
    host = (
        'class Host { const int Tile = 8; void Build(string v, int n) { string s = File.ReadAllText("k.cl"); '
        f"Cl.BuildProgram(program, 0, null, {options}, IntPtr.Zero, IntPtr.Zero); }} }}"
    )
    assert found("Host.cs", host)[0] == certain


@pytest.mark.parametrize(
    ("name", "options", "certain"),
    [
        ("Host.kt", '"-cl-std=CL$v -DN=${n} -DM=${f("a b")} -DU"', ["-cl-std=CL…", "-DN=…", "-DM=…", "-DU"]),
        ("Host.kt", '"-DN=\\$n -DM={2}"', ["-DN=$n", "-DM={2}"]),
        ("Host.kt", '"""-DN=$n -DM=2"""', ["-DN=…", "-DM=2"]),
        ("Host.scala", 's"-DN=$n -DM=${n + 1} -DU={2}"', ["-DN=…", "-DM=…", "-DU={2}"]),
        ("Host.scala", 'f"-DN=$n%04d -DM=2"', ["-DN=…", "-DM=2"]),
        ("Host.scala", '"-DN=$n"', ["-DN=$n"]),
        ("Host.java", '"-DN=$n -DM={2}"', ["-DN=$n", "-DM={2}"]),
        ("Host.java", 'String.format(Locale.ROOT, "-DN=%d -DM", n)', ["-DN=…", "-DM"]),
    ],
)
def test_templates_with_dollars(found: Found, name: str, options: str, certain: list[str]) -> None:
    host = f'class Host {{ fun build() {{ s = read("k.cl"); clBuildProgram(p, 0, null, {options}, null, null); }} }}'
    assert found(name, host)[0] == certain


def test_a_string_of_objective_c_is_not_verbatim(found: Found) -> None:
    host = C.format('const char *options = @"-DA=\\"b\\" -DB";')
    assert found("host.m", host)[0] == ["-DA=b", "-DB"]


def test_a_format_changes_the_value(found: Found) -> None:
    text = 'cl.Program(ctx, source).build("-DN={:04d} -DM={0!r} -DU={:}".format(8, 4))'
    assert found("host.py", PYTHON.format(text))[0] == ["-DN=…", "-DM=…", "-DU=4"]


def test_rust(found: Found) -> None:
    host = """
    fn build(n: usize) -> ocl::Result<()> {
        let src = fs::read_to_string("k.cl")?;
        let program = Program::builder().devices(device).src(src).cmplr_opt(format!("-DN={} -DM=2", n)).build(&ctx)?;
        Ok(())
    }
    """
    assert found("host.rs", host)[0] == ["-DN=…", "-DM=2"]


def test_go(found: Found) -> None:
    host = """
    func build(n int) error {
        source := read("k.cl")
        options := fmt.Sprintf("-DN=%d -DT=%s", n, "int")
        return program.BuildProgram(nil, options)
    }
    """
    assert found("host.go", host)[0] == ["-DN=…", "-DT=int"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("host.go", 'flags := []string{"-cl-std=CL2.0", "-DN=1"}; p.BuildProgram(nil, strings.Join(flags, " "))'),
        ("host.go", 'flags, name := "-cl-std=CL2.0 -DN=1", "n"; p.BuildProgram(nil, flags)'),
        ("host.cs", 'var o = new[] { "-cl-std=CL2.0", "-DN=1" }; p.Build(null, string.Join(" ", o), null, 0);'),
        ("host.java", 'clBuildProgram(p, 0, null, String.join(" ", new String[]{ "-cl-std=CL2.0", "-DN=1" }), null, null);'),
        ("host.c", 'const char *a = "-cl-std=CL2.0 -DN=1", *b = "-DM"; clBuildProgram(p, 0, 0, a, 0, 0);'),
        ("host.c", 'const char *b = "-DM", *a = "-cl-std=CL2.0 -DN=1"; clBuildProgram(p, 0, 0, a, 0, 0);'),
    ],
)  # fmt: skip
def test_lists_and_several_variables(found: Found, name: str, text: str) -> None:
    head = (
        "func build() {"
        if name == "host.go"
        else "class H { void build() {"
        if name != "host.c"
        else "void build() {"
    )
    host = f'{head} read("k.cl"); {text} }}{"}" * (head.count("{") - 1)}\n'
    assert found(name, f'#include "CL/cl.h"\n{host}' if name == "host.c" else host)[0] == [
        "-cl-std=CL2.0",
        "-DN=1",
    ]


def test_a_macro_or_a_constant_of_the_host_is_its_value(found: Found) -> None:
    host = """
    #define TILE 16
    static const int WIDTH = 8;
    #define COMMON "-DC -DTILE="
    void build() { source = load("k.cl"); std::string o = COMMON + std::to_string(TILE);
        o += " -DW=" + std::to_string(WIDTH); program.build(devices, o.c_str()); }
    """
    assert found("host.cpp", "#include <CL/cl.hpp>" + host)[0] == ["-DC", "-DTILE=16", "-DW=8"]


def test_a_variable_that_changes_is_not_its_first_value(found: Found) -> None:
    host = """
    int tile = 16;
    void parse(int argc, char **argv) { tile = atoi(argv[1]); }
    void build() { source = load("k.cl"); char o[99]; int n = 4; for (n = 1; n < 9; n *= 2) {
        sprintf(o, "-DTILE=%d -DN=%d", tile, n); clBuildProgram(p, 0, 0, o, 0, 0); } }
    """
    assert found("host.c", host)[0] == ["-DTILE=…", "-DN=…"]


@pytest.mark.parametrize(
    "change",
    ["parse(&n);", 'args.add("-n", &n);', 'args.addSwitch("size", n);', "std::cin >> n;", "n++;", "--n;"],
)
def test_a_number_that_something_may_have_changed_is_unknown(found: Found, change: str) -> None:
    host = "int n = 3; " + change + ' std::string o = "-DN=" + std::to_string(n); program.build(o.c_str());'
    assert found("host.cpp", CPP.format(host))[0] == ["-DN=…"]


def test_what_the_host_gives_under_a_condition_is_open(found: Found) -> None:
    host = C.format('char options[99] = "-DA"; if (fp64) strcat(options, " -DF");')
    assert found("host.c", host) == (["-DA"], ["-DF"])
    host = C.format('char options[99] = "-DA";\n#ifdef DEBUG\nstrcat(options, " -DF");\n#endif')
    assert found("host.c", host) == (["-DA"], ["-DF"])


def test_conditions_of_other_ways_to_run_kernels_are_settled(found: Found) -> None:
    host = C.format(
        'char options[99] = ""; if (is_cuda) strcat(options, "-DC"); else strcat(options, "-DO");'
    )
    assert found("host.c", host) == (["-DO"], [])


def test_a_function_that_gives_the_options(found: Found) -> None:
    host = """
    static std::string options(int n) { std::string o = "-DN=" + std::to_string(n); o += " -DA"; return o; }
    """
    assert found("host.cpp", host + CPP.format("program.build(options(3).c_str());"))[0] == ["-DN=3", "-DA"]


def test_a_function_that_gets_the_options(found: Found) -> None:
    host = """
    static cl_program compile(const char *file, const char *extra) {
        char o[99]; sprintf(o, "-DBASE %s", extra);
        clBuildProgram(program_of(file), 0, NULL, o, NULL, NULL);
    }
    int main() { compile("k.cl", "-DN=3"); compile("other.cl", "-DN=4"); }
    """
    assert found("host.c", host)[0] == ["-DBASE", "-DN=3"]


def test_a_member_that_holds_the_options(found: Found) -> None:
    host = """
    struct Engine {
        std::string options_;
        Engine() { options_ = "-DA"; }
        void build() { program.build(devices, (options_ + " -DB").c_str()); source = "k.cl"; }
    };
    """
    assert found("host.cpp", "#include <CL/cl.hpp>" + host)[0] == ["-DA", "-DB"]


@pytest.mark.parametrize(
    "before", ["CHECKED(x)", "BEGIN_FUNCTION", "not a statement of C. see below.", "Q_UNUSED(argc)"]
)
@pytest.mark.parametrize(
    "block", ["try {%s} catch (...) {}", "if (ready()) {%s}", "for (;;) {%s}", "do {%s} while (0);"]
)
def test_a_statement_without_a_semicolon_hides_nothing_behind_it(
    found: Found, before: str, block: str
) -> None:
    body = 'std::string o = "-DN=" + std::to_string(3); build(program.build(devices, o.c_str()), "k.cl");'
    host = (
        "#include <CL/cl.hpp>\nint main(int argc, char **argv) {\n"
        + before
        + "\n"
        + block % body
        + "\nreturn 0;}"
    )
    certain, open_ = found("host.cpp", host)
    assert "-DN=3" in (*certain, *open_)


def test_options_of_other_programs_are_not_taken(found: Found) -> None:
    host = """
    void run() { system("prog -DX k.cl"); printf("usage: -D NAME k.cl"); execl("cc", "-DY", "main.c"); }
    """
    assert found("host.c", host) == ([], [])
    assert found("host.py", "subprocess.run(['gcc', '-DX', 'main.c']); open('k.cl')") == ([], [])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{{{{",
        "}}}}",
        '"',
        "'''",
        "#if\n#elif\n",
        'R"(',
        "clBuildProgram(",
        "f(\n" * 500,
        "a?b:" * 400,
        "(" * 5000,
        "\0\xff",
    ],
)
@pytest.mark.parametrize("name", ["host.c", "host.cpp", "host.py", "host.rs"])
def test_whatever_the_text_is_something_is_answered(found: Found, name: str, text: str) -> None:
    certain, open_ = found(name, text + '\nclBuildProgram(p, 0, 0, "-DA", 0, 0); // k.cl\n')
    assert set(certain) | set(open_) <= {"-DA"}
