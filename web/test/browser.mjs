// A browser and the page in it, for tests: served by a web server, opened from a disk, or served by asp.

import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

export const dist = resolve(dirname(fileURLToPath(import.meta.url)), "../dist");

export const launch = () => chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

/// A web server of the plainest kind.
export async function web(folder = dist) {
  const server = createServer((request, answer) => {
    const path = join(folder, new URL(request.url, "http://x").pathname.replace(/\/$/, "/index.html"));
    if (!path.startsWith(folder) || !existsSync(path)) return void answer.writeHead(404).end();
    answer.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "text/plain" }).end(readFileSync(path));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => { server.closeAllConnections(); server.close(); } };
}

export const disk = () => ({ url: pathToFileURL(join(dist, "asp.html")).href, close: () => {} });

/// `asp serve`, with the link that it prints.
export async function serve(asp, args = [], options = {}) {
  const child = spawn(resolve(asp), ["serve", "--page", dist, ...args], { stdio: ["ignore", "pipe", "inherit"], ...options });
  const url = await new Promise((done, fail) => {
    child.stdout.on("data", (data) => done(String(data).trim()));
    child.on("exit", (code) => fail(new Error(`asp serve ended with ${code}`)));
  });
  return { url, child, close: () => child.kill() };
}
