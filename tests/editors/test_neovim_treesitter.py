"""The grammar in Neovim: colours and folds by its queries, and what nvim-treesitter is told about it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.editors.neovim_script import run_script
from tests.editors.test_neovim import EDITORS, neovim, written

GRAMMAR = EDITORS.parent / "grammar"
KERNEL = """\
__kernel void scale(global float4 *restrict values, const int n) {
    local float tile[16];
    tile[0] = values[n].x;
}
"""

CAPTURES = """
vim.opt.runtimepath:prepend('site')
vim.cmd.edit('k.cl')
vim.bo.filetype = 'opencl'
vim.treesitter.start()
vim.treesitter.get_parser():parse(true)
local found = {}
for row, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
  for start, word in line:gmatch('()([%w_]+)') do
    local captures = vim.treesitter.get_captures_at_pos(0, row - 1, start - 1)
    found[word] = vim.tbl_map(function(each) return each.capture end, captures)
  end
end
local compiled = {}
for _, name in ipairs({ 'highlights', 'folds', 'locals', 'indents', 'injections' }) do
  compiled[name] = vim.treesitter.query.get('opencl', name) ~= nil
end
local fold = vim.treesitter.foldexpr(1)
report({ found = found, compiled = compiled, fold = fold })
"""

INFORMATION = """
package.loaded['nvim-treesitter.parsers'] = {}
vim.api.nvim_exec_autocmds('User', { pattern = 'TSUpdate' })
report(package.loaded['nvim-treesitter.parsers'])
"""


def test_the_queries_continue_those_of_neovim_for_c(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    neovim()
    parser = tmp_path / "site" / "parser" / "opencl.so"
    parser.parent.mkdir(parents=True)
    source = GRAMMAR / "src"
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-O0", "-I", source, "-o", parser, source / "parser.c"], check=True
    )
    queries = tmp_path / "site" / "queries"
    queries.mkdir()
    (queries / "opencl").symlink_to(GRAMMAR / "queries")
    written(tmp_path / "k.cl", KERNEL)
    seen = run_script(tmp_path, CAPTURES)
    assert seen["compiled"] == dict.fromkeys(seen["compiled"], True)
    found = seen["found"]
    # The last capture decides. Those of the first line are of our query, the others of Neovim's for C.
    assert {word: found[word][-1] for word in ("__kernel", "global", "restrict", "local")} == dict.fromkeys(
        ("__kernel", "global", "restrict", "local"), "keyword"
    )
    assert found["float4"][-1] == found["int"][-1] == "type.builtin"
    assert found["values"][-1].startswith("variable")
    assert seen["fold"] == ">1"


def test_nvim_treesitter_is_told_the_place_of_the_grammar(tmp_path: Path) -> None:
    information = run_script(tmp_path, INFORMATION)["opencl"]["install_info"]
    assert Path(information["path"]) == GRAMMAR
    assert (GRAMMAR / information["queries"] / "highlights.scm").exists()
