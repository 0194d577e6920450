//! Programs derived from the grammar file: every production occurs, even where nobody would write it.
//!
//! Where the parser's actions accept only some terms (atoms, signatures), such terms are derived. Bodies often get
//! literals that bind the variables, and operators get only numbers and variables (unless `wild`), so that many
//! programs are safe and meaningful. All decisions are made by `choose`: a random generator, or the bytes of a fuzzer.

use super::grammar::{Grammar, Symbol};

/// Chooses among this many alternatives (at least one).
pub type Choose<'c> = &'c mut dyn FnMut(usize) -> usize;

/// Derives programs.
pub struct Deriver<'g> {
    grammar: &'g Grammar,
    /// By nonterminal: the height of its smallest derivation.
    height: Vec<usize>,
    /// By production: the same.
    heights: Vec<usize>,
    /// Productions that are not used.
    banned: Vec<bool>,
    /// Whether operators take any operand.
    wild: bool,
    /// Whether the term that is being derived is an operand.
    operand: std::cell::Cell<bool>,
}

/// Terminals that change how the rest of the text is read, or read other files.
const BANNED: [&str; 4] = ["query", "script text", "#include", "#program"];

/// The length in bytes at which a program is long enough.
const LONG: usize = 1500;

impl<'g> Deriver<'g> {
    /// A deriver for a grammar; `wild` operators take any operand.
    pub fn new(grammar: &'g Grammar, wild: bool) -> Self {
        Self::without(grammar, wild, &[])
    }

    /// A deriver of programs that clingo reads.
    pub fn of_clingo(grammar: &'g Grammar) -> Self {
        Self::without(grammar, false, &["$", "#distinct", "#disjoint", "#cumulative"])
    }

    fn without(grammar: &'g Grammar, wild: bool, more: &[&str]) -> Self {
        let is_banned = |s: &Symbol| match s {
            Symbol::Terminal(t) => BANNED.contains(&t.as_str()) || more.contains(&t.as_str()),
            Symbol::Nonterminal(_) => false,
        };
        let banned: Vec<bool> = grammar.productions.iter().map(|p| p.symbols.iter().any(is_banned)).collect();
        let most = usize::MAX;
        let (mut height, mut heights) = (vec![most; grammar.names.len()], vec![most; banned.len()]);
        loop {
            let mut changed = false;
            for (i, p) in grammar.productions.iter().enumerate().filter(|(i, _)| !banned[*i]) {
                let of = |s: &Symbol| match s {
                    Symbol::Terminal(_) => 0,
                    Symbol::Nonterminal(n) => height[*n],
                };
                let h = p.symbols.iter().map(of).max().unwrap_or(0).saturating_add(1);
                changed |= h < heights[i];
                heights[i] = heights[i].min(h);
                height[p.head] = height[p.head].min(h);
            }
            if !changed {
                return Deriver { grammar, height, heights, banned, wild, operand: false.into() };
            }
        }
    }

    /// A program of `statements` statements whose derivations are about `depth` high.
    pub fn program(&self, statements: usize, depth: usize, choose: Choose<'_>) -> String {
        let mut out = String::new();
        if choose(3) == 0 {
            out.push_str("#theory t { t { - : 7, unary; + : 6, binary, left; * : 5, binary, right };\n");
            out.push_str("&a/0 : t, {<=,+}, t, any; &b/1 : t, body; &p/1 : t, head; &q/0 : t, any }.\n");
        }
        out.push_str("d(1..2). e(1..2). {a; b}.\n");
        for _ in 0..statements {
            self.nonterminal(self.grammar.start, depth, choose, &mut out);
            out.push('\n');
        }
        out
    }

    /// The program chosen by bytes; when they are used up, the first alternatives are taken.
    pub fn program_of(&self, bytes: &[u8]) -> String {
        let mut rest = bytes.iter();
        let mut next = || rest.next().copied().unwrap_or(0) as usize;
        let (statements, depth) = (1 + next() % 6, 20 + next() % 24);
        self.program(statements, depth, &mut |n| next() % n)
    }

