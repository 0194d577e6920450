// The language server, asked anew each time: the texts go in, answers come out, and nothing lives on in between. Its answers
// depend on the texts alone, so nothing is lost; and whatever a text does to it, the next question finds it fresh.
//
// All texts of a run belong together: a text that includes them all is opened beside them.

import { Stopped } from "./engine.js";

const ROOT = "all-of-it.lp";
const uri = (name) => `file:///${encodeURIComponent(name)}`;
const nameOf = (u) => decodeURIComponent(u.replace(/^file:\/\/\//, ""));

const utf8 = new TextEncoder();
const frame = (message) => {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  return `Content-Length: ${utf8.encode(body).length}\r\n\r\n${body}`;
};

/// The messages in what the server wrote.
function messages(out) {
  const bytes = utf8.encode(out);
  const decoder = new TextDecoder();
  const found = [];
  let at = 0;
  for (;;) {
    let end = at;
    while (end + 3 < bytes.length && !(bytes[end] === 13 && bytes[end + 2] === 13)) end++;
    const length = Number(/Content-Length: (\d+)/.exec(decoder.decode(bytes.subarray(at, end)))?.[1]);
    const start = end + 4;
    if (!length || start + length > bytes.length) return found;
    found.push(JSON.parse(decoder.decode(bytes.subarray(start, start + length))));
    at = start + length;
  }
}

export class Language {
  /// `native`: the program has threads, and is not to use them here.
  constructor(lane, native) {
    this.lane = lane;
    this.args = native ? ["lsp", "--in-turn"] : ["lsp"];
  }

  /// Asks: requests are `[method, file, parameters]`. Answers in their order, and the messages of each file.
  async ask(files, requests) {
    const texts = files.filter((f) => f.name.endsWith(".lp"));
    const all = texts.map((f) => `#include ${JSON.stringify(f.name)}.\n`).join("");
    const open = (name, text) => ({
      method: "textDocument/didOpen",
      params: { textDocument: { uri: uri(name), languageId: "asp", version: 1, text } },
    });
    const capabilities = {
      textDocument: { publishDiagnostics: { relatedInformation: true }, codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix"] } } } },
    };
    const input = [
      { id: 0, method: "initialize", params: { processId: null, rootUri: null, capabilities, initializationOptions: { wait: 5, showsAnswers: true, seconds: 1.5, instances: 100000 } } },
      { method: "initialized", params: {} },
      ...texts.map((f) => open(f.name, f.text)),
      open(ROOT, all),
      ...requests.map(([method, file, params], i) => ({
        id: i + 1,
        method,
        params: { textDocument: { uri: uri(file) }, ...params },
      })),
      { id: "end", method: "shutdown", params: null },
      { method: "exit", params: null },
    ];
    const told = await this.lane.run({ args: this.args, stdin: input.map(frame).join(""), files: {}, most: 32 << 20 });
    if (told.trap) throw new Error(told.trap);
    const heard = messages(told.out);
    const answers = requests.map((_, i) => heard.find((m) => m.id === i + 1 && !m.method)?.result ?? null);
    const diagnostics = new Map(texts.map((f) => [f.name, []]));
    for (const m of heard) {
      if (m.method !== "textDocument/publishDiagnostics") continue;
      const name = nameOf(m.params.uri);
      if (diagnostics.has(name)) diagnostics.set(name, m.params.diagnostics);
    }
    return { answers, diagnostics };
  }

  /// The same; null where it was stopped or failed.
  async tryAsk(files, requests) {
    try {
      return await this.ask(files, requests);
    } catch (error) {
      if (!(error instanceof Stopped)) console.warn("language server:", error.message);
      return null;
    }
  }
}

export { nameOf };
