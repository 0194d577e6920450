// The worker of the page in a thread of Node.

import { parentPort } from "node:worker_threads";

globalThis.self = { postMessage: (message) => parentPort.postMessage(message) };
await import("../../src/worker.js");
parentPort.on("message", (data) => globalThis.self.onmessage({ data }));
