"""`asp lsp` as pytest-lsp's client sees it: each feature once, with the protocol's own types. ASP names the program."""

import os

import pytest
import pytest_lsp
from lsprotocol import types as t
from pytest_lsp import ClientServerConfig, LanguageClient

ASP = os.environ.get("ASP", "asp")
URI = "file:///no-such-folder/a.lp"
TEXT = """% The board
cell(1..2,1..2).
{ set(X,Y) : cell(X,Y) } = 1.
row(X) :- set(X,Z), not hole(X).
%@test: count 4
"""


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[ASP, "lsp"]))
async def client(lsp_client: LanguageClient):
    capabilities = pytest_lsp.client_capabilities("neovim")
    options = {"wait": 60, "seconds": 60}
    params = t.InitializeParams(capabilities=capabilities, initialization_options=options)
    await lsp_client.initialize_session(params)
    item = t.TextDocumentItem(uri=URI, language_id="asp", version=1, text=TEXT)
    lsp_client.text_document_did_open(t.DidOpenTextDocumentParams(text_document=item))
    yield
    await lsp_client.shutdown_session()


DOCUMENT = t.TextDocumentIdentifier(uri=URI)
ALL = t.Range(start=t.Position(line=0, character=0), end=t.Position(line=9, character=0))


def place(line: int, text: str) -> t.Position:
    return t.Position(line=line, character=TEXT.splitlines()[line].index(text))


def words(ranges) -> list[str]:
    lines = TEXT.splitlines()
    return [lines[r.start.line][r.start.character : r.end.character] for r in ranges]


@pytest.mark.asyncio
async def test_diagnostics_and_actions(client: LanguageClient):
    context = t.CodeActionContext(diagnostics=[])
    params = t.CodeActionParams(text_document=DOCUMENT, range=ALL, context=context)
    actions = await client.text_document_code_action_async(params)
    assert {a.title for a in actions} >= {"Write `_`", "Declare it: `#defined hole/1.`"}
    found = client.diagnostics[URI]
    assert {d.code for d in found} == {"singleton-variable", "atom-undefined"}
    assert set(words(d.range for d in found)) == {"Z", "hole(X)"}


@pytest.mark.asyncio
async def test_navigation(client: LanguageClient):
    at = place(3, "set")
    found = await client.text_document_definition_async(t.DefinitionParams(text_document=DOCUMENT, position=at))
    assert [f.range.start for f in found] == [place(2, "set")]
    context = t.ReferenceContext(include_declaration=True)
    params = t.ReferenceParams(text_document=DOCUMENT, position=at, context=context)
    assert words(f.range for f in await client.text_document_references_async(params)) == ["set", "set"]
    params = t.DocumentHighlightParams(text_document=DOCUMENT, position=place(3, "X"))
    assert len(await client.text_document_document_highlight_async(params)) == 3


@pytest.mark.asyncio
async def test_rename(client: LanguageClient):
    params = t.PrepareRenameParams(text_document=DOCUMENT, position=place(3, "set"))
    assert (await client.text_document_prepare_rename_async(params)).placeholder == "set"
    params = t.RenameParams(text_document=DOCUMENT, position=place(3, "set"), new_name="chosen")
    edit = await client.text_document_rename_async(params)
    changes = edit.document_changes[0].edits if edit.document_changes else edit.changes[URI]
    assert words(c.range for c in changes) == ["set", "set"]


@pytest.mark.asyncio
async def test_hover_completion_and_hints(client: LanguageClient):
    hover = await client.text_document_hover_async(t.HoverParams(text_document=DOCUMENT, position=place(2, "cell")))
    assert "The board" in hover.contents.value and "4 atoms" in hover.contents.value
    params = t.CompletionParams(text_document=DOCUMENT, position=place(3, "hole"))
    found = await client.text_document_completion_async(params)
    items = found.items if hasattr(found, "items") else found
    assert {"cell/2", "set/2", "X", "Z"} <= {i.label for i in items}
    hints = await client.text_document_inlay_hint_async(t.InlayHintParams(text_document=DOCUMENT, range=ALL))
    assert any("cell/2: 4" in str(h.label) for h in hints)


@pytest.mark.asyncio
async def test_outline_folds_colours_and_format(client: LanguageClient):
    symbols = await client.text_document_document_symbol_async(t.DocumentSymbolParams(text_document=DOCUMENT))
    assert [s.name for s in symbols] == ["cell/2", "set/2", "row/1"]
    found = await client.workspace_symbol_async(t.WorkspaceSymbolParams(query="row"))
    assert [s.name for s in found] == ["row/1"]
    tokens = await client.text_document_semantic_tokens_full_async(t.SemanticTokensParams(text_document=DOCUMENT))
    assert len(tokens.data) % 5 == 0 and tokens.data
    await client.text_document_folding_range_async(t.FoldingRangeParams(text_document=DOCUMENT))
    options = t.FormattingOptions(tab_size=4, insert_spaces=True)
    params = t.DocumentFormattingParams(text_document=DOCUMENT, options=options)
    # It is laid out already.
    assert list(await client.text_document_formatting_async(params)) == []


@pytest.mark.asyncio
async def test_lenses(client: LanguageClient):
    lenses = await client.text_document_code_lens_async(t.CodeLensParams(text_document=DOCUMENT))
    tests = [lens.command for lens in lenses if lens.command.command == "asp.runTest"]
    assert len(tests) == 1
    params = t.ExecuteCommandParams(command=tests[0].command, arguments=tests[0].arguments)
    answer = await client.workspace_execute_command_async(params)
    assert "ok" in str(answer) and "count 4" in str(answer)
