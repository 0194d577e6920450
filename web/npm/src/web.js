// The package in browsers: a worker; one of the same origin that loads the real one, where the package comes from elsewhere.

import { client } from "./client.js";

async function load(url) {
  const place = url ?? new URL("./asp.wasm", import.meta.url);
  const answer = await fetch(place);
  if (!answer.ok) throw new Error(`${place}: ${answer.status}`);
  const known = answer.headers.get("Content-Type")?.startsWith("application/wasm");
  return known ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
}

function makeWorker() {
  // Bundlers find workers by these words.
  if (new URL(import.meta.url).origin === location.origin) return new Worker(new URL("./worker.js", import.meta.url));
  const script = `importScripts(${JSON.stringify(new URL("./worker.js", import.meta.url).href)})`;
  return new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
}

const asp = client({ load, makeWorker });
export const { run, stream, init, restart, stop, ask, pictures, check, format, hover, supportsThreads } = asp;
export default asp;
