// Starts `asp lsp` and shows the answers of its lenses.
'use strict';

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;
let answers;

/** The settings that the server knows. */
function settings() {
  const own = vscode.workspace.getConfiguration('asp');
  const names = ['instances', 'seconds', 'questionSeconds', 'wait'];
  return { ...Object.fromEntries(names.map((name) => [name, own.get(name)])), showsAnswers: true };
}

/** Asks a question of a lens, which can be cancelled, and shows the answer. */
async function ask(command, args, next) {
  const options = { location: vscode.ProgressLocation.Notification, title: 'asp', cancellable: true };
  const answer = await vscode.window.withProgress(options, (_, token) => {
    const params = { command, arguments: args };
    return client ? client.sendRequest('workspace/executeCommand', params, token) : next(command, args);
  });
  if (answer && answer.text) {
    answers.clear();
    answers.append(answer.text);
    answers.show(true);
    vscode.window.setStatusBarMessage(`asp: ${answer.title}`, 10000);
  }
  return answer;
}

async function start() {
  const path = vscode.workspace.getConfiguration('asp').get('path');
  const server = { command: path, args: ['lsp'] };
  client = new LanguageClient('asp', 'asp', { run: server, debug: server }, {
    documentSelector: [{ language: 'asp' }],
    initializationOptions: settings(),
    middleware: { executeCommand: ask },
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher('**/*.lp') },
  });
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(`asp lsp could not be started (${error}); the setting asp.path says where asp is.`);
  }
}

async function activate(context) {
  answers = vscode.window.createOutputChannel('asp answers', 'asp');
  const restart = async () => {
    await deactivate();
    await start();
  };
  context.subscriptions.push(
    answers,
    vscode.commands.registerCommand('asp.restart', restart),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('asp.path')) {
        restart();
      } else if (change.affectsConfiguration('asp') && client) {
        client.sendNotification('workspace/didChangeConfiguration', { settings: { asp: settings() } });
      }
    }),
  );
  await start();
}

async function deactivate() {
  const running = client;
  client = undefined;
  if (running) await running.stop().catch(() => {});
}

module.exports = { activate, deactivate };
