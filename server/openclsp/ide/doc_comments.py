r"""Documentation comments: finds the comment of a declaration, and splits it into its parts.

The parts are the summary, the parameters and the result. The comments are those of Doxygen: `/** … */`,
`/*! … */`, `///` and `//!` before a declaration, and the same with `<` after a declaration on its line. As in
clangd, an ordinary comment directly above a declaration counts too, unless the comment is commented-out code
or follows other code on its line. The commands `@param`, `@return` and `@brief` are interpreted, with `@` or
`\`; the text of other commands is kept.
"""

from __future__ import annotations

import re

from openclsp.dataclass import dataclass
from openclsp.ide.location_map import LocationMap
from openclsp.semantics.database.signatures import EXPORTS
from openclsp.semantics.database.unit_inputs import DECLARERS
from openclsp.semantics.facts.entities import Entity, EntityKind, EntityRef, ItemKey, Place
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.types.type_model import Type
from openclsp.source.macros import Macro

MAXIMUM_COMMENT = 16_384
"""The size in bytes up to which a comment is read."""
_MAXIMUM_DECLARATIONS = 8
"""The most declarations of a function in which a comment is searched."""

_DECLARATION_PREFIX = re.compile(rb"[\w\s(),\"*]*\Z")
"""The text that may separate a comment from its declaration: attributes, qualifiers and macros.

A `;`, a brace or a directive between them means that the comment belongs to something else.
"""
_BLOCK_DOC = re.compile(rb"/\*(?:!|\*(?![*/]))")
_LINE_DOC = re.compile(rb"//(?:!|/(?!/))")
_TRAILING_DOC = re.compile(rb"[^\n/]*?(///<|//!<|/\*\*<|/\*!<)")
_PARTS = frozenset((EntityKind.PARAMETER, EntityKind.MEMBER, EntityKind.ENUMERATOR))
_CODE_END = re.compile(r"[;{}]\s*\Z")
_RULER = re.compile(r"[-=*/#_~+.\s]*\Z")
_LINE_MARK = re.compile(r"\s*(?:/{2,}[!<]*|\*(?![*/])(?=\s|\Z))? ?")
_COMMAND = re.compile(r"\s*[@\\](\w+)(?:\[[\w,\s]*\])?\s*")
_PARAMETER_NAMES = re.compile(r"((?:\w+|\.\.\.)(?:\s*,\s*(?:\w+|\.\.\.))*)\s*[:-]?\s*")
_CODE_WORD = re.compile(r"[@\\][cpaeb]\s+(\S*\w)")
_LIST_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s")
_PARAMETER_COMMANDS = frozenset(("param", "arg", "tparam"))
_RETURN_COMMANDS = frozenset(("return", "returns", "result", "retval"))
_TITLED = {
    "deprecated": "Deprecated",
    "note": "Note",
    "warning": "Warning",
    "attention": "Attention",
    "pre": "Precondition",
    "post": "Postcondition",
    "see": "See",
    "sa": "See",
    "todo": "To do",
    "bug": "Bug",
}


@dataclass(frozen=True, slots=True)
class DocComment:
    """The content of a documentation comment, as plain text.

    Paragraphs are separated by an empty line; code is between backticks. `parameters` are pairs of a name and
    its description, in the order of the comment.
    """

    summary: str
    parameters: tuple[tuple[str, str], ...] = ()
    returns: str = ""

    def parameter(self, name: str) -> str:
        """Returns the description of a parameter; empty if there is none."""
        return next((text for each, text in self.parameters if each == name), "")


def find_doc_comment(data: bytes, start: int, end: int, *, part: bool = False) -> DocComment | None:
    """Finds the comment of the declaration at bytes `start` to `end` of a document; None if there is none.

    A comment after the declaration on its last line (`///<`) takes precedence over a comment above it. If
    `end` is negative, only comments above are considered. `part` is whether the declaration is part of
    another one, such as a parameter. The comment before a part must directly precede it.
    """
    comment = _comment_after(data, end) or _comment_before(data, start, part)
    return parse_doc_comment(comment) if comment else None


def doc_comment_of(places: LocationMap, ref: EntityRef) -> DocComment | None:
    """Reads the comment of an entity; None if there is none.

    A function without a comment gets the comment of another of its declarations. A parameter without a
    comment gets its description from the comment of its function.
    """
    entity = places.entity(ref)
    if entity is None:
        return None
    if entity.kind is EntityKind.FUNCTION:
        return doc_comment_of_function(places, entity.name, entity.type, entity.ref.item)
    found = _comment_of_entity(places, entity)
    if found is None and entity.kind is EntityKind.PARAMETER:
        return _comment_of_parameter(places, entity)
    return found


