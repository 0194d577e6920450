-- `asp lsp` in neovim without a screen: nvim --headless -u NONE -S neovim.lua
-- ASP names the program; the exit code is 0 if all was as it should be.
local function fail(text)
  io.stderr:write('neovim: ' .. text .. '\n')
  vim.cmd('cquit 1')
end

local ok, problem = pcall(function()
  local file = vim.fn.tempname() .. '.lp'
  vim.fn.writefile({ '% The board', 'cell(1..2).', 'row(X) :- cell(X),', '  cell(Y), nocell(X).', 'b:-row(1).' }, file)
  vim.cmd('edit ' .. file)
  local id = vim.lsp.start_client({ name = 'asp', cmd = { os.getenv('ASP') or 'asp', 'lsp' }, root_dir = vim.fn.fnamemodify(file, ':h') })
  assert(id and vim.lsp.buf_attach_client(0, id), 'the server does not start')
  assert(vim.wait(20000, function() return #vim.diagnostic.get(0) >= 2 end, 50), 'no diagnostics')
  local codes = {}
  for _, d in ipairs(vim.diagnostic.get(0)) do codes[d.code or d.message] = d.lnum end
  assert(codes['redundant-literal'] == 3 and codes['atom-undefined'] == 3, vim.inspect(codes))
  local function ask(method, line, column, more)
    local params = vim.tbl_extend('force', {
      textDocument = vim.lsp.util.make_text_document_params(),
      position = { line = line, character = column },
    }, more or {})
    local replies = assert(vim.lsp.buf_request_sync(0, method, params, 20000), method .. ': no reply')
    local _, reply = next(replies)
    assert(reply and not reply.err, method .. ': ' .. vim.inspect(reply))
    return reply.result
  end
  assert(ask('textDocument/definition', 2, 11)[1].range.start.line == 1, 'definition')
  assert(ask('textDocument/hover', 2, 11).contents.value:find('The board', 1, true), 'hover')
  local edit = ask('textDocument/rename', 2, 11, { newName = 'square' })
  vim.lsp.util.apply_workspace_edit(edit, 'utf-16')
  assert(vim.fn.getline(2) == 'square(1..2).', vim.fn.getline(2))
  local edits = ask('textDocument/formatting', 0, 0, { options = { tabSize = 4, insertSpaces = true } })
  vim.lsp.util.apply_text_edits(edits, 0, 'utf-16')
  assert(vim.fn.search('^b :- row(1)\\.$', 'nw') > 0, vim.inspect(vim.fn.getline(1, '$')))
end)
if not ok then
  fail(tostring(problem))
else
  io.stdout:write('neovim: diagnostics, definition, hover, rename, format\n')
  vim.cmd('qall!')
end
