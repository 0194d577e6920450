// A worker of the page: runs one job after another and tells of output as it comes.
//
// Invariant: what is told is bounded, whatever a program prints: of answer sets the first and the last, of other output its
// beginning.

import { run } from "./host.js";

/// Answer sets that are kept.
const KEPT = 1000;
/// Bytes of other output that are kept.
const MOST = 4 << 20;
/// The longest answer set that is passed on, in characters.
const LONGEST = 16 << 20;
/// Milliseconds between two messages.
const PERIOD = 60;

let module;

/// Output as text, cut where there is too much.
function text(tell, most) {
  const decoder = new TextDecoder();
  let [waiting, size, last] = ["", 0, 0];
  const flush = () => {
    if (waiting) tell(waiting);
    [waiting, last] = ["", performance.now()];
  };
  return {
    push(bytes) {
      if (size > most) return;
      size += bytes.length;
      waiting += decoder.decode(bytes, { stream: true });
      if (size > most) waiting += "\n... (there is more than is shown here)\n";
      if (performance.now() - last > PERIOD) flush();
    },
    flush,
  };
}

/// Lines, one a JSON object: the first ones, how many there are, and the last ones.
function answers(tell) {
  const decoder = new TextDecoder();
  let [rest, length, skipped] = [[], 0, 0];
  let [lines, count, size, last, newest] = [[], 0, 0, 0, null];
  const flush = () => {
    tell({ lines, count, newest });
    [lines, newest, last] = [[], null, performance.now()];
  };
  const end = () => {
    // One that is too long is named only.
    const line = skipped ? JSON.stringify({ number: count + 1, atoms: [], long: skipped + length }) : rest.join("");
    [rest, length, skipped] = [[], 0, 0];
    if (!line) return;
    const isAnswer = line.startsWith('{"number"');
    count += isAnswer;
    size += line.length;
    if (isAnswer && (count > KEPT || size > 2 * MOST + LONGEST)) newest = line;
    else lines.push(line);
  };
  const add = (part) => {
    rest.push(part);
    length += part.length;
    if (length <= LONGEST) return;
    skipped += length;
    [rest, length] = [[], 0];
  };
  return {
    push(bytes) {
      const text = decoder.decode(bytes, { stream: true });
      let from = 0;
      for (let to; (to = text.indexOf("\n", from)) >= 0; from = to + 1) {
        add(text.slice(from, to));
        end();
      }
      add(text.slice(from));
      if (performance.now() - last > PERIOD) flush();
    },
    flush() {
      end();
      flush();
    },
  };
}

self.onmessage = ({ data }) => {
  if (data.module) {
    module = data.module;
    return;
  }
  const { id, job } = data;
  const post = (kind) => (value) => self.postMessage({ id, kind, value });
  const out = job.answers ? answers(post("answers")) : text(post("out"), job.most ?? MOST);
  const err = text(post("err"), MOST);
  const { code, trap, read } = run(module, job, { out: out.push, err: err.push });
  out.flush();
  err.flush();
  const files = {};
  for (const path of job.wants ?? []) {
    const bytes = read(path);
    if (bytes && bytes.length <= 4 * LONGEST) files[path] = new TextDecoder().decode(bytes);
  }
  self.postMessage({ id, kind: "end", value: { code, trap, files } });
};
