"""Positions at which only certain names are possible: directives, attributes, labels and tags."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from openclsp.ide.completion.attribute_names import attribute_candidates
from openclsp.ide.completion.completion_list import CompletionCandidate
from openclsp.ide.completion.directive_names import (
    ListHeaders,
    directive_names,
    header_candidates,
    pragma_candidates,
)
from openclsp.ide.completion.predefined_names import NameKind
from openclsp.ide.cursor_line import CursorLine, code_before_cursor
from openclsp.semantics.database.unit_inputs import DECLARERS
from openclsp.semantics.translation_unit import TranslationUnit

_ATTRIBUTE = re.compile(rb"\b__attribute(?:__)?\s*\(\s*\((?:\w*(?:[\s,]|\([^()]*\)))*(\w*)\Z")
_GOTO = re.compile(rb"(?<!\w)goto\s+(\w*)\Z")
_TAG = re.compile(rb"(?<!\w)(struct|union|enum)\s+(\w*)\Z")
_LABEL = re.compile(rb"(?:^|[;{}:])[^\S\n]*([A-Za-z_]\w*)\s*:(?!:)", re.MULTILINE)
_NO_LABELS = frozenset((b"default", b"case"))
_FUNCTION_END = re.compile(rb"^\}", re.MULTILINE)

Special = tuple[bytes, Sequence[CompletionCandidate]]
"""The word typed, and the only candidates."""


def special_candidates(
    unit: TranslationUnit,
    found: CursorLine,
    offset: int,
    list_headers: ListHeaders | None,
    *,
    snippets: bool,
) -> Special | None:
    """Returns the candidates at a position where only certain names are possible; None anywhere else.

    `list_headers` and `snippets` have the same meaning as in `compute_completions`.
    """
    line = found.before
    data = found.part.preprocessed.code.text.data
    line_end = data.find(b"\n", offset)
    after = data[offset : line_end if line_end >= 0 else len(data)]
    if found.directive is not None:
        headers = header_candidates(line, after, list_headers)
        if headers is not None:
            return headers
        if found.is_quiet:
            return None
        return directive_names(line) or pragma_candidates(line, unit.dialect)
    if found.is_quiet or found.is_inactive:
        return None
    attribute = _ATTRIBUTE.search(line)
    if attribute is not None:
        return attribute[1], list(attribute_candidates(snippets=snippets))
    goto = _GOTO.search(line)
    if goto is not None:
        return goto[1], list(_labels(found, data, offset))
    tag = _TAG.search(line)
    if tag is not None:
        return tag[2], list(_tags(unit, tag[1].decode()))
    return None


def _labels(found: CursorLine, data: bytes, offset: int) -> Iterator[CompletionCandidate]:
    """Yields the labels of the function at the cursor."""
    end = _FUNCTION_END.search(data, offset)
    body = code_before_cursor(found) + b"\n" + data[offset : end.start() if end is not None else len(data)]
    for name in dict.fromkeys(match[1] for match in _LABEL.finditer(body)):
        if name not in _NO_LABELS:
            yield CompletionCandidate(name.decode(), NameKind.CONSTANT, "label", is_own=True)


def _tags(unit: TranslationUnit, keyword: str) -> Iterator[CompletionCandidate]:
    """Yields the tags of structs, unions or enums, in the order of their first declarations.

    `keyword` selects the kind of tags.
    """
    found = []
    for name in unit.declared_names():
        word, space, tag = name.partition(" ")
        declarers = unit.database.read(DECLARERS, name) if space and word == keyword else ()
        if declarers:
            found.append((declarers[0][0], tag, name))
    for _, tag, name in sorted(found):
        yield CompletionCandidate(tag, NameKind.TYPE, name, is_own=True)
