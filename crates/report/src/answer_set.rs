//! Rendering of answer sets: each shown symbol is rendered once and copied for every model.
//!
//! Invariant: the text of each segment ends with the separator; segments follow the order of the program's shows, and a
//! term that is shown under several conditions has one segment. Adjacent entries that always hold share one segment, so
//! any number of facts costs one copy per model.

use asp_base::map::Map;
use asp_base::symbol::{StrId, Sym, SymView, Symbols};
use asp_program::ground_program::{Notation, Repeated, ShowItem};
use asp_program::{Literal, Program};
use asp_solve::Model;

use super::assignment::Assignment;
use super::fields::{fields, push_record};

/// How one symbol is rendered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rendering {
    /// As text, with something before and after.
    Text {
        /// Before.
        prefix: String,
        /// After.
        suffix: String,
    },
    /// As a JSON string.
    JsonString,
    /// As a JSON value with name and arguments.
    JsonTerm,
    /// As a record of a table: name and arguments, strings without their quotes.
    Csv,
}

impl Rendering {
    /// The text before and after the cost of integers, after a separator if there are values before it.
    fn around_cost(&self, separator: &str) -> Option<[String; 2]> {
        match self {
            Rendering::Text { .. } => Some(["\nCost: ".into(), String::new()]),
            Rendering::JsonString => Some([format!(r#"{separator}"__csp_cost(\""#), r#"\")""#.into()]),
            Rendering::JsonTerm => {
                Some([format!(r#"{separator}{{"name":"__csp_cost","args":[""#), r#""]}"#.into()])
            }
            Rendering::Csv => None,
        }
    }
    /// The text before, in and after a range of values, as in `3..17`.
    fn around_range(&self) -> [&'static str; 3] {
        match self {
            Rendering::JsonTerm => [r#"{"name":"..","args":["#, ",", "]}"],
            _ => ["", "..", ""],
        }
    }
    /// The text before and after the value of a variable.
    fn around_value(&self, name: Sym, symbols: &Symbols) -> [Vec<u8>; 2] {
        let mut before = Vec::new();
        let after: &[u8] = match self {
            Rendering::Text { .. } => {
                before.extend(format!("{}=", symbols.display(name)).bytes());
                b" "
            }
            Rendering::JsonString => {
                push_json_string(&format!("__csp({},", symbols.display(name)), &mut before);
                before.pop();
                b")\""
            }
            Rendering::JsonTerm => {
                open_json_fun("__csp", false, &mut before);
                push_json_terms(&[name], symbols, &mut before);
                before.push(b',');
                b"]}"
            }
            Rendering::Csv => {
                push_record(&["__csp".to_string(), symbols.display(name).to_string()], 2, &mut before);
                before.push(b',');
                b""
            }
        };
        [before, after.to_vec()]
    }
    /// The text before and after the last argument of an atom; a table has `columns` columns for arguments.
    fn around_last(&self, name: StrId, args: &[Sym], columns: usize, symbols: &Symbols) -> [Vec<u8>; 2] {
        let mut text = format!("{}(", symbols.str(name));
        for &arg in args {
            symbols.write(arg, &mut text);
            text.push(',');
        }
        let mut before = Vec::new();
        let after = match self {
            Rendering::Text { prefix, suffix } => {
                before.extend(format!("{prefix}{text}").bytes());
                format!("){suffix}").into_bytes()
            }
            Rendering::JsonString => {
                push_json_string(&text, &mut before);
                before.pop();
                b")\"".to_vec()
            }
            Rendering::JsonTerm => {
                open_json_fun(symbols.str(name), false, &mut before);
                push_json_terms(args, symbols, &mut before);
                if !args.is_empty() {
                    before.push(b',');
                }
                b"]}".to_vec()
            }
            Rendering::Csv => {
                let mut record = vec![symbols.str(name).to_string()];
                record.extend(args.iter().map(|&arg| match symbols.view(arg) {
                    SymView::Str(s) => symbols.str(s).to_string(),
                    _ => symbols.display(arg),
                }));
                push_record(&record, record.len(), &mut before);
                before.push(b',');
                vec![b','; columns.saturating_sub(args.len() + 1)]
            }
        };
        [before, after]
    }
    /// Whether names and arguments are rendered one by one.
    fn takes_terms_apart(&self) -> bool {
        !matches!(self, Rendering::Text { .. } | Rendering::JsonString)
    }
}

#[derive(Clone, Debug)]
enum When {
    /// In every model.
    Always,
    /// When a literal holds.
    Literal(Literal),
    /// When all literals of one of the ranges of `literals` hold.
    Any(Vec<(u32, u32)>),
}

#[derive(Clone, Debug)]
struct Segment {
    when: When,
    /// End of its text; it starts where the one before ends.
    end: u32,
    /// Index of its (first) show entry.
    show: u32,
}

/// Everything that a program may show, ready to be printed.
#[derive(Clone, Debug, Default)]
pub struct AnswerTable {
    text: Vec<u8>,
    segments: Vec<Segment>,
    literals: Vec<Literal>,
    /// Further show entries of segments with several: (segment, entry).
    more: Vec<(u32, u32)>,
    separator_len: usize,
    /// Written before everything else; ends with the separator.
    lead: Vec<u8>,
    /// The greatest number of arguments of an atom or term, where they are rendered one by one.
    arguments: usize,
    /// The values of integers.
    assignment: Option<Assignment>,
    /// Whether integers are printed as assignments, even if there are none.
    tells_integers: bool,
}

impl AnswerTable {
    /// Renders everything that `program` may show.
    pub fn new(
        program: &Program,
        symbols: &Symbols,
        rendering: &Rendering,
        separator: &str,
        hide_aux: bool,
    ) -> Self {
        let mut table = Self { separator_len: separator.len(), ..Self::default() };
        if *rendering == Rendering::Csv {
            let integers = &program.integers;
            let are_atoms = !integers.functions.is_empty();
            let shown = program.shows.iter().filter(|s| !are_atoms || !matches!(s.item, ShowItem::Digit(_)));
            let entries = shown.map(|s| fields(s.item, program, symbols).len());
            let values = integers.variables.iter().filter(|known| known.shown && known.digits.is_some());
            let atoms = values.filter_map(|known| integers.functions.atom(known.name, symbols));
            let most = entries.chain(atoms.map(|(_, args)| args.len() + 2)).max();
            table.arguments = most.unwrap_or(1).saturating_sub(1);
        }
        if program.notation != Notation::Terms && !rendering.takes_terms_apart() {
            table.add_variables(program, symbols, rendering, separator);
            return table;
        }
        let mut of_term: Map<Sym, usize> = Map::default();
        let mut of_text: Map<String, usize> = Map::default();
        let mut plain = String::new();
        let is_text = matches!(rendering, Rendering::Text { .. });
        table.assignment =
            Assignment::new(program, is_text, rendering.around_cost(separator), rendering.around_range());
        table.tells_integers = program.integers.functions.is_empty();
        for (i, item, condition) in program.shown() {
            if matches!(item, ShowItem::Digit(_)) {
                continue;
            }
            let value = item.value(symbols);
            if let (Some((name, value)), Some(assignment)) =
                (value, table.assignment.as_mut().filter(|_| is_text))
            {
                assignment.add(name, value, condition.first().copied(), i as u32, symbols);
                continue;
            }
            if let Some(term) = item.plain_term()
                && let Some(&at) = of_term.get(&term).filter(|_| program.repeated == Repeated::Term)
            {
                table.add_condition(at, condition, i as u32);
                continue;
            }
            plain.clear();
            program.write_shown(item, symbols, &mut plain);
            if hide_aux && value.is_none() && plain.starts_with('_') {
                continue;
            }
            if program.repeated == Repeated::One
                && let Some(&at) = of_text.get(&plain)
            {
                table.add_condition(at, condition, i as u32);
                continue;
            }
            match rendering {
                Rendering::Text { prefix, suffix } => {
                    for part in [prefix, &plain, suffix] {
                        table.text.extend_from_slice(part.as_bytes());
                    }
                }
                Rendering::JsonString => push_json_string(&plain, &mut table.text),
                Rendering::Csv => {
                    let fields = fields(item, program, symbols);
                    push_record(&fields, 1 + table.arguments, &mut table.text);
                }
                Rendering::JsonTerm => match (item.term(), program.shown_atom(item, symbols)) {
                    (Some(term), _) => push_json_terms(&[term], symbols, &mut table.text),
                    (None, Some((s, args))) => {
                        open_json_fun(symbols.str(s.name), s.negative, &mut table.text);
                        push_json_terms(args, symbols, &mut table.text);
                        table.text.extend_from_slice(b"]}");
                    }
                    (None, None) => push_json_string(&plain, &mut table.text),
                },
            }
            table.text.extend_from_slice(separator.as_bytes());
            let end = table.text.len() as u32;
            let when = match condition {
                [] => When::Always,
                [one] => When::Literal(*one),
                several => When::Any(vec![table.store(several)]),
            };
            // Entries that always hold form runs, except that a term must be found again.
            let in_run = match table.segments.last_mut() {
                Some(last) if matches!((&when, &last.when), (When::Always, When::Always)) => {
                    last.end = end;
                    true
                }
                _ => false,
            };
            if !in_run {
                table.segments.push(Segment { when, end, show: i as u32 });
            }
            let at = table.segments.len() - 1;
            if let Some(term) = item.plain_term() {
                of_term.insert(term, at);
            }
            if program.repeated == Repeated::One {
                of_text.insert(plain.clone(), at);
            }
        }
        if let Some(assignment) = &mut table.assignment {
            let ends = if assignment.is_apart() { "" } else { separator };
            assignment.finish(program, symbols, |name| {
                let [before, after] = match program.integers.functions.atom(name, symbols) {
                    Some((name, args)) => rendering.around_last(name, args, table.arguments, symbols),
                    None => rendering.around_value(name, symbols),
                };
                (before, [&after, ends.as_bytes()].concat())
            });
        }
        table
    }

    /// Sets terms that are written before everything else. A JSON term that the program does not have is a text.
    pub fn set_lead(&mut self, terms: &[String], rendering: &Rendering, separator: &str) {
        self.lead.clear();
        for term in terms {
            match rendering {
                Rendering::Text { prefix, suffix } => {
                    [prefix, term, suffix]
                        .iter()
                        .for_each(|part| self.lead.extend_from_slice(part.as_bytes()));
                }
                Rendering::JsonString | Rendering::JsonTerm => push_json_string(term, &mut self.lead),
                Rendering::Csv => {
                    let fields = [term.clone()];
                    push_record(&fields, 1 + self.arguments, &mut self.lead);
                }
            }
            self.lead.extend_from_slice(separator.as_bytes());
        }
    }

    /// The greatest number of arguments, where they are rendered one by one.
    pub(crate) fn arguments(&self) -> usize {
        self.arguments
    }

    fn store(&mut self, literals: &[Literal]) -> (u32, u32) {
        let start = self.literals.len() as u32;
        self.literals.extend_from_slice(literals);
        (start, self.literals.len() as u32)
    }

    /// The variables of SAT solvers' formats: each has a segment for true and one for false. The latter belongs to no
    /// show entry, so consequences are the true ones.
    fn add_variables(
        &mut self,
        program: &Program,
        symbols: &Symbols,
        rendering: &Rendering,
        separator: &str,
    ) {
        let x = match (program.notation, rendering) {
            (Notation::Opb, Rendering::Text { .. }) => "x",
            _ => "",
        };
        for (i, show) in program.shows.iter().enumerate() {
            let ShowItem::Atom(atom) = show.item else { continue };
            let number = program.atoms.get(atom).and_then(|(_, args)| symbols.as_num(*args.first()?));
            for (sign, literal, show) in
                [("", Literal::pos(atom), i as u32), ("-", Literal::new(atom, true), u32::MAX)]
            {
                let text = format!("{sign}{x}{}{separator}", number.unwrap_or_default());
                self.text.extend_from_slice(text.as_bytes());
                let end = self.text.len() as u32;
                self.segments.push(Segment { when: When::Literal(literal), end, show });
            }
        }
    }

    /// Adds another condition under which a segment is shown.
    fn add_condition(&mut self, segment: usize, condition: &[Literal], show: u32) {
        if condition.is_empty() {
            self.segments[segment].when = When::Always;
            return;
        }
        let range = self.store(condition);
        let ranges = match &self.segments[segment].when {
            When::Always => return,
            When::Literal(one) => {
                let one = *one;
                vec![self.store(&[one]), range]
            }
            When::Any(ranges) => {
                let mut ranges = ranges.clone();
                ranges.push(range);
                ranges
            }
        };
        self.segments[segment].when = When::Any(ranges);
        self.more.push((segment as u32, show));
    }

    /// Appends what a model shows, with separators. Returns whether there was anything.
    #[inline]
    pub fn write(&self, model: &Model<'_>, out: &mut Vec<u8>) -> bool {
        let before = out.len();
        out.extend_from_slice(&self.lead);
        if model.shown.is_empty() {
            self.write_where(out, |segment| match &segment.when {
                When::Always => true,
                When::Literal(literal) => model.holds(*literal),
                When::Any(ranges) => ranges.iter().any(|&(from, to)| {
                    self.literals[from as usize..to as usize].iter().all(|&l| model.holds(l))
                }),
            });
        } else {
            let holds = |show: u32| model.shown.get(show as usize).copied().unwrap_or(false);
            let mut more = self.more.iter().peekable();
            let mut sorted;
            if !self.more.is_sorted() {
                sorted = self.more.clone();
                sorted.sort_unstable();
                more = sorted.iter().peekable();
                self.write_estimate(out, &mut more, holds);
            } else {
                self.write_estimate(out, &mut more, holds);
            }
        }
        if let Some(assignment) = &self.assignment {
            assignment.write_terms(model, out);
        }
        let any = out.len() > before;
        if any {
            out.truncate(out.len() - self.separator_len);
        }
        match &self.assignment {
            Some(assignment) => {
                assignment.write(model, any, out);
                any || self.tells_integers
            }
            None => any,
        }
    }

    fn write_estimate<'a>(
        &self,
        out: &mut Vec<u8>,
        more: &mut std::iter::Peekable<impl Iterator<Item = &'a (u32, u32)>>,
        holds: impl Fn(u32) -> bool,
    ) {
        let mut index = 0;
        self.write_where(out, |segment| {
            let mut shown = matches!(segment.when, When::Always) || holds(segment.show);
            while let Some((_, show)) = more.next_if(|(s, _)| *s == index) {
                shown |= holds(*show);
            }
            index += 1;
            shown
        });
    }

    #[inline]
    fn write_where(&self, out: &mut Vec<u8>, mut shown: impl FnMut(&Segment) -> bool) {
        let mut start = 0;
        for segment in &self.segments {
            let end = segment.end as usize;
            if shown(segment) {
                out.extend_from_slice(&self.text[start..end]);
            }
            start = end;
        }
    }
}

/// Appends a string in JSON.
pub(crate) fn push_json_string(text: &str, out: &mut Vec<u8>) {
    // Writing to a vector cannot fail.
    let _ = serde_json::to_writer(out, text);
}

/// Appends terms as JSON, separated by commas: integers and strings as such, everything else as an object with name and
/// arguments.
fn push_json_terms(terms: &[Sym], symbols: &Symbols, out: &mut Vec<u8>) {
    // The rest of each open list, the innermost last.
    let mut open = vec![terms.iter()];
    let mut first = true;
    while let Some(list) = open.last_mut() {
        let Some(&term) = list.next() else {
            open.pop();
            if !open.is_empty() {
                out.extend_from_slice(b"]}");
            }
            first = false;
            continue;
        };
        if !std::mem::replace(&mut first, false) {
            out.push(b',');
        }
        let (name, args, negative) = match symbols.view(term) {
            SymView::Num(n) => {
                super::output::push_int(out, n);
                continue;
            }
            SymView::Str(s) => {
                push_json_string(symbols.str(s), out);
                continue;
            }
            SymView::Inf => ("#inf", &[][..], false),
            SymView::Sup => ("#sup", &[][..], false),
            SymView::Tuple(args) => ("", args, false),
            SymView::Fun { name, args, negative } => (symbols.str(name), args, negative),
        };
        open_json_fun(name, negative, out);
        open.push(args.iter());
        first = true;
    }
}

/// The beginning of an object for a function, up to its arguments.
fn open_json_fun(name: &str, negative: bool, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"name\":");
    push_json_string(name, out);
    if negative {
        out.extend_from_slice(b",\"negative\":true");
    }
    out.extend_from_slice(b",\"args\":[");
}

#[cfg(test)]
mod tests {
    use super::*;
    use asp_base::signature::Signature;
    use asp_program::ground_program::Show;

    /// Facts `f(1)`, `f(2)`; atoms `p(1)`, `p(2)`; the term `t` under either atom; `_x` always.
    fn example() -> (Program, Symbols) {
        let (mut program, mut symbols) = (Program::new(), Symbols::new());
        let [f, p, t, x] = ["f", "p", "t", "_x"].map(|s| symbols.intern(s));
        let [one, two] = [1, 2].map(|n| symbols.num(n));
        let signature = program.atoms.add_signature(Signature { name: p, arity: 1, negative: false });
        for n in [one, two] {
            let term = symbols.fun(f, &[n], false);
            program.shows.push(Show { item: ShowItem::Term(term), condition: Default::default() });
        }
        let t = symbols.constant(t);
        for n in [one, two] {
            let atom = program.atoms.add(signature, &[n]);
            let condition = program.push_literals(&[Literal::pos(atom)]);
            program.shows.push(Show { item: ShowItem::Atom(atom), condition });
            program.shows.push(Show { item: ShowItem::Term(t), condition });
        }
        let x = symbols.constant(x);
        program.shows.push(Show { item: ShowItem::Term(x), condition: Default::default() });
        (program, symbols)
    }

    #[track_caller]
    fn check(rendering: Rendering, hide_aux: bool, atoms: &[bool], shown: &[bool], expect: &str) {
        let (program, symbols) = example();
        let separator = if rendering == Rendering::JsonTerm { "," } else { " " };
        let table = AnswerTable::new(&program, &symbols, &rendering, separator, hide_aux);
        let mut out = Vec::new();
        table.write(&Model::from_atoms(atoms, shown), &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), expect);
    }

    fn text(prefix: &str, suffix: &str) -> Rendering {
        Rendering::Text { prefix: prefix.into(), suffix: suffix.into() }
    }

    #[test]
    fn what_holds_is_shown_once() {
        check(text("", ""), false, &[false, false], &[], "f(1) f(2) _x");
        check(text("", ""), false, &[false, true], &[], "f(1) f(2) t p(2) _x");
        check(text("-", "."), true, &[true, true], &[], "-f(1). -f(2). -p(1). -t. -p(2).");
    }

    #[test]
    fn consequences_go_by_entry() {
        check(
            text("", ""),
            false,
            &[false, false],
            &[true, true, false, false, false, true, true],
            "f(1) f(2) t _x",
        );
    }

    #[test]
    fn json() {
        check(Rendering::JsonString, false, &[true, false], &[], r#""f(1)" "f(2)" "p(1)" "t" "_x""#);
        let fs = r#"{"name":"f","args":[1]},{"name":"f","args":[2]}"#;
        check(Rendering::JsonTerm, true, &[false, false], &[], fs);
    }
}
