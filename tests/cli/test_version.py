"""`openclsp --version` names the version and says whether the hot modules are compiled."""

from __future__ import annotations

import pytest
from openclsp import __version__
from openclsp.cli import main


@pytest.mark.parametrize("found, answer", [(object(), "yes"), (None, "no")])
def test_the_version_says_whether_the_modules_are_compiled(
    found: object, answer: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("openclsp.cli.commands.find_spec", lambda name: found)
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"openclsp {__version__}, compiled: {answer}\n"
