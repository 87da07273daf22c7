"""Reads the kernels of the rule book's pages, with their marks and fixes.

After its header, a page is prose with fenced blocks. A `cl` block is a kernel; its fence can contain `name`, `dialects`
(default: all), `clang="differs: why"` and `severity="code: severity"`, as in openclsp.toml. Its marks are comments,
described at `Mark` and `HoverMark`. A block of host code (`c`, `cpp`, `python`) holds its kernels in strings. A `fix` block belongs to the `cl` block before it and contains its text after the
quick-fix `title`; `dialects` restricts those of the block, `preferred` requires the fix to be the preferred one, and
`dialect="CL2.0"` with an empty text stands for a change of language version.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from openclsp.rules.runner.page import (
    Page,
    PageError,
    concept_names,
    page_codes,
    parse_dialects,
    read_page,
)

_FENCE = re.compile(r"```(?P<language>[a-z]*)(?P<attributes>.*)")
_ATTRIBUTE = re.compile(r'\s*(?P<key>[a-z]+)(?:="(?P<value>[^"]*)")?')
HOST_LANGUAGES = ("c", "cpp", "python")
_SEVERITY = "error|warning|information|hint"
_MARK = re.compile(rf"(?P<severity>{_SEVERITY})\[(?P<code>[a-z0-9-]+)\]")
_ONE_MARK = rf"(?:{_SEVERITY})\[[a-z0-9-]+\]"
_LINE_MARKS = re.compile(rf"\s*(?://|#) (?P<marks>{_ONE_MARK}(?:, {_ONE_MARK})*)\s*$")
_COLUMN_MARK = re.compile(
    rf"\s*//\s*(?P<carets>\^+) (?:(?P<marks>{_ONE_MARK})(?:: (?P<says>.+?))?"
    r"|(?P<what>space|object|type|why|note): (?P<expected>.+?))\s*$"
)


@dataclass(frozen=True, slots=True)
class Mark:
    """`// error[code]` at the end of a line: exactly these diagnostics begin on that line.

    `// ^^^ error[code]` below the line also gives the columns; with `error[code]: text`, the message must end with the
    text. `line` is from 0 in the block; `columns` (start, end) are code points from 0.
    """

    line: int
    severity: str
    code: str
    columns: tuple[int, int] | None = None
    says: str = ""


@dataclass(frozen=True, slots=True)
class HoverMark:
    """`// ^ space: global` below a line: the content of a hover at that column.

    `what` is `space` (of the pointee), `why` (the reason for it), `object` (the object's own space), `type` (the whole
    declaration) or `note`.
    """

    line: int
    column: int
    what: str
    expected: str


@dataclass(frozen=True, slots=True)
class FixBlock:
    """The text of the preceding block after the quick-fix `title`, or the language version that the fix selects."""

    title: str
    text: str
    dialect: str
    dialects: tuple[str, ...]
    preferred: bool
    line: int


@dataclass(frozen=True, slots=True)
class Block:
    """A kernel of the page. `line` is its first line in the page, from 1.

    `clang_differs` is the reason for a difference from clang, and `severities` are the project's settings for the
    check: rules and their severities.
    """

    text: str
    name: str
    dialects: tuple[str, ...]
    clang_differs: str
    line: int
    marks: tuple[Mark, ...]
    hovers: tuple[HoverMark, ...]
    fixes: tuple[FixBlock, ...]
    severities: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class HostBlock:
    """Host code of the page, whose strings hold its kernels: a `c`, `cpp` or `python` block with marks."""

    text: str
    language: str
    line: int
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class MarkedPage:
    """A page with its blocks; `prose` is the text after the header without the blocks."""

    page: Page
    prose: str
    blocks: tuple[Block, ...]
    host_blocks: tuple[HostBlock, ...] = ()

    @property
    def code(self) -> str:
        return self.page.code


def marked(page: Page) -> MarkedPage:
    """Parses the blocks of the page. Raises PageError."""
    prose, blocks, hosts = _prose_and_blocks(page.text.split("\n"), page.body_line)
    return MarkedPage(page, prose, blocks, hosts)


def marked_kernels(path: Path) -> tuple[Block, ...]:
    """Parses the kernels of a Markdown file that has no page header. Raises PageError."""
    return _prose_and_blocks(path.read_text(encoding="utf-8").split("\n"), 0)[1]


def _prose_and_blocks(lines: list[str], index: int) -> tuple[str, tuple[Block, ...], tuple[HostBlock, ...]]:
    prose: list[str] = []
    blocks: list[Block] = []
    hosts: list[HostBlock] = []
    while index < len(lines):
        line = lines[index]
        fence = _FENCE.fullmatch(line)
        index += 1
        if fence is not None:
            first = index
            while index < len(lines) and lines[index] != "```":
                index += 1
            if index == len(lines):
                raise PageError(f"line {first}: the block has no end")
            body = "".join(f"{each}\n" for each in lines[first:index])
            index += 1
            if fence["language"] in HOST_LANGUAGES:
                hosts.append(HostBlock(body, fence["language"], first + 1, _marks(body, first + 1)[0]))
            _add_block(blocks, fence["language"], fence["attributes"], body, first + 1)
        elif line or prose:
            prose.append(line)
    return "\n".join(prose).strip(), tuple(blocks), tuple(hosts)


def marked_page(name: str) -> MarkedPage:
    """The page of that rule or concept."""
    return marked(read_page(name))


def marked_rules() -> Iterator[MarkedPage]:
    """The pages of all rules, by code."""
    return map(marked_page, page_codes())


def marked_pages() -> Iterator[MarkedPage]:
    """Every page: the rules' by code, then the concepts' by name."""
    return map(marked_page, (*page_codes(), *concept_names()))


def strip_marks(text: str) -> str:
    """Removes the marks from a kernel: whole lines with marks only, and marks at the ends of lines."""
    lines = (line for line in text.split("\n") if _COLUMN_MARK.fullmatch(line) is None)
    return "\n".join(_LINE_MARKS.sub("", line) for line in lines)


def _attributes(text: str, line: int) -> dict[str, str]:
    attributes: dict[str, str] = {}
    at = 0
    while text[at:].strip():
        found = _ATTRIBUTE.match(text, at)
        if found is None:
            raise PageError(f"line {line}: cannot read {text[at:].strip()!r}")
        attributes[found["key"]] = found["value"] or ""
        at = found.end()
    return attributes


def _only(attributes: dict[str, str], allowed: tuple[str, ...], line: int) -> None:
    unknown = [key for key in attributes if key not in allowed]
    if unknown:
        raise PageError(f"line {line}: unknown attribute {unknown[0]!r}")


def _add_block(blocks: list[Block], language: str, written: str, body: str, line: int) -> None:
    if language == "cl":
        attributes = _attributes(written, line)
        _only(attributes, ("name", "dialects", "clang", "severity"), line)
        name = attributes.get("name", "")
        if name and any(block.name == name for block in blocks):
            raise PageError(f"line {line}: a second block {name!r}")
        clang = attributes.get("clang", "")
        if clang and not clang.startswith("differs: "):
            raise PageError(f"line {line}: clang is not `differs: why`")
        marks, hovers = _marks(body, line)
        dialects = parse_dialects(attributes.get("dialects", "all"), line)
        severities = tuple(_setting(each, line) for each in attributes.get("severity", "").split(",") if each)
        differs = clang.removeprefix("differs: ")
        blocks.append(Block(body, name, dialects, differs, line, marks, hovers, (), severities))
    elif language == "fix":
        attributes = _attributes(written, line)
        _only(attributes, ("title", "dialect", "dialects", "preferred"), line)
        if not blocks or not attributes.get("title"):
            raise PageError(f"line {line}: a fix needs a title and a cl block before it")
        block = blocks[-1]
        dialects = (
            parse_dialects(attributes["dialects"], line) if "dialects" in attributes else block.dialects
        )
        fix = FixBlock(
            title=attributes["title"],
            text=body,
            dialect=attributes.get("dialect", ""),
            dialects=tuple(name for name in dialects if name in block.dialects),
            preferred="preferred" in attributes,
            line=line,
        )
        blocks[-1] = replace(block, fixes=(*block.fixes, fix))


def _setting(written: str, line: int) -> tuple[str, str]:
    code, _, severity = (each.strip() for each in written.partition(":"))
    if severity not in _SEVERITY.split("|"):
        raise PageError(f"line {line}: no severity in {written.strip()!r}")
    return code, severity


def _marks(body: str, first_line: int) -> tuple[tuple[Mark, ...], tuple[HoverMark, ...]]:
    marks: list[Mark] = []
    hovers: list[HoverMark] = []
    target = 0
    for number, line in enumerate(body.split("\n")):
        below = _COLUMN_MARK.fullmatch(line)
        if below is None:
            target = number
            at_end = _LINE_MARKS.search(line)
            for found in _MARK.finditer(at_end["marks"]) if at_end else ():
                marks.append(Mark(number, found["severity"], found["code"]))
            if at_end is None and _MARK.search(line):
                raise PageError(f"line {first_line + number}: a mark that is not a comment of its own")
        elif below["marks"]:
            found_mark = _MARK.fullmatch(below["marks"])
            assert found_mark is not None
            severity, code = found_mark["severity"], found_mark["code"]
            marks.append(Mark(target, severity, code, below.span("carets"), below["says"] or ""))
        else:
            hovers.append(HoverMark(target, below.start("carets"), below["what"], below["expected"]))
    return tuple(marks), tuple(hovers)
