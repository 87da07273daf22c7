"""The server and the command line open only a hostile repository's own files and named ones; see SECURITY.md.

An audit hook records what Python opens, starts and connects to; strace also records system calls of extensions written
in C, and lookups of files.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path

import openclsp
import pytest

from .hostile_workspace import CANARY, Hostile, hostile_workspace
from .plain_client import PlainClient, publishes, started

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")

PROGRAM = [sys.executable, "-m", "openclsp"]
PATIENCE = 300
"""Timeout of a command in seconds."""

PYTHON = tuple(
    {
        os.path.realpath(path)
        for path in (
            sys.prefix,
            sys.base_prefix,
            sys.exec_prefix,
            *sysconfig.get_paths().values(),
            os.path.join(os.path.dirname(openclsp.__file__), os.pardir, os.pardir),
            os.path.dirname(__file__),
        )
    }
) + ("/dev/null",)
"""Folders in which Python, the package and its dependencies are installed."""

SYSTEM = (
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/share/locale",
    "/usr/bin",
    "/etc/ld.so.cache",
    "/etc/locale.alias",
    "/etc/ssl/openssl.cnf",
    "/usr/share/zoneinfo",
    "/proc/self/maps",
)
"""Files that the system's loader and C library open for every program."""


@pytest.fixture
def hostile(tmp_path: Path) -> Hostile:
    return hostile_workspace(tmp_path)


def environment(hostile: Hostile) -> dict[str, str]:
    home = hostile.folder.parent / "home"
    home.mkdir(exist_ok=True)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    return kept | {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "OPENCLSP_AUDIT": str(home / "audit.log"),
        "SECRET_VARIABLE": f"{CANARY}_variable",
        "PYTHONPATH": str(Path(__file__).parent / "audited"),
    }


def commands(hostile: Hostile) -> Iterator[list[str]]:
    folder = hostile.folder
    yield ["check", str(folder)]
    yield ["check", "--format", "json", "--show-options", "--kernels", "--all-variants", str(folder)]
    for kernel in hostile.kernels:
        yield ["check", "--show-options", str(kernel)]
    yield ["hover", f"{folder}/k.cl:29:6"]
    yield ["hover", f"{folder}/k.cl:29:35"]
    yield ["flow", "--format", "json", f"{folder}/k.cl:25:17"]
    yield ["check", *(str(folder / f"{name}.cl") for name in ("secret",))]
    yield ["check", str(folder / "passwd.cl")]
    yield ["check", str(folder / "env.cl")]
    yield ["check", str(folder / "notes.cl")]
    yield ["check", str(folder / "folder" / "secret.cl")]
    yield ["hover", f"{folder}/secret.cl:1:9"]
    yield ["check", str(folder / "pipe.cl")]
    yield ["check", str(folder / "socket.cl")]
    yield ["check", str(folder / "zero.cl")]
    yield ["check", str(folder / "circle.cl")]
    yield ["check", "--fix", str(folder / "k.cl")]


def run(hostile: Hostile, arguments: list[str], before: tuple[str, ...] = ()) -> str:
    """The output of a command, which must end and contain no secret."""
    output = run_unchecked(hostile, arguments, before)
    assert "Traceback" not in output and "internal error" not in output, output
    assert_tells_nothing(output)
    return output


def assert_tells_nothing(told: str) -> None:
    """Asserts that the output contains nothing about the secrets except the type and macro that the kernel itself names."""
    for secret in ("value", "token", "word", "variable", "p", "int"):
        assert f"{CANARY}_{secret}" not in told
    for line in (f"int {CANARY}", f"url = {CANARY}", "root:x:", "localhost", "BEGIN KEY", "is there"):
        assert line not in told


def opened(hostile: Hostile) -> set[str]:
    """The paths that were opened or listed, with links resolved; asserts that nothing was started or connected to."""
    paths = set()
    lines = (hostile.folder.parent / "home" / "audit.log").read_text("utf-8", "surrogateescape").splitlines()
    assert len(lines) > 10
    for line in lines:
        event, _, path = line.partition(" ")
        if event == "os.fork":
            # a check that takes long continues in processes of its own
            continue
        assert event in ("open", "os.listdir", "os.scandir"), line
        paths.add(os.path.realpath(path))
    return paths


