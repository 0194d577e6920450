// Where the page finds its parts: beside it, in it (a single file), or at the server that runs asp.

import library from "asp:library";
import version from "asp:version";
import { page } from "./main.js";

const part = (id) => document.getElementById(id)?.textContent.trim();
const meta = document.querySelector('meta[name="asp-token"]');
const token = meta?.content;

/// The module from the page itself: gzip in base64.
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

async function fetched() {
  try {
    return await WebAssembly.compileStreaming(fetch("asp.wasm"));
  } catch {
    // A server that does not know the type.
    const answer = await fetch("asp.wasm");
    if (!answer.ok) throw new Error(`asp.wasm: ${answer.status}`);
    return WebAssembly.compile(await answer.arrayBuffer());
  }
}

const single = part("asp-wasm");
let load = null;
if (!token) load = single ? unpacked(single) : fetched();
load?.catch(() => {});

let url;
const makeWorker = () => {
  if (!single) return new Worker("worker.js");
  url ??= URL.createObjectURL(new Blob([part("asp-worker")], { type: "text/javascript" }));
  return new Worker(url);
};

page({ load, makeWorker, library, token, version });

if (!single && !token && "serviceWorker" in navigator && window.isSecureContext) {
  navigator.serviceWorker.register("sw.js").catch(() => {});
}