def doc_comment_of_function(
    places: LocationMap, name: str, type_: Type, key: ItemKey | None = None
) -> DocComment | None:
    """Reads the comment of a function with this name and type, without type-checking function bodies.

    The comment of the declaration `key` takes precedence over those of other declarations. None if no
    declaration has a comment.
    """
    found = doc_comment_of_item(places, key) if key in places.unit.by_key and key is not None else None
    if found is not None:
        return found
    database = places.unit.database
    declarers = database.read(DECLARERS, name)
    others = [each for _, each in reversed(declarers) if each != key]
    for other in others[:_MAXIMUM_DECLARATIONS]:
        symbol = database.get(EXPORTS, other).symbols.get(name)
        if symbol is not None and symbol.type is type_:
            found = doc_comment_of_item(places, other)
            if found is not None:
                return found
    return None


def doc_comment_of_item(places: LocationMap, key: ItemKey) -> DocComment | None:
    """Reads the comment before a top-level construct, such as a function or a struct without a typedef."""
    location = places.location(key, Place(0, 1))
    document = places.unit.document_named(location.document)
    return None if document is None else find_doc_comment(document.text.data, location.start, -1)


def doc_comment_of_macro(unit: TranslationUnit, macro: Macro) -> DocComment | None:
    """Reads the comment of a macro's definition; None for a predefined macro."""
    span = unit.preprocessed.definition(macro)
    document = unit.document_named(span.document) if span is not None else None
    if span is None or document is None:
        return None
    data = document.text.data
    line = document.text.line_start(document.text.line_of(span.start))
    trailing = data[span.start : document.text.line_end(document.text.line_of(span.end))]
    found = _TRAILING_DOC.match(trailing)
    if found is not None:
        return parse_doc_comment(_until_end(data, span.start + found.start(1)))
    comment = _comment_before(data, line, False)
    return parse_doc_comment(comment) if comment else None


def _comment_of_entity(places: LocationMap, entity: Entity) -> DocComment | None:
    key = entity.ref.item
    location = places.location(key, entity.whole)
    document = places.unit.document_named(location.document)
    if document is None:
        return None
    part = entity.kind in _PARTS
    return find_doc_comment(document.text.data, location.start, location.end, part=part)


def _comment_of_parameter(places: LocationMap, entity: Entity) -> DocComment | None:
    """Returns the description of a parameter in the comment of its function; None if there is none."""
    for number in range(entity.ref.number - 1, -1, -1):
        function = places.entity(EntityRef(entity.ref.item, number))
        if function is not None and function.kind is EntityKind.FUNCTION:
            found = doc_comment_of(places, function.ref)
            text = found.parameter(entity.name) if found is not None else ""
            return DocComment(text) if text else None
    return None


def _comment_after(data: bytes, end: int) -> bytes:
    """Returns the comment `///<` or `/**<` after a declaration, on the same line; empty if there is none."""
    if end < 0:
        return b""
    line_end = data.find(b"\n", end)
    found = _TRAILING_DOC.match(data, end, len(data) if line_end < 0 else line_end)
    return _until_end(data, found.start(1)) if found is not None else b""


def _until_end(data: bytes, start: int) -> bytes:
    """Returns the comment that starts at a byte.

    A line comment includes the lines of the same kind that continue it.
    """
    if data.startswith(b"/*", start):
        end = data.find(b"*/", start, start + MAXIMUM_COMMENT)
        return data[start : end + 2] if end >= 0 else b""
    lines = data[start : start + MAXIMUM_COMMENT].split(b"\n")
    mark = lines[0].lstrip()[:4]
    count = 1
    while count < len(lines) and lines[count].lstrip().startswith(mark):
        count += 1
    return b"\n".join(lines[:count])


def _comment_before(data: bytes, start: int, part: bool) -> bytes:
    """Returns the comment before a declaration; empty if there is none.

    `part` is whether the declaration is part of another one, such as a parameter.
    """
    low = max(start - MAXIMUM_COMMENT, 0)
    before = data[low:start].replace(b"\r\n", b"\n")
    # step back over attributes and macros that belong to the declaration
    for _ in range(4):
        tail = before.rstrip()
        gap = before[len(tail) :]
        if tail.endswith(b"*/"):
            return _block_before(tail, gap)
        last_line = tail.rfind(b"\n") + 1
        line = tail[last_line:]
        if line.lstrip().startswith(b"//"):
            return _lines_before(tail, gap)
        if part or not line or not _DECLARATION_PREFIX.match(line):
            return b""
        if line.endswith((b")", b",")) and b"(" in line and not line.lstrip().startswith(b"__attribute__"):
            # a call without a semicolon, or the parameter before this one
            return b""
        before = before[:last_line]
    return b""


