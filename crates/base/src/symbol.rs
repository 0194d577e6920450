//! Ground terms as 32-bit handles, interned once.
//!
//! Invariants: two handles of one [`Symbols`] are equal if and only if the terms are; integers that fit 31 bits are
//! never in the table; a term is interned after its arguments, so the table is acyclic and printing and comparing
//! need no recursion deeper than an explicit stack.

use std::cmp::Ordering;
use std::fmt::Write as _;

use hashbrown::HashTable;

use super::map::hash_words;

crate::define_index! {
    /// An interned string: a name or the contents of a string term.
    pub struct StrId
}

impl StrId {
    /// The empty string, which is also the "name" of tuples.
    pub const EMPTY: StrId = StrId(0);
}

/// A ground term. Bit 0 set: a small integer in the other 31 bits; clear: a row of the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Sym(u32);

const SMALL_MAX: i64 = (1 << 30) - 1;
const SMALL_MIN: i64 = -(1 << 30);

impl Sym {
    /// `#inf`, smaller than every other term.
    pub const INF: Sym = Sym(0);
    /// `#sup`, greater than every other term.
    pub const SUP: Sym = Sym(2);

    /// The handle of an integer that fits 31 bits.
    #[inline]
    pub fn small(n: i64) -> Option<Sym> {
        (SMALL_MIN..=SMALL_MAX).contains(&n).then_some(Sym(((n as i32) << 1) as u32 | 1))
    }
    /// The integer, if it is one that fits 31 bits.
    #[inline]
    pub fn as_small(self) -> Option<i64> {
        (self.0 & 1 == 1).then_some(i64::from(self.0 as i32 >> 1))
    }
    /// The handle as a word, for hashing.
    #[inline]
    pub fn raw(self) -> u32 {
        self.0
    }
    /// The handle from [`raw`](Self::raw).
    #[inline]
    pub fn from_raw(raw: u32) -> Sym {
        Sym(raw)
    }
    #[inline]
    fn row(self) -> usize {
        (self.0 >> 1) as usize
    }
}

/// The structure of a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SymView<'a> {
    /// `#inf`
    Inf,
    /// An integer, of 64 bits.
    Num(i64),
    /// A constant (no arguments) or function term, classically negated if `negative`; a negated tuple has no name.
    Fun {
        /// The name alone, without the sign of classical negation.
        name: StrId,
        /// None for a constant.
        args: &'a [Sym],
        /// Whether it is classically negated.
        negative: bool,
    },
    /// A string, by its unescaped text without quotes.
    Str(StrId),
    /// A tuple, of any arity.
    Tuple(&'a [Sym]),
    /// `#sup`
    Sup,
}

const KIND_INF: u8 = 0;
const KIND_NUM: u8 = 1;
const KIND_FUN: u8 = 2;
const KIND_NEG: u8 = 3;
const KIND_STR: u8 = 4;
const KIND_TUPLE: u8 = 5;
const KIND_SUP: u8 = 6;

#[derive(Clone, Copy, Debug)]
struct Row {
    kind: u8,
    /// Name, string, or index into `big`.
    head: u32,
    start: u32,
    len: u32,
}

/// The table of all symbols and names of a run.
#[derive(Clone, Debug)]
pub struct Symbols {
    rows: Vec<Row>,
    args: Vec<Sym>,
    big: Vec<i64>,
    lookup: HashTable<u32>,
    text: String,
    str_ends: Vec<u32>,
    str_lookup: HashTable<u32>,
}

impl Default for Symbols {
    fn default() -> Self {
        Self::new()
    }
}

fn hash_str(s: &str) -> u64 {
    let bytes = s.as_bytes();
    hash_words(
        bytes.len() as u64,
        bytes.chunks(4).map(|c| c.iter().fold(0u32, |w, &b| w << 8 | u32::from(b))),
    )
}

fn hash_row(kind: u8, head: u32, args: &[Sym]) -> u64 {
    hash_words(u64::from(head) << 3 | u64::from(kind), args.iter().map(|a| a.0))
}

