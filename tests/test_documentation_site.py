"""The documentation site: generated references, links, the tutorial's kernels and pictures, the manual page.

`python -m mkdocs build --strict` with requirements/docs.txt builds the site itself.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml
from openclsp.api import KernelOptions, check_text
from openclsp.cli import main
from openclsp.cli.commands import program
from openclsp.cli.schemas import schema_names

from docs_site.command_reference import MANUAL_PAGE, manual_page, reference_page
from docs_site.repository_pages import linked_files, outside_pages, rewrite_page, site_path
from docs_site.rule_index import rule_index
from docs_site.schema_reference import configuration_page, json_shapes_page

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
TUTORIAL = (DOCS / "address-spaces.md").read_text(encoding="utf-8")
GENERATED = {
    "rules/index.md",
    "reference/command-line.md",
    "reference/configuration.md",
    "reference/json.md",
}


def test_the_manual_page_is_up_to_date() -> None:
    assert MANUAL_PAGE.read_text(encoding="utf-8") == manual_page(), (
        "run python -m docs_site.command_reference"
    )


def test_the_references_are_complete() -> None:
    commands, configuration = reference_page(), configuration_page()
    for name, command in program.commands.items():
        assert f"\n## openclsp {name}\n" in commands
        assert all(
            parameter.opts[-1] in commands for parameter in command.params if parameter.opts[0][0] == "-"
        )
    schema = json.loads((ROOT / "server/openclsp/workspace/openclsp.schema.json").read_text(encoding="utf-8"))
    assert all(f"\n| `{key}` |" in configuration for key in schema["properties"])
    assert "\n| `device.limits.local-mem-size` | integer" in configuration
    assert "\n| `variants.NAME.files` | array of string" in configuration
    assert all(f"\n## {name}\n" in json_shapes_page() for name in schema_names())
    assert "[pointer-cast](pointer-cast.md)" in rule_index()


def test_every_page_of_the_navigation_exists_and_every_page_is_in_it() -> None:
    nav = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]
    listed = set(re.findall(r"[\w/.-]+\.md", str(nav)))
    own = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    outside = {site_path(path) or "" for path in outside_pages()}
    assert listed <= own | outside | GENERATED
    unlisted = {
        page
        for page in (own | outside | GENERATED) - listed
        if page.split("/")[0] not in ("rules", "concepts")
    }
    assert unlisted == set()


def test_links_lead_to_pages_and_to_copies_of_files() -> None:
    text = (
        "[a](../SECURITY.md#x) [b](limits.md) [c](../integrations/openclsp.cmake) `[d](e)` [f](https://g)\n"
    )
    assert rewrite_page("docs/install.md", text) == (
        "[a](security.md#x) [b](limits.md) [c](files/integrations/openclsp.cmake) `[d](e)` [f](https://g)\n"
    )
    assert list(linked_files("docs/install.md", text)) == ["integrations/openclsp.cmake"]
    book = "server/openclsp/rules/book/"
    assert rewrite_page(f"{book}recursion.md", "[x](../concepts/spaces.md)") == "[x](../concepts/spaces.md)"
    assert rewrite_page("README.md", f"[x]({book}) [y]({book}pointer_cast.md)") == (
        "[x](rules/index.md) [y](rules/pointer-cast.md)"
    )


def test_blocks_and_lists_are_as_the_generator_wants_them() -> None:
    text = 'A:\n- one\n  more\n\n  ```fix title="Cast `p`" dialect="CL2.0"\n  a\n    b\n  ```\n- two\n'
    assert rewrite_page("docs/limits.md", text) == (
        'A:\n\n- one\n    more\n\n    ```c title="Fix: Cast p, CL2.0"\n    a\n      b\n    ```\n- two\n'
    )


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of its own, so that no other is searched for options."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def blocks() -> list[tuple[str, str, str]]:
    """The kernels of the tutorial: file, version, text."""
    found = re.findall(r'```c title="(\w+\.cl), OpenCL C ([^"]+)"\n(.*?)```', TUTORIAL, re.DOTALL)
    assert len(found) == 5
    return [(file, version, text) for file, version, text in found]


@pytest.mark.parametrize(("file", "version", "text"), blocks(), ids=lambda each: each[:14])
def test_the_kernels_of_the_tutorial(project: Path, file: str, version: str, text: str) -> None:
    without = ("-__opencl_c_generic_address_space",) if "without" in version else ()
    options = KernelOptions(std=f"CL{version[:3]}", extensions=without)
    expected = [
        (number, code)
        for number, line in enumerate(text.splitlines(), 1)
        for code in re.findall(r"// error\[([\w-]+)\]", line)
    ]
    found = [
        each for each in check_text(text, options=options, fixes=False) if each.severity.value == "error"
    ]
    assert [(each.range.start.line, each.code) for each in found] == expected


@pytest.mark.parametrize(("picture", "name"), [("total.svg", "values"), ("pick.svg", "p")])
def test_the_pictures_of_the_tutorial(
    project: Path,
    capsys: pytest.CaptureFixture[str],
    picture: str,
    name: str,
) -> None:
    files = {f"{Path(picture).stem}.cl", "generic.cl"} if name == "p" else {"total.cl"}
    (text,) = [text for file, version, text in blocks() if version == "2.0" and file in files]
    file = project / f"{Path(picture).stem}.cl"
    file.write_text(text, encoding="utf-8")
    place = re.search(rf"\*{name}\b", text)
    assert place is not None
    line, column = (
        text.count("\n", 0, place.start()) + 1,
        place.start() + 2 - text.rfind("\n", 0, place.start()) - 1,
    )
    assert main(["flow", "--std", "CL2.0", f"{file.name}:{line}:{column}"]) == 0
    assert capsys.readouterr().out == (DOCS / "pictures" / picture).read_text(encoding="utf-8")
