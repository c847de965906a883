-- Rules for AI agents in Neovim: what starts `behavior lsp`, and what its lenses do when they are run.
-- Works from Neovim 0.7 on. Options are set by `require("behavior").setup({ … })`, before the first rule file is opened.

local M = {}

M.options = {
  -- The program and its arguments.
  cmd = { "behavior", "lsp" },
  -- What the language server is told when it starts: `reference`, `showSteps`, `sessions`.
  init_options = {},
  filetypes = { "yaml", "json", "jsonc", "toml", "jsonl" },
  -- What marks the folder that names of files start from.
  root_markers = { "behavior.yaml", ".git" },
}

function M.setup(options)
  M.options = vim.tbl_deep_extend("force", M.options, options or {})
  if vim.lsp.config then
    vim.lsp.config("behavior", M.config())
  end
end

-- An empty table stands for a list; of options, the server wants an object.
local function object(table)
  return vim.tbl_isempty(table) and vim.empty_dict() or table
end

-- What starts the server, as Neovim 0.11 and later take it.
function M.config()
  return {
    cmd = M.options.cmd,
    filetypes = M.options.filetypes,
    root_markers = M.options.root_markers,
    init_options = object(M.options.init_options),
    capabilities = { experimental = { commands = { commands = vim.tbl_keys(M.commands) } } },
  }
end

local function root_of(file)
  local folder = vim.fn.fnamemodify(file, ":p:h")
  for _, marker in ipairs(M.options.root_markers) do
    local found = vim.fn.findfile(marker, folder .. ";")
    if found == "" then
      found = vim.fn.finddir(marker, folder .. ";")
    end
    if found ~= "" then
      return vim.fn.fnamemodify(found, ":p"):gsub("/$", ""):gsub("/[^/]*$", "")
    end
  end
  return folder
end

local clients = {}

-- Starts the server for a buffer, in versions that cannot be told when to.
function M.start(buffer)
  local file = vim.api.nvim_buf_get_name(buffer)
  if file == "" or vim.bo[buffer].buftype ~= "" then
    return
  end
  if vim.fn.executable(M.options.cmd[1]) == 0 then
    if not M.has_complained then
      M.has_complained = true
      local text = "rules are not checked: there is no program `%s`; put it on the PATH or name it in `cmd`"
      vim.notify(text:format(M.options.cmd[1]), vim.log.levels.WARN)
    end
    return
  end
  local root = root_of(file)
  local config = M.config()
  config.name = "behavior"
  config.root_dir = root
  config.capabilities =
    vim.tbl_deep_extend("force", vim.lsp.protocol.make_client_capabilities(), config.capabilities)
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = buffer })
    return
  end
  local known = clients[root]
  if not known or vim.lsp.client_is_stopped(known) then
    known = vim.lsp.start_client(config)
    clients[root] = known
  end
  if known then
    vim.lsp.buf_attach_client(buffer, known)
  end
end

-- Runs the program in a terminal, as a lens says.
local function run(command)
  local said = command.arguments[1]
  vim.cmd("botright new")
  local words = vim.list_extend({ M.options.cmd[1] }, said.arguments)
  if vim.fn.has("nvim-0.11") == 1 then
    vim.fn.jobstart(words, { cwd = said.cwd, term = true })
  else
    vim.fn.termopen(words, { cwd = said.cwd })
  end
end

M.commands = {
  ["behavior.runTests"] = run,
  ["behavior.explain"] = run,
  -- Puts the lines of recorded sessions into the quickfix list.
  ["behavior.showFindings"] = function(command)
    local items = vim.lsp.util.locations_to_items(command.arguments[3], "utf-16")
    vim.fn.setqflist({}, " ", { title = command.title, items = items })
    vim.cmd("botright copen")
  end,
}

return M