impl Symbols {
    /// A table that holds `#inf` and `#sup`.
    pub fn new() -> Self {
        let special = |kind| Row { kind, head: 0, start: 0, len: 0 };
        let mut table = Self {
            rows: vec![special(KIND_INF), special(KIND_SUP)],
            args: Vec::new(),
            big: Vec::new(),
            lookup: HashTable::new(),
            text: String::new(),
            str_ends: Vec::new(),
            str_lookup: HashTable::new(),
        };
        table.intern("");
        table
    }

    /// Number of table rows: compound terms, constants, strings and big integers.
    pub fn len(&self) -> usize {
        self.rows.len()
    }
    /// Whether the table holds nothing but `#inf` and `#sup`.
    pub fn is_empty(&self) -> bool {
        self.rows.len() <= 2
    }

    /// Interns a name.
    pub fn intern(&mut self, s: &str) -> StrId {
        let hash = hash_str(s);
        let (text, ends) = (&self.text, &self.str_ends);
        let get = |i: u32| {
            let start = if i == 0 { 0 } else { ends[i as usize - 1] as usize };
            &text[start..ends[i as usize] as usize]
        };
        if let Some(&i) = self.str_lookup.find(hash, |&i| get(i) == s) {
            return StrId(i);
        }
        let id = self.str_ends.len() as u32;
        self.text.push_str(s);
        assert!(u32::try_from(self.text.len()).is_ok(), "more than 4 GiB of names");
        self.str_ends.push(self.text.len() as u32);
        let (text, ends) = (&self.text, &self.str_ends);
        self.str_lookup.insert_unique(hash, id, |&i| {
            let start = if i == 0 { 0 } else { ends[i as usize - 1] as usize };
            hash_str(&text[start..ends[i as usize] as usize])
        });
        StrId(id)
    }

    /// The text of a name.
    pub fn str(&self, id: StrId) -> &str {
        let i = id.0 as usize;
        let start = if i == 0 { 0 } else { self.str_ends[i - 1] as usize };
        &self.text[start..self.str_ends[i] as usize]
    }

    /// An integer term.
    #[inline]
    pub fn num(&mut self, n: i64) -> Sym {
        match Sym::small(n) {
            Some(s) => s,
            None => self.big_num(n),
        }
    }

    #[cold]
    fn big_num(&mut self, n: i64) -> Sym {
        let hash = hash_words(KIND_NUM.into(), [n as u32, (n >> 32) as u32].into_iter());
        let (rows, big) = (&self.rows, &self.big);
        let same = |&i: &u32| {
            let r = &rows[i as usize];
            r.kind == KIND_NUM && big[r.head as usize] == n
        };
        if let Some(&i) = self.lookup.find(hash, same) {
            return Sym(i << 1);
        }
        self.big.push(n);
        let row = Row { kind: KIND_NUM, head: self.big.len() as u32 - 1, start: 0, len: 0 };
        self.insert(hash, row)
    }

    /// A string term.
    pub fn string(&mut self, s: &str) -> Sym {
        let id = self.intern(s);
        self.compound(KIND_STR, id.0, &[])
    }
    /// The handle of a function term without arguments.
    pub fn constant(&mut self, name: StrId) -> Sym {
        self.compound(KIND_FUN, name.0, &[])
    }
    /// A function term (a constant if there are no arguments).
    pub fn fun(&mut self, name: StrId, args: &[Sym], negative: bool) -> Sym {
        self.compound(if negative { KIND_NEG } else { KIND_FUN }, name.0, args)
    }
    /// The handle of a tuple of any arity.
    pub fn tuple(&mut self, args: &[Sym]) -> Sym {
        self.compound(KIND_TUPLE, 0, args)
    }

    /// Finds a function term without interning it.
    pub fn find_fun(&self, name: StrId, args: &[Sym], negative: bool) -> Option<Sym> {
        let kind = if negative { KIND_NEG } else { KIND_FUN };
        self.find(hash_row(kind, name.0, args), kind, name.0, args)
    }

