"""Parser for rule pages: the Markdown file of each rule, with a header and runnable examples.

A page is both documentation and test. Its format:

    # code: title
    - Severity: error | warning          (all that the rule can report; `information (off)` is off by default)
    - Dialects: all                      (the dialects in which it can report: `all`, or their names)
    - Clause: …                          (of the specification)
    - clang: identifier identifier       (clang's names for the same diagnostic, or `none`)
    - Traits: program scope | C error    (optional: whether and how its diagnostics are shown, see `Trait`)

Prose with examples of kernels follows. The tests run the examples; `tests/rules/marked_page.py` documents the
marks in them.

A *concept page*, in the folder `concepts`, documents a topic that spans several rules. It has the same format
and is tested in the same way, but has a name instead of a rule's code, and its header has only the clause.
"""

from __future__ import annotations

import os
import re
from enum import Enum

from openclsp.dataclass import dataclass
from openclsp.language.dialect import REFERENCE_DIALECTS

DIALECT_NAMES: tuple[str, ...] = tuple(dialect.name for dialect in REFERENCE_DIALECTS)

_TITLE = re.compile(r"# (?P<code>[a-z0-9-]+): (?P<title>.+)")
_HEADER = re.compile(r"- (?P<key>Severity|Dialects|Clause|clang|Traits): (?P<value>.+)")
_FOLDER = os.path.dirname(os.path.dirname(__file__))
_RULES = "book"
_CONCEPTS = "concepts"
_OFF = " (off)"


class Trait(Enum):
    """A property of a rule that decides whether and how its diagnostics are shown; the value is its name on the page."""

    C_ERROR = "C error"
    """It reports an error of C that any C compiler reports. An editor setting switches these rules off."""
    UNNECESSARY = "unnecessary"
    """Its hints concern code that nothing uses. Only clients that can fade it show them by default."""
    DEPRECATED = "deprecated"
    """Its hints concern deprecated names. Only clients that can strike them out show them by default."""
    EQUAL_MESSAGES = "fold equal messages"
    """In one document, its diagnostics with equal messages have the same cause: they are folded into one."""
    SIMILAR_MESSAGES = "fold similar messages"
    """The same for messages that differ only in names and numbers."""
    PROGRAM_SCOPE = "program scope"
    """It reports names and variables at program scope that may be correct in a function."""
    INNER_SCOPE = "inner scope"
    """It reports variables of inner scopes that would be correct in the outermost one."""
    HOST_CALL = "host call"
    """It reports calls in host code. A unit of kernels cannot tell whether a comment that ignores it is needed."""


@dataclass(frozen=True, slots=True)
class Page:
    """The parsed page of a rule or concept.

    - `text`: the whole text
    - `body_line`: the first line (from 0) after the header
    - `off_by_default`: the severities that are off unless the project enables the rule

    A concept page has no severities, and its `code` is its name.
    """

    code: str
    title: str
    severities: tuple[str, ...]
    dialects: tuple[str, ...]
    clause: str
    clang: tuple[str, ...]
    body_line: int
    text: str
    off_by_default: tuple[str, ...] = ()
    traits: tuple[Trait, ...] = ()


class PageError(ValueError):
    """The error that a text is not a valid page. Its message names the line."""


def read_page(name: str) -> Page:
    """Reads the page of the rule or concept `name` from the package.

    Raises FileNotFoundError if there is no such page, and PageError, which names the file, if it is invalid.
    """
    concept = name in concept_names()
    file = f"{_CONCEPTS if concept else _RULES}/" + name.replace("-", "_") + ".md"
    try:
        return parse_page(_read(file), concept=concept)
    except PageError as error:
        raise PageError(f"{file}: {error}") from error


def page_path(name: str) -> str:
    """Returns the absolute path of a rule's page in the installed package."""
    return os.path.join(_FOLDER, _RULES, name.replace("-", "_") + ".md")


def page_codes() -> tuple[str, ...]:
    """Returns the codes of all rules' pages of the package, sorted."""
    return _names(_RULES)


def concept_names() -> tuple[str, ...]:
    """Returns the names of all concept pages of the package, sorted."""
    return _names(_CONCEPTS)


def _read(file: str) -> str:
    with open(os.path.join(_FOLDER, file), encoding="utf-8") as page:
        return page.read()


def _names(folder: str) -> tuple[str, ...]:
    files = os.listdir(os.path.join(_FOLDER, folder))
    return tuple(sorted(name.removesuffix(".md").replace("_", "-") for name in files if name.endswith(".md")))


def parse_page(text: str, *, concept: bool = False) -> Page:
    """Parses the text of a page. Raises PageError."""
    lines = text.split("\n")
    title = _TITLE.fullmatch(lines[0])
    if title is None:
        raise PageError("line 1: no `# code: title`")
    header: dict[str, str] = {}
    body = 1
    while body < len(lines):
        field = _HEADER.fullmatch(lines[body])
        if field is not None:
            header[field["key"]] = field["value"].strip()
        elif lines[body]:
            # blank lines may separate header lines; the first other line ends the header
            break
        body += 1
    needed = ("Clause",) if concept else ("Severity", "Dialects", "Clause", "clang")
    missing = [key for key in needed if key not in header]
    if missing:
        raise PageError(f"no header line for {', '.join(missing)}")
    if concept and len(header) > len(needed):
        raise PageError("the header of a concept is its clause")
    severity, clang = header.get("Severity", ""), header.get("clang", "none")
    severities = severity.split(" | ") if severity else []
    return Page(
        code=title["code"],
        title=title["title"].strip(),
        severities=tuple(each.removesuffix(_OFF) for each in severities),
        dialects=parse_dialects(header.get("Dialects", "all"), 1),
        clause=header["Clause"],
        clang=() if clang == "none" else tuple(clang.split()),
        body_line=body,
        text=text,
        off_by_default=tuple(each.removesuffix(_OFF) for each in severities if each.endswith(_OFF)),
        traits=_parse_traits(header["Traits"]) if "Traits" in header else (),
    )


def _parse_traits(value: str) -> tuple[Trait, ...]:
    try:
        return tuple(Trait(each) for each in value.split(" | "))
    except ValueError as error:
        raise PageError(f"the header line for Traits: {error}") from error


def parse_dialects(value: str, line: int) -> tuple[str, ...]:
    """Parses a header's dialects: `all`, or names. Raises PageError with the line number `line` (from 1)."""
    if value == "all":
        return DIALECT_NAMES
    names = tuple(value.split())
    for name in names:
        if name not in DIALECT_NAMES:
            raise PageError(f"line {line}: there is no dialect {name!r}")
    return names
