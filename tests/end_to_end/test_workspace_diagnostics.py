"""`workspace/diagnostic`: the problems of kernels that are not open."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from .conftest import Start
from .editor import Editor
from .plain_client import Message, started

REQUEST_CANCELLED = -32800
FAULTY = "kernel void k(global int *p) {\n    local int *q = p;\n}\n"
CLEAN = FAULTY.replace("local", "global")

Reports = dict[str, tuple[str, tuple[str, ...]]]


async def pull(editor: Editor, previous: dict[str, str] | None = None) -> tuple[Reports, dict[str, str]]:
    """The reports by file name, each with its kind and codes; and the result ids by URI."""
    ids = [types.PreviousResultId(uri, value) for uri, value in (previous or {}).items()]
    params = types.WorkspaceDiagnosticParams(ids)
    found = await editor.client.workspace_diagnostic_async(params)
    reports, known = {}, dict(previous or {})
    for each in found.items:
        items = each.items if isinstance(each, types.WorkspaceFullDocumentDiagnosticReport) else []
        reports[Path(each.uri).name] = each.kind, tuple(str(item.code) for item in items)
        known[each.uri] = each.result_id or ""
    return reports, known


async def test_a_closed_file_that_is_not_recognised_has_no_problems(start: Start, tmp_path: Path) -> None:
    term = "let n : Int <- 1 in {\n  while n <= 3 loop n <- n + 1 pool;\n};\n"
    for name, text in {
        "a.cl": FAULTY,
        "term.cl": term,
        "included.cl": term.replace("3", "4"),
        "b.cl": '#include "included.cl"\n' + CLEAN,
        "openclsp.toml": "",
    }.items():
        (tmp_path / name).write_text(text)
    editor = await start(pulls=True)
    await editor.open_kernel(CLEAN, "open.cl")
    reports, _ = await pull(editor)
    assert "term.cl" not in reports
    assert {"a.cl", "included.cl"} <= reports.keys()


async def test_closed_kernels_are_reported_and_unchanged_ones_by_their_id(
    start: Start, tmp_path: Path
) -> None:
    for name, text in {
        "a.cl": FAULTY,
        "b.cl": '#include "b.h"\n' + FAULTY.replace("local", "SPACE"),
        "b.h": "#define SPACE local\n",
        "clean.cl": CLEAN,
        "open.cl": FAULTY,
        "excluded.cl": FAULTY,
        "openclsp.toml": 'exclude = ["excluded.cl"]\n',
    }.items():
        (tmp_path / name).write_text(text)
    editor = await start(pulls=True)
    await editor.open_kernel(FAULTY, "open.cl")
    reports, known = await pull(editor)
    assert reports == {
        "a.cl": ("full", ("pointer-conversion",)),
        "b.cl": ("full", ("pointer-conversion",)),
    }
    again, known = await pull(editor, known)
    assert again == {"a.cl": ("unchanged", ()), "b.cl": ("unchanged", ())}
    (tmp_path / "b.h").write_text("#define SPACE global\n")
    (tmp_path / "a.cl").unlink()
    changes = (("b.h", types.FileChangeType.Changed), ("a.cl", types.FileChangeType.Deleted))
    editor.client.workspace_did_change_watched_files(
        types.DidChangeWatchedFilesParams(
            [types.FileEvent((tmp_path / name).as_uri(), kind) for name, kind in changes]
        )
    )
    changed, _ = await pull(editor, known)
    assert changed == {"a.cl": ("full", ()), "b.cl": ("full", ())}


async def test_the_setting_switches_it_off(start: Start, tmp_path: Path) -> None:
    (tmp_path / "a.cl").write_text(FAULTY)
    editor = await start(pulls=True, options={"workspaceDiagnostics": "off"})
    assert (await pull(editor))[0] == {}


def ends(message: Message) -> bool:
    """Whether the message ends a progress."""
    value = (message.get("params") or {}).get("value")
    return isinstance(value, dict) and value.get("kind") == "end"


def test_reports_are_sent_as_partial_results_and_end_when_the_request_is_cancelled(tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"k{number:02}.cl").write_text(FAULTY)
    with started(tmp_path) as client:

        def pull_with(identifier: str, **tokens: str) -> None:
            params = {"previousResultIds": [], **tokens}
            client.send({"id": identifier, "method": "workspace/diagnostic", "params": params})

        def partial_items() -> list[Message]:
            found = [each["params"] for each in client.got if each.get("method") == "$/progress"]
            return [item for each in found if each["token"] == "part" for item in each["value"]["items"]]

        pull_with("cancelled", partialResultToken="part", workDoneToken="done")
        client.until(lambda message: bool(partial_items()))
        client.send({"method": "$/cancelRequest", "params": {"id": "cancelled"}})
        answer = client.until(lambda message: message.get("id") == "cancelled")
        assert answer["error"]["code"] == REQUEST_CANCELLED
        assert len(partial_items()) < 30
        # progress that was begun is ended, before the answer or after it
        if not any(map(ends, client.got)):
            client.until(ends)
        client.got.clear()
        pull_with("whole", partialResultToken="part")
        answer = client.until(lambda message: message.get("id") == "whole")
        assert answer["result"] == {"items": []}
        assert sorted(Path(item["uri"]).name for item in partial_items()) == [
            f"k{number:02}.cl" for number in range(30)
        ]
        assert {item["items"][0]["code"] for item in partial_items()} == {"pointer-conversion"}
