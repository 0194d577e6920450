// Builds the package: node build.mjs --wasm FILE --out FOLDER, from which `npm pack` makes what npm gets.

import { chmodSync, copyFileSync, mkdirSync, writeFileSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const [wasm, out] = ["--wasm", "--out"].map((name) => process.argv[process.argv.indexOf(name) + 1]);
const dist = join(out, "dist");
mkdirSync(dist, { recursive: true });
for (const [entry, platform, format] of [
  ["npm/src/node.js", "node", "esm"], ["npm/src/worker.node.js", "node", "esm"], ["npm/src/main.js", "node", "esm"], ["npm/src/web.js", "browser", "esm"], ["src/worker.js", "browser", "iife"],
]) {
  await build({ entryPoints: [join(here, "..", entry)], outdir: dist, bundle: true, platform, format, target: "es2022", legalComments: "none" });
}
const main = join(dist, "main.js");
writeFileSync(main, `#!/usr/bin/env node\n${readFileSync(main, "utf8")}`);
chmodSync(main, 0o755);
copyFileSync(wasm, join(dist, "asp.wasm"));
copyFileSync(join(here, "src/index.d.ts"), join(dist, "index.d.ts"));
for (const name of ["package.json", "README.md"]) copyFileSync(join(here, name), join(out, name));
copyFileSync(join(here, "../../LICENSE"), join(out, "LICENSE"));
// Of all the page's packages, this one is in here.
const licences = readFileSync(join(here, "../embedded/LICENSES.txt"), "utf8").split(/\n(?=== )/);
writeFileSync(join(out, "LICENSES.txt"), licences.filter((text) => text.includes("browser_wasi_shim")).join("\n"));
