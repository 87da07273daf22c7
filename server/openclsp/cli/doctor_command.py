"""The command `doctor`: versions, the configuration of a file, and a self-test."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from threading import Timer

from openclsp import __version__
from openclsp.cli.check_report import OptionsReport
from openclsp.cli.excerpt import printable
from openclsp.cli.options_output import options_text
from openclsp.cli.styled_text import StyledLine
from openclsp.dataclass import dataclass
from openclsp.workspace.user_configuration import UserConfiguration

_DEPENDENCIES = "tree-sitter", "pygls", "lsprotocol", "click", "rich", "PyYAML"
_SERVER_SECONDS = 30
"""The seconds within which the server must answer and end."""

_QUESTIONS = (
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}',
    '{"jsonrpc":"2.0","method":"initialized","params":{}}',
    (
        '{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"untitled:doctor.cl",'
        '"languageId":"opencl","version":1,"text":"kernel void k(global int *g) { local int *l = g; }"}}}'
    ),
)
_END = '{"jsonrpc":"2.0","id":2,"method":"shutdown"}', '{"jsonrpc":"2.0","method":"exit"}'
_ANSWER = b'"pointer-conversion"'


@dataclass(frozen=True, slots=True)
class SelfTest:
    """The result of a test that starts a server and requests the diagnostics of a faulty kernel."""

    passed: bool
    detail: str


def run_self_test(command: Sequence[str]) -> SelfTest:
    """Starts `command`, a server on standard input and output; returns whether it answers as expected."""
    begin = time.perf_counter()
    try:
        # `python -m` adds the working folder to its module path, and this folder may be an untrusted
        # repository.
        server = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=os.path.dirname(sys.executable),
        )
    except OSError as error:
        return SelfTest(False, f"the server failed: {error}")
    limit = Timer(_SERVER_SECONDS, server.kill)
    limit.start()
    try:
        answered = _ask(server)
        _, errors = server.communicate(_frame(_END) if answered else None)
    except (BrokenPipeError, ValueError):
        answered, errors = False, b""
        server.kill()
    finally:
        limit.cancel()
    seconds = time.perf_counter() - begin
    if answered and server.returncode == 0:
        return SelfTest(True, f"the server reported the error of a test kernel and ended, in {seconds:.1f} s")
    last = errors.decode(errors="replace").strip().rpartition("\n")[2]
    return SelfTest(False, f"the server ended with status {server.wait()}: {last or 'no diagnostics'}")


def _ask(server: subprocess.Popen[bytes]) -> bool:
    """Asks the server to analyse the test kernel, and returns whether it reports the kernel's error.

    Returns False if the server ends or is terminated before that.
    """
    assert server.stdin is not None and server.stdout is not None
    server.stdin.write(_frame(_QUESTIONS))
    server.stdin.flush()
    received = b""
    while _ANSWER not in received:
        data = server.stdout.read1(65536)  # type: ignore[attr-defined]
        if not data:
            return False
        received += data
    return True


def _frame(messages: Sequence[str]) -> bytes:
    return b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(each), each.encode()) for each in messages)


def server_command() -> tuple[str, ...]:
    """Returns the command that starts this installation's server."""
    if getattr(sys, "frozen", False):
        return (sys.executable, "server")
    return (sys.executable, "-m", "openclsp", "server")


def doctor_text(
    user: UserConfiguration, options: Sequence[OptionsReport], test: SelfTest
) -> Iterator[StyledLine]:
    """Yields the report as text, which users can paste into a bug report."""
    compiled = "yes" if find_spec("openclsp_compiled__mypyc") else "no (same results, several times slower)"
    yield [("openclsp ", "bold"), (f"{__version__}, compiled: {compiled}", "")]
    yield [(f"  Python {platform.python_version()}, {sys.executable}", "")]
    yield [(f"  {platform.platform()}", "")]
    for name in _DEPENDENCIES:
        yield [(f"  {name} {_version_of(name)}", "")]
    yield []
    yield [("Your configuration ", "bold"), (printable(user.path) or "none", "")]
    for problem in user.problems:
        yield [(f"  {printable(problem)}", "red")]
    yield []
    yield from options_text(options)
    yield [
        ("Self-test ", "bold"),
        ("passed: " if test.passed else "FAILED: ", "green" if test.passed else "red"),
        (printable(test.detail), ""),
    ]


def _version_of(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "(no version known)"
