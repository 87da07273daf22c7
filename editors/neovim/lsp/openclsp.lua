---@brief
---
--- openclsp, a language server for OpenCL C that knows the address space of every pointer.
---
--- Enable with `vim.lsp.enable('openclsp')`; change with `vim.lsp.config('openclsp', { … })`.

---@param client vim.lsp.Client
---@param buffer integer
---@param name string? nil restores the project's choice
local function use_variant(client, buffer, name)
  local uri = vim.uri_from_bufnr(buffer)
  local command = { title = 'Choose Variant', command = 'openclsp.variant', arguments = { uri, name or vim.NIL } }
  client:exec_cmd(command, { bufnr = buffer })
end

--- `:OpenclspFlow` draws how each address space reaches the pointer under the cursor, and opens the diagram in the system's
--- viewer; `:OpenclspFlow FILE` writes it to a file, as Mermaid if the name ends in `.mmd`, otherwise as SVG.
local function create_flow_command(client, buffer)
  vim.api.nvim_buf_create_user_command(buffer, 'OpenclspFlow', function(arguments)
    local place = vim.lsp.util.make_position_params(0, client.offset_encoding)
    client:request('openclsp/flow', place, function(failure, flow)
      if failure ~= nil or flow == nil or flow == vim.NIL then
        local told = failure ~= nil and failure.message or 'there is no generic pointer under the cursor'
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
  end, { nargs = '?', complete = 'file', desc = 'openclsp: draw the flow of the pointer under the cursor' })
end

--- `:OpenclspVariant NAME` analyses the buffer in that build variant, `:OpenclspVariant!` in the project's choice; without
--- an argument the user chooses from a list.
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
      prompt = 'Build variant for the analysis of this kernel',
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
    desc = 'openclsp: choose the build variant in which the kernel is analysed',
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

--- Neovim calls headers C or C++. One that a kernel includes is attached to the server of the kernel's project, and so is
--- host code whose strings may hold a kernel, or that names one. Other host code is not.
local HEADER_FILETYPES = {
  c = true, cpp = true, python = true, rust = true, d = true, ruby = true, haskell = true,
  go = true, java = true, kotlin = true, scala = true, cs = true, javascript = true, typescript = true,
}

--- Text that a kernel in a string has; the server reads the strings themselves.
local KERNEL = vim.regex([[\vkernel(\s|\\[nrt])+(void>|__attribute__|\u+>|\h\w*\s+void>|\$|["'%{<])|<__(global|local|constant)>|(Elementwise|Reduction|Scan|Raw)Kernel\s*\(]])
--- Text that host code has where it names kernels; from there the server leads to them.
local NAMES_KERNEL = vim.regex(
  [[\v<clCreateKernel>|<cl::(Kernel|make_kernel)|<pyopencl>|<[cC]reate_?[kK]ernel\s*\(|#\s*include\s*[\<"](CL|OpenCL)/]]
)

--- Whether a buffer may hold a kernel in a string, or name one: a search for words.
local function concerns_kernels(buffer)
  local settings = (vim.lsp.config.openclsp.settings or {}).openclsp or {}
  if settings.hostCode == false then
    return false
  end
  for line = 0, vim.api.nvim_buf_line_count(buffer) - 1 do
    if KERNEL:match_line(buffer, line) or NAMES_KERNEL:match_line(buffer, line) then
      return true
    end
  end
  return false
end

local function attach_header(client, buffer)
  local name = vim.api.nvim_buf_get_name(buffer)
  local root = client.root_dir
  if name == '' or client.attached_buffers[buffer] or (root and not vim.startswith(name, root .. '/')) then
    return
  end
  if concerns_kernels(buffer) then
    vim.lsp.buf_attach_client(buffer, client.id)
    return
  end
  if vim.bo[buffer].filetype ~= 'c' and vim.bo[buffer].filetype ~= 'cpp' then
    return
  end
  local document = { textDocument = { uri = vim.uri_from_bufnr(buffer) } }
  client:request('openclsp/includers', document, function(failure, found)
    if failure == nil and found and #found.includers > 0 and vim.api.nvim_buf_is_loaded(buffer) then
      vim.lsp.buf_attach_client(buffer, client.id)
    end
  end)
end

--- The configuration of a project is a document too: the server reports its faults, and completes its keys.
local function attach_project_file(buffer)
  local name = vim.api.nvim_buf_get_name(buffer)
  if vim.fs.basename(name) == 'openclsp.toml' then
    local config = vim.tbl_extend('force', vim.lsp.config.openclsp, { root_dir = vim.fs.dirname(name) })
    vim.lsp.start(config, { bufnr = buffer })
  end
end

--- Asks every running server about a buffer; starts one if the buffer's project has an openclsp.toml.
local function ask_about(buffer)
  if not vim.api.nvim_buf_is_loaded(buffer) then
    return
  end
  if vim.bo[buffer].filetype == 'toml' then
    attach_project_file(buffer)
    return
  end
  if not HEADER_FILETYPES[vim.bo[buffer].filetype] then
    return
  end
  local clients = vim.lsp.get_clients({ name = 'openclsp' })
  local root = vim.fs.root(buffer, 'openclsp.toml')
  local served = vim.iter(clients):any(function(client)
    return client.root_dir == root
  end)
  if root == nil and #clients == 0 and concerns_kernels(buffer) then
    root = vim.fs.root(buffer, { 'compile_flags.txt', 'compile_commands.json', '.git' })
      or vim.fs.dirname(vim.api.nvim_buf_get_name(buffer))
  end
  if root ~= nil and not served then
    local config = vim.tbl_extend('force', vim.lsp.config.openclsp, { root_dir = root })
    vim.lsp.start(config, { bufnr = buffer, attach = false })
  end
  for _, client in ipairs(clients) do
    attach_header(client, buffer)
  end
end

--- `:OpenclspIncluder` lets the user choose the kernel through which the header is analysed, `:OpenclspIncluder!` restores
--- the server's choice.
local function create_includer_command(client, buffer)
  local uri = vim.uri_from_bufnr(buffer)
  local function use(kernel)
    local command = { title = 'Choose Kernel', command = 'openclsp.includer', arguments = { uri, kernel or vim.NIL } }
    client:exec_cmd(command, { bufnr = buffer })
  end
  vim.api.nvim_buf_create_user_command(buffer, 'OpenclspIncluder', function(arguments)
    if arguments.bang then
      use(nil)
      return
    end
    client:request('openclsp/includers', { textDocument = { uri = uri } }, function(failure, found)
      local includers = failure == nil and found and found.includers or {}
      if #includers == 0 then
        vim.notify('openclsp: no kernel includes this file', vim.log.levels.INFO)
        return
      end
      local options = {
        prompt = 'Kernel through which this header is analysed',
        format_item = function(kernel)
          return vim.fn.fnamemodify(vim.uri_to_fname(kernel), ':~:.')
        end,
      }
      vim.ui.select(includers, options, function(kernel)
        if kernel ~= nil then
          use(kernel)
        end
      end)
    end, buffer)
  end, { bang = true, desc = 'openclsp: choose the kernel through which the header is analysed' })
end

--- Colours by memory: a pointer has the colour of the memory that it points to, an array or another object the colour of
--- the memory that it is in. A colour scheme or init.lua can override these groups.
local PALETTES = {
  light = {
    Global = { fg = '#0b6bcb', ctermfg = 26 },
    Local = { fg = '#1a7f37', ctermfg = 28 },
    Constant = { fg = '#9a6700', ctermfg = 94 },
    Private = { fg = '#bf3989', ctermfg = 162 },
    Generic = { fg = '#8250df', ctermfg = 92 },
  },
  dark = {
    Global = { fg = '#6cb6ff', ctermfg = 75 },
    Local = { fg = '#57d16b', ctermfg = 77 },
    Constant = { fg = '#e3b341', ctermfg = 178 },
    Private = { fg = '#ff8ac4', ctermfg = 212 },
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
    for filetype in pairs(vim.tbl_extend('error', { opencl = true }, HEADER_FILETYPES)) do
      link('@lsp.mod.' .. modifier .. '.' .. filetype, group)
    end
  end
  vim.api.nvim_set_hl(0, 'OpenclspKernel', { bold = true, default = true })
  link('@lsp.typemod.function.kernel.opencl', 'OpenclspKernel')
  link('@lsp.mod.disabled.opencl', 'Comment')
end

set_highlights()
local highlights = vim.api.nvim_create_augroup('openclsp.highlights', {})
vim.api.nvim_create_autocmd('ColorScheme', {
  group = highlights,
  desc = 'openclsp: set the default colours of the address spaces',
  callback = set_highlights,
})
vim.api.nvim_create_autocmd('LspTokenUpdate', {
  group = highlights,
  desc = 'openclsp: colour a generic pointer by the only address space that was found for it',
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

local headers = vim.api.nvim_create_augroup('openclsp.headers', {})
vim.api.nvim_create_autocmd('FileType', {
  group = headers,
  pattern = vim.list_extend(vim.tbl_keys(HEADER_FILETYPES), { 'toml' }),
  desc = 'openclsp: attach to openclsp.toml, and to a header that a kernel includes',
  callback = function(event)
    ask_about(event.buf)
  end,
})
--- This file is loaded while a FileType event is handled, which the command above then does not see.
vim.schedule(function()
  vim.iter(vim.api.nvim_list_bufs()):each(ask_about)
end)

---@type vim.lsp.Config
return {
  cmd = { 'openclsp', 'server' },
  filetypes = { 'opencl' },
  root_markers = { 'openclsp.toml', { 'compile_flags.txt', 'compile_commands.json' }, '.git' },
  settings = {
    -- Keys: languageVersion, extensions, defines, includeFolders, readableFolders, inlayHints, generalErrors,
    -- workspaceDiagnostics, leaveToOtherServer, otherServerIn, hostCode. Absent ones have the server's defaults.
    openclsp = vim.empty_dict(),
  },
  -- Neovim 0.11 pulls diagnostics only after an edit. With this capability and the handler below, the server can also
  -- request a refresh when an options file or an included file has changed, or a fix has changed the language version.
  capabilities = {
    workspace = { diagnostics = { refreshSupport = true } },
    experimental = { openclspStatus = true },
  },
  on_init = function(client)
    vim.schedule(function()
      for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
        if vim.api.nvim_buf_is_loaded(buffer) and HEADER_FILETYPES[vim.bo[buffer].filetype] then
          attach_header(client, buffer)
        end
      end
    end)
  end,
  on_attach = function(client, buffer)
    create_variant_command(client, buffer)
    create_includer_command(client, buffer)
    create_flow_command(client, buffer)
  end,
  handlers = {
    -- The configuration under which the buffer is analysed, for a status line: vim.b.openclsp_status has dialect, reason,
    -- variant, variants and, for a header, includedBy.
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
