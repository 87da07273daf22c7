---@brief
---
--- openclsp, a language server for OpenCL C that knows the address space of every pointer.
---
--- Enable with `vim.lsp.enable('openclsp')`; change with `vim.lsp.config('openclsp', { … })`.

---@param client vim.lsp.Client
---@param buffer integer
---@param name string? nil: the project's choice again
local function use_variant(client, buffer, name)
  local uri = vim.uri_from_bufnr(buffer)
  local command = { title = 'Choose the variant', command = 'openclsp.variant', arguments = { uri, name or vim.NIL } }
  client:exec_cmd(command, { bufnr = buffer })
end

--- `:OpenclspFlow` draws how each address space reaches the pointer under the cursor, and shows the picture in the system's
--- viewer; `:OpenclspFlow FILE` writes it there, as SVG, or as Mermaid where the name ends in `.mmd`.
local function create_flow_command(client, buffer)
  vim.api.nvim_buf_create_user_command(buffer, 'OpenclspFlow', function(arguments)
    local place = vim.lsp.util.make_position_params(0, client.offset_encoding)
    client:request('openclsp/flow', place, function(failure, flow)
      if failure ~= nil or flow == nil or flow == vim.NIL then
        local told = failure ~= nil and failure.message or 'no generic pointer stands under the cursor'
        vim.notify('openclsp: ' .. told, failure ~= nil and vim.log.levels.ERROR or vim.log.levels.INFO)
        return
      end
      local file = arguments.args ~= '' and vim.fn.expand(arguments.args) or vim.fn.tempname() .. '.svg'
      local drawn = vim.endswith(file, '.mmd') and flow.mermaid or flow.svg
      vim.fn.writefile(vim.split(drawn, '\n'), file, 'b')
      if arguments.args == '' then
        vim.ui.open(file)
      end
    end, buffer)
  end, { nargs = '?', complete = 'file', desc = 'openclsp: the flow of the pointer under the cursor, as a picture' })
end

--- `:OpenclspVariant NAME` looks at the buffer in that variant, with `!` again in the project's; alone it asks.
local function create_variant_command(client, buffer)
  local function variants()
    return (vim.b[buffer].openclsp_status or {}).variants or {}
  end
  vim.api.nvim_buf_create_user_command(buffer, 'OpenclspVariant', function(arguments)
    if arguments.bang or arguments.args ~= '' then
      use_variant(client, buffer, arguments.args ~= '' and arguments.args or nil)
      return
    end
    local options = {
      prompt = 'Look at the kernel in which variant?',
      format_item = function(variant)
        return variant.name .. ' (' .. variant.source .. ')'
      end,
    }
    vim.ui.select(variants(), options, function(variant)
      if variant ~= nil then
        use_variant(client, buffer, variant.name)
      end
    end)
  end, {
    bang = true,
    nargs = '?',
    desc = 'openclsp: the variant that the kernel is looked at in',
    complete = function(beginning)
      local names = vim.tbl_map(function(variant)
        return variant.name
      end, variants())
      return vim.tbl_filter(function(name)
        return vim.startswith(name, beginning)
      end, names)
    end,
  })
end

--- Colours by memory: a pointer has that of what it points to, an array or another object that of where it lies.
--- `OpenclspGlobal` and its like can be set by a colour scheme or in init.lua; what is set there counts.
local PALETTES = {
  light = {
    Global = { fg = '#0b6bcb', ctermfg = 26 },
    Local = { fg = '#1a7f37', ctermfg = 28 },
    Constant = { fg = '#9a6700', ctermfg = 94 },
    Private = { fg = '#6e7781', ctermfg = 243 },
    Generic = { fg = '#8250df', ctermfg = 92 },
  },
  dark = {
    Global = { fg = '#6cb6ff', ctermfg = 75 },
    Local = { fg = '#57d16b', ctermfg = 77 },
    Constant = { fg = '#e3b341', ctermfg = 178 },
    Private = { fg = '#9ea7b3', ctermfg = 248 },
    Generic = { fg = '#c297ff', ctermfg = 141 },
  },
}

local function link(group, to)
  vim.api.nvim_set_hl(0, group, { link = to, default = true })
end

local function set_highlights()
  local palette = PALETTES[vim.o.background] or PALETTES.dark
  for space, colour in pairs(palette) do
    local group, modifier = 'Openclsp' .. space, space:lower()
    vim.api.nvim_set_hl(0, group, vim.tbl_extend('force', colour, { default = true }))
    link('@lsp.mod.' .. modifier .. '.opencl', group)
  end
  vim.api.nvim_set_hl(0, 'OpenclspKernel', { bold = true, default = true })
  link('@lsp.typemod.function.kernel.opencl', 'OpenclspKernel')
  link('@lsp.mod.disabled.opencl', 'Comment')
end

set_highlights()
local highlights = vim.api.nvim_create_augroup('openclsp.highlights', {})
vim.api.nvim_create_autocmd('ColorScheme', {
  group = highlights,
  desc = 'openclsp: the default colours of the address spaces',
  callback = set_highlights,
})
vim.api.nvim_create_autocmd('LspTokenUpdate', {
  group = highlights,
  desc = 'openclsp: a generic pointer in which one space was found has the colour of that',
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    local token = event.data.token
    if client == nil or client.name ~= 'openclsp' or not token.modifiers.generic then
      return
    end
    for _, space in ipairs({ 'Global', 'Local', 'Private' }) do
      if token.modifiers[space:lower()] then
        local priority = vim.hl.priorities.semantic_tokens + 3
        vim.lsp.semantic_tokens.highlight_token(
          token, event.buf, client.id, 'Openclsp' .. space, { priority = priority }
        )
      end
    end
  end,
})

---@type vim.lsp.Config
return {
  cmd = { 'openclsp', 'server' },
  filetypes = { 'opencl' },
  root_markers = { 'openclsp.toml', { 'compile_flags.txt', 'compile_commands.json' }, '.git' },
  settings = {
    -- Keys: languageVersion, extensions, defines, includeFolders, readableFolders, inlayHints. The server chooses what is absent.
    openclsp = vim.empty_dict(),
  },
  -- Neovim 0.11 asks for diagnostics after an edit, and cannot be told that they are outdated for another reason: an
  -- options file or an included file has changed, or a fix has changed the language version.
  capabilities = {
    workspace = { diagnostics = { refreshSupport = true } },
    experimental = { openclspStatus = true },
  },
  on_attach = function(client, buffer)
    create_variant_command(client, buffer)
    create_flow_command(client, buffer)
  end,
  handlers = {
    -- What the buffer is looked at as, for a status line: vim.b.openclsp_status has dialect, reason, variant, variants
    -- and, for a header, includedBy.
    ['openclsp/statusChanged'] = function(_, status)
      local buffer = vim.uri_to_bufnr(status.uri)
      if vim.api.nvim_buf_is_loaded(buffer) then
        vim.b[buffer].openclsp_status = status
      end
    end,
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
