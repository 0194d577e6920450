// Reasons as trees that open step by step, and the statements that they name.

import { fill, h } from "./dom.js";

/// Children that are shown at once.
const SHOWN = 100;
/// Levels that are open at the beginning.
const OPEN = 2;

/// A button that shows a statement in the editor; `go(place)` does.
export function place(at, go) {
  if (!at) return null;
  const file = at.file.replace(/^embedded:.*\//, "");
  return h("button", { type: "button", class: "place", title: at.text, onclick: (event) => { event.preventDefault(); go(at); } , text: `${file}:${at.line}` });
}

function line(step, go) {
  return [h("b", { text: step.text }), step.reason ? h("span", { class: "reason", text: `  ${step.reason}` }) : null, place(step.place, go)];
}

function item(step, go, level) {
  const because = step.because ?? [];
  if (!because.length) return h("li", {}, h("div", { class: "leaf" }, line(step, go)));
  const list = h("ul");
  // What is closed is built when it is opened.
  const build = () => {
    if (list.childElementCount) return;
    fill(list, because.slice(0, SHOWN).map((b) => item(b, go, level + 1)));
    if (because.length > SHOWN) list.append(h("li", { class: "reason", text: `... and ${because.length - SHOWN} more` }));
  };
  const details = h("details", { open: level < OPEN, ontoggle: build }, h("summary", {}, line(step, go)), list);
  if (level < OPEN) build();
  return h("li", {}, details);
}

/// The tree of a reason.
export const tree = (step, go) => h("ul", { class: "tree" }, item(step, go, 0));

const HOLDS = {
  always: "holds in every answer set. None of these rules and facts can be left out.",
  sometimes: "holds in some answer sets, not in all; this is why in one of them.",
  never: "holds in no answer set.",
};
const HERE = "holds in some answer sets, not in all; this is why in the one that is shown.";

/// What `asp why --format json` says.
export function why(told, go) {
  if (told.given) return [h("p", { class: "verdict bad", text: "The program has changed" }), h("p", { class: "sub", text: `${told.given} Solve it again.` })];
  const here = told.here === undefined ? HOLDS[told.holds] : told.here ? HERE : "holds in some answer sets, not in this one.";
  return [h("p", { class: "sub", text: here ?? "" }), told.why ? tree(told.why, go) : null,
    told.derived ? [h("p", { class: "sub", text: "In the answer set that is shown:" }), tree(told.derived, go)] : null].flat();
}

const LEVELS = { inference: "by inference", trial: "by trying", search: "by search" };

/// What `asp hint --format json` says.
export function hints(told, go) {
  if (!told.hints?.length) return [h("p", { class: "verdict", text: "Nothing is decided." })];
  return told.hints.map((hint, i) =>
    h("article", { class: "hint" },
      h("h3", {}, `${i + 1}. ${hint.atom}`, h("span", { class: "tag", text: LEVELS[hint.level] ?? hint.level }),
        hint.steps ? h("span", { class: "tag", text: `${hint.steps} steps` }) : null),
      hint.why ? tree(hint.why, go) : null));
}

/// What `asp why-unsat --format json` says.
export function conflict(told, go) {
  const n = told.parts.length;
  return [
    h("p", { class: "verdict bad", text: n === 1 ? "No answer set, because of this alone" : `No answer set: these ${n} contradict each other` }),
    h("p", { class: "sub", text: n === 1 ? "They are marked in the program." : "They are marked in the program. Without any one of them the others can hold together." }),
    ...told.parts.map((part) =>
      h("article", { class: "part" },
        h("div", {}, h("span", { class: "reason", text: part.kind }), place(part.place, go), part.restores ? h("span", { class: "tag", text: "giving it up restores an answer set" }) : null),
        part.place ? h("code", { text: part.place.text }) : null,
        part.instances?.length ? h("ul", {}, part.instances.slice(0, 12).map((text) => h("li", { text })), part.instances.length > 12 ? h("li", { text: `... and ${part.instances.length - 12} more` }) : null) : null)),
    told.steps ? h("h3", { text: "Step by step" }) : null,
    told.steps ? tree(told.steps, go) : null,
  ];
}
