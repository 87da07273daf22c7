"""File names, options and messages of an untrusted repository neither control the terminal nor end a run."""

from __future__ import annotations

import io
import os
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from openclsp.cli.terminal import write_lines

from .conftest import Ran

Run = Callable[..., Ran]
Write = Callable[[str, "str | bytes"], Path]

TITLE = "\x1b]0;title\x07\x1b[31m"
"""Writes the terminal's title and turns its text red."""
TURNED = "\u202e"
"""Turns the direction of writing."""
FORGED = "x\nopenclsp: No errors"
KERNEL = "kernel void k(global int *g) { local int *l = g; }\n"

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")


def assert_harmless(ran: Ran) -> None:
    for line in (ran.out + ran.err).split("\n"):
        assert [each for each in line if unicodedata.category(each) in ("Cc", "Cf", "Cs")] == [], line
        assert not line.startswith("openclsp: No errors")


@pytest.mark.parametrize(
    "name", [TITLE, TURNED, FORGED, "\udcff"], ids=["title", "direction", "line", "no UTF-8"]
)
@pytest.mark.parametrize(
    "command",
    [
        ("check", "."),
        ("check", "--show-options", "--kernels", "{}.cl"),
        ("check", "{}.cpp", "{}.txt", "{}-gone.cl"),
        ("check", "{}-link.cl"),
        ("hover", "{}.cl:1:34"),
        ("hover", "--std", "CL2.0", "{}.cl:2:6"),
        ("hover", "{}.cl:9:1"),
        ("hover", "{}.cl:1:900"),
        ("flow", "{}.cl:1:34"),
        ("flow", "--std", "CL2.0", "--format", "mermaid", "{}.cl:2:12"),
        ("flow", "--std", "CL2.0", "--format", "svg", "{}.cl:2:12"),
        ("check", "--std", "{}", "{}.cl"),
        ("check", "--variant", "{}", "{}.cl"),
        ("check", "-I", "{}", "-D", "{}", "{}.cl"),
        ("explain", "{}"),
        ("{}",),
    ],
)
def test_a_files_name(name: str, command: tuple[str, ...], openclsp: Run, folder: Path) -> None:
    for ending, text in (("cl", KERNEL + "int f(int *p) { return *p; }\n"), ("cpp", ""), ("txt", "")):
        (folder / f"{name}.{ending}").write_text(text)
    (folder / f"{name}-link.cl").symlink_to(f"/{name}")
    ran = openclsp(*(word.replace("{}", name) for word in command))
    assert ran.out + ran.err
    assert_harmless(ran)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "compile_flags.txt",
            f"-I/{TITLE}\n-DX={TITLE}\n-cl-std=CL{TITLE}\n-cl-ext=+{TITLE}\n-DA{TITLE}=1\n",
        ),
        ("openclsp.toml", '"key\\u001b[31m" = 1\nlanguage-version = "CL\\u001b[31m"\n'),
        ("openclsp.toml", '[variants."\\u001b[31m"]\ndefines = { A = "1" }\n[variants.plain]\n'),
        ("openclsp.toml", 'a = "\x1b[31m\n'),
        ("openclsp.toml", '[severity]\n"\\u001b[31mx" = "error"\nrecursion = "\\u001b[31m"\n'),
        (
            "compile_commands.json",
            '[{"directory": "/", "file": "k.cl", "command": "clang -I/\\u001b[31m -DA\\u001b[31m k.cl"}]',
        ),
        (".clangd", 'CompileFlags: {Add: ["-I/\\e[31m", "-DX=\\e[31m"]}\n'),
        ("CMakeLists.txt", f"add_custom_command(COMMAND clang -DA{TITLE} -I/{TITLE} k.cl)\n"),
        (
            f"{TITLE}/host.c",
            f'void f() {{ clBuildProgram(p, 0, 0, "-cl-std=CL2.0 -I/{TITLE} -DX={TITLE}", 0, 0); }}\n',
        ),
        ("own.h", f"#error {TITLE}\n#pragma {TITLE}\nlocal int *{TITLE} = 0;\n#line 3 {TITLE}\n"),
    ],
    ids=["flags", "keys", "variants", "syntax", "severity", "database", "clangd", "cmake", "host", "header"],
)
def test_a_files_text(name: str, text: str, openclsp: Run, write: Write) -> None:
    write(name, text)
    write(
        "k.cl", f'#include "own.h"\n#include "{TITLE}.h"\n#ifndef A\n{KERNEL}#endif\nint x = X; // {TITLE}\n'
    )
    for command in (("--all-variants", "--show-options", "--kernels"), ("--variant", "plain"), ("--fix",)):
        assert_harmless(openclsp("check", *command, "k.cl"))
    for place in ("4:34", "4:37", "6:9"):
        assert_harmless(openclsp("hover", f"k.cl:{place}"))


def test_colours_are_the_only_control_of_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(sys, "stdout", terminal := Terminal())
    write_lines(lambda width: [[(f"a{TITLE}b", "bold"), (TURNED, "")]])
    assert terminal.getvalue() == "\x1b[1ma\ufffd]0;title\ufffd\ufffd[31mb\x1b[0m\ufffd\n"