    /// Finds a name without interning it.
    pub fn find_name(&self, s: &str) -> Option<StrId> {
        self.str_lookup.find(hash_str(s), |&i| self.str(StrId(i)) == s).map(|&i| StrId(i))
    }
    /// Finds a string term without interning it.
    pub fn find_string(&self, text: StrId) -> Option<Sym> {
        self.find(hash_row(KIND_STR, text.0, &[]), KIND_STR, text.0, &[])
    }
    /// Finds a tuple without interning it.
    pub fn find_tuple(&self, args: &[Sym]) -> Option<Sym> {
        self.find(hash_row(KIND_TUPLE, 0, args), KIND_TUPLE, 0, args)
    }
    /// Finds an integer without interning it.
    pub fn find_num(&self, n: i64) -> Option<Sym> {
        Sym::small(n).or_else(|| {
            let is_it = |&i: &u32| {
                let row = self.rows[i as usize];
                row.kind == KIND_NUM && self.big[row.head as usize] == n
            };
            let hash = hash_words(KIND_NUM.into(), [n as u32, (n >> 32) as u32].into_iter());
            self.lookup.find(hash, is_it).map(|&i| Sym(i << 1))
        })
    }

    fn find(&self, hash: u64, kind: u8, head: u32, args: &[Sym]) -> Option<Sym> {
        let same = |&i: &u32| {
            let r = &self.rows[i as usize];
            r.kind == kind
                && r.head == head
                && &self.args[r.start as usize..(r.start + r.len) as usize] == args
        };
        self.lookup.find(hash, same).map(|&i| Sym(i << 1))
    }

    #[inline]
    fn compound(&mut self, kind: u8, head: u32, args: &[Sym]) -> Sym {
        let hash = hash_row(kind, head, args);
        if let Some(sym) = self.find(hash, kind, head, args) {
            return sym;
        }
        let start = self.args.len() as u32;
        self.args.extend_from_slice(args);
        assert!(u32::try_from(self.args.len()).is_ok(), "more than 2^32 term arguments");
        self.insert(hash, Row { kind, head, start, len: args.len() as u32 })
    }

    fn insert(&mut self, hash: u64, row: Row) -> Sym {
        let id = self.rows.len() as u32;
        assert!(id < 1 << 31, "more than 2^31 terms");
        self.rows.push(row);
        let (rows, args, big) = (&self.rows, &self.args, &self.big);
        self.lookup.insert_unique(hash, id, |&i| {
            let r = &rows[i as usize];
            if r.kind == KIND_NUM {
                let n = big[r.head as usize];
                hash_words(KIND_NUM.into(), [n as u32, (n >> 32) as u32].into_iter())
            } else {
                hash_row(r.kind, r.head, &args[r.start as usize..(r.start + r.len) as usize])
            }
        });
        Sym(id << 1)
    }

