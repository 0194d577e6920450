// Terms and atoms as `--outf=jsonl` tells them.

const quote = (s) => `"${s.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n")}"`;

/// The text of a term, as asp writes it. Terms are told nested; their depth is that of the JSON that was read.
export function text(term) {
  if (typeof term === "number") return String(term);
  if (typeof term === "string") return quote(term);
  if (term.integer !== undefined) return String(term.integer);
  const args = (term.args ?? []).map(text);
  const sign = term.negative ? "-" : "";
  if (term.name === "") return args.length === 1 ? `(${args[0]},)` : `(${args.join(",")})`;
  return sign + term.name + (args.length ? `(${args.join(",")})` : "");
}

const isTerm = (t) => typeof t === "object" && t !== null;

/// Whether an atom speaks of the cell in a row and column: `p(R,C,...)`, or `p((R,C),...)`.
export function isAbout(atom, row, column) {
  const args = atom.args ?? [];
  const pair = (a, b) => a === row && b === column;
  const inTuple = args.some((a) => isTerm(a) && a.name === "" && a.args?.length === 2 && pair(...a.args));
  return inTuple || (args.length > 1 && pair(args[0], args[1]));
}

/// Whether an atom speaks of a node of a graph.
export const mentions = (atom, node) => (atom.args ?? []).some((a) => text(a) === node);

/// The signature of an atom.
export const signature = (atom) => `${atom.negative ? "-" : ""}${atom.name}/${atom.args?.length ?? 0}`;
