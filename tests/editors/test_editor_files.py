"""The folders of editors/ that no test runs in their editor: their keys, names, versions and queries.

What is accepted here is what the editors' documentation specifies: Zed's for extensions, LSP4IJ's for templates.
"""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import tree_sitter
from openclsp import _grammar
from openclsp.lsp.session.settings import SECTION, Settings, parse_settings

ROOT = Path(__file__).resolve().parents[2]
ZED = ROOT / "editors" / "zed"
JETBRAINS = ROOT / "editors" / "jetbrains" / "openclsp"
LANGUAGE = tree_sitter.Language(_grammar.language())
ENDINGS = {".cl", ".clh", ".ocl", ".opencl", ".clc", ".cl.h"}

KERNEL = b"""\
#define TILE 16
constant float weights[3] = { 1.0f, 2.0f, 1.0f };
struct item { int key; };
static float4 *pick(global float4 *restrict values) { return values; }
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void scale(read_only image2d_t picture, write_only pipe int queue, const int n) {
    local half tile[16];
    int (^block)(int) = ^(int x) { return x + n; };
    for (int i = 0; i < n; i++) tile[i] = block(i) + "text"[0]; // done
}
"""

ZED_CAPTURES = {
    "highlights": {
        *(
            "attribute",
            "boolean",
            "comment",
            "constant",
            "function",
            "keyword",
            "label",
            "number",
            "operator",
        ),
        *("preproc", "property", "punctuation.bracket", "punctuation.delimiter", "string", "string.escape"),
        *("type", "variable"),
    },
    "brackets": {"open", "close"},
    "outline": {"item", "name", "context"},
    "indents": {"indent", "end"},
    "overrides": {"comment.inclusive", "string"},
    "textobjects": {"function.around", "function.inside", "class.around", "class.inside", "comment.around"},
}
"""The captures of Zed that a query uses; each is documented by Zed."""


def toml(path: Path) -> dict[str, Any]:
    try:
        library = import_module("tomllib")
    except ModuleNotFoundError:
        library = import_module("tomli")
    table: dict[str, Any] = library.loads(path.read_text(encoding="utf-8"))
    return table


def captures(name: str) -> dict[str, list[str]]:
    """Returns the texts that a query of the extension captures in `KERNEL`, the last pattern of a text first."""
    query = tree_sitter.Query(LANGUAGE, (ZED / "languages" / "opencl" / f"{name}.scm").read_text())
    assert {query.capture_name(index) for index in range(query.capture_count)} == ZED_CAPTURES[name]
    root = tree_sitter.Parser(LANGUAGE).parse(KERNEL).root_node
    assert not root.has_error
    found: dict[str, list[str]] = {}
    for _, of_match in sorted(tree_sitter.QueryCursor(query).matches(root), key=lambda match: -match[0]):
        for capture, nodes in of_match.items():
            for node in nodes:
                found.setdefault(KERNEL[node.start_byte : node.end_byte].decode(), []).append(capture)
    return found


def test_zed_finds_the_grammar_and_the_language() -> None:
    extension = toml(ZED / "extension.toml")
    language = toml(ZED / "languages" / "opencl" / "config.toml")
    grammar = extension["grammars"][language["grammar"]]
    assert (ROOT / grammar["path"] / "src" / "parser.c").read_text(encoding="utf-8").count(
        f"TS_PUBLIC const TSLanguage *tree_sitter_{language['grammar']}(void)"
    ) == 1
    # The command of docs/editors/zed.md replaces these two.
    page = (ROOT / "docs" / "editors" / "zed.md").read_text(encoding="utf-8")
    assert grammar["repository"].removeprefix("file://") in page
    assert grammar["rev"] in page
    server = extension["language_servers"]["openclsp"]
    assert server["languages"] == [language["name"]]
    assert server["language_ids"] == {language["name"]: "opencl"}
    assert {f".{suffix}" for suffix in language["path_suffixes"]} == ENDINGS


def test_the_files_name_the_version_of_the_project() -> None:
    version = toml(ROOT / "pyproject.toml")["project"]["version"]
    mode = (ROOT / "editors" / "emacs" / "opencl-mode.el").read_text(encoding="utf-8")
    assert f"\n;; Version: {version}\n" in mode
    assert toml(ZED / "extension.toml")["version"] == version
    assert toml(ZED / "Cargo.toml")["package"]["version"] == version


def test_zed_has_a_setting_section_of_the_servers_name() -> None:
    code = (ZED / "src" / "lib.rs").read_text(encoding="utf-8")
    assert f'const SERVER: &str = "{SECTION}";' in code


@pytest.mark.parametrize("name", sorted(ZED_CAPTURES))
def test_every_query_of_zed_matches_the_grammar(name: str) -> None:
    captures(name)
    assert {path.stem for path in (ZED / "languages" / "opencl").glob("*.scm")} == set(ZED_CAPTURES)


def test_highlights_of_zed() -> None:
    of = {text: found[0] for text, found in captures("highlights").items()}
    expected = {
        "keyword": "__kernel static global constant restrict read_only pipe local const for return struct",
        "type": "float4 image2d_t half int item",
        "function": "pick scale block",
        "attribute": "reqd_work_group_size",
        "constant": "TILE",
        "variable": "tile picture values",
        "preproc": "#define",
        "number": "64 1.0f",
        "comment": "//",
    }
    for capture, words in expected.items():
        for word in words.split():
            matching = [of[text] for text in of if text == word or (word == "//" and text.startswith(word))]
            assert matching == [capture], word
    assert of["^"] == of["+"] == "operator"


def test_outline_of_zed() -> None:
    of = captures("outline")
    named = {text for text, found in of.items() if "name" in found}
    assert named == {"TILE", "weights", "item", "key", "pick", "scale"}
    assert "context" in of["__kernel"] and "context" in of["constant"]


def test_the_grammar_names_every_ending() -> None:
    (grammar,) = json.loads((ROOT / "grammar" / "tree-sitter.json").read_text(encoding="utf-8"))["grammars"]
    # tree-sitter knows only what follows the last point.
    assert {f".{ending}" for ending in grammar["file-types"]} == ENDINGS - {".cl.h"}


def test_the_template_for_jetbrains() -> None:
    template = json.loads((JETBRAINS / "template.json").read_text(encoding="utf-8"))
    assert set(template) == {"name", "programArgs", "expandConfiguration", "fileTypeMappings"}
    assert template["programArgs"]["default"] == "openclsp server"
    (mapping,) = template["fileTypeMappings"]
    assert mapping["languageId"] == "opencl"
    assert set(mapping["fileType"]["patterns"]) == {f"*{ending}" for ending in ENDINGS}
    page = (ROOT / "docs" / "editors" / "jetbrains.md").read_text(encoding="utf-8")
    assert ";".join(mapping["fileType"]["patterns"]) in page


def test_the_settings_for_jetbrains_are_the_servers_defaults() -> None:
    settings = json.loads((JETBRAINS / "settings.json").read_text(encoding="utf-8"))
    parsed, problems = parse_settings(settings)
    assert problems == ()
    assert parsed.with_fallback(Settings()) == parsed
    assert parsed.language_version is None and parsed.inlay_hints == "inferred" and parsed.general_errors


@pytest.mark.parametrize("page", ["editors/README.md", "docs/editors/vim.md", "docs/editors/helix.md"])
def test_pages_name_every_ending(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    assert all(re.search(rf"\b{re.escape(ending[1:])}\b", text) for ending in ENDINGS)
