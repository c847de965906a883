-- Opens the file that `BEHAVIOR_FILE` names in this editor, waits for what is told of it, asks for completion behind and
-- for an explanation of what stands at `BEHAVIOR_LINE` and `BEHAVIOR_COLUMN`, from 0, and prints all of it as one line of
-- JSON. `cli/tests/editors.rs` runs it.

local PATIENCE = 60000

local function answered(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, PATIENCE) or {}
  for _, answer in pairs(answers) do
    if answer.result then
      return answer.result
    end
  end
end

local ok, told = pcall(function()
  require("behavior").setup({ cmd = { vim.env.BEHAVIOR_PROGRAM, "lsp" } })
  vim.cmd("edit " .. vim.fn.fnameescape(vim.env.BEHAVIOR_FILE))
  vim.wait(PATIENCE, function()
    return #vim.diagnostic.get(0) > 0
  end, 50)
  local diagnostics = vim.tbl_map(function(diagnostic)
    return { line = diagnostic.lnum, code = diagnostic.code, message = diagnostic.message }
  end, vim.diagnostic.get(0))

  local position = { line = tonumber(vim.env.BEHAVIOR_LINE), character = tonumber(vim.env.BEHAVIOR_COLUMN) }
  local params = { textDocument = vim.lsp.util.make_text_document_params(), position = position }
  local completion = answered("textDocument/completion", params) or {}
  local labels = vim.tbl_map(function(item)
    return item.label
  end, completion.items or completion)
  local hover = answered("textDocument/hover", params) or { contents = { value = "" } }
  return { diagnostics = diagnostics, completion = labels, hover = hover.contents.value }
end)

io.stdout:write("\n" .. vim.fn.json_encode(ok and told or { failed = tostring(told) }) .. "\n")
vim.cmd("qall!")