def _block_before(text: bytes, gap: bytes) -> bytes:
    start = text.rfind(b"/*")
    if start < 0:
        return b""
    comment = text[start:]
    line_start = text.rfind(b"\n", 0, start) + 1
    documented = _BLOCK_DOC.match(comment) is not None and comment[3:4] != b"<"
    follows_code = bool(text[line_start:start].strip())
    if follows_code and (not documented or b"\n" in gap):
        return b""
    if documented:
        return comment
    adjacent = gap.count(b"\n") == 1 and comment[3:4] != b"<"
    return comment if adjacent and not _looks_like_code(comment) else b""


def _lines_before(text: bytes, gap: bytes) -> bytes:
    """Returns the line comments at the end of `text` that document what follows; empty if there are none.

    All lines have the same kind of comment, and no blank line separates them. `gap` is the white space after
    `text`.
    """
    lines = text.split(b"\n")
    documented = _LINE_DOC.match(lines[-1].lstrip()) is not None
    first = len(lines)
    while first > 0 and lines[first - 1].lstrip().startswith(b"//"):
        if documented and _LINE_DOC.match(lines[first - 1].lstrip()) is None:
            break
        first -= 1
    comment = b"\n".join(line.lstrip() for line in lines[first:])
    if documented:
        return b"" if comment[3:4] == b"<" else comment
    return comment if gap.count(b"\n") == 1 and not _looks_like_code(comment) else b""


def _looks_like_code(comment: bytes) -> bool:
    """Whether an ordinary comment is commented-out code.

    A comment counts as code if one of its lines ends like a statement or a block.
    """
    lines = _lines_of(comment)
    return any(_CODE_END.search(line) for line in lines)


def _lines_of(comment: bytes) -> list[str]:
    """Returns the lines of a comment without its delimiters; decoration, such as a row of `*`, is blank."""
    text = comment[:MAXIMUM_COMMENT].decode("utf-8", "replace").replace("\r", "")
    if text.startswith("/*"):
        text = text[2:].removesuffix("*/")
        text = re.sub(r"\A[*!]*<?", "", text)
    lines = []
    for line in text.split("\n"):
        mark = _LINE_MARK.match(line)
        body = (line[mark.end() :] if mark is not None else line).rstrip()
        lines.append("" if _RULER.match(body) else body)
    return lines


def parse_doc_comment(comment: bytes) -> DocComment | None:
    """Parses a comment that includes its delimiters; None if it has no text."""
    summary: list[str] = []
    parameters: list[tuple[str, list[str]]] = []
    returns: list[str] = []
    current = summary
    for line in _lines_of(comment):
        command = _COMMAND.match(line)
        word = command[1] if command is not None else ""
        rest = line[command.end() :] if command is not None else line
        if word in _PARAMETER_COMMANDS:
            names = _PARAMETER_NAMES.match(rest)
            if names is None:
                continue
            current = [rest[names.end() :]]
            parameters += [(each.strip(), current) for each in names[1].split(",")]
        elif word in _RETURN_COMMANDS:
            current = returns
            # each `@retval` describes one value
            current.append(
                f"`{rest.partition(' ')[0]}`: {rest.partition(' ')[2]}" if word == "retval" else rest
            )
        elif word in _TITLED:
            current = summary
            current += ["", f"{_TITLED[word]}: {rest}"]
        elif word in ("brief", "short", "details", "par"):
            current = summary
            current += ["", rest]
        elif word in ("code", "endcode", "verbatim", "endverbatim", "file", "ingroup", "defgroup", "{", "}"):
            continue
        elif not line.strip() and current is not summary:
            # a blank line ends the description of a parameter
            current = summary
            current.append("")
        else:
            current.append(line)
    found = DocComment(
        _joined(summary), tuple((name, _joined(lines)) for name, lines in parameters), _joined(returns)
    )
    return found if found.summary or found.parameters or found.returns else None


def _joined(lines: list[str]) -> str:
    """Joins the lines of each paragraph; list items stay on lines of their own."""
    paragraphs: list[str] = []
    fresh = True
    for line in lines:
        text = _CODE_WORD.sub(r"`\1`", line).strip()
        if not text:
            fresh = True
        elif fresh or not paragraphs:
            paragraphs.append(text)
            fresh = False
        elif _LIST_ITEM.match(line):
            paragraphs[-1] += f"\n{text}"
        else:
            paragraphs[-1] += f" {text}"
    return "\n\n".join(paragraphs)


def paragraphs_of(comment: DocComment | None) -> tuple[str, ...]:
    """Returns the comment as paragraphs: the summary, each parameter, the result."""
    if comment is None:
        return ()
    paragraphs = [each for each in comment.summary.split("\n\n") if each.strip()]
    paragraphs += [f"`{name}`: {text}" for name, text in comment.parameters]
    paragraphs += [f"Returns {comment.returns}"] if comment.returns else []
    return tuple(paragraphs)
