// Dialogs: the puzzle library, importing, help, names.

import { $, fill, h } from "./dom.js";

/// Opens the dialog with a title and contents; what it returns closes it.
export function open(title, ...contents) {
  const dialog = $("dialog");
  const close = () => dialog.close();
  fill(dialog,
    h("header", {}, h("h2", { text: title }), h("button", { type: "button", class: "quiet", "aria-label": "Close", text: "×", onclick: close })),
    h("div", { class: "body" }, contents));
  dialog.setAttribute("aria-label", title);
  // What a listener of this kind returns may stop the click: nothing.
  dialog.onclick = (event) => { if (event.target === dialog) close(); };
  if (!dialog.open) dialog.showModal();
  return close;
}

/// The puzzles: `library` has programs with title, text and instances; `choose(program, instance)`.
export function showLibrary(library, choose) {
  const shelf = h("div", { class: "shelf" });
  const draw = (words) => {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    const has = (p) => wanted.every((w) => `${p.name} ${p.title} ${p.instances.map((i) => i.name).join(" ")}`.toLowerCase().includes(w));
    const found = library.filter(has);
    fill(shelf, found.map((p) => h("article", { class: "puzzle" },
      h("h3", {}, h("button", { type: "button", class: "link", text: p.name.replace(/\.lp$/, "").replace(/-/g, " "), onclick: () => { close(); choose(p, p.instances[0]); } })),
      h("p", { text: p.title }),
      h("div", { class: "chips" }, p.instances.map((i) => h("button", { type: "button", text: i.name.replace(/\.lp$/, ""), title: i.title, onclick: () => { close(); choose(p, i); } }))))),
    found.length ? null : h("p", { class: "empty", text: "No puzzle has these words." }));
  };
  const close = open("Puzzles",
    h("input", { type: "search", placeholder: "Search", "aria-label": "Search the puzzles", oninput: (event) => draw(event.target.value) }), shelf);
  draw("");
}

/// Importing: `facts(kind, name, text, predicate)` tries and returns `{ text }` or `{ error }`; `add(name, text)` takes facts.
export function showImport({ facts, add, file }) {
  const area = h("textarea", { "aria-label": "A grid or a table", placeholder: "5 3 . . 7 . . . .\n6 . . 1 9 5 . . .\n...", spellcheck: "false" });
  const kind = h("select", { "aria-label": "What it is" }, h("option", { value: "grid", text: "a puzzle grid" }), h("option", { value: "csv", text: "a table (CSV)" }), h("option", { value: "json", text: "a table (JSON)" }));
  const predicate = h("input", { type: "text", "aria-label": "Predicate", placeholder: "predicate", autocomplete: "off" });
  const result = h("pre", { class: "out wrap" });
  const problem = h("p", { class: "sub", role: "status" });
  let made = null;
  const take = h("button", { type: "button", class: "primary", disabled: true, text: "Add these facts", onclick: () => { close(); add(made.name, made.text); } });
  let number = 0;
  const tryIt = async () => {
    const mine = ++number;
    const text = area.value;
    made = null;
    take.disabled = true;
    if (!text.trim()) return void [problem, result].forEach((e) => fill(e));
    const told = await facts(kind.value, text, predicate.value.trim());
    if (mine !== number || !told) return;
    problem.textContent = told.error ? "It cannot be read:" : told.note ?? "";
    result.textContent = told.error?.replace(/\n\*{3} ERROR: .*failed$/, "") ?? told.text.slice(0, 4000);
    if (!told.error) {
      made = { name: "imported.lp", text: told.text };
      take.disabled = false;
    }
  };
  let timer;
  const soon = () => { clearTimeout(timer); timer = setTimeout(tryIt, 250); };
  // A table begins with brackets, or with a word and a separator; what the reader chose stays.
  let chosen = false;
  area.addEventListener("input", () => {
    if (!chosen) kind.value = /^\s*[[{]/.test(area.value) ? "json" : /^\W*[a-z_]\w+\W*[,;\t]/i.test(area.value) ? "csv" : "grid";
  });
  [area, predicate].forEach((e) => e.addEventListener("input", soon));
  kind.addEventListener("change", () => { chosen = true; soon(); });
  const read = async (f) => {
    if (!f) return;
    const most = f.name.endsWith(".lp") ? 64 : 16;
    if (f.size > most << 20) return void (problem.textContent = `${f.name} is larger than ${most} MB`);
    const text = await f.text();
    if (f.name.endsWith(".lp")) {
      close();
      return file(f.name, text);
    }
    kind.value = f.name.endsWith(".csv") || f.name.endsWith(".tsv") ? "csv" : f.name.endsWith(".json") ? "json" : "grid";
    if (kind.value !== "grid" && !predicate.value) predicate.value = f.name.replace(/\..*$/, "").toLowerCase().replace(/\W/g, "_").replace(/^[^a-z]+/, "") || "row";
    area.value = text;
    tryIt();
  };
  area.addEventListener("dragover", (event) => event.preventDefault());
  area.addEventListener("drop", (event) => { event.preventDefault(); read(event.dataTransfer.files[0]); });
  const close = open("Import",
    h("p", { text: "Paste a puzzle as it is typed, or a table; it becomes facts. Programs (.lp) can be opened from here, too." }),
    area,
    h("div", { class: "row" }, kind, h("span", { class: "grow" }, predicate), h("input", { type: "file", "aria-label": "A file", onchange: (event) => read(event.target.files[0]) })),
    problem, result,
    h("div", { class: "row" }, take));
}

export function showHelp(native, version) {
  const key = (keys, what) => h("p", {}, keys.flatMap((k, i) => [i ? " + " : "", h("kbd", { text: k })]), `  ${what}`);
  open("Help",
    h("p", { text: "Write a program on the left, or choose a puzzle; Solve looks for answer sets. Click a cell, a row or an atom to read why it holds." }),
    h("p", { text: native ? "This page is served by asp on your machine, which does the work." : "Everything runs on this device: nothing is sent anywhere, and the page works without a network." }),
    h("p", { text: "A link from Share has the whole program in it. What you write is kept in this browser." }),
    key(["Ctrl", "Enter"], "solve"), key(["Ctrl", "Space"], "complete"), key(["F12"], "go to the definition (or Ctrl and click)"), key(["F2"], "rename"),
    key(["Shift", "Alt", "F"], "format"), key(["Ctrl", "F"], "search"), key(["Esc", "Tab"], "leave the editor"),
    h("p", { class: "sub", text: version }));
}

/// Asks for a text; resolves to null if there is none.
export function askText(title, value, action) {
  return new Promise((done) => {
    const input = h("input", { type: "text", value, "aria-label": title, autocomplete: "off", spellcheck: "false" });
    const dialog = $("dialog");
    let answer = null;
    const form = h("form", { method: "dialog", onsubmit: () => { answer = input.value.trim() || null; } }, input, h("div", { class: "row" }, h("button", { class: "primary", text: action })));
    dialog.addEventListener("close", () => done(answer), { once: true });
    open(title, form);
    input.select();
  });
}
