// The editor: CodeMirror, one state a file, with what the language server says.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorSelection, EditorState, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration, EditorView, GutterMarker, WidgetType, crosshairCursor, drawSelection, gutterLineClass, highlightActiveLine,
  highlightActiveLineGutter, hoverTooltip, keymap, lineNumbers, rectangularSelection,
} from "@codemirror/view";
import { h } from "./dom.js";
import { asp } from "./syntax.js";

/// The editor's styles are let in by this.
const NONCE = EditorView.cspNonce.of("asp-style");

/// The place of the protocol in a document, and back.
export const offset = (doc, { line, character }) => {
  const l = doc.line(Math.max(1, Math.min(line + 1, doc.lines)));
  return Math.min(l.from + character, l.to);
};
export const position = (doc, at) => {
  const l = doc.lineAt(at);
  return { line: l.number - 1, character: at - l.from };
};

/// Statements that are marked: `{ from, to, kind }` with a kind of `place` or `culprit`.
const setMarks = StateEffect.define();
class CulpritMarker extends GutterMarker {
  elementClass = "cm-culprit-gutter";
}
const culprit = new CulpritMarker();
const marks = StateField.define({
  create: () => ({ text: Decoration.none, gutter: Decoration.none }),
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(setMarks)) continue;
      const [text, gutter] = [new RangeSetBuilder(), new RangeSetBuilder()];
      for (const { from, to, kind } of effect.value) {
        text.add(from, to, Decoration.mark({ class: `cm-${kind}` }));
        if (kind === "culprit") gutter.add(transaction.state.doc.lineAt(from).from, transaction.state.doc.lineAt(from).from, culprit);
      }
      return { text: text.finish(), gutter: gutter.finish() };
    }
    return transaction.docChanged ? { text: Decoration.none, gutter: Decoration.none } : value;
  },
  provide: (field) => [
    EditorView.decorations.from(field, (v) => v.text),
    gutterLineClass.from(field, (v) => v.gutter),
  ],
});

/// Numbers beside the text.
class Hint extends WidgetType {
  constructor(label) {
    super();
    this.label = label;
  }
  eq(other) {
    return other.label === this.label;
  }
  toDOM() {
    return h("span", { class: "cm-hint", text: this.label, "aria-hidden": "true" });
  }
}
const setHints = StateEffect.define();
const hints = StateField.define({
  create: () => Decoration.none,
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setHints)) {
        return Decoration.set(effect.value.map(({ at, label }) => Decoration.widget({ widget: new Hint(label), side: 1 }).range(at)), true);
      }
    }
    return value.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/// The text of a hover: paragraphs, and programs between fences.
