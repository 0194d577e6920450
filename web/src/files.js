// The files of the program, and their tabs.

import { $, fill, h, say } from "./dom.js";
import { askText } from "./dialogs.js";
import * as share from "./share.js";

export function files(app) {
  const { state, editor } = app;

  const files = () => state.names.map((name) => ({ name, text: editor.text(name) }));
  const texts = () => Object.fromEntries(files().map((f) => [f.name, f.text]));
  const project = () => ({ files: files(), options: $("options").value, models: $("models").value });

  /// The files that others include.
  const included = () => new Set(files().flatMap((f) => [...f.text.matchAll(/#include\s*"([^"]+)"/g)].map((m) => m[1])));

  /// The programs of a run: those that no other includes.
  function programs() {
    const others = included();
    return state.names.filter((name) => name.endsWith(".lp") && !others.has(name));
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
    app.soon();
    keepSoon();
    say(`${name} is closed`, [["Undo", () => { put(name, text); show(name); app.soon(); }]]);
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
    app.soon();
    keepSoon();
  }

  function openProject({ files: list, options, models }) {
    app.stop();
    state.names.forEach((name) => editor.remove(name));
    state.names = [];
    list.forEach((f) => put(f.name, f.text));
    $("options").value = options ?? "";
    $("models").value = models ?? "1";
    show(list[0].name);
    app.answers.reset();
    fill($("answers"), h("p", { class: "empty", text: "Press Solve to look for answer sets, or ask a question above." }));
    fill($("question"), h("p", { class: "empty", text: "Answers to questions appear here." }));
    fill($("messages"), h("p", { class: "empty", text: "Messages of runs appear here." }));
    app.hideWhy();
    app.tab("answers");
    app.soon();
    keepSoon();
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

  return { files, texts, project, included, programs, show, put, free, openProject, choose, keepSoon };
}
