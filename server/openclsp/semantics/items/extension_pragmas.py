"""Extensions enabled by `#pragma OPENCL EXTENSION`, per item (unified specification 6.2.1).

Few extensions require the pragma on devices that support them: cl_khr_fp16 always, cl_khr_fp64 before OpenCL
C 1.2. A pragma inside an item takes effect from the next token of the item, and a pragma between items from
the next item. For queries about a whole item, an extension that is enabled in a part of the item counts as
enabled in all of it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache

from openclsp.semantics.items.extension_states import ExtensionSwitch, Switches
from openclsp.semantics.items.item import ItemGroup
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.text import difference

_PRAGMA = re.compile(r"\s*OPENCL\s+EXTENSION\s+(?P<name>\w+)\s*:\s*(?P<behaviour>\w+)")
_ENABLING = re.compile(rb"pragma\s+OPENCL\s+EXTENSION\s+(\w+)\s*:\s*(?:enable|require)")
_WORD = b"pragma"
_ON = {"enable": True, "require": True, "disable": False}
_FIRST = -1


def switches(preprocessed: Preprocessed, groups: Sequence[ItemGroup]) -> Switches:
    """Returns where pragmas of a unit enable and disable extensions, in source order.

    An extension that is enabled only in an inactive branch counts as enabled, since the condition may depend on
    host code.
    """
    found = list(_find_switches(preprocessed, groups))
    on = {switch.name for switch in found if switch.on}
    root, *headers = (part.document.text.data for part in preprocessed.with_included())
    written = _ENABLED.of(root).union(*map(_enabled_in_header, headers))
    found[:0] = (ExtensionSwitch(_FIRST, name, True) for name in sorted(written - on))
    return Switches(tuple(found), not preprocessed.has_unknown_include)


def _enabled_extensions(text: bytes) -> frozenset[str]:
    """Returns the extensions that pragmas in a text enable, disregarding conditions."""
    if _WORD not in text:
        return frozenset()
    return frozenset(match[1].decode() for match in _ENABLING.finditer(text))


class _Enabled:
    """The extensions enabled in the edited text, maintained incrementally.

    The text is searched again only if an edit may affect a pragma.
    """

    __slots__ = ("_last",)

    def __init__(self) -> None:
        # a single tuple, since several threads may call `of`
        self._last: tuple[bytes, frozenset[str]] = (b"", frozenset())

    def of(self, text: bytes) -> frozenset[str]:
        """Returns the extensions that the pragmas in `text` enable.

        The result of the last call is returned if no pragma can have changed since.
        """
        before, found = self._last
        edit = None if before is text else difference(before, text)
        if edit is not None:
            start, old_end, end = edit
            if _may_touch(before, start, old_end) or _may_touch(text, start, end):
                found = _enabled_extensions(text)
            self._last = text, found
        return found


def _may_touch(text: bytes, start: int, end: int) -> bool:
    """Whether a byte range may overlap or touch a pragma that switches an extension.

    No pragma extends over a semicolon.
    """
    begin, behind = text.rfind(b";", 0, start) + 1, text.find(b";", end)
    return text.find(_WORD, begin, behind if behind >= 0 else len(text)) >= 0


_ENABLED = _Enabled()


@lru_cache(maxsize=256)
def _enabled_in_header(text: bytes) -> frozenset[str]:
    return _enabled_extensions(text)


def _find_switches(preprocessed: Preprocessed, groups: Sequence[ItemGroup]) -> Iterator[ExtensionSwitch]:
    for offset, name, on in _pragma_switches(preprocessed):
        at = bisect_right(groups, offset, key=lambda group: group.start) - 1
        items = [item for group in groups[max(at - 1, 0) : at + 2] for item in group.items]
        around = [item for item in items if item.start < offset < item.start + item.length]
        if around:
            item = around[-1]
            token = bisect_left(item.token_index_starts, offset - item.start)
            yield ExtensionSwitch(item.order, name, on, token)
        elif on:
            # the items of a header that is included between the pragma and the item before it count as if
            # they were after the pragma
            before = [item.order for item in items if item.start + item.length <= offset]
            yield ExtensionSwitch(max(before, default=_FIRST) + 1, name, True)
        else:
            behind = [item.order for item in items if item.start >= offset]
            if behind:
                yield ExtensionSwitch(min(behind), name, False)


def _pragma_switches(preprocessed: Preprocessed) -> list[tuple[int, str, bool]]:
    """Returns (offset, extension, whether it is switched on) for each pragma in source order.

    Pragmas of a header have the offset of its #include.
    """
    matches = ((pragma.offset, _PRAGMA.match(pragma.text)) for pragma in preprocessed.pragmas)
    found = [
        (offset, match["name"], _ON[match["behaviour"]])
        for offset, match in matches
        if match is not None and match["behaviour"] in _ON
    ]
    for inclusion in preprocessed.includes:
        found += [(inclusion.offset, name, on) for _, name, on in _pragma_switches(inclusion.preprocessed)]
    return sorted(found, key=lambda each: each[0])
