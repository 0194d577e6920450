// Answer sets: one at a time, as a picture, as tables or as atoms. A click on a cell, a row or an atom asks why it holds.

import { Bounds } from "./bounds.js";
import { download, fill, h } from "./dom.js";
import { isAbout, mentions, signature, text } from "./terms.js";

/// Rows of a table, and atoms, that are shown.
const ROWS = 1000;

const SVG_STYLE = ["fill", "stroke", "stroke-width", "font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline", "stroke-linecap"];

/// Numbers that JavaScript cannot hold are kept as text.
function parse(line) {
  if (!/\d{16}/.test(line)) return JSON.parse(line);
  return JSON.parse(line, (key, value, context) =>
    typeof value === "number" && !Number.isSafeInteger(value) && context?.source ? { integer: context.source } : value);
}

export class Answers {
  /// `ask(atomText)` asks why an atom holds, `stay(text)` makes further answers stay near one.
  constructor(pane, ask, stay) {
    // What is chosen stays; before, pictures come first where they show more than tables do.
    Object.assign(this, { pane, ask, stay, view: null });
    this.reset();
    pane.addEventListener("keydown", (event) => this.key(event));
  }

  /// Forgets all, and paints nothing over what is shown next.
  reset() {
    cancelAnimationFrame(this.waiting);
    this.waiting = 0;
    Object.assign(this, { list: [], count: 0, at: 0, step: 0, pictures: new Map(), running: new Bounds(), bounds: [], summary: null, asked: null, note: null, ended: false });
  }

  /// Takes lines of `--outf=jsonl`.
  add({ lines, count, newest }) {
    for (const line of newest ? [...lines, newest] : lines) {
      const value = parse(line);
      if (value.number === undefined) this.summary = value;
      else if (newest === line && this.list.length && this.overflow) this.list[this.list.length - 1] = value;
      else this.list.push(value);
      if (newest === line) this.overflow = true;
    }
    this.count = count;
    // The last one is the best, where there are costs.
    if (this.list[0]?.costs) this.at = this.list.length - 1;
    this.draw();
  }

  /// Takes a line of progress.
  hear(line) {
    if (this.running.hear(line)) this.draw();
  }

  finish({ answers, bounds } = { answers: this.pictures, bounds: this.bounds }) {
    [this.pictures, this.bounds] = [answers, bounds];
    this.ended = true;
    if (this.summary?.costs && !this.list.length) this.summary.models = 0;
    // At once: whoever sees that the run has ended sees the verdict, too.
    cancelAnimationFrame(this.waiting);
    this.waiting = 0;
    this.paint();
  }

  verdict() {
    const s = this.summary;
    const n = this.count;
    const sets = `${n}${s?.more ? "" : ""} answer set${n === 1 ? "" : "s"}`;
    if (!s || !this.ended) return [n ? `${sets} so far` : "", ""];
    const costs = s.costs?.length ? `, cost ${s.costs.join(" ")}` : "";
    switch (s.result) {
      case "UNSATISFIABLE": return ["No answer set", "bad"];
      case "OPTIMUM FOUND": return [`Optimum found${costs}`, "good"];
      case "SATISFIABLE": return [s.more ? (n === 1 ? "An answer set; there may be more" : `${sets}; there may be more`) : n === 1 ? "Exactly one answer set" : `${sets}, these are all`, "good"];
      default: return [n ? `Stopped after ${sets}${costs}` : "Stopped before anything was known", ""];
    }
  }

  get current() {
    return this.list[this.at];
  }

  go(step) {
    this.at = Math.max(0, Math.min(this.list.length - 1, this.at + step));
    [this.asked, this.step] = [null, 0];
    this.draw();
  }

  key(event) {
    const cell = event.target.closest?.("[data-cell],[data-node]");
    if (cell && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      cell.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    } else if (cell?.dataset.cell && event.key.startsWith("Arrow")) {
      const [r, c] = cell.dataset.cell.split(",").map(Number);
      const [dr, dc] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
      const to = this.pane.querySelector(`[data-cell="${r + dr},${c + dc}"]`);
      if (to) {
        cell.setAttribute("tabindex", "-1");
        to.setAttribute("tabindex", "0");
        to.focus();
      }
      event.preventDefault();
    }
  }

