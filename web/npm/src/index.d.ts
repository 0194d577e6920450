/** An answer set, as `--outf=2` prints it. */
export interface Witness {
  Value: string[];
  Costs?: number[];
  Time?: number;
  Consequences?: unknown;
}

/** What `run` resolves to: clingo's JSON. */
export interface Result {
  Solver?: string;
  Calls: number;
  Call: { Witnesses?: Witness[] }[];
  Models: { More: "yes" | "no"; Number: number; Optimum?: "yes" | "no"; Optimal?: number; Costs?: number[]; Brave?: "yes" | "no"; Cautious?: "yes" | "no"; Consequences?: unknown };
  Result: "SATISFIABLE" | "UNSATISFIABLE" | "UNKNOWN" | "OPTIMUM FOUND";
  Time: { CPU: number; Model: number; Solve: number; Total: number; Unsat: number };
  Warnings: string[];
}

/** The program has errors, `stop` was called, or memory was not enough. */
export interface Failure {
  Result: "ERROR";
  Error: string;
}

/** A program, or files by their names; those that end in `.lp` are the program. */
export type Program = string | Record<string, string>;

/** A place of the Language Server Protocol: lines and UTF-16 units from 0. */
export interface Position {
  line: number;
  character: number;
}

/** A message about a program, as an editor gets it. */
export interface Diagnostic {
  range: { start: Position; end: Position };
  severity?: 1 | 2 | 3 | 4;
  code?: string | number;
  source?: string;
  message: string;
}

/** Solves a program: `models` answer sets (0: all), with options of the command line. Rejects with what `onModel` throws, and a TypeError for no program. */
export function run(program: Program, models?: number, options?: string[], onModel?: (model: Witness) => void): Promise<Result | Failure>;

/** The same, with the answer sets as they are found. Leaving the loop ends the search; an error, but for `stop`, is thrown. */
export function stream(program: Program, models?: number, options?: string[]): AsyncGenerator<Witness, Result | Failure>;

/** Loads asp, from this address if one is given. Otherwise the first use does. */
export function init(wasmUrl?: string | URL): Promise<void>;

/** Ends what runs now, and loads asp anew. */
export function restart(wasmUrl?: string | URL): Promise<void>;

/** Ends what runs now: `run` resolves to a failure, a loop over `stream` ends, other functions reject with an error named "Stopped". */
export function stop(): void;

export type Question =
  | "unique" | "count" | "sample" | "diverse" | "candidates" | "hint" | "why" | "why-not" | "why-unsat" | "cost" | "why-cost" | "test" | "lint" | "check";

export interface Reply {
  /** The exit code of the subcommand, which is its verdict: see `asp help QUESTION`. */
  code: number;
  text: string;
  messages: string;
  /** Of `why`, `why-not`, `why-unsat` and `hint`. */
  data?: unknown;
}

/** Asks a question about a program; `why` and `why-not` want an atom. */
export function ask(question: Question, program: Program, about?: { atom?: string; options?: string[] }): Promise<Reply>;

/** The last answer set as SVG; null if there is nothing to draw. */
export function pictures(program: Program, models?: number, options?: string[]): Promise<string | null>;

/** What is wrong with a program, by its files. */
export function check(program: Program): Promise<Record<string, Diagnostic[]>>;

/** The program's text laid out. */
export function format(program: string): Promise<string>;

/** What an editor shows at a place, as Markdown. */
export function hover(program: Program, position: Position, file?: string): Promise<string | null>;

/** Always false: asp as WebAssembly has one thread. */
export function supportsThreads(): boolean;

declare const asp: {
  run: typeof run;
  stream: typeof stream;
  init: typeof init;
  restart: typeof restart;
  stop: typeof stop;
  ask: typeof ask;
  pictures: typeof pictures;
  check: typeof check;
  format: typeof format;
  hover: typeof hover;
  supportsThreads: typeof supportsThreads;
};
export default asp;
