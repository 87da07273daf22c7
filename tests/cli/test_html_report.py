"""`check --format html`: pages that are complete, escaped, and load nothing."""

from __future__ import annotations

import os
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest

KERNELS = Path(__file__).parents[1] / "kernels"
_VOID = frozenset(("meta", "br", "rect", "path"))


class Page(HTMLParser):
    """The text of the source, the elements and the link targets of a page; fails if an element is not closed."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.source = ""
        self.text = ""
        self.feed(path.read_text(encoding="utf-8"))
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        # Line numbers and diagnostics are elements of their own.
        inside = self.open[self.open.index("pre") :] if self.open[:3] == ["html", "body", "div"] else []
        if "pre" in inside and not {"a", "div"} & set(inside):
            self.source += data

    def values(self, tag: str, attribute: str) -> list[str]:
        return [
            value or ""
            for name, found in self.elements
            if name == tag
            for key, value in found.items()
            if key == attribute
        ]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from openclsp.cli import main

    folder = tmp_path_factory.mktemp("project")
    shutil.copytree(KERNELS, folder / "kernels", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    (folder / ".git").mkdir()
    (folder / 'kernels/<b>"&.cl').write_bytes(
        b"#define L local\nkernel void k(global int *g) { L int *l = g; } // <script>\x1b[31m</script> \xe2\x80\xae\xff\n"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert main(["check", "--format", "html", "-o", "report", "kernels"]) == 1
    return folder


def test_every_file_has_a_page_with_its_source(report):
    index = Page(report / "report" / "index.html")
    targets = index.values("a", "href")
    kernels = sorted(path for path in (report / "kernels").rglob("*.cl*") if path.is_file())
    assert len(targets) == len(kernels)
    for target in targets:
        page = Page(report / "report" / target)
        path = re.search(r"kernels/\S+", page.text)
        assert path is not None
        text = (report / path[0]).read_bytes().decode("utf-8", "replace")
        expected = re.sub("[\x1b\u202e]", "\ufffd", text)
        assert page.source.rstrip("\n") == expected.rstrip("\n")
        anchors = set(page.values("a", "id"))
        assert all(link[1:] in anchors for link in page.values("a", "href") if link.startswith("#"))


def test_pages_load_and_run_nothing(report):
    for path in (report / "report").iterdir():
        page = Page(path)
        assert not {"script", "img", "link", "iframe", "object"} & {tag for tag, _ in page.elements}
        assert page.values("meta", "content")[0].startswith("default-src 'none'")
        assert not any(name.startswith("on") for _, found in page.elements for name in found)
        assert all(re.match(r"#L\d+$|[\w.-]+\.html$", link) for link in page.values("a", "href"))
        # Arrows refer to their heads, which are in the same drawing.
        assert set(re.findall(r"url\((.)|(@import)", path.read_text())) <= {("#", "")}


def test_a_page_shows_diagnostics_kernels_and_flows(report):
    (path,) = (report / "report").glob("*smooth*")
    page = Page(path)
    assert "error[pointer-conversion]" in page.text
    assert "kernel smooth" in page.text
    assert page.values("u", "class").count("error") == 1
    assert {"sg", "sl", "sn"} <= set(page.values("b", "class"))
    assert sum(tag == "svg" for tag, _ in page.elements) >= 3


def test_bad_arguments(openclsp, write, folder):
    write("k.cl", "kernel void k(void) {}\n")
    ran = openclsp("check", "--format", "html", "k.cl")
    assert (ran.code, ran.out) == (2, "")
    assert "--output FOLDER" in ran.err
    ran = openclsp("check", "--format", "html", "-o", "k.cl", "k.cl")
    assert (ran.code, ran.err) == (2, "openclsp: k.cl cannot be created: File exists\n")


@pytest.mark.parametrize("existed", [False, True])
def test_a_full_disk_leaves_no_part_of_a_report(openclsp, write, folder, monkeypatch, existed):
    write("a.cl", "kernel void k(void) {}\n")
    write("b.cl", "kernel void k(void) {}\n")
    if existed:
        write("report/index.html", "old")
    sync, synced = os.fsync, []

    def full(file: int) -> None:
        synced.append(file)
        if len(synced) == 2:
            raise OSError(28, "No space left on device")
        sync(file)

    monkeypatch.setattr("os.fsync", full)
    ran = openclsp("check", "--format", "html", "-o", "report", "a.cl", "b.cl")
    assert (ran.code, ran.out) == (2, "")
    assert re.fullmatch(
        r"openclsp: report/b\.cl-\w+\.html cannot be written: No space left on device\n", ran.err
    )
    assert os.path.exists("report") == existed
    assert not existed or (os.listdir("report"), (folder / "report/index.html").read_text()) == (
        ["index.html"],
        "old",
    )
