// The page: files and their texts, what is asked of them, and where answers are shown.

import { Editor, offset } from "./editor.js";
import { $, download, fill, h, say, tabs } from "./dom.js";
import { askText, showHelp, showImport, showLibrary } from "./dialogs.js";
import { Stopped, engine as makeEngine } from "./engine.js";
import * as explain from "./explain.js";
import { Language, nameOf } from "./language.js";
import { pictures } from "./picture.js";
import { Answers } from "./results.js";
import * as share from "./share.js";

/// Milliseconds without typing until the language server looks.
const REST = 220;
/// Texts beyond this many characters are not looked at while one types.
const LARGE = 1 << 20;
/// Options that print something else than answer sets: what they print is shown as it is.
const PLAIN = /^(--text|--outf|-o$|--output|--mode|--pre|--show-grid|--help|-h|--list|--version|-v$|--svg|--html|-s$|--stats|-q|--quiet|-V|--verbose|--generate|--explain-rewrites|--profile|--reify)/;
/// Options that questions understand, too: with a value of their own, or in one word.
const SHARED = /^(-c|--const|-W|--warn|--rewrite|--steps|--time-limit|--memory-limit)/;
const MOST_MEMORY = 3000;

const start = `% Two colours for three towns, so that neighbours differ.
town(ulm; kiel; bonn).
road(ulm,bonn). road(bonn,kiel).

{ colour(T,(red;blue)) } = 1 :- town(T).
:- road(A,B), colour(A,C), colour(B,C).

#show colour/2.
`;