    /// The structure of a symbol.
    #[inline]
    pub fn view(&self, s: Sym) -> SymView<'_> {
        if let Some(n) = s.as_small() {
            return SymView::Num(n);
        }
        let r = &self.rows[s.row()];
        let args = || &self.args[r.start as usize..(r.start + r.len) as usize];
        match r.kind {
            KIND_INF => SymView::Inf,
            KIND_NUM => SymView::Num(self.big[r.head as usize]),
            KIND_FUN => SymView::Fun { name: StrId(r.head), args: args(), negative: false },
            KIND_NEG => SymView::Fun { name: StrId(r.head), args: args(), negative: true },
            KIND_STR => SymView::Str(StrId(r.head)),
            KIND_TUPLE => SymView::Tuple(args()),
            _ => SymView::Sup,
        }
    }

    /// The integer, if the symbol is one.
    #[inline]
    pub fn as_num(&self, s: Sym) -> Option<i64> {
        if let Some(n) = s.as_small() {
            return Some(n);
        }
        let r = &self.rows[s.row()];
        (r.kind == KIND_NUM).then(|| self.big[r.head as usize])
    }

    /// The total order of terms: `#inf`, integers, constants and `()`, negated ones, strings, functions and tuples (by
    /// arity, name, arguments), negated functions, `#sup`.
    pub fn cmp(&self, a: Sym, b: Sym) -> Ordering {
        if let (Some(x), Some(y)) = (a.as_small(), b.as_small()) {
            return x.cmp(&y);
        }
        if a == b { Ordering::Equal } else { self.cmp_across(self.view(a), self, self.view(b)) }
    }

    /// Compares a term of this table with one of another table or the same.
    pub(crate) fn cmp_across(&self, a: SymView<'_>, other: &Symbols, b: SymView<'_>) -> Ordering {
        let shared = std::ptr::eq(self, other);
        // Pairs still to be compared, the next one last; function terms push their arguments in reverse.
        let mut todo: Vec<(Sym, Sym)> = Vec::new();
        let (mut x, mut y) = (a, b);
        loop {
            let by_rank = rank(&x).cmp(&rank(&y));
            if by_rank != Ordering::Equal {
                return by_rank;
            }
            let by_value = match (x, y) {
                (SymView::Num(m), SymView::Num(n)) => m.cmp(&n),
                (SymView::Str(m), SymView::Str(n)) => self.str(m).cmp(other.str(n)),
                (x, y) => {
                    let ((m, xs), (n, ys)) = (head_and_args(x), head_and_args(y));
                    let by_head = xs.len().cmp(&ys.len()).then_with(|| self.str(m).cmp(other.str(n)));
                    if by_head == Ordering::Equal {
                        todo.extend(xs.iter().copied().zip(ys.iter().copied()).rev());
                    }
                    by_head
                }
            };
            if by_value != Ordering::Equal {
                return by_value;
            }
            let next = loop {
                match todo.pop() {
                    Some((a, b)) if shared && a == b => {}
                    next => break next,
                }
            };
            let Some((a, b)) = next else { return Ordering::Equal };
            (x, y) = (self.view(a), other.view(b));
        }
    }

    /// Appends the text of a term, as clingo prints it.
    pub fn write(&self, s: Sym, out: &mut String) {
        enum Step {
            Term(Sym),
            Text(&'static str),
        }
        let mut todo = vec![Step::Term(s)];
        while let Some(step) = todo.pop() {
            let s = match step {
                Step::Text(t) => {
                    out.push_str(t);
                    continue;
                }
                Step::Term(s) => s,
            };
            let args = match self.view(s) {
                SymView::Inf => {
                    out.push_str("#inf");
                    continue;
                }
                SymView::Sup => {
                    out.push_str("#sup");
                    continue;
                }
                SymView::Num(n) => {
                    let _ = write!(out, "{n}");
                    continue;
                }
                SymView::Str(id) => {
                    write_quoted(self.str(id), out);
                    continue;
                }
                SymView::Fun { name, args, negative } => {
                    if negative {
                        out.push('-');
                    }
                    out.push_str(self.str(name));
                    if args.is_empty() && name != StrId::EMPTY {
                        continue;
                    }
                    out.push('(');
                    todo.push(Step::Text(if args.len() == 1 && name == StrId::EMPTY { ",)" } else { ")" }));
                    args
                }
                SymView::Tuple(args) => {
                    out.push('(');
                    todo.push(Step::Text(if args.len() == 1 { ",)" } else { ")" }));
                    args
                }
            };
            for (i, &a) in args.iter().enumerate().rev() {
                todo.push(Step::Term(a));
                if i > 0 {
                    todo.push(Step::Text(","));
                }
            }
        }
    }

    /// The text of a term.
    pub fn display(&self, s: Sym) -> String {
        let mut out = String::new();
        self.write(s, &mut out);
        out
    }

    /// Appends the text of an atom that is not interned itself.
    pub fn write_atom(&self, name: StrId, args: &[Sym], negative: bool, out: &mut String) {
        if negative {
            out.push('-');
        }
        out.push_str(self.str(name));
        if !args.is_empty() {
            out.push('(');
            for (i, &a) in args.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                self.write(a, out);
            }
            out.push(')');
        }
    }
}

