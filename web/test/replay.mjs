// Runs the same commands natively and as WebAssembly and compares every byte of what they print, and the exit codes:
// the golden runs, and the questions of the page on the library.
//
//   node test/replay.mjs NATIVE WASM [FILTER]
//
// Only times and numbers of threads are masked. What cannot be compared is counted, with the reason.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../src/host.js";

const [native, wasm, filter] = process.argv.slice(2);
const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const module = new WebAssembly.Module(readFileSync(wasm));
const ASP = resolve(native);

/// All files below a folder, by their paths in it.
function folder(path) {
  const files = {};
  const walk = (at) => {
    for (const name of readdirSync(at)) {
      const file = join(at, name);
      if (statSync(file).isDirectory()) walk(file);
      else files[relative(path, file)] = readFileSync(file);
    }
  };
  walk(path);
  return files;
}

const text = (chunks) => Buffer.concat(chunks).toString("utf8");

function both(args, cwd, files) {
  const a = spawnSync(ASP, args, { cwd, input: "", encoding: "utf8", maxBuffer: 1 << 28, env: { PATH: process.env.PATH, NO_COLOR: "1" } });
  const [out, err] = [[], []];
  const b = run(module, { args, files }, { out: (d) => out.push(d), err: (d) => err.push(d) });
  return [
    { code: a.status, out: a.stdout, err: a.stderr },
    { code: b.code, out: text(out), err: text(err) + (b.trap ? `\nTRAP ${b.trap}` : "") },
  ];
}

/// Times, and the widths that they take.
const mask = (s) => s.replace(/ *\b\d+\.\d+(s| s|%|\b)/g, " T").replace(/"Threads": *\d+/g, "Threads");

/// Why a golden run cannot be compared.
function reason(flags, args) {
  if (flags.includes("int")) return "ends by a signal";
  if (!args.includes("unique.lp") && args.some((a) => /^--?(time-limit|memory-limit)/.test(a))) return "ends by time or memory";
  if (args.some((a) => a.includes("/dev/"))) return "names a device";
  if (args.some((a) => /^(-t|--parallel-mode)/.test(a))) return "has threads";
  return null;
}

const left = {};
let [same, different] = [0, 0];
function compare(name, args, cwd, files) {
  if (filter && !`${name} ${args.join(" ")}`.includes(filter)) return;
  const [a, b] = both(args, cwd, files);
  const differs = a.code !== b.code ? `exit ${a.code} / ${b.code}`
    : mask(a.out) !== mask(b.out) ? "stdout" : mask(a.err) !== mask(b.err) ? "stderr" : null;
  if (!differs) return void same++;
  different++;
  console.log(`DIFFERS ${name}: asp ${args.join(" ")}: ${differs}`);
  const [x, y] = differs === "stderr" ? [a.err, b.err] : [a.out + a.err, b.out + b.err];
  const [l, r] = [mask(x).split("\n"), mask(y).split("\n")];
  const i = l.findIndex((line, i) => line !== r[i]);
  console.log(`  native: ${l[i]?.slice(0, 300)}\n  wasm:   ${r[i]?.slice(0, 300)}`);
}

const golden = join(root, "tests/golden/programs");
const files = folder(golden);
for (const line of readFileSync(join(root, "tests/golden/cases.txt"), "utf8").split("\n")) {
  if (!line || line.startsWith("#")) continue;
  const [name, flags, rest] = line.split("|").map((p) => p.trim());
  const args = rest.split(" ");
  const why = reason(flags.split(" "), args);
  if (why) left[why] = (left[why] ?? 0) + 1;
  else compare(name, args, golden, files);
}

const empty = mkdtempSync(join(tmpdir(), "asp-replay-"));
const puzzles = [
  ["futoshiki.lp", "grid4.lp", "cell_has_number(1,1,2)"],
  ["sudoku.lp", "sudoku4-a.lp"],
  ["graph-colouring.lp", "australia.lp", "colour(sa,1)"],
  ["skyscraper.lp", "skyscraper4.lp"],
  ["hashi.lp", "hashi5.lp"],
  ["tsp.lp", "tsp6.lp"],
];
for (const [program, instance, atom] of puzzles) {
  const p = [program, instance];
  for (const args of [
    [...p, "--outf=jsonl", "10"], [...p, "--outf=2"], [...p, "--show-grid"], [...p, "--text"], ["unique", ...p],
    ["hint", "--format", "json", ...p], ["candidates", ...p], ["count", ...p], ["why-unsat", "--format", "json", ...p],
    ["check", "--message-format=json", ...p], ["lint", ...p], ["sample", "-n", "2", "--seed", "3", ...p],
    ["diverse", "-n", "2", ...p], ...(atom ? [["why", "--format", "json", atom, ...p], ["why-not", atom, ...p]] : []),
  ]) compare("library", args, empty, {});
}
const library = folder(join(root, "programs"));
const instances = folder(join(root, "instances"));
const both_folders = Object.fromEntries([
  ...Object.entries(library).map(([n, t]) => [`programs/${n}`, t]),
  ...Object.entries(instances).map(([n, t]) => [`instances/${n}`, t]),
]);
for (const name of ["futoshiki", "kakuro", "hanoi", "queens", "send-more-money"]) {
  if (library[`${name}.lp`]) compare("tests", ["test", `programs/${name}.lp`], root, both_folders);
}
compare("format", ["fmt", "--check", "programs/futoshiki.lp"], root, both_folders);
rmSync(empty, { recursive: true });
const out = Object.entries(left).map(([why, n]) => `${n} left out: ${why}`).join("; ");
console.log(`wasm: ${same} runs the same, ${different} differ${out ? `; ${out}` : ""}`);
process.exit(different ? 1 : 0);
