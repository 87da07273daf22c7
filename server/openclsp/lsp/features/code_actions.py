"""Code actions: quick fixes, comments that ignore a diagnostic, refactorings, and `source.fixAll.openclsp`.

Quick fixes are the checked fixes of the diagnostics in the requested range, and of the diagnostics that the
request lists. The list matters for Neovim: it requests the range of the cursor, and lists the diagnostics of
the cursor's line. Further quick fixes resolve all diagnostics of one code in the file.
`source.fixAll.openclsp` applies every preferred fix of the file.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from openclsp.ide.feature_results import CheckedFix, TextEdit
from openclsp.lsp.features.check_as_command import CHECK_AS_COMMAND
from openclsp.lsp.features.extraction_actions import compute_extraction_actions
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.positions import numbers_of_range, offsets_of_range, range_between, range_numbers
from openclsp.lsp.request_registration import register_request
from openclsp.lsp.session.cancellation import CancellationCheck

if TYPE_CHECKING:
    from openclsp.lsp.session.analysis_session import DocumentAnalysis


FIX_ALL = "source.fixAll.openclsp"
_SPACE_TITLE = "Change the address space"
_FIX_ALL_TITLE = "Apply all preferred fixes in this file"
MAXIMUM_EAGER_FIXES = 10
"""The maximum number of diagnostics of one code for which the edit of "fix all" is computed immediately. This
concerns only clients that cannot resolve the edit later.
"""


def register(server: OpenclServer) -> None:
    """Registers `textDocument/codeAction` and `codeAction/resolve`.

    Quick fixes carry their edits, because some clients cannot resolve them. The edits of "fix all" actions
    are computed after the user has chosen the action, if the client can resolve actions.
    """
    options = types.CodeActionOptions(
        code_action_kinds=[
            types.CodeActionKind.QuickFix,
            FIX_ALL,
            types.CodeActionKind.RefactorRewrite,
            types.CodeActionKind.RefactorExtract,
        ],
        resolve_provider=True,
    )

    @register_request(server, types.TEXT_DOCUMENT_CODE_ACTION, options)
    async def code_action(
        ls: OpenclServer, params: types.CodeActionParams
    ) -> Sequence[types.CodeAction] | None:
        only = params.context.only
        quick = not only or _is_requested(only, types.CodeActionKind.QuickFix.value)
        everywhere = bool(only) and _is_requested(only, FIX_ALL)
        # The search is omitted for a client that sends a request at each movement of the cursor, for its
        # light bulb.
        by_user = params.context.trigger_kind is not types.CodeActionTriggerKind.Automatic
        rewrites = _is_requested(only, types.CodeActionKind.RefactorRewrite.value) if only else by_user
        extracts = _is_requested(only, types.CodeActionKind.RefactorExtract.value) if only else by_user
        if not quick and not everywhere and not rewrites and not extracts:
            return None

        def work(analysed: DocumentAnalysis, check: CancellationCheck) -> list[types.CodeAction]:
            actions = _quick_fixes(ls, analysed, params, check) if quick else []
            if everywhere:
                whole = _fix_all_edit(ls, analysed, "", check)
                if whole is not None:
                    actions.append(types.CodeAction(_FIX_ALL_TITLE, FIX_ALL, edit=whole))
            elif (
                not only
                and ls.client_features.resolves_code_actions
                and any(each.is_preferred for each in actions)
            ):
                data = {"uri": analysed.document.uri, "code": ""}
                actions.append(types.CodeAction(_FIX_ALL_TITLE, FIX_ALL, data=data))
            if rewrites:
                actions += _space_changes(ls, analysed, params, check)
            if extracts:
                actions += compute_extraction_actions(ls, analysed, params, check)
            return actions

        return await ls.answer_request(params.text_document.uri, work)

    @register_request(server, types.CODE_ACTION_RESOLVE)
    async def resolve(ls: OpenclServer, action: types.CodeAction) -> types.CodeAction:
        data = action.data
        if action.edit is not None or not isinstance(data, dict):
            return action
        uri, code = str(data.get("uri")), str(data.get("code"))
        action.edit = await ls.answer_request(
            uri, lambda analysed, check: _fix_all_edit(ls, analysed, code, check)
        )
        return action


def _is_requested(only: Sequence[types.CodeActionKind | str] | None, kind: str) -> bool:
    """Whether `only` contains the kind or one of its prefixes (LSP 3.17, "CodeActionKind").

    False if `only` is None or empty.
    """
    spelled = [each.value if isinstance(each, types.CodeActionKind) else each for each in only or ()]
    return any(each == "" or kind == each or kind.startswith(f"{each}.") for each in spelled)


def _fix_all_edit(
    ls: OpenclServer, analysed: DocumentAnalysis, code: str, check: CancellationCheck
) -> types.WorkspaceEdit | None:
    """Returns the preferred fixes of all diagnostics of the document as one edit; None if there are none.

    With `code`, only the diagnostics with this code are fixed.
    """
    from openclsp.ide.fixes.fix_all import fix_all
    from openclsp.ide.unit_config import unit_config

    if unit_config(analysed.unit).is_excluded:
        return None
    name = analysed.document.name
    fixes = fix_all(
        analysed.unit,
        document=name,
        codes=(code,) if code else (),
        sharing=analysed.project_sharing(check),
        check=check,
    )
    return types.WorkspaceEdit(changes=_edits_by_uri(ls, analysed, fixes.edits)) if fixes.edits else None


def _quick_fixes(
    ls: OpenclServer, analysed: DocumentAnalysis, params: types.CodeActionParams, check: CancellationCheck
) -> list[types.CodeAction]:
    from openclsp.ide.fixes.fixes import compute_fixes
    from openclsp.ide.ignore.ignore_actions import create_ignore_edit
    from openclsp.lsp.session.client_diagnostics import source_of_diagnostics
    from openclsp.lsp.session.diagnostics_cache import document_diagnostics
    from openclsp.lsp.session.selected_diagnostics import resolve_diagnostics

    text, encoding = analysed.document.text, ls.client_features.encoding
    place = range_numbers(text, *offsets_of_range(text, params.range, encoding), encoding)
    everything = [
        (each, each.source.code)
        for each in document_diagnostics(analysed, ls.client_features)
        if each.source is not None
    ]
    listed = {
        (each.code, numbers_of_range(each.range))
        for each in params.context.diagnostics
        if each.source == source_of_diagnostics(analysed)
    }
    # Both ends are inclusive: a cursor directly after a diagnostic's last character still selects it.
    selected = [
        each
        for each, code in everything
        if (each.numbers[:2] <= place[2:] and each.numbers[2:4] >= place[:2])
        or (code, each.numbers[:4]) in listed
    ]
    sharing_units = analysed.project_sharing(check)
    fixed_by_code: dict[str, list[types.Diagnostic]] = {}
    actions: list[types.CodeAction] = []
    ignore_actions: dict[tuple[str, TextEdit], types.CodeAction] = {}
    for diagnostic, shown in resolve_diagnostics(analysed, ls.client_features, selected):
        check()
        for fix in compute_fixes(analysed.unit, diagnostic, sharing=sharing_units):
            if fix.preferred and fix.edits:
                fixed_by_code.setdefault(diagnostic.code, []).append(shown)
            actions.append(_fix_action(ls, analysed, fix, shown))
        edit = create_ignore_edit(analysed.text_of(diagnostic.location.document), diagnostic)
        if edit is not None:
            ignore_actions[diagnostic.code, edit] = _ignore_action(ls, analysed, edit, shown)
    for code, diagnostics in fixed_by_code.items():
        count = sum(each == code for _, each in everything)
        action = _fix_all_of_code(ls, analysed, code, count, check)
        if action is not None:
            action.diagnostics = diagnostics
            actions.append(action)
    return [*actions, *ignore_actions.values()]


def _space_changes(
    ls: OpenclServer, analysed: DocumentAnalysis, params: types.CodeActionParams, check: CancellationCheck
) -> list[types.CodeAction]:
    """Returns the refactorings that change the address space of the declaration at the range's start.

    If a refactoring is refused and the client shows disabled actions, returns a disabled action with the
    reason.
    """
    from openclsp.ide.refactorings.space_changes import compute_space_changes
    from openclsp.ide.unit_config import unit_config

    if unit_config(analysed.unit).is_excluded:
        return []
    start, _ = offsets_of_range(analysed.document.text, params.range, ls.client_features.encoding)
    found = compute_space_changes(
        analysed.unit,
        analysed.document.name,
        start,
        sharing=analysed.project_sharing(check),
        # A request for refactorings only may take longer than a request for all actions.
        thorough=bool(params.context.only),
        check=check,
    )
    kind = types.CodeActionKind.RefactorRewrite
    if found.refusal and ls.client_features.supports_disabled_actions:
        disabled = types.CodeActionDisabled(found.refusal)
        return [types.CodeAction(_SPACE_TITLE, kind=kind, disabled=disabled)]
    return [
        types.CodeAction(
            each.title, kind=kind, edit=types.WorkspaceEdit(changes=_edits_by_uri(ls, analysed, each.edits))
        )
        for each in found.offered
    ]


def _fix_all_of_code(
    ls: OpenclServer, analysed: DocumentAnalysis, code: str, count: int, check: CancellationCheck
) -> types.CodeAction | None:
    """Returns the quick fix for all diagnostics with one code; None if there are fewer than two.

    `count` is their number. If the client cannot resolve the edit later, the edit is computed here. The
    result is then also None if no diagnostic can be fixed, or if there are more than `MAXIMUM_EAGER_FIXES`.
    """
    if count < 2:
        return None
    title = f"Fix all `{code}` in this file"
    action = types.CodeAction(title, kind=types.CodeActionKind.QuickFix)
    if ls.client_features.resolves_code_actions:
        action.data = {"uri": analysed.document.uri, "code": code}
        return action
    action.edit = _fix_all_edit(ls, analysed, code, check) if count <= MAXIMUM_EAGER_FIXES else None
    return action if action.edit is not None else None


def _ignore_action(
    ls: OpenclServer, analysed: DocumentAnalysis, edit: TextEdit, diagnostic: types.Diagnostic
) -> types.CodeAction:
    name = edit.location.document
    where = "here" if name == analysed.document.name else f"in {os.path.basename(name)}"
    fix = CheckedFix(f"Ignore `{diagnostic.code}` {where}", False, (edit,))
    return _fix_action(ls, analysed, fix, diagnostic)


def _fix_action(
    ls: OpenclServer, analysed: DocumentAnalysis, fix: CheckedFix, diagnostic: types.Diagnostic
) -> types.CodeAction:
    action = types.CodeAction(
        fix.title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[diagnostic],
        # The property is absent instead of false, because clients older than LSP 3.15 do not know it.
        is_preferred=True if fix.preferred else None,
    )
    if fix.dialect:
        action.command = types.Command(
            fix.title, CHECK_AS_COMMAND, arguments=[fix.dialect, analysed.document.uri]
        )
    else:
        action.edit = types.WorkspaceEdit(changes=_edits_by_uri(ls, analysed, fix.edits))
    return action


def _edits_by_uri(
    ls: OpenclServer, analysed: DocumentAnalysis, edits: Iterable[TextEdit]
) -> dict[str, list[types.TextEdit]]:
    changes: dict[str, list[types.TextEdit]] = {}
    for edit in edits:
        place = edit.location
        text = analysed.text_of(place.document)
        where = range_between(text, place.start, place.end, ls.client_features.encoding)
        uri = analysed.uri_of(place.document)
        changes.setdefault(uri, []).append(types.TextEdit(where, edit.text))
    return changes
