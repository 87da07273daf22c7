"""A document opened at once after `initialize` has its diagnostics published once."""

from __future__ import annotations

from pathlib import Path

from .plain_client import Message, publishes, started

TEXT = "kernel void k(global int *g) { local int *p = g; p[0] = 1; global int *q = g; }\n"


def _document(folder: Path) -> str:
    return (folder / "k.cl").as_uri()


def _opened(folder: Path) -> Message:
    item = {"uri": _document(folder), "languageId": "opencl", "version": 1, "text": TEXT}
    return {"method": "textDocument/didOpen", "params": {"textDocument": item}}


def _hover(folder: Path) -> Message:
    place = {"line": 0, "character": TEXT.index("*q") + 1}
    params = {"textDocument": {"uri": _document(folder)}, "position": place}
    return {"id": 2, "method": "textDocument/hover", "params": params}


def test_it_is_told_once(tmp_path: Path) -> None:
    with started(tmp_path) as client:
        client.send(_opened(tmp_path), _hover(tmp_path))
        client.until(publishes)
        assert "q" in str(client.until(lambda message: message.get("id") == 2)["result"])
    assert client.published() == [(1, ["pointer-conversion"])]


def test_with_the_settings_of_the_client_who_is_asked_once(tmp_path: Path) -> None:
    with started(
        tmp_path, settings=[{"languageVersion": "CL2.0", "defines": "local=global"}, None]
    ) as client:
        client.send(_opened(tmp_path))
        client.until(publishes)
        client.ask("textDocument/hover", _hover(tmp_path)["params"])
    assert client.published()[0] == (1, [])
    assert {version for version, _ in client.published()} == {1}
    assert [each.get("method") for each in client.got].count("workspace/configuration") == 1


def test_an_edit_that_follows_at_once(tmp_path: Path) -> None:
    change: Message = {
        "method": "textDocument/didChange",
        "params": {
            "textDocument": {"uri": _document(tmp_path), "version": 2},
            "contentChanges": [{"text": TEXT.replace("local int", "global int")}],
        },
    }
    with started(tmp_path) as client:
        client.send(_opened(tmp_path), change)
        client.until(lambda message: publishes(message) and message["params"]["version"] == 2)
    assert client.published()[-1] == (2, [])


def test_closed_and_opened_again_at_once(tmp_path: Path) -> None:
    """What the first look told was taken back in between."""
    closed: Message = {
        "method": "textDocument/didClose",
        "params": {"textDocument": {"uri": _document(tmp_path)}},
    }
    with started(tmp_path) as client:
        client.send(_opened(tmp_path))
        client.until(publishes)
        client.send(closed, _opened(tmp_path))
        client.until(lambda message: publishes(message) and not message["params"]["diagnostics"])
        client.until(publishes)
    assert client.published()[-1] == (1, ["pointer-conversion"])
