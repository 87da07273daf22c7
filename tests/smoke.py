"""Smoke test of an installed openclsp: the version, a check, and a server that answers. Needs nothing but Python.

    python tests/smoke.py [--compiled yes|no] [COMMAND …]

COMMAND starts openclsp; the default is the module in this interpreter. The exit code is 0, or 1 with the first wrong
answer.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

KERNEL = Path(__file__).parent / "kernels" / "faulty" / "blur.cl"


def main(arguments: Sequence[str]) -> int:
    """Runs the test with the command in `arguments`."""
    compiled = None
    if arguments[:1] == ["--compiled"]:
        compiled, arguments = arguments[1], arguments[2:]
    command = list(arguments) or [sys.executable, "-m", "openclsp"]
    version = subprocess.run(
        [*command, "--version"], capture_output=True, text=True, timeout=60, check=False
    ).stdout
    print(version.strip())
    if "compiled: " not in version or (compiled and not version.endswith(f"compiled: {compiled}\n")):
        return _fail(f"the version is {version!r}, wanted compiled: {compiled or 'yes or no'}")
    check = subprocess.run(
        [*command, "check", "--format", "json", str(KERNEL)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if check.returncode != 1 or '"pointer-conversion"' not in check.stdout:
        return _fail(f"check answered {check.returncode}: {check.stdout[-500:]}{check.stderr[-500:]}")
    server = subprocess.run(
        [*command, "server"],
        input=b"".join(map(_message, _session())),
        capture_output=True,
        timeout=120,
        check=False,
    )
    if b'"textDocumentSync"' not in server.stdout or server.returncode != 0:
        return _fail(
            f"the server answered {server.returncode}: {server.stdout[:500]!r} {server.stderr[-500:]!r}"
        )
    print("smoke test passed")
    return 0


def _session() -> list[dict[str, object]]:
    parameters = {"processId": None, "rootUri": None, "capabilities": {}}
    return [
        {"id": 1, "method": "initialize", "params": parameters},
        {"method": "initialized", "params": {}},
        {"id": 2, "method": "shutdown"},
        {"method": "exit"},
    ]


def _message(content: dict[str, object]) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **content}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def _fail(reason: str) -> int:
    print(reason, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
