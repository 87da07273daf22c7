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
  -- Neovim 0.11 asks for diagnostics after an edit, and cannot be told that they are outdated for another reason: an
  -- options file or an included file has changed, or a fix has changed the language version.
  capabilities = { workspace = { diagnostics = { refreshSupport = true } } },
  handlers = {
    ['workspace/diagnostic/refresh'] = function(_, _, context)
      local client = assert(vim.lsp.get_client_by_id(context.client_id))
      for buffer in pairs(client.attached_buffers) do
        local document = vim.lsp.util.make_text_document_params(buffer)
        client:request('textDocument/diagnostic', { textDocument = document }, nil, buffer)
      end
      return vim.NIL
    end,
  },
}
