"""Quick-fixes: the re-checked fixes of the diagnostics that the asked range touches, then comments that ignore these."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from openclsp.ide.answers import CheckedFix, TextEdit
from openclsp.lsp.checking_as import COMMAND
from openclsp.lsp.jobs import Check
from openclsp.lsp.language_server import OpenclServer, request
from openclsp.lsp.positions import offsets_of, range_between

if TYPE_CHECKING:
    from openclsp.lsp.reports import Report
    from openclsp.lsp.session import Analysed


def register(server: OpenclServer) -> None:
    """Registers `textDocument/codeAction`. Actions are whole: some clients cannot resolve them later."""
    options = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])

    @request(server, types.TEXT_DOCUMENT_CODE_ACTION, options)
    async def code_action(
        ls: OpenclServer, params: types.CodeActionParams
    ) -> Sequence[types.CodeAction] | None:
        if not _wanted(params.context.only):
            return None

        def work(analysed: Analysed, check: Check) -> list[types.CodeAction]:
            return _quick_fixes(ls, analysed, params.range, check)

        return await ls.answer(params.text_document.uri, work)


def _wanted(kinds: Sequence[types.CodeActionKind | str] | None) -> bool:
    """Whether quick-fixes are among the kinds asked for; a kind holds those that it is a prefix of."""
    fix = types.CodeActionKind.QuickFix.value
    spelled = [kind.value if isinstance(kind, types.CodeActionKind) else kind for kind in kinds or ()]
    return not spelled or any(kind in ("", fix) for kind in spelled)


def _quick_fixes(
    ls: OpenclServer, analysed: Analysed, asked: types.Range, check: Check
) -> list[types.CodeAction]:
    from openclsp.ide.fixes import fixes
    from openclsp.ide.ignore_actions import ignore_edit
    from openclsp.lsp.reports import reports

    start, end = offsets_of(analysed.document.text, asked, ls.client.encoding)
    actions: list[types.CodeAction] = []
    ignoring: dict[tuple[str, TextEdit], types.CodeAction] = {}
    for report in reports(analysed, ls.client):
        # A cursor beside the last character of a diagnostic still stands at it.
        if report.answer is None or report.start > end or report.end < start:
            continue
        check()
        for fix in fixes(analysed.unit, report.answer):
            actions.append(_action(ls, analysed, fix, report.diagnostic))
        edit = ignore_edit(analysed.text_of(report.answer.location.document), report.answer)
        if edit is not None:
            ignoring[report.answer.code, edit] = _ignoring(ls, analysed, edit, report)
    return [*actions, *ignoring.values()]


def _ignoring(ls: OpenclServer, analysed: Analysed, edit: TextEdit, report: Report) -> types.CodeAction:
    name = edit.location.document
    where = "here" if name == analysed.document.name else f"in {os.path.basename(name)}"
    fix = CheckedFix(f"Ignore `{report.diagnostic.code}` {where}", False, (edit,))
    return _action(ls, analysed, fix, report.diagnostic)


def _action(
    ls: OpenclServer, analysed: Analysed, fix: CheckedFix, diagnostic: types.Diagnostic
) -> types.CodeAction:
    action = types.CodeAction(
        fix.title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[diagnostic],
        # Absent rather than false: a client of before LSP 3.15 does not know the property.
        is_preferred=True if fix.preferred else None,
    )
    if fix.dialect:
        action.command = types.Command(fix.title, COMMAND, arguments=[fix.dialect])
    else:
        action.edit = types.WorkspaceEdit(changes=_changes(ls, analysed, fix))
    return action


def _changes(ls: OpenclServer, analysed: Analysed, fix: CheckedFix) -> dict[str, list[types.TextEdit]]:
    changes: dict[str, list[types.TextEdit]] = {}
    for edit in fix.edits:
        place = edit.location
        text = analysed.text_of(place.document)
        where = range_between(text, place.start, place.end, ls.client.encoding)
        uri = analysed.uri_of(place.document)
        changes.setdefault(uri, []).append(types.TextEdit(where, edit.text))
    return changes
