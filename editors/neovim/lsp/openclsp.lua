---@brief
---
--- openclsp, a language server for OpenCL C that knows the address space of every pointer.
---
--- Enable with `vim.lsp.enable('openclsp')`; change with `vim.lsp.config('openclsp', { … })`.

---@type vim.lsp.Config
return {
  cmd = { 'openclsp', 'server' },
  filetypes = { 'opencl' },
  root_markers = { 'openclsp.toml', { 'compile_flags.txt', 'compile_commands.json' }, '.git' },
  settings = {
    -- Keys: languageVersion, extensions, defines, includeFolders. What is absent is the server's to choose.
    openclsp = vim.empty_dict(),
  },
  -- The same settings go along with the first request, so that the first diagnostics already obey them.
  before_init = function(params, config)
    params.initializationOptions = vim.tbl_get(config, 'settings', 'openclsp')
  end,
}
