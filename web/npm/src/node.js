// The package in Node.

import { client } from "./client.js";
import { load, makeWorker } from "./platform.node.js";

const asp = client({ load, makeWorker });
export const { run, stream, init, restart, stop, ask, pictures, check, format, hover, supportsThreads } = asp;
export default asp;
