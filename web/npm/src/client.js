// What the package offers, over workers that a platform makes.
//
// Invariant: jobs run one after another, each in memory of its own; `stop` ends the first that has not ended, and no other.

import { Stopped, engine } from "../../src/engine.js";
import { Language } from "../../src/language.js";

/// Errors of clingo's exit codes: memory, input, usage, and what asp adds to them.
const FAILURES = new Set([33, 64, 65, 128]);
/// What is printed on standard error where an option is wrong; the exit code is then that of an interruption.
const USAGE = /try '--help'/i;
const PROGRAM = "program.lp";
const STOPPED = "Stopped.";
/// All that is printed.
const ALL = Number.POSITIVE_INFINITY;

/// Texts by the names of their files; one text is the program.
function texts(program) {
  if (typeof program === "string") return { [PROGRAM]: program };
  const isObject = typeof program === "object" && program !== null && !Array.isArray(program);
  if (!isObject || Object.values(program).some((text) => typeof text !== "string")) {
    throw new TypeError("a program is a text, or an object of texts by the names of files");
  }
  return program;
}
/// The files that are the program; without any, standard input would be it.
function programs(files) {
  const names = Object.keys(files).filter((name) => name.endsWith(".lp"));
  if (!names.length) throw new Error("no file ends in .lp");
  return names;
}
/// Options as clingo-wasm takes them: words, or several in one.
function words(options = []) {
  if (!Array.isArray(options) || options.some((option) => typeof option !== "string")) throw new TypeError("options are a list of texts");
  return options.flatMap((option) => option.trim().split(/\s+/)).filter(Boolean);
}

/// The object that a text is in JSON; null if it is none.
function json(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

/// Passes on the witnesses in what `--outf=2` prints, as they come: each is an object at this depth.
function witnesses(onModel) {
  let [rest, open] = ["", null];
  return (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      if (line === "        {") open = [];
      if (!open) continue;
      if (/^ {8}\},?$/.test(line)) {
        onModel(JSON.parse(`${open.join("\n")}}`));
        open = null;
      } else open.push(line);
    }
  };
}

/// The functions of the package; `load(url)` compiles the WebAssembly, `makeWorker()` starts a worker.
export function client({ load, makeWorker }) {
  let lane, loading, queue = Promise.resolve();
  // Jobs that have not ended.
  const open = [];
  const reset = (url) => {
    lane?.stop();
    const module = load(url);
    // Who runs something is told, and the next one tries again.
    module.catch(() => {
      if (loading === module) lane = undefined;
    });
    loading = module;
    lane = engine({ module, makeWorker }).lane();
    return module;
  };
  const later = (job) => {
    const turn = { begun: false, stopped: false };
    open.push(turn);
    const result = queue.then(() => {
      if (turn.stopped) throw new Stopped();
      turn.begun = true;
      return job();
    }).finally(() => open.splice(open.indexOf(turn), 1));
    queue = result.catch(() => {});
    return result;
  };
  const work = (args, files, { tell, stdin, wants } = {}) => later(() => {
    if (!lane) reset();
    return lane.run({ args, files, stdin, wants, most: ALL }, tell);
  });
  const failure = (message) => ({ Result: "ERROR", Error: message.trim() });

  async function run(program, models = 1, options = [], onModel = undefined) {
    // What the caller's function throws ends the job, and is the caller's.
    let thrown = null;
    const feed = onModel && witnesses(onModel);
    const tell = (kind, value) => {
      if (thrown || kind !== "out" || !feed) return;
      try {
        feed(value);
      } catch (error) {
        thrown = { error };
        lane?.stop();
      }
    };
    const [files, given] = [texts(program), words(options)];
    try {
      const args = [...programs(files), ...given, String(models), "--outf=2"];
      const told = await work(args, files, { tell });
      if (thrown) throw thrown.error;
      if (told.trap || FAILURES.has(told.code)) return failure(told.err || told.trap || `asp ended with ${told.code}`);
      const printed = json(told.out);
      if (!printed) return failure(told.err || `the options ${given.join(" ")} ask for something else than clingo's JSON`);
      // A message begins at the margin; what it quotes has a number there.
      const { Input, ...result } = printed;
      return { ...result, Warnings: told.err.split(/\n(?=[a-z*])/).map((text) => text.trim()).filter(Boolean) };
    } catch (error) {
      if (thrown) throw thrown.error;
      return failure(error instanceof Stopped ? STOPPED : String(error?.message ?? error));
    }
  }

  async function* stream(program, models = 1, options = []) {
    let [waiting, wake, result, failed] = [[], () => {}, null, null];
    const done = run(program, models, options, (model) => {
      waiting.push(model);
      wake();
    }).then((value) => {
      result = value;
    }, (error) => {
      failed = { error };
    }).then(() => wake());
    try {
      while (!(result || failed) || waiting.length) {
        if (waiting.length) yield waiting.shift();
        else await new Promise((go) => { wake = go; });
      }
      if (failed) throw failed.error;
      // A loop sees no value at the end; `stop` is no error.
      if (result.Result === "ERROR" && result.Error !== STOPPED) throw new Error(result.Error);
      return result;
    } finally {
      // Who leaves the loop wants no more of them.
      if (!result && !failed) stop();
      await done;
    }
  }

  /// Ends what runs now, or is about to: `run` resolves to an error, other functions throw.
  function stop() {
    const [turn] = open;
    if (turn?.begun) lane?.stop();
    else if (turn) turn.stopped = true;
  }

  async function init(url) {
    await reset(url);
  }

  async function restart(url) {
    await reset(url);
  }

  async function ask(question, program, { atom, options = [] } = {}) {
    const files = texts(program);
    const given = words(options);
    const json = ["why", "why-not", "why-unsat", "hint"].includes(question) && !given.some((o) => o.startsWith("--format"));
    const args = [question, ...(json ? ["--format=json"] : []), ...given, "--", ...(atom === undefined ? [] : [atom]), ...programs(files)];
    const told = await work(args, files);
    if (told.trap || FAILURES.has(told.code)) throw new Error((told.err || told.trap).trim());
    return { code: told.code, text: told.out, messages: told.err, ...(json && told.out.startsWith("{") && { data: JSON.parse(told.out) }) };
  }

  async function pictures(program, models = 1, options = []) {
    const files = texts(program);
    const drawn = "drawn.svg";
    const args = [...programs(files), ...words(options), String(models), "-V0", "-q", `--svg=${drawn}`];
    const one = await work(args, files, { wants: [drawn] });
    if (one.trap || FAILURES.has(one.code) || (one.code === 1 && USAGE.test(one.err))) throw new Error((one.err || one.trap).trim());
    return one.files[drawn] ?? null;
  }

  const language = (files, requests) => later(() => {
    if (!lane) reset();
    return new Language(lane, false).ask(Object.entries(files).map(([name, text]) => ({ name, text })), requests);
  });

  async function check(program) {
    const files = texts(program);
    const { diagnostics } = await language(files, []);
    return Object.fromEntries(diagnostics);
  }

  async function format(program) {
    const told = await work(["fmt", "-"], {}, { stdin: program });
    if (told.trap || told.code !== 0) throw new Error((told.err || told.trap || `asp ended with ${told.code}`).trim());
    return told.out;
  }

  async function hover(program, position, file = PROGRAM) {
    const { answers } = await language(texts(program), [["textDocument/hover", file, { position }]]);
    return answers[0]?.contents?.value ?? null;
  }

  /// asp as WebAssembly has one thread.
  const supportsThreads = () => false;

  return { run, stream, init, restart, stop, ask, pictures, check, format, hover, supportsThreads };
}
