"""Detects kernel templates (Mako, Jinja, `printf` …) and extracts their OpenCL C.

A template is recognised by constructs that OpenCL C does not have outside comments and literals: `{% if x
%}`, `${x}`, `% for x in y:` at the start of a line, `%(x)s`, `@X@`, `#X#`, `.X. `, `{X}_y`, a line `---X---`,
and `%d`, `%TYPE`, `<x>` or `<x:y>` without a left operand. A text in which all braces are doubled or enclose
a name is a format string.
Ambiguous constructs (`{{1, 2}}`, `a % b`, the digraphs `<%` and `%>`) are recognised only if the text has an
unambiguous one.

In a template, an inserted value is replaced by an undeclared name, and a control construct by blanks; of
the branches of a condition, only the first is kept. Replacements have the same length and line ends, so that
offsets, lines and columns do not change.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.source.template_blocks import left_out_ranges


@dataclass(frozen=True, slots=True)
class TemplateConstruct:
    """A range of bytes that the template engine replaces.

    `controls`: the construct inserts no value, and is blanked.
    """

    start: int
    end: int
    controls: bool


@dataclass(frozen=True, slots=True)
class Template:
    """A template: its text with the constructs replaced, and the constructs in order.

    `kind` is the description of the template engine in messages.
    """

    data: bytes
    kind: str
    constructs: tuple[TemplateConstruct, ...]

    def between(self, start: int, end: int) -> tuple[TemplateConstruct, ...]:
        """Returns the constructs that overlap or touch the range from `start` to `end`."""
        first = bisect_left(self.constructs, start, key=lambda each: each.end)
        last = bisect_left(self.constructs, end, key=lambda each: each.start)
        return self.constructs[first:last]


MARKS: Final = re.compile(
    rb"\$\{|\{%|\{\{|\#\{|\{[A-Z]|\{\w+\}_|</?%|<\?|%\(|% ?[diouxXeEfFgGcrs]\b|%[A-Z]|%[ \t]*(?:if|for|while|endif|endfor|endwhile)\b|\#\#\#?[ \t]+[a-z]|@\w|\#[A-Z]|<[A-Za-z_]\w*(?::\w+)?>"
    rb"|\.[A-Z][A-Z0-9_]*\.|---[A-Z]"
)
"""Filter: every template contains one of these.

