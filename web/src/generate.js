// New instances of a puzzle: what is wanted, the puzzles that were made, playing one and printing them.

import { open } from "./dialogs.js";
import { $, download, fill, h, say } from "./dom.js";
import { sheets } from "./picture.js";

/// A program that says what a clue is.
const SAYS = /^%@(clue|keep)\s/m;
/// The beginning of an instance in what is printed.
const BEGINS = /^(?=% .*\bone solution \(use with )/m;
const PAGE = "asp-puzzles.html";

export function generate(app) {
  /// The file that says what a clue is.
  const puzzle = () => app.files().find((f) => f.name.endsWith(".lp") && SAYS.test(f.text));

  /// Offers new puzzles where there can be any.
  const offer = () => { $("open-generate").hidden = !puzzle(); };

  /// Opens an instance beside the program, in place of the instances that are open.
  function play(name, text) {
    const before = app.project();
    const included = app.included();
    const own = puzzle();
    const kept = app.files().filter((f) => f.name === own.name || included.has(f.name));
    app.openProject({ ...before, files: [...kept, { name, text }] });
    app.show(name);
    say(`${name} is open: Solve it, or ask for a Hint.`, [["Undo", () => app.openProject(before)]]);
  }

  function showGenerate() {
    const { name } = puzzle();
    const stem = name.replace(/\.lp$/, "");
    const seed = h("input", { type: "number", min: "0", max: "999999999", step: "1", value: String(1 + Math.floor(Math.random() * 99999)) });
    const count = h("input", { type: "number", min: "1", max: "30", step: "1", value: "1" });
    const level = h("select", {}, h("option", { value: "", text: "any" }), ["easy", "medium", "hard", "expert"].map((l) => h("option", { value: l, text: l })));
    const symmetric = h("input", { type: "checkbox" });
    const status = h("p", { class: "sub", role: "status" });
    const result = h("div", { class: "made" });
    const make = h("button", { class: "primary", text: "Make" });
    const stop = h("button", { type: "button", class: "stop", hidden: true, text: "Stop", onclick: () => app.stop() });
    const print = h("button", { type: "button", hidden: true, text: "Download to print" });
    const whole = (input) => Math.min(Number(input.max), Math.max(Number(input.min), Math.floor(Number(input.value)) || 0));

    function one(text, sides, from) {
      const [title, about] = text.split("\n").map((line) => line.replace(/^% /, ""));
      const own = `${stem}-${from}.lp`;
      const show = (side) => (side?.draw ? h("div", { class: "drawing" }, side.draw()) : h("pre", { class: "out wrap", text: side?.text ?? "" }));
      return h("article", {},
        h("p", {}, h("b", { text: title.replace(/ \(use with.*\)$/, "") }), h("br"), h("span", { class: "sub", text: about })),
        show(sides[0]),
        h("details", {}, h("summary", { text: "Solution" }), show(sides[1])),
        h("div", { class: "row" },
          h("button", { type: "button", class: "primary", text: "Play", onclick: () => { close(); play(own, text); } }),
          h("button", { type: "button", text: "Download facts", onclick: () => download(own, text) })));
    }

    async function run() {
      const [first, many] = [whole(seed), whole(count)];
      const others = app.programs().filter((n) => n !== name);
      const args = ["generate", name, ...others, "--seed", String(first), "-n", String(many), ...(level.value ? [`--difficulty=${level.value}`] : []),
        ...(symmetric.checked ? ["--symmetric"] : []), ...app.shared(), ...app.limits(), `--html=${PAGE}`];
      fill(result);
      status.textContent = "Looking for a puzzle...";
      [make.disabled, stop.hidden, print.hidden] = [true, false, true];
      const told = await app.work("New puzzle", { args, wants: [PAGE] });
      [make.disabled, stop.hidden] = [false, true];
      if (!told) return void (status.textContent = "Stopped.");
      const page = told.files[PAGE];
      const sides = page ? sheets(page) : [];
      const texts = told.out.split(BEGINS).filter((t) => t.startsWith("% "));
      status.textContent = texts.length ? "" : "No puzzle was found.";
      fill(result, texts.map((text, i) => one(`${text.trimEnd()}\n`, sides.slice(2 * i, 2 * i + 2), Number(/seed (\d+)/.exec(text)?.[1] ?? first))),
        texts.length < many ? h("pre", { class: "out wrap", text: told.err.trim() }) : null);
      print.hidden = !page;
      print.onclick = () => download(`${stem}-${first}.html`, page, "text/html");
      seed.value = String(Math.min(Number(seed.max), first + many));
    }

    const field = (label, input) => h("label", { class: "field" }, h("span", { text: label }), input);
    const form = h("form", { class: "row", onsubmit: (event) => { event.preventDefault(); run(); } },
      field("Difficulty", level), field("Seed", seed), field("How many", count), field("Symmetric", symmetric), make, stop, print);
    const close = open(`New puzzle: ${stem}`,
      h("p", { text: "Each has exactly one solution; that is checked. Sizes are constants: -c n=5 among the options." }), form, status, result);
    $("dialog").addEventListener("close", () => app.stop(), { once: true });
  }

  return { offer, showGenerate };
}
