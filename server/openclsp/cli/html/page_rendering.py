"""Renders the pages of the HTML report. All text from the repository is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from openclsp import __version__
from openclsp.cli.check_report import CheckReport, FileReport, KernelReport, ReportedDiagnostic
from openclsp.cli.flow_difference import document_of
from openclsp.cli.html.changed_pointers import (
    changed_pointers_by_line,
    changed_pointers_table,
)
from openclsp.cli.html.source_page import SourcePage, SourceToken
from openclsp.cli.pointer_changes import FlowDifference
from openclsp.cli.statistics_text import statistics_rows
from openclsp.cli.styled_text import count_noun
from openclsp.ide.flow.flow_svg import embedded_style, escape_text
from openclsp.ide.flow.palette import PALETTE
from openclsp.ide.kernels.kernel_text import format_kernel_summary, format_lens_title
from openclsp.rules.finding import Severity

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""The browser loads nothing and runs nothing, whatever text a page contains."""
_KIND_CLASSES = {
    "comment": "m",
    "keyword": "k",
    "macro": "x",
    "disabled": "d",
    "global": "sg",
    "local": "sl",
    "constant": "sc",
    "private": "sp",
    "generic": "sn",
}
_SPACE_CLASSES = {space: _KIND_CLASSES[space] for space in PALETTE if space in _KIND_CLASSES}
_STYLE = """\
:root { color-scheme: light dark; --ground: #fff; --text: #1f2328; --dim: #59636e; --line: #d1d9e0; --soft: #f6f8fa;
  --error: #cf222e; --warning: #9a6700; --information: #0969da; --hint: #1b7c83; }
@media (prefers-color-scheme: dark) { :root { --ground: #0d1117; --text: #e6edf3; --dim: #9198a1; --line: #3d444d;
  --soft: #151b23; --error: #ff7b72; --warning: #d29922; --information: #58a6ff; --hint: #56d4dd; } }
body { background: var(--ground); color: var(--text); font: 15px/1.5 system-ui, sans-serif; margin: 2em auto;
  max-width: 75em; padding: 0 1em; }
a { color: var(--information); }
h1 { overflow-wrap: anywhere; }
table { border-collapse: collapse; } td, th { padding: .2em .8em; text-align: left; border-bottom: 1px solid var(--line); }
td.n, th.n { text-align: right; }
pre { font: 13px/1.5 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; margin: 0; }
pre.kernel { background: var(--soft); padding: .6em; margin: .6em 0; white-space: pre-wrap; }
.source { border: 1px solid var(--line); overflow-x: auto; }
.source pre > a { color: var(--dim); text-decoration: none; display: inline-block; width: 5ch; text-align: right;
  margin-right: 1.5ch; user-select: none; }
.source pre > a:target { background: var(--warning); color: var(--ground); }
.found { border-left: 4px solid; background: var(--soft); margin: .2em 0 .4em 7ch; padding: .2em .8em;
  font: 14px/1.5 system-ui, sans-serif; white-space: normal; }
.found p { margin: 0; color: var(--text); } .found .more { color: var(--dim); }
.error { color: var(--error); } .warning { color: var(--warning); }
.information { color: var(--information); } .hint { color: var(--hint); }
u { text-decoration: underline wavy; text-decoration-skip-ink: none; }
b { font-weight: inherit; } .sg, .sl, .sc, .sp, .sn { font-weight: 600; }
.m, .d { color: var(--dim); } .m { font-style: italic; } .d { opacity: .6; } .k { font-weight: 600; } .x { font-style: italic; }
.legend b { margin-right: 1em; }
figure { margin: 1em 0; overflow-x: auto; } figcaption { color: var(--dim); }
"""


def index_html(report: CheckReport, pages: Sequence[tuple[str, SourcePage | None, FileReport]]) -> str:
    """Returns the first page: totals, links to the pages of the files, and what was not checked."""
    totals = [count_noun(report.count(severity), severity.value) for severity in Severity]
    body = [
        f"<h1>openclsp</h1><p>{', '.join(totals)}; {count_noun(report.checked, 'file')} checked.</p>",
        *(
            f"<p>{count_noun(each.count, 'diagnostic')} not shown ({escape_text(each.reason)}).</p>"
            for each in report.left_out
        ),
        "<h2>Files</h2><table><tr><th>file</th><th>language</th>",
        *(f'<th class="n">{severity.value}</th>' for severity in Severity),
        '<th class="n">kernels</th></tr>',
    ]
    kernels = [each.location.path for each in report.kernels]
    for target, page, file in pages:
        name = escape_text(file.path)
        link = name if page is None else f'<a href="{target}">{name}</a>'
        counts = [sum(each.severity is severity for each in file.diagnostics) for severity in Severity]
        body.append(f"<tr><td>{link}</td><td>{escape_text(file.dialect)}</td>")
        body += [
            f'<td class="n {severity.value if count else ""}">{count or ""}</td>'
            for severity, count in zip(Severity, counts, strict=True)
        ]
        body.append(f'<td class="n">{kernels.count(file.path) or ""}</td></tr>')
    body.append("</table>")
    if report.flow_difference is not None:
        difference = report.flow_difference
        names = {document_of(difference, file.path): name for name, page, file in pages if page is not None}
        body += changed_pointers_table(difference, names)
    rows = list(statistics_rows(report))
    if rows:
        body.append('<h2>Rules</h2><table><tr><th>code</th><th>severity</th><th class="n">count</th>')
        body.append('<th class="n">with a fix</th></tr>')
        body += [
            f'<tr><td>{escape_text(code)}</td><td class="{severity.value}">{severity.value}</td>'
            f'<td class="n">{count}</td><td class="n">{fixable}</td></tr>'
            for severity, code, count, fixable in rows
        ]
        body.append("</table>")
    if report.not_checked:
        body.append("<h2>Not checked</h2><ul>")
        body += [
            f"<li>{escape_text(each.display_name)} {escape_text(each.reason)}</li>"
            for each in report.not_checked
        ]
        body.append("</ul>")
    return _document("openclsp", body)


