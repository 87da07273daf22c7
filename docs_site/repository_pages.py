"""Which files of the repository are pages of the site, and how links between them are rewritten.

Pages are written for readers of the repository: their links are paths of files. On the site, a link to a page leads to
the page, and a link to any other file to a copy of it.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
COPIES = "files"
"""The folder of the site that holds copies of files."""
_MOVED = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "developers/architecture.md",
    "CONTRIBUTING.md": "developers/contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "editors/README.md": "editors/index.md",
    "editors/neovim/README.md": "editors/neovim.md",
    "editors/vscode/README.md": "editors/vscode.md",
    "grammar/README.md": "developers/grammar.md",
}
_FOLDERS = {
    "server/openclsp/rules/book": "rules/index.md",
    "server/openclsp/rules/concepts": "rules/index.md",
    "editors": "editors/index.md",
    "editors/neovim": "editors/neovim.md",
    "editors/vscode": "editors/vscode.md",
    "grammar": "developers/grammar.md",
}
_RULE_BOOK = re.compile(r"server/openclsp/rules/(book|concepts)/(\w+)\.md")
_CODE = re.compile(r"^ *(```+).*?^ *\1 *$|(?<!`)(`+)(?!`).*?(?<!`)\2(?!`)", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)\s#]+)(#[^)\s]*)?\)")


def site_path(path: str) -> str | None:
    """The page of the site that is made of a file or folder of the repository; None if there is none."""
    if path in _MOVED:
        return _MOVED[path]
    if path.rstrip("/") in _FOLDERS:
        return _FOLDERS[path.rstrip("/")]
    if found := _RULE_BOOK.fullmatch(path):
        folder = "rules" if found[1] == "book" else "concepts"
        return f"{folder}/{found[2].replace('_', '-')}.md"
    return path.removeprefix("docs/") if path.startswith("docs/") else None


def outside_pages() -> Iterator[str]:
    """The files outside `docs` that are pages."""
    yield from _MOVED
    for folder in ("book", "concepts"):
        for path in sorted((ROOT / "server" / "openclsp" / "rules" / folder).glob("*.md")):
            yield path.relative_to(ROOT).as_posix()


def linked_files(source: str, text: str) -> Iterator[str]:
    """The files without a page to which the page of the file `source` links."""
    for kind, part in _parts(text):
        for target, _ in _LINK.findall(part) if kind == "prose" else ():
            path = _resolved(source, target)
            if site_path(path) is None and (ROOT / path).is_file():
                yield path


def rewrite_page(source: str, text: str) -> str:
    """The text of a file as a page of the site: its links, code blocks and lists."""

    def link(found: re.Match[str]) -> str:
        path = _resolved(source, found[1])
        page = site_path(path) or f"{COPIES}/{path}"
        here = posixpath.dirname(site_path(source) or "")
        return f"]({posixpath.relpath(page, here or '.')}{found[2] or ''})"

    parts = (_LINK.sub(link, part) if kind == "prose" else part for kind, part in _parts(text))
    return _indent_lists(_name_fences("".join(parts)))


def _resolved(source: str, target: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), target))


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """The text in pieces of prose and of code."""
    end = 0
    for found in _CODE.finditer(text):
        yield "prose", text[end : found.start()]
        yield "code", found[0]
        end = found.end()
    yield "prose", text[end:]


_FENCE = re.compile(r"^(?P<indent> *)```(?P<language>cl|fix)\b(?P<rest>[^\n]*)$", re.MULTILINE)
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')


def _name_fences(text: str) -> str:
    """The code blocks of the rule book with a title that the site's highlighter understands."""

    def fence(found: re.Match[str]) -> str:
        given = dict(_ATTRIBUTE.findall(found["rest"]))
        title = f"Fix: {given.get('title', '')}" if found["language"] == "fix" else ""
        dialects = given.get("dialects", "") or given.get("dialect", "")
        title = ", ".join(filter(None, (title, "every version" if dialects == "all" else dialects)))
        shown = f' title="{title.replace("`", "")}"' if title else ""
        return f"{found['indent']}```c{shown}"

    return _FENCE.sub(fence, text)


_ITEM = re.compile(r"(?P<indent> *)(?P<marker>[-*]|\d+\.) +(?=\S)")


def _indent_lists(text: str) -> str:
    """Indents what belongs to a list item by four columns per level, as Python's Markdown demands.

    The files are indented by the width of the item's marker. A list after a paragraph gets a blank line.
    """
    written: list[str] = []
    contents: list[int] = []
    fence = ""
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip(" "))
        if not line.strip():
            written.append("")
            continue
        opening = re.match(r" *(```+)", line)
        if fence:
            columns = contents[-1] if contents else 0
            written.append(" " * 4 * len(contents) + line[min(columns, indent) :])
            if opening and opening[1] == fence and line.strip() == fence:
                fence = ""
            continue
        item = _ITEM.match(line)
        after_blank = not written or not written[-1].strip()
        in_list = bool(contents)
        if after_blank or item:
            while contents and indent < contents[-1]:
                contents.pop()
        if item:
            if not after_blank and not in_list:
                written.append("")
            written.append(" " * 4 * len(contents) + line[indent:])
            contents.append(item.end())
            continue
        columns = contents[-1] if contents and indent >= contents[-1] else 0
        written.append(" " * (4 * len(contents) if columns else 0) + line[columns:])
        if opening:
            fence = opening[1]
    return "\n".join(written)


def relative_to_root(path: str) -> str:
    """The path of a file relative to the repository, with slashes."""
    return os.path.relpath(path, ROOT).replace(os.sep, "/")
