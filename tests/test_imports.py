"""The order of imports between folders, and the words that the repository may contain.

Imports go one way: language ◄ source ◄ semantics ◄ rules ◄ ide ◄ {lsp, cli}, and source ◄ project ◄ host_code ◄ host_options
◄ workspace ◄ ide; only lsp knows the protocol.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "server" / "openclsp"
ANALYSIS = ("language", "source", "semantics", "rules")
FILES = ("language", "source", "project", "host_code", "host_options", "workspace")
OUTER = ("lsp", "cli")
PROTOCOL = ("pygls", "lsprotocol")
# Every room makes its values with it.
SHARED = "openclsp.dataclass"
# The command `openclsp server` is where the command line hands over.
HAND_OVER = ("openclsp.cli", "openclsp.cli.commands")


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written in full"
            yield node.module or ""


def room_of(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[0] == "openclsp" else ""


def may_import(room: str, other: str) -> bool:
    """Whether a module of `room` may import from the room `other`."""
    if room in OUTER:
        return other in {*ANALYSIS, *FILES, "ide", room}
    if room == "ide":
        return other in {*ANALYSIS, *FILES, room}
    return any(room in order and other in order[: order.index(room) + 1] for order in (ANALYSIS, FILES))


def test_every_module_lies_in_a_room():
    rooms = {room_of(name_of(path)) for path in modules() if path.parent != PACKAGE}
    assert rooms == {*ANALYSIS, *FILES, "ide", *OUTER}


def test_imports_go_one_way():
    wrong = []
    for path in modules():
        module = name_of(path)
        room = room_of(module)
        if path.parent == PACKAGE:
            continue
        for other in imported(path):
            if other == "openclsp.lsp.startup.start" and module in HAND_OVER:
                continue
            upwards = room_of(other) and other != SHARED and not may_import(room, room_of(other))
            if upwards or (room != "lsp" and other.split(".")[0] in PROTOCOL):
                wrong.append(f"{module} imports {other}")
    assert wrong == []


def test_every_dataclass_is_a_cheap_one():
    standard = re.compile(r"^from dataclasses import .*\bdataclass\b|^import dataclasses", re.MULTILINE)
    paths = (path for path in modules() if name_of(path) != SHARED)
    assert [name_of(path) for path in paths if standard.search(path.read_text(encoding="utf-8"))] == []


def test_the_rule_would_notice():
    assert not may_import("source", "workspace")
    assert not may_import("ide", "cli")
    assert not may_import("cli", "lsp")
    assert may_import("rules", "semantics")


OPTIONAL = {"mcp": "openclsp.cli.agents.mcp_server"}
"""The extras of the package, each with the only module that imports its distributions."""


def required(group: str = "dependencies") -> set[str]:
    """The distributions that pyproject.toml names as dependencies of the package, or of one of its extras."""
    listed = re.search(
        rf"^{group} = \[(.*?)^\]", (ROOT / "pyproject.toml").read_text(), re.MULTILINE | re.DOTALL
    )
    assert listed is not None
    return {name.lower() for name in re.findall(r'^  "([\w-]+)', listed[1], re.MULTILINE)}


def test_imported_distributions_are_exactly_the_required_ones():
    optional = {name_of(path): path for path in modules() if name_of(path) in OPTIONAL.values()}
    names = {
        other.split(".")[0] for path in modules() if name_of(path) not in optional for other in imported(path)
    }
    outside = names - {"openclsp"} - sys.stdlib_module_names
    # by its name as text: the standard library has it from 3.11 on
    outside |= {"tomli"} if '"tomli"' in (PACKAGE / "workspace" / "toml_parser.py").read_text() else set()
    distributions = packages_distributions()
    assert {distributions.get(name, [name])[0].lower() for name in outside} == required()
    for extra, module in OPTIONAL.items():
        names = {other.split(".")[0] for other in imported(optional[module])}
        assert names - {"openclsp"} - sys.stdlib_module_names == required(extra)


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode != 0:
        pytest.skip("not a git checkout: the files of the repository are not known")
    return [ROOT / name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()]


# Put together so that this file does not speak of them itself.
FOREIGN = re.compile(
    "|".join(
        (
            r"\.\./" + "shared",
            "/" + r"work/(?:main|shared|plan|venv)",
            "files." + "pythonhosted",
            "pypi." + "org",
            "registry." + r"npmjs",
            "registry." + "yarnpkg",
            "/opt/" + "pypi",
        )
    ).encode()
)


def test_nothing_speaks_of_other_places():
    """No file names a folder of a particular machine, or the host of a package registry."""
    found = [
        f"{path.relative_to(ROOT)}: {match[0].decode()}"
        for path in tracked()
        for match in FOREIGN.finditer(path.read_bytes())
    ]
    assert found == []


def test_the_command_line_starts_without_the_protocol():
    program = "import sys; from openclsp.cli import main; main(['--version']); print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = set(ran.stdout.split())
    assert "openclsp.cli.commands" in loaded
    assert not loaded & {*PROTOCOL, "rich", "tree_sitter", "openclsp.semantics", "openclsp.rules"}


OPENS = {
    "openclsp.project.file_system": {
        "open",
        "os.open",
        "os.scandir",
        "os.stat",
        "os.readlink",
        "os.path.realpath",
    },
    # paths of the command line
    "openclsp.cli.inputs": {"os.path.isdir"},
    "openclsp.cli.build_options": {"os.path.isdir"},
    # the state of a revision, in a temporary folder
    "openclsp.cli.changed_since": {"open", "os.makedirs", "os.mkdir", "os.path.realpath", "tempfile"},
    "openclsp.cli.flow_difference": {"os.path.exists", "os.path.isdir", "os.path.realpath", "tempfile"},
    # what belongs to the package
    "openclsp.workspace.project_file": {"open"},
    "openclsp.rules.runner.page": {"open", "os.listdir"},
    "openclsp.cli.schemas": {"open", "os.listdir"},
    "openclsp.lsp.startup.early_initialize": {"open"},
    "openclsp.lsp.startup.capabilities": {"open"},
    # names of files as URIs
    "openclsp.lsp.uris": {"pathlib", "urllib.parse", "urllib.request"},
    # the wait of Windows for the client's process
    "openclsp.lsp.startup.client_process": {"ctypes"},
    # the files that the user names as input or output, and those that `check --fix` writes
    "openclsp.cli.user_files": {
        "open",
        "os.makedirs",
        "os.path.exists",
        "os.path.isfile",
        "os.path.realpath",
        "os.replace",
        "os.stat",
        "os.unlink",
        "tempfile",
    },
    # the server that `doctor` tests
    "openclsp.cli.doctor_command": {"subprocess"},
    # git
    "openclsp.cli.git_revision": {"subprocess"},
    # clang-format of the server's own environment; it gets text and style, and opens no file of the project
    "openclsp.lsp.session.clang_format": {"subprocess"},
    "openclsp.cli.check_run": {"os.path.exists", "os.path.isdir"},
    "openclsp.cli.ignore_insertion": {"os.path.realpath"},
    "openclsp.cli.watch": {"os.stat"},
    # the processes of a run, which are copies of the first, and their results
    "openclsp.cli.worker_processes": {
        "multiprocessing",
        "multiprocessing.connection",
        "multiprocessing.process",
    },
    "openclsp.cli.result_pickling": {"pickle"},
    # paths as URIs
    "openclsp.cli.formats.sarif": {"urllib.parse"},
    # the workspace of the agents' tools
    "openclsp.cli.agents.mcp_server": {"os.path.isdir"},
    "openclsp.cli.agents.workspace_tools": {"os.path.realpath"},
    # the null device
    "openclsp.cli.commands": {"os.open"},
}
"""The modules that open files or ask for them by themselves, and with what: what is read of a workspace goes through the first (SECURITY.md)."""

OPENING = {
    "open",
    *(
        f"os.{name}"
        for name in ("open", "scandir", "listdir", "walk", "fwalk", "popen", "system", "startfile")
    ),
    *(
        f"os.{name}"
        for name in ("link", "symlink", "rename", "replace", "remove", "unlink", "mkdir", "makedirs")
    ),
    *(f"io.{name}" for name in ("open", "FileIO", "open_code")),
    "codecs.open",
    *(f"os.{name}" for name in ("stat", "lstat", "access", "readlink", "statvfs")),
    *(
        f"os.path.{name}"
        for name in ("exists", "lexists", "isfile", "isdir", "islink", "getsize", "getmtime")
    ),
    *(f"os.path.{name}" for name in ("realpath", "samefile", "ismount")),
}
OPENING_METHODS = {"read_text", "read_bytes", "write_text", "write_bytes", "iterdir", "rglob", "fromfile"}
OPENING_MODULES = [
    "pathlib",
    "glob",
    "shutil",
    "fileinput",
    "linecache",
    "tokenize",
    "mmap",
    "tempfile",
    "subprocess",
    "multiprocessing",
    "pty",
    "ctypes",
    "socket",
    "ssl",
    "http",
    "urllib",
    "ftplib",
    "smtplib",
    "webbrowser",
    "importlib.resources",
    "pkgutil",
    "runpy",
    "sqlite3",
    "zipfile",
    "tarfile",
    "gzip",
    "bz2",
    "lzma",
    "dbm",
    "shelve",
    "configparser",
    "pickle",
]


def opening(path: Path) -> Iterator[str]:
    """Yields the constructs with which a module opens files, starts programs or makes connections."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in OPENING:
            yield ast.unparse(node.func)
        elif isinstance(node, ast.Attribute) and node.attr in OPENING_METHODS:
            yield node.attr
    for other in imported(path):
        if any(other == name or other.startswith(f"{name}.") for name in OPENING_MODULES):
            yield other


def test_files_are_opened_in_one_place() -> None:
    found = {name_of(path): set(opening(path)) for path in modules()}
    assert {name: calls for name, calls in found.items() if calls} == OPENS


def test_files_are_read_only_with_a_permission() -> None:
    """The only module that opens files of a workspace locates them first: `permission` decides."""
    tree = ast.parse((PACKAGE / "project" / "file_system.py").read_text(encoding="utf-8"))
    opened = [
        ast.unparse(node.args[0])
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("open", "os.open", "os.scandir")
    ]
    assert sorted(opened) == ["descriptor", "located", "located"]
