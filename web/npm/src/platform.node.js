// Where WebAssembly comes from in Node, and a worker thread, which keeps the process alive while it runs something.

import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";

const bytes = async (url) => {
  const place = new URL(url ?? "./asp.wasm", import.meta.url);
  if (place.protocol === "file:") return readFile(place);
  const answer = await fetch(place);
  if (!answer.ok) throw new Error(`${place}: ${answer.status}`);
  return answer.arrayBuffer();
};

export function makeWorker() {
  // Options of the process, as --input-type, are not for it.
  const worker = new Worker(new URL("./worker.node.js", import.meta.url), { execArgv: [] });
  const like = {
    postMessage(message) {
      if (message.job) worker.ref();
      worker.postMessage(message);
    },
    terminate: () => worker.terminate(),
  };
  worker.unref();
  worker.on("message", (data) => {
    if (data.kind === "end") worker.unref();
    like.onmessage?.({ data });
  });
  worker.on("error", (error) => like.onerror?.({ message: String(error?.message ?? error) }));
  return like;
}

export const load = async (url) => WebAssembly.compile(await bytes(url));
