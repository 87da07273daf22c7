-- Drives a running Neovim, started as: nvim --clean --headless -u INIT -c 'luafile drive.lua' KERNEL
-- with OPENCLSP_DRIVE = {"hover": word, "fix": title, "variant": name, "report": path, "expect_diagnostics": boolean}.
-- Hovers over the first `word`, waits for diagnostics, applies a quick-fix of the first error (the one whose title holds
-- `title`; the preferred one where `title` is empty), or, where a `variant` is named, chooses that instead, and writes what was seen to `report` as JSON. It judges nothing:
-- the assertions stand in test_neovim.py.
-- How long to wait for what must come: the machine may be very busy.
local PATIENCE_MS = 300000
-- How long to watch a kernel in which no diagnostic is expected, after the server has answered a hover in it.
local QUIET_MS = 1500

local order = vim.json.decode(vim.env.OPENCLSP_DRIVE)
local seen = {}

local function until_true(condition, patience)
  return vim.wait(patience or PATIENCE_MS, condition, 20)
end

local function diagnostics()
  return vim.tbl_map(function(diagnostic)
    return {
      code = diagnostic.code,
      severity = vim.diagnostic.severity[diagnostic.severity],
      source = diagnostic.source,
      message = diagnostic.message,
      start = { diagnostic.lnum, diagnostic.col },
      stop = { diagnostic.end_lnum, diagnostic.end_col },
    }
  end, vim.diagnostic.get(0))
end

local function hover_over(client, word)
  vim.fn.cursor(1, 1)
  assert(vim.fn.search('\\V\\<' .. word .. '\\>', 'cW') > 0, 'no such word in the kernel: ' .. word)
  local place = vim.lsp.util.make_position_params(0, client.offset_encoding)
  local response = client:request_sync('textDocument/hover', place, PATIENCE_MS, 0)
  local hover = response and response.result
  return hover and hover.contents and hover.contents.value or ''
end

local function apply_fix(error)
  vim.api.nvim_win_set_cursor(0, { error.lnum + 1, error.col })
  local offered = {}
  local answered = false
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      table.insert(offered, { title = action.title, kind = action.kind, preferred = action.isPreferred == true })
      answered = true
      if order.fix == '' then
        return action.isPreferred == true
      end
      return action.title:find(order.fix, 1, true) ~= nil
    end,
  })
  until_true(function()
    return answered
  end)
  return offered
end

local function drive()
  seen.filetype = vim.bo.filetype
  local client
  until_true(function()
    client = vim.lsp.get_clients({ bufnr = 0, name = 'openclsp' })[1]
    return client ~= nil and client.initialized == true
  end)
  assert(client and client.initialized, 'the server did not start')
  seen.root = client.root_dir
  seen.encoding = client.offset_encoding
  seen.hover = hover_over(client, order.hover)

  until_true(function()
    return #vim.diagnostic.get(0) > 0
  end, order.expect_diagnostics and PATIENCE_MS or QUIET_MS)
  seen.before = diagnostics()

  if order.variant ~= '' then
    seen.status = vim.b.openclsp_status
    local told = false
    vim.api.nvim_create_autocmd('DiagnosticChanged', {
      callback = function()
        -- the server tells the status before the diagnostics that belong to it
        told = told or vim.b.openclsp_status.variant == order.variant
      end,
    })
    vim.cmd.OpenclspVariant(order.variant)
    until_true(function()
      return told
    end)
    seen.after = diagnostics()
    seen.status_after = vim.b.openclsp_status
    return
  end

  local error = vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR })[1]
  if error then
    seen.offered = apply_fix(error)
    until_true(function()
      return #vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR }) == 0
    end)
    seen.after = diagnostics()
  end
  seen.text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\n') .. '\n'
end

local fine, trouble = xpcall(drive, debug.traceback)
seen.trouble = not fine and tostring(trouble) or nil
vim.fn.writefile({ vim.json.encode(seen) }, order.report)
vim.cmd('qall!')
