// Colours of the language while one types: tokens, not meaning; that comes from the language server.

import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";

function token(stream, state) {
  if (state.block) {
    while (!stream.eol()) {
      if (stream.match("*%")) {
        if (--state.block === 0) return "comment";
      } else if (stream.match("%*")) state.block++;
      else stream.next();
    }
    return "comment";
  }
  if (stream.eatSpace()) return null;
  if (stream.match("%*")) {
    state.block = 1;
    return "comment";
  }
  if (stream.match(/^%@\w+.*/)) return "meta";
  if (stream.match(/^%.*/)) return "comment";
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
  if (stream.match(/^#(?:inf|infimum|sup|supremum|true|false)\b/)) return "atom";
  if (stream.match(/^#[a-z_]+\+?/i)) return "keyword";
  if (stream.match(/^not\b/)) return "keyword";
  if (stream.match(/^(?:0x[0-9a-f]+|0b[01]+|0o[0-7]+|\d+)/i)) return "number";
  if (stream.match(/^_*[A-Z][\w']*/)) return "variableName";
  if (stream.match(/^@?_*[a-z][\w']*/)) return stream.peek() === "(" ? "propertyName" : "name";
  if (stream.match(/^(?::-|:~|->|<-|\.\.|!=|<=|>=|==|&&)/)) return "operator";
  if (stream.match(/^[{}()[\],;.]/)) return "punctuation";
  stream.next();
  return "operator";
}

const language = StreamLanguage.define({
  name: "asp",
  startState: () => ({ block: 0 }),
  copyState: (state) => ({ ...state }),
  token,
  languageData: {
    commentTokens: { line: "%", block: { open: "%*", close: "*%" } },
    closeBrackets: { brackets: ["(", "{", '"'] },
    wordChars: "'#@",
  },
});

const style = HighlightStyle.define([
  { tag: tags.comment, class: "t-comment" },
  { tag: tags.meta, class: "t-meta" },
  { tag: tags.string, class: "t-string" },
  { tag: [tags.keyword, tags.atom], class: "t-keyword" },
  { tag: tags.number, class: "t-number" },
  { tag: tags.variableName, class: "t-variable" },
  { tag: tags.propertyName, class: "t-predicate" },
  { tag: [tags.operator, tags.punctuation], class: "t-operator" },
]);

export const asp = () => [language, syntaxHighlighting(style)];
