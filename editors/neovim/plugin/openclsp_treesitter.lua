-- The grammar for nvim-treesitter (its branch `main`): `:TSInstall opencl` compiles it and links its queries.
local folder = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2))
local grammar = vim.fs.normalize(vim.fs.joinpath(folder, '..', '..', '..', 'grammar'))

vim.api.nvim_create_autocmd('User', {
  group = vim.api.nvim_create_augroup('openclsp.treesitter', {}),
  pattern = 'TSUpdate',
  desc = 'openclsp: install information of the grammar',
  callback = function()
    require('nvim-treesitter.parsers').opencl = {
      install_info = { path = vim.uv.fs_realpath(grammar) or grammar, queries = 'queries' },
    }
  end,
})
