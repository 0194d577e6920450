// The extension with stand-ins for the editor and the client: what it starts, asks, shows and ends, and that its manifest says
// the same as its code. Run by `npm test`; the language server has tests of its own.
'use strict';

const assert = require('node:assert/strict');
const { existsSync, readFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const { beforeEach, test } = require('node:test');

const manifest = JSON.parse(readFileSync(join(__dirname, 'package.json'), 'utf8'));
const properties = manifest.contributes.configuration.properties;

let seen;
let values;
let broken;

class LanguageClient {
  constructor(id, name, server, options) {
    Object.assign(this, { id, name, server, options, running: false, sent: [] });
    seen.clients.push(this);
  }
  async start() {
    if (broken) throw new Error('spawn asp ENOENT');
    this.running = true;
  }
  async stop() {
    this.running = false;
  }
  async sendNotification(method, params) {
    this.sent.push([method, params]);
  }
  async sendRequest(method, params, token) {
    this.sent.push([method, params, token]);
    return { title: '2 answer sets', ok: true, text: 'Answer: 1\na\n' };
  }
}

const vscode = {
  ProgressLocation: { Notification: 15 },
  workspace: {
    getConfiguration: (section) => ({ get: (name) => values[`${section}.${name}`] }),
    createFileSystemWatcher: (pattern) => ({ pattern }),
    onDidChangeConfiguration: (listen) => { seen.changed = listen; return { dispose() {} }; },
  },
  window: {
    createOutputChannel: (name, language) => {
      seen.channel = { name, language, text: '', clear() { this.text = ''; }, append(t) { this.text += t; }, show() { this.shown = true; } };
      return seen.channel;
    },
    withProgress: (options, work) => { seen.progress = options; return work({}, 'token'); },
    setStatusBarMessage: (text) => { seen.status = text; },
    showErrorMessage: (text) => { seen.error = text; },
  },
  commands: { registerCommand: (name, run) => { seen.commands[name] = run; return { dispose() {} }; } },
};

const load = Module._load;
Module._load = function (name, ...rest) {
  if (name === 'vscode') return vscode;
  if (name === 'vscode-languageclient/node') return { LanguageClient };
  return load.call(this, name, ...rest);
};
const extension = require('./extension.js');

beforeEach(async () => {
  await extension.deactivate();
  seen = { clients: [], commands: {} };
  broken = false;
  values = Object.fromEntries(Object.entries(properties).map(([name, { default: value }]) => [name, value]));
});

const activate = async () => {
  const context = { subscriptions: [] };
  await extension.activate(context);
  assert.ok(context.subscriptions.every((s) => s));
  return seen.clients.at(-1);
};

test('it starts the server with the settings of the manifest', async () => {
  values['asp.path'] = '/opt/asp';
  const client = await activate();
  assert.deepEqual(client.server.run, { command: '/opt/asp', args: ['lsp'] });
  assert.ok(client.running);
  const { showsAnswers, ...own } = client.options.initializationOptions;
  assert.equal(showsAnswers, true);
  assert.deepEqual(Object.keys(own).map((n) => `asp.${n}`).sort(), Object.keys(properties).filter((n) => n !== 'asp.path').sort());
  assert.ok(Object.values(own).every((v) => v !== undefined));
  assert.deepEqual(client.options.documentSelector, [{ language: manifest.contributes.languages[0].id }]);
});

test('commands of the manifest exist, and restarting leaves one client', async () => {
  const first = await activate();
  assert.deepEqual(Object.keys(seen.commands), manifest.contributes.commands.map((c) => c.command));
  await seen.commands['asp.restart']();
  assert.equal(first.running, false);
  assert.deepEqual(seen.clients.map((c) => c.running), [false, true]);
  await extension.deactivate();
  assert.deepEqual(seen.clients.map((c) => c.running), [false, false]);
});

test('another path starts the server anew, other settings are told to it', async () => {
  const client = await activate();
  values['asp.seconds'] = 9;
  seen.changed({ affectsConfiguration: (name) => name === 'asp' });
  assert.equal(client.sent[0][0], 'workspace/didChangeConfiguration');
  assert.equal(client.sent[0][1].settings.asp.seconds, 9);
  seen.changed({ affectsConfiguration: (name) => name === 'asp.path' || name === 'asp' });
  await new Promise((done) => setTimeout(done, 20));
  assert.equal(seen.clients.length, 2);
});

test('answers of lenses are shown, and questions can be cancelled', async () => {
  const client = await activate();
  const answer = await client.options.middleware.executeCommand('asp.answers', ['file:///x.lp'], () => assert.fail('not asked'));
  assert.deepEqual(client.sent[0], ['workspace/executeCommand', { command: 'asp.answers', arguments: ['file:///x.lp'] }, 'token']);
  assert.equal(answer.ok, true);
  assert.equal(seen.progress.cancellable, true);
  assert.match(seen.channel.text, /Answer: 1/);
  assert.ok(seen.channel.shown);
  assert.match(seen.status, /2 answer sets/);
});

test('a server that does not start is told, and restarting helps', async () => {
  broken = true;
  await activate();
  assert.match(seen.error, /asp\.path/);
  broken = false;
  await seen.commands['asp.restart']();
  assert.ok(seen.clients.at(-1).running);
});

test('the files that the manifest names are there', () => {
  const { languages, grammars } = manifest.contributes;
  for (const path of [languages[0].configuration, grammars[0].path, manifest.icon, 'LICENSE', 'README.md']) assert.ok(existsSync(join(__dirname, path)), path);
  const grammar = JSON.parse(readFileSync(join(__dirname, grammars[0].path), 'utf8'));
  assert.equal(grammar.scopeName, grammars[0].scopeName);
  const patterns = (rule) => [rule.match, rule.begin, rule.end, ...(rule.patterns ?? []).flatMap(patterns)].filter(Boolean);
  const all = [grammar, ...Object.values(grammar.repository ?? {})].flatMap(patterns);
  assert.ok(all.length > 3);
  for (const pattern of all) assert.doesNotThrow(() => new RegExp(pattern), pattern);
});
