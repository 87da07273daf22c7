"""A repository whose files attempt to make openclsp read files outside it, or display secrets."""

from __future__ import annotations

import json
import os
import socket
from dataclasses import dataclass
from pathlib import Path

CANARY = "canary_of_a_secret"
"""In every file that must not be shown, as the name of a type, a macro and its value."""

SECRET = f"typedef int {CANARY}_t;\n#define {CANARY.upper()} {CANARY}_value\n{CANARY} *{CANARY}_p;\n"
TOKEN = f"token = {CANARY}_token\npassword: {CANARY}_word\n"

KERNEL = """\
#include "../outside/secret.h"
#include "/proc/self/environ"
#include </etc/hosts>
#include "../../../../../../../../../../etc/hosts"
#include <secret.h>
#include <etc/passwd>
#include "link.h"
#include "chain.h"
#include "folder/secret.h"
#include "circle.h"
#include "circle/a.h"
#include "pipe.h"
#include "socket.h"
#include "zero.h"
#include "/dev/zero"
#include ".env"
#include ".git/config"
#include "id_rsa"
#include "renamed.h"
#include "hidden.h"
#include "own.h"
#if __has_include("/etc/passwd")
#error is there
#endif
#if __has_include("../outside/../repository/own.h") != __has_include("../nowhere/../repository/own.h")
#error is there
#endif
#include_next "/etc/hosts"
#include_next "../../outside/secret.h"
#embed "/etc/hosts"
#if __has_embed("/etc/hosts")
#error is there
#endif
kernel void k(global int *g) {
    local int *l = g;
    int taken = g[0] +
#include "notes.txt"
        ;
    canary_of_a_secret_t c = CANARY_OF_A_SECRET;
    g[1] = OWN;
}
"""

HOST = """\
#include <CL/cl.h>
void f(cl_program p) {
    clBuildProgram(p, 0, 0, "-include /etc/hosts -I/ -I../outside -I/etc -include ../outside/secret.h", 0, 0);
    clCreateProgramWithSource(c, 1, "k.cl", 0, 0);
}
"""


@dataclass(frozen=True, slots=True)
class Hostile:
    """The repository; `outside` is a sibling folder that contains only secrets."""

    folder: Path
    outside: Path

    @property
    def kernels(self) -> tuple[Path, ...]:
        """The kernels that can be checked."""
        return tuple(self.folder / name for name in ("k.cl", "toml/k.cl", "database/k.cl", "clangd/k.cl"))


def hostile_workspace(top: Path) -> Hostile:
    """Creates the repository in a folder."""
    folder, outside = top / "repository", top / "outside"
    for each in (folder, outside):
        each.mkdir()
    for name in ("secret.h", "secret.cl", "openclsp.toml", ".gitignore", "compile_flags.txt", "host.c"):
        (outside / name).write_text(SECRET)
    _files(folder, outside)
    _links(folder, outside)
    os.mkfifo(folder / "pipe.h")
    os.mkfifo(folder / "pipe.cl")
    for name in ("socket.h", "socket.cl"):
        # Bound by a relative path, because the path of a socket must be short.
        here = os.getcwd()
        os.chdir(folder)
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(name)
        os.chdir(here)
    return Hostile(folder, outside)


def _files(folder: Path, outside: Path) -> None:
    flags = f"-include\n{outside}/secret.h\n-include\n../outside/secret.h\n-include\n/etc/hosts\n-I/\n-I../outside\n"
    database = [
        {
            "directory": "/",
            "file": str(folder / "database" / "k.cl"),
            "command": f"clang -I/ -I{outside} -include /etc/hosts -include {outside}/secret.h -DN k.cl",
        }
    ]
    texts = {
        "k.cl": KERNEL,
        "own.h": "#define OWN 1\n",
        "notes.txt": TOKEN,
        "id_rsa": f"-----BEGIN KEY-----\n{CANARY}\n-----END KEY-----\n",
        ".env": TOKEN,
        ".git/config": f"[remote]\n\turl = {CANARY}\n",
        "host.c": HOST,
        "compile_flags.txt": flags
        + "-isystem ../outside\n-iquote/etc\n-Ifolder\n-I/[show](command:workbench.action.quit)\n",
        "toml/k.cl": KERNEL,
        "toml/openclsp.toml": (
            f'include-folders = ["/", "../../outside", "{outside}", "../folder"]\n'
            'file-endings = [".txt", ".env", "_rsa"]\nreadable-folders = ["/"]\n'
        ),
        "toml/words.txt": TOKEN,
        "database/k.cl": KERNEL,
        "database/compile_commands.json": json.dumps(database),
        "clangd/k.cl": KERNEL,
        "clangd/.clangd": f"CompileFlags:\n  Add: [-I/, -I{outside}, -include{outside}/secret.h]\n",
        "CMakeLists.txt": f"add_custom_command(COMMAND clang -DX -I{outside} -I/etc k.cl)\ninclude(../outside/x.cmake)\n",
        "cmake/CMakeLists.txt": "add_subdirectory(/)\n",
        "meson.build": f"custom_target('k', command: ['clang', '-I{outside}', 'k.cl'])\nsubdir('../outside')\n",
    }
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


def _links(folder: Path, outside: Path) -> None:
    links = {
        "link.h": "../outside/secret.h",
        "chain.h": "link.h",
        "folder": "../outside",
        "circle": "circle",
        "circle.h": "circle.h",
        "circle.cl": "circle.cl",
        "zero.h": "/dev/zero",
        "zero.cl": "/dev/zero",
        "renamed.h": "notes.txt",
        "hidden.h": ".git/config",
        "secret.cl": "../outside/secret.cl",
        "passwd.cl": "/etc/passwd",
        "env.cl": ".env",
        "notes.cl": "notes.txt",
        "linked.c": "../outside/host.c",
        "env.c": ".env",
        ".gitignore": "../outside/.gitignore",
        "clangd/openclsp.toml": str(outside / "openclsp.toml"),
        "clangd/compile_flags.txt": "../.env",
        "cmake/deep": "/",
    }
    for name, target in links.items():
        (folder / name).symlink_to(target)