Each alternative begins with a literal, for a fast search.
"""

_SKIPPED: Final = rb"//[^\r\n]*|/\*[\s\S]*?(?:\*/|\Z)|\"(?:[^\"\\\r\n]|\\(?:\r\n|[\s\S]))*\"|'(?:[^'\\\r\n]|\\(?:\r\n|[\s\S]))*'"
_WORDS: Final = rb"if|elif|else|for|while|endif|endfor|endwhile"
_MAKO_LINE: Final = (
    rb"^[ \t]*%(?!%)[ \t]*(?:" + _WORDS + rb"|try|except|finally|with|endtry|endwith)\b[^\r\n]*"
)
_MAKO_TAG: Final = (
    rb"</?%(?:doc|text|def|namespace|include|inherit|page|block|call|[a-z]\w*:\w+)\b"
    rb"(?:\"[^\"]{0,500}\"|'[^']{0,500}'|[^>\"']){0,200}>"
)
_INJA_LINE: Final = (
    rb"^[ \t]*\#\#\#?[ \t]+(?:for|endfor|if|elif|else|endif|set|include|extends|from|import|(?:end)?block|(?:end)?macro"
    rb"|(?:end)?call|(?:end)?filter)\b[^\r\n]*"
)
_DOLLAR: Final = rb"\$\{(?:[^{}\"']|\"[^\"\r\n]{0,200}\"|'[^'\r\n]{0,200}'|\{[^{}\r\n]{0,200}\}){1,500}\}"
_JINJA_TAG: Final = rb"\{%[-+]?\s*[A-Za-z_][\s\S]{0,1000}?%\}"
_ERB_VALUE: Final = rb"<%=[^\r\n]{1,500}?%>"
_TAG_VALUE: Final = rb"<\?=[\s\S]{1,1000}?\?>"
_TAG: Final = rb"<\?(?!=)[\s\S]*?(?:\?>|\Z)"
_NAMED: Final = rb"%\([A-Za-z_]\w*\)[-#0 +]{0,3}\d{0,3}(?:\.\d{1,3})?[diouxXeEfFgGcrs]"
_CONVERSION: Final = rb"%[-+#0 ]?[-+#0]{0,2}\d{0,3}(?:\.\d{1,3})?[diouxXeEfFgGcrs]\b"
_TYPE_WORD: Final = (
    rb"return|case|const|volatile|restrict|unsigned|signed|typedef|struct|(?:__)?(?:kernel|global|local|constant|private)"
    rb"|void|bool|char|short|int|long|float|double|half|uchar|ushort|uint|ulong|size_t"
)
_CAPITALS: Final = rb"%[A-Z][A-Z0-9_]*"
_BETWEEN_HASHES: Final = rb"(?<!\#)\#[A-Z][A-Z0-9_]*(?::[\w./:-]{1,200})?\#(?![\w#])"
_BETWEEN_DOTS: Final = rb"(?<![\w)\]])\.[A-Z][A-Z0-9_]*\."
_DASHES_LINE: Final = rb"^[ \t]*---[A-Z][A-Z0-9_]*---[ \t]*(?=[\r\n]|\Z)"
_IN_ANGLES: Final = rb"(?<!<)(?<!include )(?<!include\()<[A-Za-z_]\w*(?::\w+)?>(?!>)"
_ONE_BRACE: Final = rb"\{[A-Z][A-Za-z0-9_]*\}"
_FIELD: Final = rb"\{(?:[A-Za-z_][\w.]*|\d*)(?:[!:][^{}\r\n]*)?\}"
_FORMAT: Final = re.compile(rb"\{\{|\}\}|" + _FIELD)
"""A field of a format string of Rust or Python, or a brace in one, which is written twice"""
_SINGLE_BRACE: Final = re.compile(rb"[{}]")
_FORMATTED_BODY: Final = re.compile(rb"\{\{(?<=[)\s]\{\{)[^{}\r\n]*(?:;|[\r\n])")
_FORMATTED_VALUE: Final = re.compile(
    rb"\{(?:(?<=[\w*<>+\-/%&|.]\{)|(?<=[\w*<>+\-/%&|.] \{))(?:[A-Za-z_]\w*|\d+)(?:[!:][^{}\r\n]*)?\}(?!\})"
    rb"|\{[A-Za-z_]\w*\}(?=[ \t]+[*A-Za-z_])"
)
_VALUE_IN_BRACES: Final = rb"\{\{[-+]?[ \t]*[A-Za-z_][^{};,\r\n]{0,200}\}\}"
_INTO_A_NAME: Final = rb"\w|[ \t]+(?!else\b|while\b)[A-Za-z_]|[ \t]*(?:[\[(*+\-%^&|<>?=.]|/(?![/*]))"
"""Text that follows no closing brace of an initialiser: a name or an operator"""
_BRACED: Final = re.compile(_VALUE_IN_BRACES)
_NO_BRACE: Final = re.compile(
    rb"(?:\b(?:return|case)[ \t]*|(?:[-+%^&|<>!~?]|(?<!\*)/|(?<!/)\*)[ \t]*|(?:[;}]|\A\n)\s*)\Z"
)
"""Text that precedes no `{{x}}` in OpenCL C: an operator, or a statement's end, since `x` would lack its own
end"""
_ALONE: Final = re.compile(_VALUE_IN_BRACES + rb"[ \t]*(?:\r?\n[ \t]*(?![;,} \t])|\Z)")
"""`{{x}}` in a line of its own; the next line does not continue an initialiser"""
_MACRO_NAME: Final = re.compile(rb"\#[ \t]*define[ \t]+(\w+)[ \t]+\Z")
_DIRECTIVE: Final = re.compile(rb"[ \t]*\#[ \t]*(?:define[ \t]+(\w+))?")
_CERTAIN: Final = re.compile(
    rb"(?P<mako>%[ \t]*(?:(?:if|for|while)\b[^\r\n]{0,300}:[ \t]*\\?$|end(?:if|for|while)[ \t]*\\?$)|"
    + _MAKO_TAG
    + rb")|(?P<inja>"
    + _INJA_LINE.removeprefix(rb"^[ \t]*")
    + rb")|(?P<dollar>"
    + _DOLLAR
    + rb")|(?P<jinja>"
    + _JINJA_TAG
    + rb"|(?<=[\w\[])"
    + _VALUE_IN_BRACES
    + rb"|"
    + _VALUE_IN_BRACES
    + rb"(?="
    + _INTO_A_NAME
    + rb"))|(?P<erb>"
    + _ERB_VALUE
    + rb")|(?P<tags><\?)|(?P<percent>"
    + _NAMED
    + rb"|"
    + _CONVERSION
    + rb")|(?P<capitals>"
    + _CAPITALS
    + rb")|(?P<hashes>"
    + _BETWEEN_HASHES
    + rb")|(?P<angles>"
    + _IN_ANGLES
    + rb")|(?P<dashes>"
    + _DASHES_LINE.removeprefix(rb"^[ \t]*")
    + rb")|(?P<dots>(?<!\.)(?:"
    + _BETWEEN_DOTS
    + rb")+(?!\w|\s+\w+\s*[=.\[]))|(?P<at>@[A-Za-z_]\w*@)|(?P<braces>\{[A-Za-z]\w*\}(?=_[a-z0-9])|(?<=_)\{[a-z]\w*\}(?=_))|(?P<hash>\#\{[^{}\r\n]{1,200}\})",
    re.MULTILINE,
)
_BEGINS_LINE: Final = re.compile(rb"(?:\A|[\r\n])[ \t]*\Z")
_NO_OPERAND: Final = re.compile(
    rb"(?:[=(\[,{;<>&|+\-*/!~?:]|\b(?:" + _TYPE_WORD + rb")|[\r\n][ \t]*\#[ \t]*define[ \t]+\w+)[ \t]*\Z"
)
"""Text that cannot end an operand, so that a `%` after it is no operator"""
_LINE_END: Final = re.compile(rb"[ \t]*(?:;[ \t]*)?(?=[\r\n]|\Z)")
_ENDS_STATEMENT: Final = re.compile(
    rb"(?:[;{}]|\*/|(?:^|[\r\n])[ \t]*(?:\#|//)(?:[^\r\n]*\S)?|(?:^|[\r\n])[ \t]*(?:"
    + _NAMED
    + rb"|"
    + _CONVERSION
    + rb"))\s*\Z"
)
"""Text before a line that begins a statement or a declaration"""
REACH: Final = 200
"""Bytes examined before a construct"""
BEGINS_LINE: Final = re.compile(rb"^[ \t]*(?:\{\{|%)", re.MULTILINE)
"""A mark whose meaning depends on the lines before it"""
_KINDS: Final = {
    "mako": "a Mako template",
    "inja": "an Inja or Jinja template",
    "jinja": "a Jinja template",
    "erb": "an ERB template",
    "tags": "a template with `<?…?>`",
    "percent": "a text with `%s` to be filled in",
    "capitals": "a text with `%NAME` to be filled in",
    "dollar": "a text with `${…}` to be filled in",
    "at": "a text with `@…@` to be filled in",
    "hash": "a text with `#{…}` to be filled in",
    "hashes": "a text with `#NAME#` to be filled in",
    "angles": "a text with `<name>` to be filled in",
    "dots": "a text with `.NAME.` to be filled in",
    "format": "a format string with `{name}` to be filled in",
    "braces": "a text with `{NAME}` to be filled in",
    "dashes": "a text with `---NAME---` to be filled in",
}
"""By family of constructs, the more specific ones first"""

_CONTROLS: Final = {
    "mako": (
        rb"<%doc>[\s\S]*?(?:</%doc>|\Z)",
        _MAKO_TAG,
        rb"<%!?(?=[\s])[\s\S]*?(?:%>|\Z)",
        _MAKO_LINE,
        rb"^[ \t]*\#\#[^\r\n]*",
    ),
    "jinja": (rb"\{\#[\s\S]{0,4000}?\#\}", _JINJA_TAG),
    "inja": (rb"\{\#[\s\S]{0,4000}?\#\}", _JINJA_TAG, _INJA_LINE),
    "erb": (rb"<%(?!=)[\s\S]{0,4000}?%>",),
    "tags": (_TAG,),
    "dashes": (_DASHES_LINE,),
}
_VALUES: Final = {
    "erb": (_ERB_VALUE,),
    "tags": (_TAG_VALUE,),
    "mako": (_DOLLAR,),
    "dollar": (_DOLLAR,),
    "jinja": (rb"\{\{[\s\S]{1,500}?\}\}",),
    "inja": (rb"\{\{[\s\S]{1,500}?\}\}",),
    "percent": (
        _NAMED,
        _CONVERSION,
        rb"%%",
    ),
    "capitals": (_CAPITALS,),
    "at": (rb"@[A-Za-z_]\w*@",),
    "hash": (rb"\#\{[^{}\r\n]{1,200}\}",),
    "hashes": (_BETWEEN_HASHES,),
    "angles": (_IN_ANGLES,),
    "dots": (_BETWEEN_DOTS,),
    "braces": (_ONE_BRACE, rb"(?<=_)\{[a-z]\w*\}|\{[a-z]\w*\}(?=_)"),
    "format": (rb"\{\{|\}\}", _FIELD),
}
_NOT_OF_A_NAME: Final = re.compile(rb"[^A-Za-z0-9_]")
_DOUBLED: Final = frozenset((b"%%", b"{{", b"}}"))
_FIRST_LINE: Final = re.compile(rb"(?:(?!\\[\r\n])[^\r\n])*")
_BLANKED: Final = re.compile(rb"(?!\\[\r\n])[^\r\n]")


def template_of(data: bytes) -> Template | None:
    """Parses a text as a template; None if the text has no construct that shows it is one."""
    if MARKS.search(data) is None:
        return None
    families = {"format"} if is_format_string(data) else set(_families(data))
    if not families:
        return None
    if "braces" in families and b"{{" in data and _SINGLE_BRACE.search(_FORMAT.sub(b"", data)) is None:
        families = {"format"}
    if "dollar" in families and b"<%" in data:
        families.add("mako")
    found = list(_constructs(data, frozenset(families)))
    kind = next(description for family, description in _KINDS.items() if family in families)
    pieces: list[bytes] = []
    at = 0
    for each in found:
        written = data[each.start : each.end]
        pieces += (data[at : each.start], _blanked(written) if each.controls else _name(written))
        at = each.end
    return Template(b"".join((*pieces, data[at:])), kind, tuple(found))


def is_format_string(data: bytes) -> bool:
    """Whether a text is a format string of Python, Rust or C#: `void f({T} *p) {{ p[0] = {n}; }}`.

    All braces of the text are doubled or enclose the name of a value. At least one pair is the body of a function
    or statement, and at least one name is where OpenCL C has no initialiser or block.
    """
    return (
        b"{{" in data
        and _FORMATTED_BODY.search(data) is not None
        and _FORMATTED_VALUE.search(data) is not None
        and _SINGLE_BRACE.search(_FORMAT.sub(b"", data)) is None
    )


def _follows_comment(before: bytes) -> bool:
    """Whether a text ends with a comment and white space that contains a line end."""
    text = before.rstrip()
    line = text[text.rfind(b"\n") + 1 :].lstrip()
    return b"\n" in before[len(text) :] and (line.startswith(b"//") or line.endswith(b"*/"))


def _families(data: bytes) -> Iterator[str]:
    """Yields the syntax, such as `mako`, of each unambiguous construct outside comments and literals."""
    spans: list[tuple[int, int]] | None = None
    for mark in MARKS.finditer(data):
        at = mark.start()
        before = b"\n" + data[max(at - REACH, 0) : at]
        match = _CERTAIN.match(data, at)
        if match is not None:
            family = match.lastgroup or ""
        elif (
            mark[0] == b"{{"
            and _NO_BRACE.search(before) is not None
            or mark[0] == b"{{"
            and _defines_itself(data, at, before)
        ):
            family, match = "jinja", _BRACED.match(data, at)
        elif mark[0] == b"{{" and _follows_comment(before):
            family, match = "jinja", _ALONE.match(data, at)
        if match is None:
            continue
        operator = (
            family in ("percent", "capitals", "angles", "dots")
            and mark[0] != b"%("
            and _NO_OPERAND.search(before) is None
        )
        if operator and not _is_alone(data, match, before):
            continue
        if family == "angles" and _is_header_name(data, before):
            continue
        line = family in ("inja", "dashes") or (family == "mako" and match[0][:1] == b"%")
        if line and _BEGINS_LINE.search(before) is None:
            continue
        # Comments and literals are searched for only once a construct is found: nearly all files have none.
        if spans is None:
            spans = [found.span() for found in re.finditer(_SKIPPED, data)]
        index = bisect_right(spans, at, key=lambda span: span[0]) - 1
        if index < 0 or spans[index][1] <= at:
            yield family


def _defines_itself(data: bytes, at: int, before: bytes) -> bool:
    """Whether the value `{{N}}` at `at` is that of a macro with the same name: `#define N {{N}}`.

    As an initialiser, it would contain itself.
    """
    macro, value = _MACRO_NAME.search(before), _BRACED.match(data, at)
    return macro is not None and value is not None and value[0].strip(b"{}-+ \t").lower() == macro[1].lower()


def _is_header_name(data: bytes, before: bytes) -> bool:
    """Whether `<name>` names a header: in `#if __has_include(<name>)`, or in a macro that an `#include` names.

    `before` is the text before it.
    """
    directive = _DIRECTIVE.match(before, before.rfind(b"\n") + 1)
    if directive is None:
        return False
    return directive[1] is None or re.search(rb"include[^\n]*\b" + directive[1] + rb"\b", data) is not None


def _is_alone(data: bytes, match: re.Match[bytes], before: bytes) -> bool:
    """Whether a placeholder is the only text on its line, and the text before the line ends a statement.

    Otherwise, the `%` may be an operator.
    """
    line = _BEGINS_LINE.search(before)
    if line is None or _LINE_END.match(data, match.end()) is None:
        return False
    return match.start() < REACH and not before.strip() or _ENDS_STATEMENT.search(before) is not None


def _name(written: bytes) -> bytes:
    """Returns the text that replaces `written`, a construct by which the template engine inserts a value.

    It is a placeholder name, as long as the construct's first line, and blanks in place of the construct's
    other lines. For `%%`, which the engine replaces by `%`, it is `%` and a blank; likewise for `{{` and `}}`.
    """
    if written in _DOUBLED:
        return written[:1] + b" "
    first = _FIRST_LINE.match(written)
    line = written if first is None else first[0]
    return b"$" + _NOT_OF_A_NAME.sub(b"_", line[1:]) + _blanked(written[len(line) :])


def is_filled_in(token: bytes) -> bool:
    """Whether a token of a template's text is a placeholder for a value that the template engine inserts."""
    return token.startswith(b"$")


