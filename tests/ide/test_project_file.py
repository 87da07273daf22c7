"""Diagnostics, completion and hovers of `openclsp.toml` itself."""

from __future__ import annotations

import pytest
from openclsp.ide.project_file.project_file_completion import complete_project_file
from openclsp.ide.project_file.project_file_diagnostics import (
    PatternTargets,
    compute_project_file_diagnostics,
)
from openclsp.ide.project_file.project_file_hover import hover_project_file
from openclsp.source.text import Text

PATH = "/project/openclsp.toml"
FILES = ("/project/a.cl", "/project/generated/b.cl", "/project/host.cpp")


def diagnostics(text: str, *, ignored: tuple[str, ...] = ()) -> list[tuple[str, str, str]]:
    data = text.encode()
    targets = PatternTargets(FILES, lambda path: path in ignored)
    return [
        (each.severity.value, data[each.start : each.end].decode(), each.message)
        for each in compute_project_file_diagnostics(PATH, Text.of(data), targets)
    ]


@pytest.mark.parametrize(
    ("text", "severity", "marked", "message"),
    [
        ("exclud = []\n", "warning", "exclud", "unknown key 'exclud'; did you mean 'exclude'?"),
        (
            '[device]\nprofile = "ful"\n',
            "warning",
            '"ful"',
            "'device.profile' must be 'full' or 'embedded', but is 'ful'; did you mean 'full'?",
        ),
        (
            "host-options = 1\n",
            "warning",
            "1",
            "'host-options' must be true or false, but is a whole number",
        ),
        (
            '[severity]\nrecurson = "off"\n',
            "warning",
            "recurson",
            "there is no rule 'recurson'; did you mean 'recursion'?",
        ),
        (
            'file-endings = [".knl", "knl"]\n',
            "warning",
            '"knl"',
            "'file-endings': 'knl' is not a file name ending such as '.knl'",
        ),
        ('variant = "b"\n[variants.a]\n', "warning", '"b"', "there is no variant 'b': there are 'a'"),
        (
            'exclude = ["generated/", "old/*.cl"]\n',
            "hint",
            '"old/*.cl"',
            "no file of the project matches 'old/*.cl'; files that .gitignore excludes were not searched",
        ),
        (
            '[variants.x]\nfiles = ["c.cl", "a.cl"]\n',
            "hint",
            '"c.cl"',
            "no file of the project matches 'c.cl'; files that .gitignore excludes were not searched",
        ),
        (
            '# 😀\nexclude = ["a.cl"\n',
            "warning",
            "",
            "Unclosed array; the file is not used",
        ),
    ],
)
def test_a_fault_is_shown_at_its_key_or_value(text: str, severity: str, marked: str, message: str) -> None:
    assert diagnostics(text) == [(severity, marked, message)]


def test_a_valid_file_has_no_diagnostic() -> None:
    text = """\
language-version = "CL2.0"
exclude = ["generated/", "*.cl", "!a.cl", "build/"]
[severity]
recursion = "off"
"""
    assert diagnostics(text, ignored=("/project/build",)) == []
    # without the project's files, no pattern counts as unused
    assert compute_project_file_diagnostics(PATH, Text.of(text.encode()), None) == ()


def test_the_severity_of_these_diagnostics_can_be_set() -> None:
    assert diagnostics('x = 1\n[severity]\nproject-file = "off"\n') == []
    assert diagnostics('x = 1\n[severity]\nproject-file = "error"\n')[0][0] == "error"


def completions(marked: str) -> dict[str, str]:
    """The names at `@`, each with the line after the completion."""
    offset = marked.index("@")
    text = marked.replace("@", "")
    found = complete_project_file(Text.of(text.encode()), offset)
    after = {}
    for each in found.candidates:
        whole = text[: found.start] + (each.insertion or each.name) + text[found.end :]
        after[each.name] = whole[whole.rfind("\n", 0, found.start) + 1 :].split("\n")[0]
    return after


@pytest.mark.parametrize(
    ("marked", "name", "line"),
    [
        ("lan@", "language-version", "language-version = "),
        ("@", "device", "[device]"),
        ("lan@ = 1", "language-version", "language-version = 1"),
        ("language-version = @", "CL2.0", 'language-version = "CL2.0"'),
        ("language-version = C@", "CL2.0", 'language-version = "CL2.0"'),
        ('language-version = "CL2@"', "CL2.0", 'language-version = "CL2.0"'),
        ("host-options = t@", "true", "host-options = true"),
        ("[dev@", "device", "[device]"),
        ("[dev@]", "device", "[device]"),
        ("[device.@", "limits", "[device.limits]"),
        ("[device]\nlimits = { local@", "local-mem-size", "limits = { local-mem-size = "),
        ("[severity]\nrec@", "recursion", "recursion = "),
        ("[severity]\nrecursion = @", "off", 'recursion = "off"'),
        ("[variants.x]\nlang@", "language-version", "language-version = "),
        ('[variants.x]\n[variants]\ny = {}\n[device]\nversion = "3@', "3.0", 'version = "3.0"'),
        ('variant = "@\n[variants.one]\n', "one", 'variant = "one"'),
        ('extensions = ["+cl_khr_fp6@"]', "+cl_khr_fp64", 'extensions = ["+cl_khr_fp64"]'),
    ],
)
def test_keys_tables_and_values_are_completed(marked: str, name: str, line: str) -> None:
    assert completions(marked).get(name) == line


def test_a_key_is_not_offered_twice_and_not_elsewhere() -> None:
    assert "exclude" not in completions("exclude = []\nex@")
    assert "exclude" in completions("ex@clude = []\n")
    assert completions("# ex@") == {}
    assert completions("[device.limits]\nlocal-mem-size = @") == {}
    assert completions("nothing = @") == {}


def test_a_hover_describes_the_key() -> None:
    text = '[device]\naddress-bits = 64\n[severity]\nrecursion = "off"\nnothing = 1\n'

    def hover(at: str) -> tuple[str, tuple[str, ...]] | None:
        found = hover_project_file(Text.of(text.encode()), text.index(at))
        return None if found is None else (found.key, found.paragraphs)

    assert hover("device") == ("device", ("The device for which the kernels are built.",))
    assert hover("address") == ("device.address-bits", ("CL_DEVICE_ADDRESS_BITS.", "Values: `32`, `64`"))
    assert hover("64") == hover("address")
    key, paragraphs = hover("recursion") or ("", ())
    assert key == "severity.recursion"
    assert paragraphs[1] == "`openclsp explain recursion` shows the page of this rule."
    assert hover("nothing") is None
