// Builds the page: node build.mjs [--out FOLDER] [--wasm FILE]
//
// FOLDER gets what a web server needs (index.html and what it loads) and, with the WebAssembly, `asp.html`: all of it in one
// file that opens from a disk. Without the WebAssembly the page is for `asp serve`.

import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..");
const option = (name, otherwise) => {
  const at = process.argv.indexOf(name);
  return at < 0 ? otherwise : process.argv[at + 1];
};
const out = option("--out", join(here, "dist"));
const wasmFile = option("--wasm");
mkdirSync(out, { recursive: true });

/// Programs with their instances: those whose first lines name the program, in the order of its tests.
function library() {
  const read = (folder) => readdirSync(join(root, folder)).filter((n) => n.endsWith(".lp")).sort()
    .map((name) => ({ name, text: readFileSync(join(root, folder, name), "utf8") }))
    .map((f) => ({ ...f, title: f.text.split("\n")[0].replace(/^%\s*/, "") }));
  const instances = read("instances");
  return read("programs").map((program) => {
    const place = (i) => (program.text.includes(i.name) ? program.text.indexOf(i.name) : Infinity);
    const own = instances.filter((i) => i.title.split(/[ (),:]/).includes(program.name));
    return {
      ...program,
      instances: own.sort((a, b) => place(a) - place(b) || (a.name < b.name ? -1 : 1))
        .map((i) => ({ ...i, title: i.title.replace(/ \(use with.*\)$/, "") })),
    };
  });
}

const version = `asp ${/^version = "(.*)"/m.exec(readFileSync(join(root, "Cargo.toml"), "utf8"))[1]}`;
const virtual = {
  name: "virtual",
  setup(b) {
    b.onResolve({ filter: /^asp:/ }, ({ path }) => ({ path, namespace: "asp" }));
    b.onLoad({ filter: /.*/, namespace: "asp" }, ({ path }) => ({
      contents: JSON.stringify(path === "asp:library" ? library() : version),
      loader: "json",
    }));
  },
};
async function bundle(entry) {
  const result = await build({
    entryPoints: [join(here, "src", entry)], bundle: true, minify: true, write: false, format: "iife", target: "es2022",
    legalComments: "none", plugins: [virtual],
  });
  return result.outputFiles[0].text;
}

const [page, worker] = [await bundle("app.js"), await bundle("worker.js")];
const style = readFileSync(join(here, "src/style.css"), "utf8");
const shell = readFileSync(join(here, "src/index.html"), "utf8");
const icon = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1257a8"/><path d="M8 22V10h16v12M8 16h16M16 10v12" fill="none" stroke="#fff" stroke-width="2.6"/></svg>')}`;

/// What a page may do. Texts cannot become scripts whatever they say; styles are the page's own and the editor's.
const policy = (script, worker, connect) =>
  `default-src 'none'; script-src ${script} 'wasm-unsafe-eval'; worker-src ${worker}; connect-src ${connect}; ` +
  "style-src 'self' 'nonce-asp-style'; style-src-attr 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
const html = (values) => Object.entries(values).reduce((text, [name, value]) => text.replace(`{{${name}}}`, () => value), shell);

writeFileSync(join(out, "page.js"), page);
writeFileSync(join(out, "style.css"), style);
writeFileSync(join(out, "index.html"), html({
  csp: policy("'self'", "'self'", "'self'"), icon,
  style: '<link rel="stylesheet" href="style.css">', script: '<script src="page.js"></script>',
}));
const licences = ["The page contains these packages:\n"];
const lock = JSON.parse(readFileSync(join(here, "package-lock.json"), "utf8"));
for (const [path, { version, dev }] of Object.entries(lock.packages)) {
  if (!path || dev) continue;
  const folder = join(here, path);
  const file = existsSync(folder) && readdirSync(folder).find((n) => /^licen[cs]e(-mit)?(\.\w+)?$/i.test(n) || /^LICENSE-MIT/.test(n));
  licences.push(`== ${path.replace("node_modules/", "")} ${version}\n\n${file ? readFileSync(join(folder, file), "utf8") : ""}`);
}
writeFileSync(join(out, "LICENSES.txt"), licences.join("\n"));

if (wasmFile) {
  writeFileSync(join(out, "worker.js"), worker);
  copyFileSync(wasmFile, join(out, "asp.wasm"));
  const wasm = readFileSync(wasmFile);
  const name = `asp-${createHash("sha256").update(page).update(worker).update(style).update(shell).update(wasm).digest("hex").slice(0, 16)}`;
  writeFileSync(join(out, "sw.js"), readFileSync(join(here, "src/sw.js"), "utf8").replace("{{name}}", name));
  // A script must not end early in the page that holds it.
  const inline = (text) => text.replace(/<\/script/gi, "<\\/script").replace(/<!--/g, "<\\!--");
  const script = inline(page);
  const hash = `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
  writeFileSync(join(out, "asp.html"), html({
    csp: policy(hash, "blob:", "'none'"), icon,
    style: `<style nonce="asp-style">${style}</style>`,
    script: `<script type="text/plain" id="asp-worker">${inline(worker)}</script>\n` +
      `<script type="text/plain" id="asp-wasm">${gzipSync(wasm, { level: 9 }).toString("base64")}</script>\n<script>${script}</script>`,
  }));
}
console.log(`${out}: ${readdirSync(out).join(" ")}`);
