"""A rule's page: its header, its prose, and its kernels with marks, read from the Markdown beside the rule.

A page is documentation and test at once. Its text:

    # code: title
    - Severity: error | warning          (each that the rule can report)
    - Dialects: all                      (those in which it can report, or their names)
    - Clause: …                          (of the specification)
    - clang: identifier identifier       (clang's names for the same fault; `none`)

then prose with fenced blocks. A `cl` block is a kernel; `name`, `dialects` (all, unless given) and `clang="differs: why"`
stand behind the fence. Its marks are comments, explained at `Mark` and `HoverMark`. A `fix` block belongs to the `cl`
block before it and holds its text after the quick-fix `title`; `dialects` narrows the block's, `preferred` says that
the fix must be the preferred one, and `dialect="CL2.0"` with an empty text stands for a change of language version.

A *concept page*, in the folder `concepts`, tells what no single rule says. It is written and run in the same way; it has
a name where a rule has its code, and of the header only the clause.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from openclsp.dataclass import dataclass
from openclsp.language.dialect import EIGHT

DIALECT_NAMES: tuple[str, ...] = tuple(dialect.name for dialect in EIGHT)

_TITLE = re.compile(r"# (?P<code>[a-z0-9-]+): (?P<title>.+)")
_HEADER = re.compile(r"- (?P<key>Severity|Dialects|Clause|clang): (?P<value>.+)")
_FENCE = re.compile(r"```(?P<language>[a-z]*)(?P<attributes>.*)")
_ATTRIBUTE = re.compile(r'\s*(?P<key>[a-z]+)(?:="(?P<value>[^"]*)")?')
_SEVERITY = "error|warning|information|hint"
_ONE_MARK = rf"(?:{_SEVERITY})\[[a-z0-9-]+\]"
_LINE_MARKS = re.compile(rf"\s*// (?P<marks>{_ONE_MARK}(?:, {_ONE_MARK})*)\s*$")
_COLUMN_MARK = re.compile(
    rf"\s*//\s*(?P<carets>\^+) (?:(?P<marks>{_ONE_MARK})(?:: (?P<says>.+?))?|(?P<what>space|object|type|why|note): (?P<expected>.+?))\s*$"
)
_FOLDER = os.path.dirname(__file__)
_CONCEPTS = "concepts"
_MARK = re.compile(rf"(?P<severity>{_SEVERITY})\[(?P<code>[a-z0-9-]+)\]")


@dataclass(frozen=True, slots=True)
class Mark:
    """`// error[code]` at a line's end: exactly these diagnostics begin on that line. `// ^^^ error[code]` below the
    line gives the columns as well, and with `error[code]: text` that its message ends with the text. `line` from 0 in the
    block; `columns` (start, end) in code points from 0."""

    line: int
    severity: str
    code: str
    columns: tuple[int, int] | None = None
    says: str = ""


@dataclass(frozen=True, slots=True)
class HoverMark:
    """`// ^ space: global` below a line: what a hover at that column says. `what` is `space` (of the pointee), `why`
    (the reason for it), `object` (the object's own space), `type` (the whole declaration) or `note`."""

    line: int
    column: int
    what: str
    expected: str


@dataclass(frozen=True, slots=True)
class FixBlock:
    """What the block before it becomes under the quick-fix `title`, or the language version that the fix names."""

    title: str
    text: str
    dialect: str
    dialects: tuple[str, ...]
    preferred: bool
    line: int


@dataclass(frozen=True, slots=True)
class Block:
    """One kernel of the page. `line` is its first line in the page, from 1; `clang_differs` says why where it does."""

    text: str
    name: str
    dialects: tuple[str, ...]
    clang_differs: str
    line: int
    marks: tuple[Mark, ...]
    hovers: tuple[HoverMark, ...]
    fixes: tuple[FixBlock, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """A whole page; `text` as written, `prose` without the header and the blocks. A concept page has no severities,
    and its `code` is its name."""

    code: str
    title: str
    severities: tuple[str, ...]
    dialects: tuple[str, ...]
    clause: str
    clang: tuple[str, ...]
    prose: str
    blocks: tuple[Block, ...]
    text: str


class PageError(ValueError):
    """The text is no page; the message names the page's line."""


def read_page(name: str) -> Page:
    """The page of the rule or the concept `name`, from the package. Raises FileNotFoundError where there is none."""
    file = name.replace("-", "_") + ".md"
    if name in concept_names():
        return parse_page(_read(f"{_CONCEPTS}/{file}"), concept=True)
    return parse_page(_read(file))


def page_codes() -> tuple[str, ...]:
    """The codes of all rules' pages of the package, sorted."""
    return _names(".")


def concept_names() -> tuple[str, ...]:
    """The names of all concept pages of the package, sorted."""
    return _names(_CONCEPTS)


def all_pages() -> Iterator[Page]:
    """Every page of the package: the rules' by code, then the concepts' by name."""
    return map(read_page, (*page_codes(), *concept_names()))


def _read(file: str) -> str:
    with open(os.path.join(_FOLDER, file), encoding="utf-8") as page:
        return page.read()


def _names(folder: str) -> tuple[str, ...]:
    files = os.listdir(os.path.join(_FOLDER, folder))
    return tuple(sorted(name.removesuffix(".md").replace("_", "-") for name in files if name.endswith(".md")))


def parse_page(text: str, *, concept: bool = False) -> Page:
    """The page that `text` is. Raises PageError."""
    lines = text.split("\n")
    title = _TITLE.fullmatch(lines[0])
    if title is None:
        raise PageError("line 1: no `# code: title`")
    header: dict[str, str] = {}
    prose: list[str] = []
    blocks: list[Block] = []
    index = 1
    while index < len(lines):
        line = lines[index]
        field = _HEADER.fullmatch(line)
        fence = _FENCE.fullmatch(line)
        index += 1
        if field is not None and not blocks and not prose:
            header[field["key"]] = field["value"].strip()
        elif fence is not None:
            first = index
            while index < len(lines) and lines[index] != "```":
                index += 1
            if index == len(lines):
                raise PageError(f"line {first}: the block has no end")
            body = "".join(f"{each}\n" for each in lines[first:index])
            index += 1
            _add_block(blocks, fence["language"], fence["attributes"], body, first + 1)
        elif line or prose:
            prose.append(line)
    needed = ("Clause",) if concept else ("Severity", "Dialects", "Clause", "clang")
    missing = [key for key in needed if key not in header]
    if missing:
        raise PageError(f"no header line for {', '.join(missing)}")
    if len(header) > len(needed):
        raise PageError("the header of a concept is its clause")
    severity, clang = header.get("Severity", ""), header.get("clang", "none")
    return Page(
        code=title["code"],
        title=title["title"].strip(),
        severities=tuple(severity.split(" | ")) if severity else (),
        dialects=_dialects(header.get("Dialects", "all"), 1),
        clause=header["Clause"],
        clang=() if clang == "none" else tuple(clang.split()),
        prose="\n".join(prose).strip(),
        blocks=tuple(blocks),
        text=text,
    )


def strip_marks(text: str) -> str:
    """The kernel without its marks: without the lines that are marks alone, and without the marks at lines' ends."""
    lines = (line for line in text.split("\n") if _COLUMN_MARK.fullmatch(line) is None)
    return "\n".join(_LINE_MARKS.sub("", line) for line in lines)


def _dialects(value: str, line: int) -> tuple[str, ...]:
    if value == "all":
        return DIALECT_NAMES
    names = tuple(value.split())
    for name in names:
        if name not in DIALECT_NAMES:
            raise PageError(f"line {line}: there is no dialect {name!r}")
    return names


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
        _only(attributes, ("name", "dialects", "clang"), line)
        name = attributes.get("name", "")
        if name and any(block.name == name for block in blocks):
            raise PageError(f"line {line}: a second block {name!r}")
        clang = attributes.get("clang", "")
        if clang and not clang.startswith("differs: "):
            raise PageError(f"line {line}: clang is not `differs: why`")
        marks, hovers = _marks(body, line)
        dialects = _dialects(attributes.get("dialects", "all"), line)
        blocks.append(Block(body, name, dialects, clang.removeprefix("differs: "), line, marks, hovers, ()))
    elif language == "fix":
        attributes = _attributes(written, line)
        _only(attributes, ("title", "dialect", "dialects", "preferred"), line)
        if not blocks or not attributes.get("title"):
            raise PageError(f"line {line}: a fix needs a title and a cl block before it")
        block = blocks[-1]
        dialects = _dialects(attributes["dialects"], line) if "dialects" in attributes else block.dialects
        fix = FixBlock(
            title=attributes["title"],
            text=body,
            dialect=attributes.get("dialect", ""),
            dialects=tuple(name for name in dialects if name in block.dialects),
            preferred="preferred" in attributes,
            line=line,
        )
        blocks[-1] = Block(
            block.text,
            block.name,
            block.dialects,
            block.clang_differs,
            block.line,
            block.marks,
            block.hovers,
            (*block.fixes, fix),
        )


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
