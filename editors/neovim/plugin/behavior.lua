-- Starts the language server for files that may be rules; it leaves others alone.

if vim.g.loaded_behavior then
  return
end
vim.g.loaded_behavior = true

local behavior = require("behavior")
for name, command in pairs(behavior.commands) do
  vim.lsp.commands[name] = command
end

if vim.lsp.enable then
  vim.lsp.enable("behavior")
  return
end

local group = vim.api.nvim_create_augroup("behavior", {})
vim.api.nvim_create_autocmd("FileType", {
  group = group,
  callback = function(event)
    if vim.tbl_contains(behavior.options.filetypes, event.match) then
      behavior.start(event.buf)
    end
  end,
})
