// The page that is compiled into `asp`: node embed.mjs writes web/embedded from web/dist; with --check it says what differs
// instead. What is compared is what was compressed, for other versions of zlib compress otherwise.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const [from, to] = [join(here, "dist"), join(here, "embedded")];
mkdirSync(to, { recursive: true });
const stale = [];
for (const name of ["index.html", "page.js", "style.css", "LICENSES.txt"]) {
  const packed = name === "page.js";
  const file = join(to, packed ? `${name}.gz` : name);
  const built = readFileSync(join(from, name));
  const old = existsSync(file) ? readFileSync(file) : null;
  if (old && built.equals(packed ? gunzipSync(old) : old)) continue;
  stale.push(name);
  if (!process.argv.includes("--check")) writeFileSync(file, packed ? gzipSync(built, { level: 9 }) : built);
}
if (!process.argv.includes("--check")) console.log(`embedded: ${stale.join(" ") || "nothing new"}`);
else if (stale.length) {
  console.error(`FAILED: web/embedded is older than its sources (${stale.join(" ")}); web/build.sh --embed makes it anew`);
  process.exit(1);
}
