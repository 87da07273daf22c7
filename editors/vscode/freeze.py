"""Freezes the server of this interpreter's environment into server/openclsp/, which a packed extension then carries.

    python editors/vscode/freeze.py

Needs openclsp, installed from a compiled wheel, and PyInstaller (`pip install pyinstaller`) in the environment. The result
runs without Python, on this platform only: `npm run package -- --target PLATFORM` packs it (`linux-x64`, `darwin-arm64`, …).
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

SERVER = Path(__file__).resolve().parent / "server" / "openclsp"
ENTRY = "import sys\nfrom openclsp.cli import main\nsys.exit(main())\n"
WITHOUT_HOOKS = "a.scripts = [each for each in a.scripts if not each[0].startswith('pyi_rth_')]\n"
"""Removes PyInstaller's hooks, which import zipfile, shutil, lzma and multiprocessing before the program starts. They serve
`pkgutil.iter_modules`, the frames of `inspect`, and processes that multiprocessing spawns; openclsp uses none of these.
"""


def main() -> int:
    """Freezes the server and starts the result once."""
    for module, source in (("PyInstaller", "pip install pyinstaller"), ("openclsp_compiled__mypyc", "a compiled wheel")):
        if importlib.util.find_spec(module) is None:
            print(f"freeze.py: this environment lacks {module}: install it from {source}", file=sys.stderr)
            return 1
    with tempfile.TemporaryDirectory() as folder:
        entry = Path(folder) / "entry.py"
        entry.write_text(ENTRY, encoding="utf-8")
        command = [
            *(sys.executable, "-m", "PyInstaller.utils.cliutils.makespec", "--onedir", "--log-level", "ERROR"),
            *("--name", "openclsp", "--specpath", folder),
            # openclsp imports its modules and reads its pages by name; the loaders of compiled modules import the library.
            *("--collect-all", "openclsp", "--hidden-import", "openclsp_compiled__mypyc"),
            *("--collect-submodules", "pygls", "--collect-submodules", "lsprotocol"),
            # The licences of everything that is carried.
            *("--recursive-copy-metadata", "openclsp"),
            *(option for name in ("tkinter", "unittest", "pydoc") for option in ("--exclude-module", name)),
            str(entry),
        ]
        subprocess.run(command, check=True, cwd=folder)
        specification = Path(folder) / "openclsp.spec"
        text = specification.read_text(encoding="utf-8")
        assert text.count("pyz = PYZ(") == 1
        specification.write_text(text.replace("pyz = PYZ(", f"{WITHOUT_HOOKS}pyz = PYZ("), encoding="utf-8")
        build = (sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR")
        paths = ("--distpath", folder, "--workpath", f"{folder}/work")
        subprocess.run([*build, *paths, str(specification)], check=True, cwd=folder)
        shutil.rmtree(SERVER, ignore_errors=True)
        SERVER.parent.mkdir(exist_ok=True)
        shutil.move(Path(folder) / "openclsp", SERVER)
    python_licence = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"
    if python_licence.exists():
        shutil.copy(python_licence, SERVER / "PYTHON_LICENSE.txt")
    program = SERVER / ("openclsp.exe" if sys.platform == "win32" else "openclsp")
    return subprocess.run([program, "--version"], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