  draw() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = 0;
      this.paint();
    });
  }

  paint() {
    const [verdict, mood] = this.verdict();
    const parts = [verdict ? h("p", { class: `verdict ${mood}`, text: verdict }) : null];
    if (this.note) parts.push(h("p", { class: "sub" }, this.note));
    parts.push(this.course());
    const answer = this.current;
    if (answer) {
      const picture = this.pictures.get(answer.number);
      const wanted = this.view ?? (picture?.shapes || picture?.steps.length > 1 ? "picture" : "text");
      const view = wanted === "picture" && !picture ? "text" : wanted;
      const show = (name, label, disabled) => h("button", {
        type: "button", "aria-pressed": String(view === name), disabled, text: label,
        onclick: () => { this.view = name; this.draw(); },
      });
      parts.push(h("div", { class: "tools" },
        h("span", { class: "group" }, show("picture", "Picture", !picture), show("table", "Table"), show("text", "Text")),
        this.list.length > 1 ? h("span", { class: "group" },
          h("button", { type: "button", "aria-label": "Previous answer set", text: "‹", disabled: this.at === 0, onclick: () => this.go(-1) }),
          h("button", { type: "button", "aria-label": "Next answer set", text: "›", disabled: this.at === this.list.length - 1, onclick: () => this.go(1) })) : null,
        this.list.length > 1 ? h("span", { class: "number", text: `Answer ${answer.number} of ${this.count}` }) : null,
        h("span", { class: "grow" }), this.downloads(view)));
      if (answer.costs) parts.push(h("p", { class: "sub", text: `Cost ${answer.costs.join(" ")}` }));
      parts.push({ picture: () => this.picture(answer), table: () => this.tables(answer), text: () => this.atoms(answer) }[view]());
      if (answer.long) parts.push(h("p", { class: "empty", text: `It is too long to be shown here: ${(answer.long / 1e6).toFixed(0)} MB. #show statements choose what is shown.` }));
      else if (!answer.atoms.length) parts.push(h("p", { class: "empty", text: "It shows no atoms." }));
    }
    fill(this.pane, parts);
  }

  downloads(view) {
    const select = h("select", { "aria-label": "Download", onchange: () => { this.save(select.value); select.value = ""; } },
      h("option", { value: "", text: "Download" }), h("option", { value: "txt", text: "all as text" }), h("option", { value: "jsonl", text: "all as JSON lines" }),
      h("option", { value: "csv", text: "tables as CSV" }), view === "picture" ? h("option", { value: "svg", text: "picture as SVG" }) : null,
      h("option", { value: "near", text: "as a file to stay near" }));
    return select;
  }

  save(kind) {
    const field = (s) => (/[",\n]/.test(s) ? `"${s.replace(/"/g, '""')}"` : s);
    if (kind === "txt") download("answers.txt", this.list.map((a) => `Answer: ${a.number}\n${a.atoms.map(text).join(" ")}\n`).join(""));
    else if (kind === "jsonl") download("answers.jsonl", this.list.map((a) => JSON.stringify(a)).join("\n"));
    else if (kind === "csv") {
      const rows = this.list.flatMap((a) => a.atoms.map((atom) => [String(a.number), atom.name, ...(atom.args ?? []).map((t) => (typeof t === "string" ? t : text(t)))]));
      download("answers.csv", rows.map((row) => row.map(field).join(",")).join("\n"), "text/csv");
    } else if (kind === "near") this.stay(`${this.current.atoms.map(text).join(" ")}\n`);
    else if (kind === "svg") {
      const svg = this.pane.querySelector("svg");
      const copy = svg.cloneNode(true);
      const from = [svg, ...svg.querySelectorAll("*")];
      [copy, ...copy.querySelectorAll("*")].forEach((element, i) => {
        const style = getComputedStyle(from[i]);
        SVG_STYLE.forEach((name) => element.setAttribute(name, style.getPropertyValue(name)));
      });
      download("answer.svg", new XMLSerializer().serializeToString(copy), "image/svg+xml");
    }
  }

  /// Asks about an atom; of several, the one that is chosen.
  why(atoms, what) {
    if (atoms.length <= 1) {
      this.asked = atoms[0] ?? null;
      return this.ask(atoms[0] ? text(atoms[0]) : null, what);
    }
    this.ask(null, what, atoms.map((a) => text(a)));
  }

  /// How the bounds of an objective came to meet: while it runs, and afterwards.
  course() {
    if (!this.ended) {
      const drawing = this.running.draw();
      return drawing && h("div", { class: "drawing course" }, drawing);
    }
    if (!this.bounds.length) return null;
    return h("details", { class: "course" }, h("summary", { text: "Bounds over time" }),
      this.bounds.map(({ draw }) => h("div", { class: "drawing" }, draw())));
  }

  picture(answer) {
    const { draw, steps } = this.pictures.get(answer.number);
    if (steps.length < 2) return this.drawing(draw(0), answer.atoms, answer.number);
    const now = h("output", { text: `Step ${steps[this.step]}` });
    const range = h("input", { type: "range", min: 0, max: steps.length - 1, value: this.step, "aria-label": "Step" });
    // What is drawn of a step are the atoms that end with its number.
    const atoms = () => answer.atoms.filter(({ args }) => typeof args?.at(-1) !== "number" || String(args.at(-1)) === steps[this.step]);
    const frame = h("div", {});
    const show = () => {
      this.step = Number(range.value);
      now.textContent = `Step ${steps[this.step]}`;
      fill(frame, this.drawing(draw(this.step), atoms(), answer.number));
    };
    range.addEventListener("input", show);
    show();
    return h("div", { class: "plan" }, h("label", { class: "step" }, range, now), frame);
  }

  drawing(svg, atoms, number) {
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", `Answer ${number}. Arrows move, Enter explains.`);
    // Small grids may grow a little.
    const wide = Number(svg.getAttribute("width"));
    if (wide && wide < 420) {
      svg.setAttribute("width", wide * 1.45);
      svg.setAttribute("height", svg.getAttribute("height") * 1.45);
    }
    let first = true;
    for (const cell of svg.querySelectorAll("[data-cell],[data-node]")) {
      const [row, column] = (cell.dataset.cell ?? "").split(",").map(Number);
      const about = cell.dataset.node ? (a) => mentions(a, cell.dataset.node) : (a) => isAbout(a, row, column);
      const what = cell.dataset.node ?? `row ${row}, column ${column}`;
      const found = () => atoms.filter(about);
      cell.setAttribute("role", "button");
      cell.setAttribute("tabindex", first || cell.dataset.node ? "0" : "-1");
      first = false;
      if (svg.querySelectorAll("[data-cell]").length <= 1000) cell.setAttribute("aria-label", `${what}: ${found().map(text).join(", ") || "nothing"}`);
      cell.addEventListener("click", () => {
        svg.querySelectorAll(".asked").forEach((e) => e.classList.remove("asked"));
        cell.classList.add("asked");
        this.why(found(), what);
      });
    }
    return h("div", { class: "drawing" }, svg);
  }

  atoms(answer) {
    const { atoms } = answer;
    return h("div", { class: "atoms" },
      atoms.slice(0, ROWS).map((atom) => h("button", { type: "button", text: text(atom), title: "Why?", class: atom === this.asked ? "asked" : "", onclick: () => { this.why([atom]); this.draw(); } })),
      atoms.length > ROWS ? h("span", { class: "sub", text: `... and ${atoms.length - ROWS} more; the download has all` }) : null);
  }

  tables(answer) {
    const groups = new Map();
    for (const atom of answer.atoms) {
      const name = signature(atom);
      if (!groups.has(name)) groups.set(name, []);
      groups.get(name).push(atom);
    }
    const plain = (t) => (typeof t === "string" ? t : text(t));
    return h("div", { class: "tables" }, [...groups].map(([name, atoms]) => {
      const columns = atoms[0].args?.length ?? 0;
      const body = h("tbody");
      const rows = (list) => fill(body, list.slice(0, ROWS).map((atom) => h("tr", { onclick: (event) => {
        body.querySelectorAll(".asked").forEach((e) => e.classList.remove("asked"));
        event.currentTarget.classList.add("asked");
        this.why([atom]);
      } }, columns ? atom.args.map((t) => h("td", { text: plain(t) })) : h("td", { text: "holds" }))));
      rows(atoms);
      const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : plain(a).localeCompare(plain(b), undefined, { numeric: true }));
      let sorted = null;
      const sort = (i) => {
        sorted = sorted === i ? -1 - i : i;
        const list = atoms.toSorted((a, b) => compare(a.args[i], b.args[i]));
        rows(sorted < 0 ? list.reverse() : list);
      };
      const head = Array.from({ length: columns }, (_, i) => h("th", { scope: "col" }, h("button", { type: "button", text: String(i + 1), "aria-label": `Sort by argument ${i + 1}`, onclick: () => sort(i) })));
      const more = atoms.length > ROWS ? ` (the first ${ROWS} of ${atoms.length})` : ` (${atoms.length})`;
      return h("table", {}, h("caption", { text: name + more }), columns > 1 ? h("thead", {}, h("tr", {}, head)) : null, body);
    }));
  }
}