function marked(text) {
  const parts = text.split(/^```\w*\n?/m);
  return h("div", { class: "cm-about" }, parts.map((part, i) => part.trim() && h(i % 2 ? "pre" : "p", { text: part.trim() })));
}

const KINDS = { 3: "function", 6: "variable", 14: "keyword", 21: "constant", 17: "text", 15: "text" };

/// The editor in a place of the page. `about` answers: `hover(at)`, `complete(at)`, `changed()`.
export class Editor {
  constructor(parent, about) {
    this.about = about;
    this.states = new Map();
    this.view = new EditorView({ parent, state: EditorState.create({ extensions: [NONCE] }) });
  }

  state(text) {
    const { about } = this;
    return EditorState.create({
      doc: text,
      extensions: [
        NONCE,
        lineNumbers(), highlightActiveLineGutter(), history(), drawSelection(), rectangularSelection(), crosshairCursor(),
        EditorState.allowMultipleSelections.of(true), indentUnit.of("    "), bracketMatching(), closeBrackets(),
        highlightActiveLine(), highlightSelectionMatches(), lintGutter(), search({ top: true }), EditorView.lineWrapping,
        asp(), marks, hints,
        autocompletion({ override: [(context) => this.complete(context)], icons: true }),
        hoverTooltip((view, at) => this.hover(at), { hoverTime: 350 }),
        keymap.of([
          { key: "Mod-Enter", run: () => (about.solve(), true) },
          { key: "Shift-Alt-f", run: () => (about.format(), true) },
          { key: "F12", run: (view) => (about.definition(view.state.selection.main.head), true) },
          { key: "F2", run: (view) => (about.rename(view.state.selection.main.head), true) },
          ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap,
          // Escape, then Tab, leaves the editor.
          indentWithTab,
        ]),
        EditorView.contentAttributes.of({ "aria-label": "Program text", spellcheck: "false", autocapitalize: "off" }),
        EditorView.updateListener.of((update) => update.docChanged && about.changed()),
        EditorView.domEventHandlers({
          mousedown: (event, view) => {
            if (!(event.ctrlKey || event.metaKey)) return false;
            const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
            if (at !== null) about.definition(at);
            return at !== null;
          },
        }),
      ],
    });
  }

  async hover(at) {
    const { view } = this;
    const found = await this.about.hover(at);
    if (!found?.contents || this.view !== view) return null;
    const { doc } = view.state;
    const range = found.range ? [offset(doc, found.range.start), offset(doc, found.range.end)] : [at, at];
    return { pos: range[0], end: range[1], above: true, create: () => ({ dom: marked(found.contents.value ?? String(found.contents)) }) };
  }

  async complete(context) {
    const word = context.matchBefore(/[#@]?[\w']*/);
    if (!context.explicit && !word?.text) return null;
    const found = await this.about.complete(context.pos);
    const items = Array.isArray(found) ? found : found?.items;
    if (!items?.length || context.aborted) return null;
    const { doc } = context.state;
    const options = items.slice(0, 300).map((item) => ({
      label: item.label,
      detail: item.detail ?? undefined,
      type: KINDS[item.kind] ?? "text",
      info: item.documentation ? () => marked(item.documentation.value ?? String(item.documentation)) : undefined,
      apply: (view, _, from, to) => {
        const edit = item.textEdit;
        const range = edit?.range ?? edit?.insert;
        const [a, b] = range ? [offset(doc, range.start), to] : [from, to];
        // Places to fill in are for editors that know them; here the text is plain.
        const text = (edit?.newText ?? item.insertText ?? item.label).replace(/\$\{\d+:([^}]*)\}|\$\d+/g, "$1");
        view.dispatch({ changes: { from: a, to: b, insert: text }, selection: { anchor: a + text.length } });
      },
    }));
    return { from: word ? word.from : context.pos, options, validFor: /^[#@]?[\w']*$/ };
  }

  /// Shows the file of that name.
  show(name) {
    if (this.name !== undefined && this.states.has(this.name)) this.states.set(this.name, this.view.state);
    this.name = name;
    this.view.setState(this.states.get(name));
  }

  set(name, text) {
    this.states.set(name, this.state(text));
    if (name === this.name) this.view.setState(this.states.get(name));
  }

  remove(name) {
    this.states.delete(name);
    if (this.name === name) this.name = undefined;
  }

  text(name) {
    return (name === this.name ? this.view.state : this.states.get(name)).doc.toString();
  }

  doc(name) {
    return (name === this.name ? this.view.state : this.states.get(name))?.doc;
  }

  /// Changes the state of a file, shown or not.
  dispatch(name, spec) {
    if (name === this.name) this.view.dispatch(spec);
    else if (this.states.has(name)) this.states.set(name, this.states.get(name).update(spec).state);
  }

  diagnostics(name, list) {
    const state = name === this.name ? this.view.state : this.states.get(name);
    if (state) this.dispatch(name, setDiagnostics(state, list));
  }

  hints(name, list) {
    this.dispatch(name, { effects: setHints.of(list) });
  }

  mark(name, list) {
    this.dispatch(name, { effects: setMarks.of(list.toSorted((a, b) => a.from - b.from)) });
  }

  /// Replaces ranges, as the protocol tells them.
  edit(name, edits) {
    const doc = this.doc(name);
    if (!doc) return;
    this.dispatch(name, { changes: edits.map((e) => ({ from: offset(doc, e.range.start), to: offset(doc, e.range.end), insert: e.newText })) });
  }

  reveal(from, to = from) {
    this.view.dispatch({ selection: EditorSelection.single(from), effects: EditorView.scrollIntoView(EditorSelection.range(from, to), { y: "center" }) });
  }
}
