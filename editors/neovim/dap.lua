-- Stepping through a recorded session, for nvim-dap. Untried. Load it with `:luafile`, or copy it to your settings.

local dap = require("dap")

dap.adapters.behavior = { type = "executable", command = "behavior", args = { "dap" } }

local configuration = {
  type = "behavior",
  request = "launch",
  name = "Step through a session",
  cwd = "${workspaceFolder}",
  trace = function()
    return vim.fn.input("Recording: ", vim.fn.expand("%:p"), "file")
  end,
}
for _, filetype in ipairs({ "yaml", "json", "jsonl" }) do
  dap.configurations[filetype] = dap.configurations[filetype] or {}
  table.insert(dap.configurations[filetype], configuration)
end