def is_in(path: str, folders: tuple[str, ...]) -> bool:
    return any(path == folder or path.startswith(folder.rstrip("/") + "/") for folder in folders)


def assert_only(paths: set[str], hostile: Hostile, *named: Path) -> None:
    """Asserts that only the repository, Python and the `named` paths were opened."""
    allowed = (*PYTHON, str(hostile.folder), *map(str, named))
    assert sorted(path for path in paths if not is_in(path, allowed)) == []


def test_commands_open_nothing_outside(hostile: Hostile) -> None:
    for arguments in commands(hostile):
        run(hostile, arguments)
    paths = opened(hostile)
    assert_only(paths, hostile)
    assert str(hostile.folder / "own.h") in paths, "the repository's own header is read"
    for name in ("pipe.h", "pipe.cl", "socket.h", "notes.txt", ".env", ".git/config", "id_rsa"):
        # The contents of files that are read for inspection appear nowhere.
        assert str(hostile.folder / name) not in paths or name in ("notes.txt", "id_rsa")


def test_a_refused_file_is_reported_with_the_setting_that_allows_it(hostile: Hostile) -> None:
    told = run(hostile, ["check", "k.cl"])
    for option in (
        "-I/",
        f"-include {hostile.outside}/secret.h",
        f"-isystem {hostile.outside}",
        "-iquote /etc",
    ):
        assert told.count(f"compile_flags.txt: {option} leads out of the project") == 1, option
    assert (
        "'../outside/secret.h': the file is outside the project and the folders that you allowed (--readable-folder"
        in told
    )
    assert told.count("openclsp: To allow it, name the folder with --readable-folder") == 1
    assert "'.env': hidden files, and files in hidden folders, are not read" in told
    assert "'id_rsa': the file has no file name ending of source code" in told


def test_paths_named_by_the_user_are_opened(hostile: Hostile) -> None:
    found = run_unchecked(hostile, ["check", "--readable-folder", str(hostile.outside), "k.cl"])
    assert "'link.h'" not in found
    paths = opened(hostile)
    assert str(hostile.outside / "secret.h") in paths
    assert_only(paths, hostile, hostile.outside)


def test_paths_named_by_the_user_configuration_are_opened(hostile: Hostile) -> None:
    folder = Path(environment(hostile)["XDG_CONFIG_HOME"]) / "openclsp"
    folder.mkdir(parents=True)
    (folder / "openclsp.toml").write_text(f'readable-folders = ["{hostile.outside}"]\n')
    run_unchecked(hostile, ["check", "k.cl"])
    paths = opened(hostile)
    assert str(hostile.outside / "secret.h") in paths
    assert_only(paths, hostile, hostile.outside, folder)