def page_html(
    page: SourcePage,
    file: FileReport,
    kernels: Iterable[KernelReport],
    difference: FlowDifference | None = None,
) -> str:
    """Returns the page of a file: kernels, source lines with their diagnostics, and the flows of pointers.

    `difference` contains the changed pointers of all files, if the report is about a change.
    """
    changed = (
        {} if difference is None else changed_pointers_by_line(difference, document_of(difference, file.path))
    )
    by_line: dict[int, list[ReportedDiagnostic]] = {}
    for each in file.diagnostics:
        by_line.setdefault(each.location.first.line, []).append(each)
    body = [
        f'<p><a href="index.html">all files</a></p><h1>{escape_text(page.path)}</h1>',
        f"<p>{escape_text(file.dialect)}; {count_noun(len(file.diagnostics), 'diagnostic')}</p>",
        '<p class="legend">Address spaces: ',
        *(f'<b class="{name}">{space}</b>' for space, name in _SPACE_CLASSES.items()),
        "</p>",
    ]
    for kernel in kernels:
        line = kernel.location.first.line + 1
        body.append(f'<details><summary><a href="#L{line}">{escape_text(kernel.summary.memory.name)}</a>: ')
        body.append(f"{escape_text(format_lens_title(kernel.summary))}</summary>")
        body.append(
            f'<pre class="kernel">{escape_text(format_kernel_summary(kernel.summary))}</pre></details>'
        )
    body.append('<div class="source"><pre>')
    for number in range(page.text.line_count):
        data = page.text.line(number)
        found = by_line.get(number, [])
        if number == page.text.line_count - 1 and not data and not found:
            break
        marked = _marked_line(data, page.tokens.get(number, []), _marks(found, page, number))
        body.append(f'<a id="L{number + 1}" href="#L{number + 1}">{number + 1}</a>{marked}\n')
        body += [_diagnostic(each) for each in found]
        body += changed.get(number, [])
    body.append("</pre></div>")
    if page.flows:
        body.append("<h2>What generic pointers hold</h2>")
        body += [
            f'<figure><figcaption><a href="#L{each.line + 1}">line {each.line + 1}</a>: {escape_text(each.title)}'
            f"</figcaption>{each.svg}</figure>"
            for each in page.flows
        ]
    return _document(page.path, body)


def _document(title: str, body: Sequence[str]) -> str:
    spaces = "".join(
        f".{name} {{ color: {PALETTE[space].light}; }} "
        f"@media (prefers-color-scheme: dark) {{ .{name} {{ color: {PALETTE[space].dark}; }} }}\n"
        for space, name in _SPACE_CLASSES.items()
    )
    style = _STYLE + spaces + (embedded_style() if any("<svg" in part for part in body) else "")
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width">'
        f'<meta name="generator" content="openclsp {__version__}">'
        f"<title>{escape_text(title)}</title><style>\n{style}</style></head><body>\n"
        f"{''.join(body)}\n</body></html>\n"
    )


def _marks(found: Iterable[ReportedDiagnostic], page: SourcePage, line: int) -> list[tuple[int, int, str]]:
    """Returns the marked byte ranges of a line, as offsets from the line's start, with their severities."""
    start, end = page.text.line_start(line), page.text.line_end(line)
    return [
        (
            each.location.start - start,
            max(min(each.location.end, end), each.location.start + 1) - start,
            each.severity.value,
        )
        for each in found
    ]


def _marked_line(data: bytes, tokens: Sequence[SourceToken], marks: Sequence[tuple[int, int, str]]) -> str:
    """Renders a line as HTML, split where a token or a mark begins or ends."""
    cuts = {0, len(data)}
    for token in tokens:
        cuts |= {token.start, token.end}
    for first, last, _ in marks:
        cuts |= {first, last}
    ordered = sorted(cut for cut in cuts if cut <= len(data))
    parts: list[str] = []
    place = 0
    for first, last in pairwise(ordered):
        while place < len(tokens) and tokens[place].end <= first:
            place += 1
        text = escape_text(data[first:last].decode("utf-8", "replace"))
        if place < len(tokens) and tokens[place].start <= first:
            text = f"<b class={_KIND_CLASSES[tokens[place].kind]}>{text}</b>"
        severity = next((name for start, end, name in marks if start <= first < end), "")
        parts.append(f"<u class={severity}>{text}</u>" if severity else text)
    return "".join(parts)


def _diagnostic(found: ReportedDiagnostic) -> str:
    return "".join(_diagnostic_parts(found))


def _diagnostic_parts(found: ReportedDiagnostic) -> Iterator[str]:
    severity = found.severity.value
    builds = "" if found.in_all_builds else f" (in {escape_text(', '.join(found.build_names))})"
    yield f'<div class="found {severity}"><p><strong class="{severity}">{severity}[{found.code}]</strong>: '
    yield f"{escape_text(found.message)}{builds}</p>"
    for related in found.related:
        place = escape_text(related.location.start_label)
        if related.location.path == found.location.path:
            place = f'<a href="#L{related.location.first.line + 1}">{place}</a>'
        yield f'<p class="more">{place}: {escape_text(related.message)}</p>'
    for fix in found.fixes:
        yield f'<p class="more">fix: {escape_text(fix.title)}</p>'
    yield "</div>"
