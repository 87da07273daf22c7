"""Features in Neovim for which the table in editors/README.md has a cell: inlay hints, definition, openclsp.toml, a crash."""

from __future__ import annotations

from pathlib import Path

from tests.editors.neovim_script import run_script
from tests.editors.test_neovim import SCALE, server_on_path, written

GENERIC = """\
int sum(int *values) { return values[0]; }
kernel void k(global int *samples, local int *tile) {
    int *any = samples;
    any = tile;
    tile[0] = sum(samples) + *any;
}
"""

HINTS = """
vim.lsp.enable('openclsp')
vim.cmd.edit('k.cl')
vim.lsp.inlay_hint.enable(true)
vim.wait(30000, function() return #vim.lsp.inlay_hint.get({ bufnr = 0 }) > 0 end)
report(vim.tbl_map(function(each)
  local label = each.inlay_hint.label
  return type(label) == 'string' and label or label[1].value
end, vim.lsp.inlay_hint.get({ bufnr = 0 })))
"""

PROJECT_FILE = """
vim.lsp.enable('openclsp')
vim.cmd.edit('k.cl')
vim.cmd.edit('openclsp.toml')
vim.wait(30000, function() return #vim.diagnostic.get(0) > 0 end)
report(vim.tbl_map(function(each) return each.message end, vim.diagnostic.get(0)))
"""

NAVIGATION = """
vim.lsp.enable('openclsp')
vim.cmd.edit('k.cl')
vim.wait(30000, function() return #vim.lsp.get_clients({ bufnr = 0 }) > 0 end)
vim.fn.cursor(5, 15)
vim.lsp.buf.definition()
vim.wait(10000, function() return vim.fn.line('.') == 1 end)
local definition = vim.fn.getpos('.')
vim.lsp.buf.rename('first')
vim.wait(10000, function() return vim.fn.search('sum', 'nw') == 0 end)
vim.fn.cursor(5, 5)
vim.wait(10000, function() return vim.fn.search('first', 'nw') > 0 end)
local position = vim.lsp.util.make_position_params(0, 'utf-16')
position.position = { line = 2, character = 18 }
local names = {}
for _, answer in pairs(vim.lsp.buf_request_sync(0, 'textDocument/completion', position, 10000) or {}) do
  for _, item in ipairs(answer.result.items or answer.result) do names[#names + 1] = item.label end
end
report({ definition = definition, text = vim.api.nvim_buf_get_lines(0, 0, -1, false), names = names })
"""

CRASH = """
vim.lsp.enable('openclsp')
vim.cmd.edit('k.cl')
local function errors() return #vim.diagnostic.get(0) end
vim.wait(30000, function() return errors() > 0 end)
local first = errors()
local id = vim.lsp.get_clients({ name = 'openclsp' })[1].id
-- The client has no field with the process of the server, which is the only child.
local child = vim.api.nvim_get_proc_children(vim.fn.getpid())[1]
vim.uv.kill(child, 'sigkill')
vim.wait(10000, function() return #vim.lsp.get_clients({ name = 'openclsp' }) == 0 end)
local between = errors()
vim.cmd.edit()
vim.wait(30000, function() return errors() > 0 end)
local after = vim.lsp.get_clients({ name = 'openclsp' })[1]
report({ first = first, between = between, again = errors(), other = after ~= nil and after.id ~= id })
"""


def test_inlay_hints(tmp_path: Path) -> None:
    server_on_path()
    written(tmp_path / "k.cl", GENERIC)
    written(tmp_path / "compile_flags.txt", "-cl-std=CL2.0\n")
    labels = run_script(tmp_path, HINTS)
    assert any("generic" in label and "global" in label and "local" in label for label in labels)


def test_definition_rename_and_completion(tmp_path: Path) -> None:
    server_on_path()
    written(tmp_path / "k.cl", GENERIC)
    written(tmp_path / "compile_flags.txt", "-cl-std=CL2.0\n")
    seen = run_script(tmp_path, NAVIGATION)
    assert seen["definition"][1:3] == [1, 5]
    assert seen["text"] == GENERIC.replace("sum(", "first(").splitlines()
    assert "samples" in seen["names"]


def test_the_project_file_has_diagnostics(tmp_path: Path) -> None:
    server_on_path()
    written(tmp_path / "k.cl", GENERIC)
    written(tmp_path / "openclsp.toml", "exclud = []\n")
    assert any("did you mean 'exclude'" in message for message in run_script(tmp_path, PROJECT_FILE))


def test_a_new_server_is_started_for_the_next_file_after_a_crash(tmp_path: Path) -> None:
    server_on_path()
    written(tmp_path / "k.cl", SCALE)
    seen = run_script(tmp_path, CRASH)
    assert seen["first"] > 0 and seen["again"] > 0
    assert seen["other"] is True