    fn nonterminal(&self, n: usize, depth: usize, choose: Choose<'_>, out: &mut String) {
        let name = self.grammar.names[n].as_str();
        let all = &self.grammar.of[n];
        // A long program is brought to its end.
        let depth = if out.len() > LONG { 0 } else { depth };
        let fits = |p: &&usize| !self.banned[**p] && self.heights[**p] <= depth.max(self.height[n]);
        let mut fitting: Vec<usize> = all.iter().filter(fits).copied().collect();
        let says = |p: usize, word: &str| self.grammar.productions[p].action.contains(word);
        let calls = |p: usize| self.grammar.productions[p].symbols.contains(&Symbol::Terminal("@".into()));
        match name {
            // Chains of operators are one production a level: stay short.
            n if n.starts_with("Term") && n != "Term?" && choose(14) > 0 => {
                fitting = fitting.last().copied().into_iter().collect();
            }
            "Primary" if self.operand.get() => {
                fitting.retain(|&p| says(p, "cx.number") || says(p, "cx.variable"));
            }
            "Primary" if choose(3) > 0 => {
                fitting.retain(|&p| says(p, "cx.number") || says(p, "cx.variable") || says(p, "cx.function"));
                fitting.truncate(3);
            }
            // Truth values are the smallest literals.
            "Unsigned" if choose(12) > 0 => {
                let atom = fitting.len() > 2 && choose(3) > 0;
                fitting.retain(|&p| says(p, if atom { "cx.atom" } else { "Comparison" }));
            }
            "Primary" if !self.wild => fitting.retain(|&p| !calls(p)),
            "Head" | "BodyAggregate" if choose(8) > 0 => fitting.retain(|&p| !says(p, "Theory")),
            "Statement" if choose(8) > 0 => fitting.truncate(1),
            "StatementKind" if choose(2) > 0 => fitting = vec![all[1]],
            "StatementKind" if choose(3) > 0 => fitting.truncate(3),
            _ => {}
        }
        if fitting.is_empty() {
            // What was wanted does not fit: take what does.
            fitting = all.iter().filter(fits).copied().collect();
        }
        if fitting.is_empty() {
            return;
        }
        let start = out.len();
        let chosen = fitting[choose(fitting.len())];
        let production = &self.grammar.productions[chosen];
        let before = self.operand.get();
        let operators = ["cx.binary", "cx.unary", "cx.absolute", "cx.interval"];
        if !self.wild && operators.iter().any(|o| says(chosen, o)) {
            self.operand.set(true);
        } else if name == "TupleItem" || name == "Arguments" {
            self.operand.set(before && name == "TupleItem");
        }
        let wants_atom = name == "Atom" || production.action.contains("cx.atom");
        let wants_signature = ["cx.defined", "cx.project"].iter().any(|a| production.action.contains(a));
        for symbol in &production.symbols {
            match symbol {
                Symbol::Terminal(t) => terminal(t, choose, out),
                Symbol::Nonterminal(n) if wants_signature && self.grammar.names[*n] == "Term" => {
                    out.push_str([" a/0", " p/1", " -q/1", " d/1", " p/2", " 1", " a"][choose(7)]);
                }
                Symbol::Nonterminal(n) if wants_atom && self.grammar.names[*n] == "Term" => {
                    self.atom(depth.saturating_sub(1), choose, out);
                }
                // What such an element does without guards follows no rule in gringo.
                Symbol::Nonterminal(n)
                    if name == "HeadElement1"
                        && !self.wild
                        && self.grammar.names[*n].starts_with("List0") =>
                {
                    out.push_str([" 1", " 2, X", " 1, a", " -1, Y"][choose(4)]);
                }
                Symbol::Nonterminal(n) if name == "TheoryAtom" && self.grammar.names[*n] == "Name" => {
                    out.push_str(["a", "b", "p", "q"][choose(4)]);
                }
                Symbol::Nonterminal(n) => self.nonterminal(*n, depth.saturating_sub(1), choose, out),
            }
        }
        self.operand.set(before);
        match name {
            "Body0" | "Body" if choose(8) > 0 => {
                let empty = production.symbols.is_empty();
                out.push_str(if empty { " e(X), e(Y)" } else { "; e(X), e(Y)" });
            }
            "ColonBody" if production.symbols.is_empty() && choose(2) == 0 => out.push_str(": e(X), e(Y)"),
            "MinimizeElement" if choose(2) == 0 => {
                // It has no body; its condition is the last thing in it, if it has one.
                let colon = production.symbols.len() > 1 && out[start..].contains(" :");
                out.push_str(if colon { ", e(X), e(Y)" } else { " : e(X), e(Y)" });
            }
            _ => {}
        }
    }

    /// An atom as a term.
    fn atom(&self, depth: usize, choose: Choose<'_>, out: &mut String) {
        if choose(8) == 0 {
            out.push_str(" -");
        }
        match choose(6) {
            0 => out.push_str(" a"),
            1 => out.push_str(" b"),
            2 => {
                out.push_str(" d(");
                self.named("Term", depth, choose, out);
                out.push(')');
            }
            n => {
                out.push_str([" p", " q", " _r'"][n - 3]);
                self.named("Arguments", depth, choose, out);
            }
        }
    }

    fn named(&self, name: &str, depth: usize, choose: Choose<'_>, out: &mut String) {
        if let Some(n) = self.grammar.names.iter().position(|n| n == name) {
            self.nonterminal(n, depth, choose, out);
        }
    }
}

fn terminal(t: &str, choose: Choose<'_>, out: &mut String) {
    let words: &[&str] = match t {
        "identifier" => &["a", "b", "p", "q", "f", "x", "t", "unary", "binary", "left", "true", "level"],
        "variable" => {
            &["X", "Y", "X", "Y", "X", "Y", "X", "Y", "X", "Y", "X", "Y", "X", "Y", "X", "Y", "_Z'"]
        }
        "number" => &["0", "1", "2", "1", "3", "0x2", "0b11", "0o7"],
        "string" => &["\"\"", "\"s\"", "\"\\\"\\n\\\\\""],
        "theory operator" => &["+", "-", "*", "<=", "**"],
        "=" => &["=", "=="],
        "!=" => &["!=", "<>"],
        "#inf" => &["#inf", "#infimum"],
        "#sup" => &["#sup", "#supremum"],
        "#minimize" => &["#minimize", "#minimise"],
        "#maximize" => &["#maximize", "#maximise"],
        _ => &[],
    };
    out.push(' ');
    out.push_str(if words.is_empty() { t } else { words[choose(words.len())] });
}