/// The contents of a string as written, with its quotes.
pub fn unescape(quoted: &str) -> std::borrow::Cow<'_, str> {
    let inner = quoted.get(1..quoted.len() - 1).unwrap_or("");
    if !inner.contains('\\') {
        return inner.into();
    }
    let mut out = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => out.push('\n'),
                Some(c) => out.push(c),
                None => {}
            },
            c => out.push(c),
        }
    }
    out.into()
}

/// Appends a string in quotes with `"`, `\` and newlines escaped.
pub fn write_quoted(s: &str, out: &mut String) {
    out.push('"');
    for c in s.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c => out.push(c),
        }
    }
    out.push('"');
}

fn rank(v: &SymView<'_>) -> u8 {
    match v {
        SymView::Inf => 0,
        SymView::Num(_) => 1,
        SymView::Fun { args: [], negative: false, .. } | SymView::Tuple([]) => 2,
        SymView::Fun { args: [], negative: true, .. } => 3,
        SymView::Str(_) => 4,
        SymView::Fun { negative: false, .. } | SymView::Tuple(_) => 5,
        SymView::Fun { negative: true, .. } => 6,
        SymView::Sup => 7,
    }
}

fn head_and_args(v: SymView<'_>) -> (StrId, &[Sym]) {
    match v {
        SymView::Fun { name, args, .. } => (name, args),
        SymView::Tuple(args) => (StrId::EMPTY, args),
        _ => (StrId::EMPTY, &[]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_exact_and_canonical() {
        let mut t = Symbols::new();
        for n in [0, 1, -1, SMALL_MAX, SMALL_MIN, SMALL_MAX + 1, SMALL_MIN - 1, i64::MAX, i64::MIN] {
            let s = t.num(n);
            assert_eq!(t.num(n), s);
            assert_eq!(t.as_num(s), Some(n));
            assert_eq!(t.display(s), n.to_string());
        }
    }

    #[test]
    fn terms_print_as_written() {
        let mut t = Symbols::new();
        let (f, one) = (t.intern("f"), t.num(1));
        let a = t.intern("a");
        let (a, s) = (t.constant(a), t.string("x\"\n\\"));
        let single = t.tuple(&[one]);
        let empty = t.tuple(&[]);
        let term = t.fun(f, &[one, a, s, single, empty, Sym::INF, Sym::SUP], true);
        assert_eq!(t.display(term), "-f(1,a,\"x\\\"\\n\\\\\",(1,),(),#inf,#sup)");
    }

    #[test]
    fn order_of_terms() {
        let mut t = Symbols::new();
        let [f, a, b] = ["f", "a", "b"].map(|s| t.intern(s));
        let (one, two, big) = (t.num(1), t.num(2), t.num(1 << 40));
        let (ca, cb, na) = (t.constant(a), t.constant(b), t.fun(a, &[], true));
        let (s, empty, single) = (t.string("a"), t.tuple(&[]), t.tuple(&[one]));
        let (f1, f2, a12) = (t.fun(f, &[one], false), t.fun(f, &[two], false), t.fun(a, &[one, two], false));
        let nf = t.fun(f, &[one], true);
        let order = [Sym::INF, one, two, big, empty, ca, cb, na, s, single, f1, f2, a12, nf, Sym::SUP];
        for (i, &x) in order.iter().enumerate() {
            for (j, &y) in order.iter().enumerate() {
                assert_eq!(t.cmp(x, y), i.cmp(&j), "{} {}", t.display(x), t.display(y));
            }
        }
    }

    #[test]
    fn deep_terms_need_no_deep_stack() {
        let mut t = Symbols::new();
        let f = t.intern("f");
        let (mut x, mut y) = (t.num(0), t.num(1));
        for _ in 0..300_000 {
            x = t.fun(f, &[x], false);
            y = t.fun(f, &[y], false);
        }
        assert_eq!(t.cmp(x, y), Ordering::Less);
        assert_eq!(t.display(x).len(), 900_001);
    }
}
