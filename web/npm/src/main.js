// The command line of asp in Node, as far as WebAssembly goes: `npx asp-wasm FILES [OPTIONS]`. Files that are named are read, others
// are looked up in the library of puzzles; what asp writes to files is lost.

import { readFileSync } from "node:fs";
import { engine } from "../../src/engine.js";
import { load, makeWorker } from "./platform.node.js";

const args = process.argv.slice(2);
const files = {};
for (const name of args) {
  try {
    files[name] = readFileSync(name, "utf8");
  } catch {
    // It is an option, or a file of the library; asp says so if it is neither.
  }
}
const lane = engine({ module: load(), makeWorker }).lane();
const write = { out: (text) => process.stdout.write(text), err: (text) => process.stderr.write(text) };
// Who reads may have seen enough.
process.stdout.on("error", () => process.exit(74));
const { code, trap } = await lane.run({ args, files, most: Number.POSITIVE_INFINITY }, (kind, value) => write[kind]?.(value));
if (trap) process.stderr.write(`${trap}\n`);
process.exitCode = code ?? 128;
