// What is asked of a program, and how the answers are shown: answer sets, questions about them, why an atom holds.

import { $, fill, h, say } from "./dom.js";
import * as explain from "./explain.js";
import { pictures } from "./picture.js";
import { Answers } from "./results.js";
import { text } from "./terms.js";

/// Options that print something else than answer sets: what they print is shown as it is.
const PLAIN = /^(--text|--outf|-o$|--output|--mode|--pre|--show-grid|--help|-h|--list|--version|-v$|--svg|--html|-s$|--stats|-q|--quiet|-V|--verbose|--generate|--explain-rewrites|--profile|--reify)/;
/// The file of the answer set that is asked about.
const GIVEN = "asp-answer.txt";

export function questions(app) {
  const { state, editor, engine } = app;
  const answers = new Answers($("answers"), (...asked) => why(...asked), stay);

  /// Further answers differ as little as possible from this one.
  function stay(answer) {
    const [name, before] = [app.free("answer.txt"), $("options").value];
    app.put(name, answer);
    app.show(name);
    $("options").value = `${before.replace(/(^| )--near=\S+/g, "")} --near=${name}`.trim();
    app.keepSoon();
    say(`Further answers stay near ${name}`, [["Undo", () => { $("options").value = before; app.keepSoon(); }]]);
  }

  async function solve() {
    const own = app.options();
    const list = app.programs();
    app.part("read");
    hideWhy();
    if (own.some((o) => PLAIN.test(o))) return plain("Run", [...list, ...own, ...wanted()]);
    app.tab("answers");
    answers.reset();
    fill($("answers"));
    const threads = engine.native && !own.some((o) => /^(-t|--parallel)/.test(o)) ? ["-t", "2"] : [];
    const args = [...list, ...own, ...app.limits(), ...threads, ...wanted(), "--outf=jsonl", "--html=asp-answers.html", "--progress=always"];
    const job = { args, answers: true, wants: ["asp-answers.html"] };
    const told = await app.work("Solve", job, (kind, value) => {
      if (kind === "answers") answers.add(value);
      else if (kind === "progress") answers.hear(value);
    });
    if (!told) {
      if (!state.busy) {
        answers.summary ??= { result: "UNKNOWN" };
        answers.finish();
      }
      return;
    }
    const html = told.files["asp-answers.html"];
    if (told.code === 65 || told.trap || (!answers.summary && !answers.count)) {
      answers.reset();
      fill($("answers"), h("p", { class: "verdict bad", text: told.trap ? "asp could not go on" : "The program has errors" }), h("pre", { class: "out wrap", text: told.err.trim() }));
      return;
    }
    if (answers.summary?.result === "UNSATISFIABLE") {
      answers.note = h("button", { type: "button", class: "link", text: "Why is there none?", onclick: () => ask("why-unsat") });
    }
    answers.finish(html ? pictures(html) : undefined);
    if (/no thread can be started/.test(told.err)) app.tab("messages");
  }

  /// One answer set is what asp looks for by itself; with an objective, the best one.
  const wanted = () => ($("models").value === "1" ? [] : ["-n", $("models").value]);

  async function plain(what, args) {
    app.tab("question");
    const pane = $("question");
    const out = h("pre", { class: "out" });
    fill(pane, out);
    const told = await app.work(what, { args }, (kind, value) => kind === "out" && out.append(value));
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
    app.part("read");
    app.tab("question");
    hideWhy();
    const pane = $("question");
    fill(pane);
    const list = app.programs();
    const jsons = ["hint", "why-unsat"].includes(kind) ? ["--format", "json"] : [];
    const args = kind === "profile" ? [...list, ...app.shared(), "--profile", "--outf=3", "--time-limit=20"]
      : kind === "test" ? ["test", ...list] : [kind, ...jsons, ...app.shared(), ...app.limits(), "-q", ...list];
    const label = document.querySelector(`[data-ask="${kind}"]`).textContent;
    const told = await app.work(label, { args });
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
      if (kind === "why-unsat" && told.code === 1) return void fill(pane, head, h("p", { class: "empty", text: "Solve shows one." }));
      if (kind === "hint") return void fill(pane, head, explain.hints(value, app.goTo));
      if (value.parts?.length) {
        fill(pane, explain.conflict(value, app.goTo));
        const found = app.mark(value.parts.map((p) => p.place).filter(Boolean), "culprit");
        if (found.length) {
          app.show(found[0].name);
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

  const hideWhy = () => { $("why").hidden = true; };

  /// An answer set as text, for what is asked about it; null for what only several have in common, and where it is not known.
  const whole = (answer) => (!answer || answer.long || app.options().some((o) => /brave|cautious/.test(o)) ? null : answer.atoms.map(text).join("\n"));

  /// Why an atom holds in an answer set; `choices` are the atoms that may be meant.
  async function why(atom, what, choices, answer = answers.current) {
    const aside = $("why");
    const header = (title) => h("header", {}, h("h2", { text: title }), h("button", { type: "button", class: "quiet", "aria-label": "Close", text: "×", onclick: hideWhy }));
    aside.hidden = false;
    if (choices) return void fill(aside, header(what), h("div", { class: "atoms" }, choices.map((c) => h("button", { type: "button", text: c, onclick: () => why(c, what, null, answer) }))));
    if (!atom) return void fill(aside, header(what), h("p", { class: "empty", text: "No atom that is shown speaks of it." }));
    fill(aside, header(atom), h("p", { class: "sub", text: "Looking for the reason..." }));
    const given = whole(answer);
    const within = given === null ? [] : ["--in", GIVEN];
    const job = { args: ["why", "--format", "json", ...app.shared(), ...app.limits(), ...within, "-q", "--", atom, ...app.programs()], files: { [GIVEN]: given ?? "" } };
    const told = await app.work("Why", job);
    if (!told) return void fill(aside, header(atom), h("p", { class: "empty", text: "Stopped." }));
    const out = told.out.trim();
    if (!out.startsWith("{")) return void fill(aside, header(atom), h("pre", { class: "out wrap", text: told.err.trim() || out }));
    fill(aside, header(atom), explain.why(JSON.parse(out), app.goTo));
    aside.scrollTop = 0;
    // It takes room from what it is about.
    document.querySelector("#answers .asked")?.scrollIntoView({ block: "nearest" });
  }

  return { answers, solve, ask, why, hideWhy };
}
