"""The command as a process: start, output to a pipe, version."""

from __future__ import annotations

import json
import subprocess
import sys

import openclsp as package
import pytest

COMMAND = [sys.executable, "-m", "openclsp"]
ERRORS = b"".join(b"void f%d(global int *g) { local int *l = g; }\n" % number for number in range(300))


def test_version():
    ran = subprocess.run([*COMMAND, "--version"], capture_output=True, check=True)
    assert ran.stdout.decode().startswith(f"openclsp {package.__version__}, compiled: ")
    assert ran.stderr == b""


def test_help_names_every_command():
    ran = subprocess.run([*COMMAND, "--help"], capture_output=True, check=True)
    for command in (b"check", b"explain", b"rules", b"hover", b"server"):
        assert command in ran.stdout


def test_a_reader_that_leaves_early(tmp_path):
    (tmp_path / "k.cl").write_bytes(ERRORS)
    with subprocess.Popen(
        [*COMMAND, "check", "--no-fixes", "k.cl"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
        process.wait(60)


def test_an_output_that_has_few_characters(tmp_path):
    """A character that the encoding of the output lacks is replaced by another one."""
    (tmp_path / "größe.cl").write_bytes(b"void f(global int *g) { local int *gr\xc3\xb6\xc3\x9fe = g; }\n")
    ran = subprocess.run(
        [*COMMAND, "check", "größe.cl"],
        cwd=tmp_path,
        capture_output=True,
        env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "PATH": "", **_python_path()},
        check=False,
    )
    assert ran.returncode == 1
    assert b"error[pointer-conversion]" in ran.stdout
    assert b"Traceback" not in ran.stderr


def _python_path() -> dict[str, str]:
    import os

    return {name: value for name, value in os.environ.items() if name in ("PYTHONPATH", "SYSTEMROOT", "HOME")}


def test_standard_input_and_json_through_pipes(tmp_path):
    ran = subprocess.run(
        [*COMMAND, "check", "--format", "json", "-"],
        cwd=tmp_path,
        input=ERRORS,
        capture_output=True,
        check=False,
    )
    assert ran.returncode == 1
    (file,) = json.loads(ran.stdout)["files"]
    assert len(file["diagnostics"]) == 300


@pytest.mark.parametrize("options", [[], ["--stdio"]], ids=str)
def test_the_server_starts_with_the_options_that_editors_pass(options):
    body = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}'
    message = b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
    ran = subprocess.run(
        [*COMMAND, "server", *options], input=message, capture_output=True, timeout=60, check=False
    )
    assert b'"hoverProvider"' in ran.stdout
    # the client is gone without a word: LSP 3.17, "Exit Notification"
    assert ran.returncode == 1
