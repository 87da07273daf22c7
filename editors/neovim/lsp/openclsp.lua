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
}
