// Places in the program: statements that asp names, marked and shown.

import { say } from "./dom.js";
import { offset } from "./editor.js";

export function places(app) {
  const { state, editor } = app;

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
    app.part("write");
    app.show(found.name);
    editor.reveal(found.from, found.to);
  }

  function jump(name, to) {
    if (!state.names.includes(name)) return say(`It is in ${name}, which is not open.`);
    app.show(name);
    editor.reveal(offset(editor.doc(name), to.start));
    editor.view.focus();
  }

  return { clearMarks, mark, goTo, jump };
}
