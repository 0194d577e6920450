// What the language server says of the texts: messages, fixes and hints while one writes; layout and renaming.

import { $, say } from "./dom.js";
import { askText } from "./dialogs.js";
import { offset } from "./editor.js";
import { nameOf } from "./language.js";

/// Milliseconds without typing until the language server looks.
const REST = 220;
/// Texts beyond this many characters are not looked at while one types.
const LARGE = 1 << 20;

export function review(app) {
  const { state, editor, words, quick } = app;

  const one = async (method, at) => {
    const name = state.active;
    const doc = editor.doc(name);
    if (doc.length > LARGE) return null;
    const line = doc.lineAt(at);
    quick.lane.stop();
    const told = await quick.tryAsk(app.files(), [[method, name, { position: { line: line.number - 1, character: at - line.from } }]]);
    return told?.answers[0] ?? null;
  };

  let timer;
  function soon() {
    app.offer();
    clearTimeout(timer);
    timer = setTimeout(review, REST);
  }

  async function review() {
    const list = app.files();
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
      app.show(first.name);
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
    const told = await quick.tryAsk(app.files(), [["textDocument/formatting", name, { options: { tabSize: 4, insertSpaces: true } }]]);
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
    const told = await quick.tryAsk(app.files(), [["textDocument/prepareRename", name, { position }]]);
    const range = told?.answers[0]?.range ?? told?.answers[0];
    if (!range?.start) return say("There is nothing to rename here.");
    const doc = editor.doc(name);
    const old = doc.sliceString(offset(doc, range.start), offset(doc, range.end));
    const newName = await askText(`New name of ${old}`, old, "Rename");
    if (!newName || newName === old) return;
    const done = await quick.tryAsk(app.files(), [["textDocument/rename", name, { position, newName }]]);
    if (done?.answers[0]) applyEdit(done.answers[0]);
    else say(`${old} cannot be called ${newName}: the program would mean something else.`);
  }

  return { one, soon, applyEdit, format, rename };
}