export function page({ load, makeWorker, library, token, version }) {
  const engine = makeEngine({ module: load, makeWorker, token });
  const runs = engine.lane();
  const words = new Language(engine.lane(), engine.native);
  const quick = new Language(engine.lane(), engine.native);
  const state = { names: [], active: null, busy: null, actions: [] };

  // --- Files ---

  const editor = new Editor($("editor"), {
    changed: () => { soon(); keepSoon(); clearMarks(false); },
    solve: () => solve(),
    format: () => format(),
    hover: (at) => one("textDocument/hover", at),
    complete: (at) => one("textDocument/completion", at),
    definition: async (at) => {
      const found = await one("textDocument/definition", at);
      const to = Array.isArray(found) ? found[0] : found;
      if (to) jump(nameOf(to.uri ?? to.targetUri), to.range ?? to.targetSelectionRange);
    },
    rename: (at) => rename(at),
  });
  const files = () => state.names.map((name) => ({ name, text: editor.text(name) }));
  const texts = () => Object.fromEntries(files().map((f) => [f.name, f.text]));
  const project = () => ({ files: files(), options: $("options").value, models: $("models").value });

  /// The programs of a run: those that no other includes.
  function programs() {
    const all = files().filter((f) => f.name.endsWith(".lp"));
    const included = new Set(all.flatMap((f) => [...f.text.matchAll(/#include\s*"([^"]+)"/g)].map((m) => m[1])));
    return all.map((f) => f.name).filter((name) => !included.has(name));
  }

  function drawFiles() {
    fill($("files"), state.names.map((name) => h("span", { class: "tab", role: "presentation" },
      h("button", { type: "button", role: "tab", "aria-selected": String(name === state.active), tabindex: name === state.active ? "0" : "-1", text: name, onclick: () => show(name), ondblclick: () => renameFile(name) }),
      state.names.length > 1 ? h("button", { type: "button", class: "quiet close", "aria-label": `Close ${name}`, tabindex: "-1", text: "×", onclick: () => remove(name) }) : null)));
  }

  function show(name) {
    state.active = name;
    editor.show(name);
    drawFiles();
  }

  function put(name, text) {
    if (!state.names.includes(name)) state.names.push(name);
    editor.set(name, text);
  }

  function remove(name) {
    const text = editor.text(name);
    const at = state.names.indexOf(name);
    state.names.splice(at, 1);
    if (state.active === name) show(state.names[Math.max(0, at - 1)]);
    editor.remove(name);
    drawFiles();
    soon();
    keepSoon();
    say(`${name} is closed`, [["Undo", () => { put(name, text); show(name); soon(); }]]);
  }

  function free(name) {
    const [, stem, end] = /^(.*?)(\.[^.]*)?$/.exec(name);
    for (let i = 1; ; i++) {
      const tried = i === 1 ? name : `${stem}-${i}${end ?? ""}`;
      if (!state.names.includes(tried)) return tried;
    }
  }

  async function renameFile(name) {
    const to = await askText("Name of the file", name, "Rename");
    if (!to || to === name) return;
    if (/[/\\]/.test(to) || state.names.includes(to)) return say("There is a file of that name, or it is none.");
    const text = editor.text(name);
    state.names[state.names.indexOf(name)] = to;
    editor.set(to, text);
    show(to);
    editor.remove(name);
    soon();
    keepSoon();
  }

  function openProject({ files: list, options, models }) {
    stop();
    state.names.forEach((name) => editor.remove(name));
    state.names = [];
    list.forEach((f) => put(f.name, f.text));
    $("options").value = options ?? "";
    $("models").value = models ?? "1";
    show(list[0].name);
    answers.reset();
    fill($("answers"), h("p", { class: "empty", text: "Press Solve to look for answer sets, or ask a question above." }));
    fill($("question"), h("p", { class: "empty", text: "Answers to questions appear here." }));
    fill($("messages"), h("p", { class: "empty", text: "Messages of runs appear here." }));
    hideWhy();
    tab("answers");
    soon();
    keepSoon();
  }

  // --- The language server ---

  const one = async (method, at) => {
    const name = state.active;
    const doc = editor.doc(name);
    if (doc.length > LARGE) return null;
    const line = doc.lineAt(at);
    quick.lane.stop();
    const told = await quick.tryAsk(files(), [[method, name, { position: { line: line.number - 1, character: at - line.from } }]]);
    return told?.answers[0] ?? null;
  };

  let timer;
  function soon() {
    clearTimeout(timer);
    timer = setTimeout(review, REST);
  }

  async function review() {
    const list = files();
    const button = $("problems");
    if (list.reduce((sum, f) => sum + f.text.length, 0) > LARGE) {
      list.forEach((f) => editor.diagnostics(f.name, []));
      button.className = "problems";
      return void (button.textContent = "This text is too long to be looked at while you write.");
    }
    words.lane.stop();
    const programs = list.filter((f) => f.name.endsWith(".lp"));
    const before = new Map(programs.map((f) => [f.name, editor.doc(f.name)]));
    const whole = (f) => {
      const doc = editor.doc(f.name);
      return { start: { line: 0, character: 0 }, end: { line: doc.lines, character: 0 } };
    };
    const told = await words.tryAsk(list, programs.flatMap((f) => [
      ["textDocument/codeAction", f.name, { range: whole(f), context: { diagnostics: [] } }],
      ["textDocument/inlayHint", f.name, { range: whole(f) }],
    ]));
    if (!told || programs.some((f) => editor.doc(f.name) !== before.get(f.name))) return;
    const counts = [0, 0, 0];
    let first = null;
    programs.forEach(({ name }, i) => {
      const doc = editor.doc(name);
      const fixes = told.answers[2 * i] ?? [];
      const diagnostics = told.diagnostics.get(name).map((d) => {
        const level = Math.min(d.severity ?? 1, 3) - 1;
        counts[level]++;
        const [from, to] = [offset(doc, d.range.start), offset(doc, d.range.end)];
        if (!first || level < first.level) first = { level, name, from, message: d.message };
        const fits = (action) => action.diagnostics?.some((m) => m.message === d.message && JSON.stringify(m.range) === JSON.stringify(d.range));
        const related = (d.relatedInformation ?? []).map((r) => `\n${nameOf(r.location.uri)}:${r.location.range.start.line + 1}: ${r.message}`);
        return {
          from, to, severity: ["error", "warning", "info"][level], message: d.message + related.join(""),
          actions: fixes.filter(fits).slice(0, 3).map((action) => ({ name: action.title, apply: () => applyEdit(action.edit) })),
        };
      });
      editor.diagnostics(name, diagnostics);
      const hints = (told.answers[2 * i + 1] ?? []).map((hint) => ({ at: offset(doc, hint.position), label: typeof hint.label === "string" ? hint.label : hint.label.map((l) => l.value).join("") }));
      editor.hints(name, hints);
    });
    const [errors, warnings, notes] = counts;
    const many = (n, what) => (n ? [`${n} ${what}${n > 1 ? "s" : ""}`] : []);
    button.className = `problems ${errors ? "bad" : warnings ? "warn" : ""}`;
    button.textContent = first ? `${[...many(errors, "error"), ...many(warnings, "warning"), ...many(notes, "note")].join(", ")}: ${first.message.split("\n")[0]}` : "No problems";
    button.onclick = () => {
      if (!first) return;
      show(first.name);
      editor.reveal(Math.min(first.from, editor.doc(first.name).length));
      editor.view.focus();
    };
  }

  function applyEdit(edit) {
    for (const [uri, edits] of Object.entries(edit?.changes ?? {})) editor.edit(nameOf(uri), edits);
    for (const change of edit?.documentChanges ?? []) editor.edit(nameOf(change.textDocument.uri), change.edits);
  }

  async function format() {
    const name = state.active;
    const doc = editor.doc(name);
    const told = await quick.tryAsk(files(), [["textDocument/formatting", name, { options: { tabSize: 4, insertSpaces: true } }]]);
    const edits = told?.answers[0];
    if (editor.doc(name) !== doc) return;
    if (!edits) return say("This text cannot be laid out as long as it has errors.");
    if (edits.length) editor.edit(name, edits);
    else say("The layout is as it should be.");
  }

  async function rename(at) {
    const name = state.active;
    const line = editor.doc(name).lineAt(at);
    const position = { line: line.number - 1, character: at - line.from };
    const told = await quick.tryAsk(files(), [["textDocument/prepareRename", name, { position }]]);
    const range = told?.answers[0]?.range ?? told?.answers[0];
    if (!range?.start) return say("There is nothing to rename here.");
    const doc = editor.doc(name);
    const old = doc.sliceString(offset(doc, range.start), offset(doc, range.end));
    const newName = await askText(`New name of ${old}`, old, "Rename");
    if (!newName || newName === old) return;
    const done = await quick.tryAsk(files(), [["textDocument/rename", name, { position, newName }]]);
    if (done?.answers[0]) applyEdit(done.answers[0]);
    else say(`${old} cannot be called ${newName}: the program would mean something else.`);
  }

  // --- Places in the program ---

  function clearMarks(all = true) {
    if (!state.marked && !all) return;
    state.marked = false;
    state.names.forEach((name) => editor.mark(name, []));
  }

  /// The range of a statement that asp names, in the file that is open; null if it is in none.
  function range(place) {
    const name = place.file.replace(/^\.?\//, "");
    const doc = state.names.includes(name) ? editor.doc(name) : null;
    if (!doc || place.line > doc.lines) return null;
    const line = doc.line(place.line);
    const from = Math.min(line.from + [...line.text].slice(0, place.column - 1).join("").length, line.to);
    const rest = doc.sliceString(from, Math.min(doc.length, from + 2 * place.text.length + 200));
    // The text is told in one line.
    const shape = place.text.trim().split(/\s+/).map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("\\s+");
    let length = -1;
    try {
      length = new RegExp(`^${shape}`).exec(rest)?.[0].length ?? -1;
    } catch { /* Too long for an expression: to the end of the line. */ }
    return { name, from, to: length > 0 ? from + length : Math.max(line.to, from) };
  }

  function mark(places, kind) {
    clearMarks();
    const ranges = places.map(range).filter((r) => r && r.to > r.from);
    for (const name of state.names) {
      const seen = new Set();
      const own = ranges.filter((r) => r.name === name && !seen.has(r.from) && seen.add(r.from));
      if (own.length) editor.mark(name, own.map((r) => ({ ...r, kind })));
    }
    state.marked = ranges.length > 0;
    return ranges;
  }

  function goTo(place) {
    const [found] = mark([place], "place");
    if (!found) return say(`${place.file}:${place.line} is in none of the open files.`);
    part("write");
    show(found.name);
    editor.reveal(found.from, found.to);
  }

  function jump(name, to) {
    if (!state.names.includes(name)) return say(`It is in ${name}, which is not open.`);
    show(name);
    editor.reveal(offset(editor.doc(name), to.start));
    editor.view.focus();
  }

  // --- Runs ---

  const answers = new Answers($("answers"), why);

  /// The words of the options.
  const options = () => [...$("options").value.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((m) => m[1] ?? m[2] ?? m[3]);
  function shared() {
    const found = [];
    const list = options();
    for (let i = 0; i < list.length; i++) {
      if (!SHARED.test(list[i])) continue;
      found.push(list[i]);
      if (/^(-c|-W|--const|--warn|--rewrite|--steps|--time-limit|--memory-limit)$/.test(list[i]) && i + 1 < list.length) found.push(list[++i]);
    }
    return found;
  }

  function busy(what) {
    state.busy = what;
    const status = $("status");
    $("stop").hidden = !what;
    status.classList.toggle("busy", Boolean(what));
    clearInterval(state.clock);
    if (!what) return;
    const begun = performance.now();
    state.progress = "";
    const tick = () => {
      const seconds = (performance.now() - begun) / 1000;
      status.textContent = `${what} ${seconds >= 1 ? `${seconds.toFixed(0)} s` : ""} ${state.progress}`.trim();
    };
    tick();
    state.clock = setInterval(tick, 250);
  }

  function stop() {
    if (!state.busy) return;
    runs.stop();
  }

  /// Runs a job; what it says about the program goes to the messages. Null if it was stopped.
  async function work(what, job, tell = () => {}) {
    stop();
    clearMarks();
    busy(what);
    const mine = (state.run = {});
    const begun = performance.now();
    try {
      const heard = (kind, value) => {
        if (state.run !== mine) return;
        if (kind === "err") {
          const line = /\r\x1b\[K([^\r\x1b]+)[^\r]*$/.exec(value)?.[1];
          if (line) state.progress = line.trim();
        }
        tell(kind, value);
      };
      const told = await runs.run({ ...job, files: { ...texts(), ...job.files } }, heard);
      told.err = told.err.replace(/\r\x1b\[K[^\r\n]*?(?=\r|\n|$)/g, "").replace(/\r/g, "");
      if (state.run !== mine) return null;
      busy(null);
      $("status").textContent = `${what}: ${((performance.now() - begun) / 1000).toFixed(2)} s`;
      if (told.trap) {
        const memory = /memory|unreachable|allocat|stack/i.test(told.trap);
        told.err += memory ? "\nasp ran out of memory here; the program that runs outside of a page can use more.\n" : `\nasp failed: ${told.trap}\n`;
      }
      messages(told.err);
      return told;
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      if (state.run === mine) {
        busy(null);
        $("status").textContent = `${what}: stopped after ${((performance.now() - begun) / 1000).toFixed(1)} s`;
      }
      return null;
    }
  }

  function messages(text) {
    const shown = text.split("\n").filter((line) => !/asp-answers\.html/.test(line) && !/: nothing to draw/.test(line) && !/of the embedded library$/.test(line)).join("\n").trim();
    const errors = /^(\*\*\* ERROR|error|.*: error)/m.test(shown);
    fill($("messages"), shown ? h("pre", { class: "out wrap", text: shown.slice(0, 200000) }) : h("p", { class: "empty", text: "The last run had no messages." }));
    $("tab-messages").textContent = shown ? `Messages ${errors ? "!" : "•"}` : "Messages";
    return errors;
  }

  async function solve() {
    const own = options();
    const list = programs();
    part("read");
    hideWhy();
    if (own.some((o) => PLAIN.test(o))) return plain("Run", [...list, ...own, ...wanted()]);
    tab("answers");
    answers.reset();
    fill($("answers"));
    const threads = engine.native && !own.some((o) => /^(-t|--parallel)/.test(o)) ? ["-t", "2"] : [];
    const args = [...list, ...own, ...limits(), ...threads, ...wanted(), "--outf=jsonl", "--html=asp-answers.html", "--progress=always"];
    const job = { args, answers: true, wants: ["asp-answers.html"] };
    const told = await work("Solve", job, (kind, value) => kind === "answers" && answers.add(value));
    if (!told) {
      if (!state.busy) {
        answers.summary ??= { result: "UNKNOWN" };
        answers.finish();
      }
      return;
    }
    const html = told.files["asp-answers.html"];
    const broken = told.code === 65 || told.trap || (!answers.summary && !answers.count);
    if (!broken) answers.finish(html ? pictures(html) : new Map());
    if (broken) {
      answers.reset();
      fill($("answers"), h("p", { class: "verdict bad", text: told.trap ? "asp could not go on" : "The program has errors" }), h("pre", { class: "out wrap", text: told.err.trim() }));
    } else if (answers.summary?.result === "UNSATISFIABLE") {
      answers.note = h("button", { type: "button", class: "link", text: "Why is there none?", onclick: () => ask("why-unsat") });
      answers.draw();
    } else if (/no thread can be started/.test(told.err)) tab("messages");
  }

  /// One answer set is what asp looks for by itself; with an objective, the best one.
  const wanted = () => ($("models").value === "1" ? [] : ["-n", $("models").value]);
  const limits = () => (engine.native ? [] : [`--memory-limit=${MOST_MEMORY}`]);

  async function plain(what, args) {
    tab("question");
    const pane = $("question");
    const out = h("pre", { class: "out" });
    fill(pane, out);
    const told = await work(what, { args }, (kind, value) => kind === "out" && out.append(value));
    if (told && !out.textContent) fill(pane, h("pre", { class: "out wrap", text: told.err.trim() || `There was no output (exit code ${told.code}).` }));
  }

  const VERDICTS = {
    unique: { 0: ["Exactly one answer set", "good"], 1: ["More than one answer set", "bad"], 20: ["No answer set", "bad"], 2: ["Stopped before it was known", ""] },
    count: { 0: ["", ""], 20: ["No answer set", "bad"], 2: ["Stopped before it was known", ""] },
    candidates: { 0: ["What is still possible", ""], 20: ["No answer set", "bad"] },
    test: { 0: ["All tests passed", "good"], 1: ["Some tests failed", "bad"] },
    hint: { 1: ["Nothing is decided", ""], 20: ["No answer set", "bad"] },
    "why-unsat": { 1: ["There is an answer set", "good"] },
  };

  async function ask(kind) {
    part("read");
    tab("question");
    hideWhy();
    const pane = $("question");
    fill(pane);
    const list = programs();
    const jsons = ["hint", "why-unsat"].includes(kind) ? ["--format", "json"] : [];
    const args = kind === "profile" ? [...list, ...shared(), "--profile", "--outf=3", "--time-limit=20"]
      : kind === "test" ? ["test", ...list] : [kind, ...jsons, ...shared(), ...limits(), "-q", ...list];
    const label = document.querySelector(`[data-ask="${kind}"]`).textContent;
    const told = await work(label, { args });
    if (!told) return;
    const out = told.out.trimEnd();
    const [verdict, mood] = VERDICTS[kind]?.[told.code] ?? ["", ""];
    const head = verdict ? h("p", { class: `verdict ${mood}`, text: verdict }) : null;
    if (told.code === 65 || told.code === 64 || told.trap || told.code === 3) {
      return void fill(pane, h("p", { class: "verdict bad", text: told.trap ? "asp could not go on" : "The program has errors" }), h("pre", { class: "out wrap", text: told.err.trim() }));
    }
    if (kind === "profile") return void fill(pane, h("pre", { class: "out", text: told.err.trim() }));
    if (kind === "test" && !out.includes("\n")) return void fill(pane, h("p", { class: "verdict", text: "There are no tests" }), h("pre", { class: "out wrap", text: told.err.trim() }));
    if (jsons.length && out.startsWith("{")) {
      const value = JSON.parse(out);
      if (kind === "hint") return void fill(pane, head, explain.hints(value, goTo));
      if (value.parts?.length) {
        fill(pane, explain.conflict(value, goTo));
        const found = mark(value.parts.map((p) => p.place).filter(Boolean), "culprit");
        if (found.length) {
          show(found[0].name);
          editor.reveal(found[0].from, found[0].to);
        }
        return;
      }
    }
    if (kind === "count" && told.code === 0) {
      return void fill(pane, h("p", { class: "verdict good", text: out.trim() === "1" ? "1 answer set" : `${out.trim()} answer sets` }));
    }
    const rest = kind === "unique" ? out.replace(/^(Unique|Not unique)\.\n+/, "") : out;
    fill(pane, head, h("pre", { class: "out", text: rest || told.err.trim() }));
  }

  // --- Why ---

  const hideWhy = () => { $("why").hidden = true; };

  async function why(atom, what, choices) {
    const aside = $("why");
    const header = (title) => h("header", {}, h("h2", { text: title }), h("button", { type: "button", class: "quiet", "aria-label": "Close", text: "×", onclick: hideWhy }));
    aside.hidden = false;
    if (choices) return void fill(aside, header(what), h("div", { class: "atoms" }, choices.map((c) => h("button", { type: "button", text: c, onclick: () => why(c) }))));
    if (!atom) return void fill(aside, header(what), h("p", { class: "empty", text: "No atom that is shown speaks of it." }));
    fill(aside, header(atom), h("p", { class: "sub", text: "Looking for the reason..." }));
    const told = await work("Why", { args: ["why", "--format", "json", ...shared(), ...limits(), "-q", atom, ...programs()] });
    if (!told) return void fill(aside, header(atom), h("p", { class: "empty", text: "Stopped." }));
    const out = told.out.trim();
    if (!out.startsWith("{")) return void fill(aside, header(atom), h("pre", { class: "out wrap", text: told.err.trim() || out }));
    fill(aside, header(atom), explain.why(JSON.parse(out), goTo));
    aside.scrollTop = 0;
    // It takes room from what it is about.
    document.querySelector("#answers .asked")?.scrollIntoView({ block: "nearest" });
  }

  // --- Around it ---

  function tab(name) {
    for (const pane of ["answers", "question", "messages"]) {
      $(pane).hidden = pane !== name;
      $(`tab-${pane}`).setAttribute("aria-selected", String(pane === name));
      $(`tab-${pane}`).tabIndex = pane === name ? 0 : -1;
    }
  }

  function part(name) {
    document.body.dataset.part = name;
    $("to-write").setAttribute("aria-pressed", String(name === "write"));
    $("to-read").setAttribute("aria-pressed", String(name === "read"));
  }

  async function facts(kind, text, predicate) {
    const of = predicate || (kind === "grid" ? "" : "row");
    const name = kind === "grid" ? "grid.txt" : `table.${kind}`;
    const told = await quick.lane.run({ args: [`--${kind}=${of ? `${of}=` : ""}import/${name}`, "--text"], files: { [`import/${name}`]: text } }).catch(() => null);
    if (!told) return null;
    const err = told.err.replaceAll(`import/${name}`, "the text").trim();
    if (told.trap || ![0, 10, 30].includes(told.code) || !told.out.trim()) return { error: err || told.trap || "There is nothing in it." };
    return { text: told.out, note: err.replace(/^\*\*\* Info : \(asp\): /, "") };
  }

  let keeping;
  function keepSoon() {
    clearTimeout(keeping);
    keeping = setTimeout(() => share.keep(project()), 400);
  }

  function choose(program, instance) {
    const list = [{ name: program.name, text: program.text }];
    if (instance) list.push({ name: instance.name, text: instance.text });
    openProject({ files: list });
  }

  function theme(next) {
    const order = ["auto", "light", "dark"];
    const names = { auto: ["◐", "Colours: as the system has them"], light: ["☀", "Colours: light"], dark: ["☾", "Colours: dark"] };
    let now = "auto";
    try { now = localStorage.getItem("asp-theme") ?? "auto"; } catch { /* As the system has them. */ }
    if (next) now = order[(order.indexOf(now) + 1) % 3];
    if (!order.includes(now)) now = "auto";
    try { localStorage.setItem("asp-theme", now); } catch { /* Not kept. */ }
    if (now === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = now;
    $("theme").textContent = names[now][0];
    $("theme").setAttribute("aria-label", names[now][1]);
    $("theme").title = names[now][1];
  }

  function splitter() {
    const split = $("split");
    const set = (percent) => {
      const p = Math.max(20, Math.min(80, percent));
      document.documentElement.style.setProperty("--left", `${p}fr`);
      document.documentElement.style.setProperty("--right", `${100 - p}fr`);
      split.setAttribute("aria-valuenow", String(Math.round(p)));
    };
    split.addEventListener("pointerdown", (event) => {
      split.setPointerCapture(event.pointerId);
      const move = (e) => set((100 * e.clientX) / window.innerWidth);
      split.addEventListener("pointermove", move);
      split.addEventListener("pointerup", () => split.removeEventListener("pointermove", move), { once: true });
    });
    split.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -5, ArrowRight: 5 }[event.key];
      if (step) set(Number(split.getAttribute("aria-valuenow")) + step);
    });
  }

  async function server(path, init = {}) {
    const answer = await fetch(path, { ...init, headers: { "X-Asp-Token": token, "Content-Type": "application/json" } });
    if (!answer.ok) throw new Error(await answer.text());
    return answer;
  }

  async function begin() {
    theme(false);
    splitter();
    [$("files"), $("views")].forEach(tabs);
    $("solve").onclick = solve;
    $("phone-solve").onclick = solve;
    $("stop").onclick = stop;
    $("format").onclick = format;
    $("theme").onclick = () => theme(true);
    $("open-help").onclick = () => showHelp(engine.native, version);
    $("open-library").onclick = () => showLibrary(library, choose);
    $("open-import").onclick = () => showImport({
      facts,
      add: (name, text) => { const own = free(name); put(own, text); show(own); soon(); keepSoon(); },
      file: (name, text) => { const own = free(name.replace(/[/\\]/g, "_")); put(own, text); show(own); soon(); keepSoon(); },
    });
    $("add").onclick = () => { const name = free("new.lp"); put(name, ""); show(name); editor.view.focus(); keepSoon(); };
    $("share").onclick = async () => {
      try {
        const url = new URL(location.href);
        url.search = "";
        url.hash = await share.pack(project());
        if (url.href.length > 100000) say("The program is long: some places cut links that long.");
        if (!engine.native) history.replaceState(null, "", url);
        await navigator.clipboard?.writeText(url.href).then(() => say("The link is in the clipboard; the program is in the link."), () => say("The link is in the address bar."));
      } catch (error) {
        say(`No link: ${error.message}`);
      }
    };
    for (const name of ["answers", "question", "messages"]) $(`tab-${name}`).onclick = () => tab(name);
    for (const button of document.querySelectorAll("[data-ask]")) button.onclick = () => ask(button.dataset.ask);
    $("to-write").onclick = () => part("write");
    $("to-read").onclick = () => part("read");
    $("options").addEventListener("input", keepSoon);
    $("models").addEventListener("change", keepSoon);
    document.addEventListener("keydown", (event) => {
      if ((event.ctrlKey || event.metaKey) && event.key === "Enter" && !event.defaultPrevented) solve();
      if (event.key === "Escape" && !$("why").hidden && !$("dialog").open) hideWhy();
    });
    window.addEventListener("hashchange", () => fromLink());
    $("engine").textContent = engine.native ? "asp on this machine" : "runs on this device";

    if (engine.native) {
      $("save").hidden = false;
      $("save").onclick = async () => {
        try {
          await server(`files/${encodeURIComponent(state.active)}`, { method: "PUT", body: editor.text(state.active) });
          say(`${state.active} is saved`);
        } catch (error) {
          say(`${state.active} is not saved: ${error.message}`);
        }
      };
    }
    const shown = (await fromLink()) || (engine.native && (await fromServer()));
    if (!shown) {
      const first = library.find((p) => p.name === "futoshiki.lp");
      const old = share.kept();
      if (old) openProject(old);
      else if (first) choose(first, first.instances[0]);
      else openProject({ files: [{ name: "program.lp", text: start }] });
    }
    // What comes first should be quick.
    runs.begin().then(() => { document.documentElement.dataset.ready = "true"; }).catch((error) => say(`asp cannot be loaded: ${error.message}`));
  }

  async function fromServer() {
    try {
      const list = await (await server("files")).json();
      if (!list.length) return false;
      openProject(share.project({ files: list }));
      return true;
    } catch (error) {
      say(`No files: ${error.message}`);
      return false;
    }
  }

  async function fromLink() {
    if (!location.hash.startsWith("#p=")) return false;
    try {
      const linked = await share.unpack(location.hash);
      const own = share.kept();
      const same = JSON.stringify(own) === JSON.stringify(linked);
      if (own && !same) share.putAside();
      openProject(linked);
      if (own && !same) say("This program comes from the link.", [["Back to mine", () => { const mine = share.aside(); history.replaceState(null, "", location.pathname); if (mine) openProject(mine); }]]);
      return true;
    } catch (error) {
      history.replaceState(null, "", location.pathname + location.search);
      say(`The link holds no program that can be read: ${error.message}`);
      return false;
    }
  }

  begin();
  return { download };
}
