// The command line of asp in Node, as far as WebAssembly goes: `npx asp-wasm FILES [OPTIONS]`. Files that are named are read, others
// are looked up in the library of puzzles; standard input is read where it is the program; options that write files are refused.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { engine } from "../../src/engine.js";
import { load, makeWorker } from "./platform.node.js";

const args = process.argv.slice(2);
const files = {};
const writes = args.find((word) => /^--(svg|html|tikz|png|proof|log-proof|output)(=|$)/.test(word));
if (writes) {
  process.stderr.write(`*** ERROR: (asp-wasm): ${writes} writes a file, which WebAssembly cannot here\n`);
  process.exit(64);
}
// A folder above is none of its files: asp is told the whole path.
const above = (name) => (/^\.\.[/\\]/.test(name) ? resolve(name).replace(/^([A-Za-z]:)?[/\\]/, "").replaceAll("\\", "/") : name);
let isNamed = false;
for (const [at, name] of args.entries()) {
  try {
    const text = readFileSync(name, "utf8");
    args[at] = above(name);
    files[args[at]] = text;
  } catch {
    // It is an option, or a file of the library; asp says so if it is neither.
  }
  isNamed ||= args[at] in files || /\.lp$/.test(name);
}
const asks = args.some((word) => /^(--?(h|help|v|version|list|generate)|help)\b/.test(word));
const stdin = args.includes("-") || !(isNamed || asks) ? readFileSync(0, "utf8") : undefined;
const lane = engine({ module: load(), makeWorker }).lane();
const write = { out: (text) => process.stdout.write(text), err: (text) => process.stderr.write(text) };
// Who reads may have seen enough.
process.stdout.on("error", () => process.exit(74));
const { code, trap } = await lane.run({ args, files, stdin, most: Number.POSITIVE_INFINITY }, (kind, value) => write[kind]?.(value));
if (trap) process.stderr.write(`${trap}\n`);
process.exitCode = code ?? 128;
