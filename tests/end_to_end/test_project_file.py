"""`openclsp.toml` and ignore comments in an editor."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from lsprotocol import types

from .conftest import Start
from .editor import Buffer
from .marks import position

KERNEL = """\
kernel void k(global int *from) {
    local int *to = ⟪from⟫;
}
"""
WARNING = '[severity]\npointer-conversion = "warning"\n'


def _severities(shown: list[types.Diagnostic]) -> list[types.DiagnosticSeverity | None]:
    return [each.severity for each in shown]


async def test_the_file_is_watched(start: Start, tmp_path: Path, pulls: bool) -> None:
    path = tmp_path / "openclsp.toml"
    path.write_text(WARNING)
    editor = await start(pulls=pulls)
    buffer = await editor.open_kernel(KERNEL)
    assert _severities(await buffer.diagnostics()) == [types.DiagnosticSeverity.Warning]
    for text, severities, version in (
        (
            'language-version = "CL2.0"\n',
            [types.DiagnosticSeverity.Error],
            "OpenCL C 2.0, from openclsp.toml",
        ),
        ('exclude = ["*.cl"]\n', [], "OpenCL C 1.2"),
    ):
        path.write_text(text)
        editor.client.workspace_did_change_watched_files(
            types.DidChangeWatchedFilesParams([types.FileEvent(path.as_uri(), types.FileChangeType.Changed)])
        )
        if pulls:
            await editor.client.until(lambda: editor.client.diagnostic_refresh_count > 0)
        await buffer.comes_to_show(_severities, severities)
        # An excluded file has no diagnostics, but has hovers.
        assert version in await buffer.hover_text(buffer.spans[0][0])


async def test_an_invalid_project_file_is_one_message(start: Start, tmp_path: Path) -> None:
    (tmp_path / "openclsp.toml").write_text('extentions = []\n[severity]\nrecurson = "off"\n')
    editor = await start()
    for name in ("a.cl", "b.cl"):
        await (await editor.open_kernel(KERNEL, name)).diagnostics()
    (message,) = editor.messages()
    assert "openclsp.toml:1: unknown key 'extentions'; did you mean 'extensions'?" in message
    assert "openclsp.toml:3: there is no rule 'recurson'; did you mean 'recursion'?" in message


async def test_an_ignore_comment_is_offered_last_and_taken_back(start: Start) -> None:
    buffer = await (await start()).open_kernel(KERNEL)
    await buffer.diagnostics()
    *fixes, ignoring = await buffer.actions(buffer.spans[0], [types.CodeActionKind.QuickFix])
    assert fixes
    assert not any(action.title.startswith("Ignore") for action in fixes)
    assert ignoring.title == "Ignore `pointer-conversion` here"
    assert not ignoring.is_preferred
    buffer.apply(ignoring)
    assert "to = from; // openclsp: ignore[pointer-conversion]\n" in buffer.text
    assert await buffer.diagnostics() == []

    buffer.replace("local int *to", "global int *to")
    (hint,) = await buffer.diagnostics()
    assert (hint.code, hint.severity) == ("unused-ignore", types.DiagnosticSeverity.Hint)
    at = buffer.text.index("// openclsp")
    (removal,) = await buffer.actions((at, at))
    assert removal.is_preferred
    buffer.apply(removal)
    assert buffer.text == KERNEL.replace("local", "global").replace("⟪", "").replace("⟫", "")
    assert await buffer.diagnostics() == []


async def test_the_severity_for_unanalysed_code_can_be_set(start: Start, tmp_path: Path) -> None:
    editor = await start()
    for settings, expected in (
        ("", [types.DiagnosticSeverity.Information]),
        ('[severity]\ncpp-for-opencl = "hint"\n', [types.DiagnosticSeverity.Hint]),
        ('exclude = ["*.clcpp"]\n', []),
    ):
        (tmp_path / "openclsp.toml").write_text(settings)
        buffer = await editor.open_kernel("template <class T> void f(T t);\n", "k.clcpp")
        assert _severities(await buffer.diagnostics()) == expected
        buffer.close()


async def test_the_file_itself_has_diagnostics_completions_and_hovers(
    start: Start, tmp_path: Path, pulls: bool
) -> None:
    (tmp_path / "kernel.cl").write_text(KERNEL)
    editor = await start(pulls=pulls)
    buffer = await editor.open_kernel('# 😀\n⟪exclud⟫ = ["*.cl"]\n', "openclsp.toml")
    (shown,) = await buffer.diagnostics()
    assert (shown.code, buffer.covered(shown.range)) == ("project-file", "exclud")
    end = buffer.spans[0][1]
    where = position(buffer.text, end, editor.encoding)
    document = types.TextDocumentIdentifier(buffer.uri)
    found = await editor.client.text_document_completion_async(types.CompletionParams(document, where))
    assert isinstance(found, types.CompletionList)
    assert [each.label for each in found.items] == ["exclude"]
    assert await buffer.hover(end) is None
    # the text as it is typed, not the file
    buffer.replace("exclud ", "exclude ")
    assert await buffer.diagnostics() == []
    assert "Patterns, as in .gitignore" in await buffer.hover_text(end)
    # a pattern without a file, a wrong value, and a file that cannot be read
    for old, new, severity, marked in (
        ('"*.cl"', '"old/*.cl"', types.DiagnosticSeverity.Hint, '"old/*.cl"'),
        ('["old/*.cl"]', "1", types.DiagnosticSeverity.Warning, "1"),
        ("= 1", "= [", types.DiagnosticSeverity.Warning, ""),
    ):
        buffer.replace(old, new)
        # Whether a pattern matches a file is known when the folder has been searched.
        await buffer.comes_to_show(partial(_severities_and_marks, buffer), [(severity, marked)])
    assert editor.messages() == []


async def test_a_pattern_is_searched_again_when_a_file_is_created(
    start: Start, tmp_path: Path, pulls: bool
) -> None:
    """The new file is no header and builds no kernel, so only the diagnostics of the project file change."""
    editor = await start(pulls=pulls)
    buffer = await editor.open_kernel('exclude = ["old/*.py"]\n', "openclsp.toml")
    hint = (types.DiagnosticSeverity.Hint, '"old/*.py"')
    await buffer.comes_to_show(partial(_severities_and_marks, buffer), [hint])
    refreshes = editor.client.diagnostic_refresh_count
    created = tmp_path / "old" / "host.py"
    created.parent.mkdir()
    created.write_text("print()\n")
    editor.client.workspace_did_change_watched_files(
        types.DidChangeWatchedFilesParams([types.FileEvent(created.as_uri(), types.FileChangeType.Created)])
    )
    if pulls:
        await editor.client.until(lambda: editor.client.diagnostic_refresh_count > refreshes)
    await buffer.comes_to_show(partial(_severities_and_marks, buffer), [])


def _severities_and_marks(
    buffer: Buffer, diagnostics: list[types.Diagnostic]
) -> list[tuple[types.DiagnosticSeverity | None, str]]:
    return [(each.severity, buffer.covered(each.range)) for each in diagnostics]
