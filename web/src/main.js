// The page: its parts, put together, and what its buttons do. Each part is a function of the page (`app`) that returns what
// the others use of it.

import { around } from "./around.js";
import { showHelp, showImport, showLibrary } from "./dialogs.js";
import { $, say, tabs } from "./dom.js";
import { Editor } from "./editor.js";
import { engine as makeEngine } from "./engine.js";
import { files } from "./files.js";
import { generate } from "./generate.js";
import { Language, nameOf } from "./language.js";
import { links } from "./links.js";
import { places } from "./places.js";
import { questions } from "./questions.js";
import { review } from "./review.js";
import { runs } from "./runs.js";
import * as share from "./share.js";

const start = `% Two colours for three towns, so that neighbours differ.
town(ulm; kiel; bonn).
road(ulm,bonn). road(bonn,kiel).

{ colour(T,(red;blue)) } = 1 :- town(T).
:- road(A,B), colour(A,C), colour(B,C).

#show colour/2.
`;

export function page({ load, makeWorker, library, token, version }) {
  const engine = makeEngine({ module: load, makeWorker, token });
  const app = {
    token, engine,
    lane: engine.lane(),
    words: new Language(engine.lane(), engine.native),
    quick: new Language(engine.lane(), engine.native),
    state: { names: [], active: null, busy: null },
  };

  const editor = app.editor = new Editor($("editor"), {
    changed: () => { app.soon(); app.keepSoon(); app.clearMarks(false); },
    solve: () => app.solve(),
    format: () => app.format(),
    hover: (at) => app.one("textDocument/hover", at),
    complete: (at) => app.one("textDocument/completion", at),
    definition: async (at) => {
      const found = await app.one("textDocument/definition", at);
      const to = Array.isArray(found) ? found[0] : found;
      if (to) app.jump(nameOf(to.uri ?? to.targetUri), to.range ?? to.targetSelectionRange);
    },
    rename: (at) => app.rename(at),
  });
  for (const part of [files, review, places, runs, questions, generate, around, links]) Object.assign(app, part(app));

  /// A grid or a table as facts.
  async function facts(kind, text, predicate) {
    const of = predicate || (kind === "grid" ? "" : "row");
    const name = kind === "grid" ? "grid.txt" : `table.${kind}`;
    const told = await app.quick.lane.run({ args: [`--${kind}=${of ? `${of}=` : ""}import/${name}`, "--text"], files: { [`import/${name}`]: text } }).catch(() => null);
    if (!told) return null;
    const err = told.err.replaceAll(`import/${name}`, "the text").trim();
    if (told.trap || ![0, 10, 30].includes(told.code) || !told.out.trim()) return { error: err || told.trap || "There is nothing in it." };
    return { text: told.out, note: err.replace(/^\*\*\* Info : \(asp\): /, "") };
  }

  function add(name, text) {
    const own = app.free(name.replace(/[/\\]/g, "_"));
    app.put(own, text);
    app.show(own);
    app.soon();
    app.keepSoon();
  }

  function buttons() {
    const does = {
      solve: app.solve, "phone-solve": app.solve, stop: app.stop, format: app.format, share: app.link, save: app.save,
      theme: () => app.theme(true),
      "open-help": () => showHelp(engine.native, version),
      "open-library": () => showLibrary(library, app.choose),
      "open-import": () => showImport({ facts, add, file: add }),
      "open-generate": () => app.showGenerate(),
      add: () => { add("new.lp", ""); editor.view.focus(); },
      "to-write": () => app.part("write"),
      "to-read": () => app.part("read"),
    };
    for (const [id, act] of Object.entries(does)) $(id).onclick = () => act();
    for (const name of ["answers", "question", "messages"]) $(`tab-${name}`).onclick = () => app.tab(name);
    for (const button of document.querySelectorAll("[data-ask]")) button.onclick = () => app.ask(button.dataset.ask);
    $("options").addEventListener("input", app.keepSoon);
    $("models").addEventListener("change", app.keepSoon);
    document.addEventListener("keydown", (event) => {
      if ((event.ctrlKey || event.metaKey) && event.key === "Enter" && !event.defaultPrevented) app.solve();
      if (event.key === "Escape" && !$("why").hidden && !$("dialog").open) app.hideWhy();
    });
  }

  async function begin() {
    app.theme(false);
    app.splitter();
    [$("files"), $("views")].forEach(tabs);
    buttons();
    window.addEventListener("hashchange", () => app.fromLink());
    $("engine").textContent = engine.native ? "asp on this machine" : "runs on this device";
    $("save").hidden = !engine.native;
    const shown = (await app.fromLink()) || (engine.native && (await app.fromServer()));
    if (!shown) {
      const first = library.find((p) => p.name === "futoshiki.lp");
      const old = share.kept();
      if (old) app.openProject(old);
      else if (first) app.choose(first, first.instances[0]);
      else app.openProject({ files: [{ name: "program.lp", text: start }] });
    }
    // What comes first should be quick.
    app.lane.begin().then(() => { document.documentElement.dataset.ready = "true"; }).catch((error) => say(`asp cannot be loaded: ${error.message}`));
  }

  begin();
}