def _blanked(written: bytes) -> bytes:
    """Replaces a construct by blanks, except line ends and the backslashes before them.

    The lines of a macro remain spliced if the construct is written within the macro.
    """
    return _BLANKED.sub(b" ", written)


@lru_cache(maxsize=16)
def _pattern(families: frozenset[str]) -> re.Pattern[bytes]:
    controls = b"|".join(each for family in sorted(families) for each in _CONTROLS.get(family, ()))
    values = b"|".join(each for family in sorted(families) for each in _VALUES.get(family, ()))
    parts = [rb"(?P<control>" + controls + rb")"] if controls else []
    parts.append(rb"(?P<skipped>" + _SKIPPED + rb")")
    if values:
        parts.append(rb"(?P<value>" + values + rb")")
    return re.compile(b"|".join(parts), re.MULTILINE)


def _constructs(data: bytes, families: frozenset[str]) -> Iterator[TemplateConstruct]:
    """Yields the constructs of these `families` in order.

    A range that is left out, because the engine omits or moves its text, is one construct.
    """
    found = [match for match in _pattern(families).finditer(data) if match.lastgroup != "skipped"]
    left_out = list(left_out_ranges(data, found))
    index = 0
    for match in found:
        while index < len(left_out) and left_out[index][1] <= match.start():
            yield TemplateConstruct(*left_out[index], controls=True)
            index += 1
        if index < len(left_out) and left_out[index][0] <= match.start():
            continue
        yield TemplateConstruct(match.start(), match.end(), controls=match.lastgroup == "control")
    for start, end in left_out[index:]:
        yield TemplateConstruct(start, end, controls=True)