def run_unchecked(hostile: Hostile, arguments: list[str], before: tuple[str, ...] = ()) -> str:
    """The output of a command, unchecked."""
    ran = subprocess.run(
        [*before, *PROGRAM, *arguments],
        cwd=hostile.folder,
        env=environment(hostile),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return ran.stdout + ran.stderr


def work(client: PlainClient, hostile: Hostile) -> str:
    """Opens every kernel and sends every request at every position; returns all answers."""
    for kernel in hostile.kernels:
        text = kernel.read_text()
        document = {"uri": kernel.as_uri()}
        opening = {**document, "languageId": "opencl", "version": 1, "text": text}
        client.send({"method": "textDocument/didOpen", "params": {"textDocument": opening}})
        client.until(publishes)
        for line in range(text.count("\n")):
            for column in (4, 12, 30):
                place = {"textDocument": document, "position": {"line": line, "character": column}}
                for method in ("hover", "completion"):
                    client.ask(f"textDocument/{method}", place)
        for method in ("documentSymbol", "codeLens", "semanticTokens/full"):
            client.ask(f"textDocument/{method}", {"textDocument": document})
        change = {"textDocument": {**document, "version": 2}, "contentChanges": [{"text": text + "\n"}]}
        client.send({"method": "textDocument/didChange", "params": change})
        client.until(lambda message: publishes(message) and message["params"].get("version") == 2)
        client.send({"method": "textDocument/didSave", "params": {"textDocument": document}})
        client.ask("openclsp/status", {"textDocument": document})
    return str(client.got)


def test_the_server_opens_nothing_outside(hostile: Hostile) -> None:
    with started(hostile.folder, environment=environment(hostile)) as client:
        told = work(client, hostile)
    assert_tells_nothing(told)
    assert "compile_flags.txt: -I/ leads out of the project" in told
    assert "is outside the project" in told
    shown = [each["params"]["message"] for each in client.got if each.get("method") == "window/showMessage"]
    assert any("command:" in each for each in shown)
    assert [each for each in shown if "](" in each] == [], "a link that runs a command in VS Code"
    assert_only(opened(hostile), hostile)


def test_the_clients_settings_are_the_persons(hostile: Hostile) -> None:
    options = {"readableFolders": [str(hostile.outside)]}
    with started(hostile.folder, environment=environment(hostile), options=options) as client:
        work(client, hostile)
    paths = opened(hostile)
    assert str(hostile.outside / "secret.h") in paths
    assert_only(paths, hostile, hostile.outside)


def traced(hostile: Hostile, work: Callable[[tuple[str, ...]], None]) -> list[tuple[str, str, bool]]:
    """The system calls with a path while `work` runs: name, path, and whether the call succeeded."""
    log = hostile.folder.parent / "strace.log"
    calls = "trace=%file,connect,execve"
    work(("strace", "-f", "-qq", "-s", "4096", "-e", calls, "-o", str(log)))
    found = []
    # the first path is the one that is asked for: that of readlink is the link
    call = re.compile(r'\d+ +(\w+)\((?:AT_FDCWD, |\d+, )?(?:"((?:[^"\\]|\\.)*)"|.*?).*\) += (-?\d+)')
    for line in log.read_text("utf-8", "replace").splitlines():
        match = call.match(line)
        if match is not None:
            found.append((match[1], match[2] or "", int(match[3]) >= 0))
    assert len(found) > 100
    return found


def leads_through(path: str, folder: Path) -> bool:
    """Whether resolving a path passes through a folder, also one that is left again by `..`."""
    parts = path.split("/")
    return any(
        is_in(os.path.normpath("/".join(parts[:end])), (str(folder),)) for end in range(1, len(parts) + 1)
    )


def assert_calls(calls: list[tuple[str, str, bool]], hostile: Hostile) -> None:
    """Asserts that nothing outside was opened or looked up, and nothing was started or connected to."""
    programs = [path for name, path, done in calls if name == "execve" and done]
    assert len(programs) == 1, programs
    assert [path for name, path, _ in calls if name == "connect"] == []
    asked = [(name, path) for name, path, _ in calls if leads_through(path, hostile.outside)]
    assert asked == []
    done = {os.path.realpath(path) for name, path, done in calls if name.startswith("open") and done and path}
    allowed = (*PYTHON, *SYSTEM, str(hostile.folder), str(hostile.folder.parent / "home" / "audit.log"))
    assert sorted(path for path in done if not is_in(path, allowed)) == []
    for path in ("/etc/passwd", "/etc/hosts", "/proc/self/environ", "/dev/zero"):
        assert [name for name, asked, _ in calls if asked == path] == [], path


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_commands_under_strace(hostile: Hostile) -> None:
    for arguments in (
        ["check", str(hostile.folder)],
        ["check", "--show-options", "k.cl"],
        ["check", "secret.cl"],
    ):
        assert_calls(traced(hostile, lambda before, given=arguments: run(hostile, given, before)), hostile)


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_the_server_under_strace(hostile: Hostile) -> None:
    def serve(before: tuple[str, ...]) -> None:
        with started(hostile.folder, environment=environment(hostile), before=before) as client:
            assert_tells_nothing(work(client, hostile))

    assert_calls(traced(hostile, serve), hostile)
