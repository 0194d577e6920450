//! Pictures of the answer sets of a run: `--show-grid`, `--svg`, `--html`.
//!
//! Invariant: what stands on standard output is laid out by the answer sets and the width alone, never by time, unless
//! a terminal waits for the next one; files are written once, at the end of the run, whole.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use super::args::Args;
use crate::base::symbol::{Sym, SymView, Symbols};
use crate::picture::{Atom, Painter, Picture, Scene, Wanted, side_by_side, vocabulary, width};
use crate::program::Program;
use crate::program::ground_program::ShowItem;
use crate::report::output::Output;
use crate::report::{Format, Level, Style};
use crate::solve::Model;

/// How long a terminal waits for another picture to put beside one.
const PATIENCE: Duration = Duration::from_millis(500);
/// Blanks between pictures.
const GAP: usize = 4;

/// What is asked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wish {
    /// Print pictures instead of atoms.
    pub text: bool,
    /// The predicate to draw.
    pub predicate: Option<Wanted>,
}

impl Wish {
    /// Reads the options.
    pub fn check(args: &Args<'_>, style: &Style) -> Result<Self, String> {
        let mut wish = Self::default();
        if let Some(given) = args.get("show-grid") {
            if matches!(style.format, Format::Json | Format::JsonLines | Format::Competition) {
                return Err("In context '<asp>': '--show-grid' goes with text output only".into());
            }
            wish.text = true;
            if let Some(name) = given.value {
                let bad = || format!("In context '<asp>': '{name}' invalid value for: 'show-grid'");
                wish.predicate = Some(Wanted::parse(name).ok_or_else(bad)?);
            }
        }
        Ok(wish)
    }

    /// Whether there is anything to draw.
    pub fn is_any(&self) -> bool {
        self.text
    }
}

/// What happened to an answer set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shown {
    /// It is printed as a picture, now or later.
    AsPicture,
    /// Its atoms are to be printed as usual, after this message.
    AsAtoms(Option<String>),
}

/// The pictures of a run.
pub struct Album {
    wish: Wish,
    level: Level,
    captions: bool,
    painter: Option<Painter>,
    /// Whether there is nothing to draw in this call.
    failed: bool,
    /// Pictures that wait for others beside them.
    row: Vec<Vec<String>>,
    waiting_since: Option<Instant>,
    /// The last picture, if only that is wanted.
    last: Option<Vec<String>>,
    has_marks: bool,
    legend_printed: bool,
    columns: usize,
    color: bool,
    terminal: bool,
}

impl Album {
    /// An empty album, if anything is to be drawn.
    pub fn new(wish: &Wish, style: &Style) -> Option<Self> {
        if !wish.is_any() {
            return None;
        }
        let terminal = std::io::stdout().is_terminal();
        Some(Self {
            wish: wish.clone(),
            level: style.quiet.models,
            captions: style.verbosity > 0 && style.format == Format::Text,
            painter: None,
            failed: false,
            row: Vec::new(),
            waiting_since: None,
            last: None,
            has_marks: false,
            legend_printed: false,
            columns: columns(),
            color: terminal && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()),
            terminal,
        })
    }

    /// A solve call starts: its program may show other things than the one before.
    pub fn start(&mut self) {
        self.painter = None;
        self.failed = false;
    }

    /// Takes an answer set.
    pub fn found(
        &mut self,
        out: &mut Output,
        model: &Model<'_>,
        number: u64,
        program: &Program,
        symbols: &Symbols,
    ) -> Shown {
        if self.level == Level::Nothing || self.failed {
            return Shown::AsAtoms(None);
        }
        let holds = atoms_of(program, symbols, self.wish.predicate.as_ref(), Some(model));
        if self.painter.is_none() {
            let scene = Scene {
                facts: facts(program, symbols),
                possible: atoms_of(program, symbols, self.wish.predicate.as_ref(), None),
            };
            let several = model.consequences.is_some();
            match Painter::new(symbols, &scene, &holds, self.wish.predicate.as_ref(), several) {
                Ok(painter) => self.painter = Some(painter),
                Err(message) => {
                    self.failed = true;
                    return Shown::AsAtoms(Some(format!("*** Info : (asp): {message}")));
                }
            }
        }
        let Some(painter) = &self.painter else { return Shown::AsAtoms(None) };
        let picture = painter.paint(symbols, &holds);
        self.print(out, &picture, model, number);
        Shown::AsPicture
    }

    fn print(&mut self, out: &mut Output, picture: &Picture, model: &Model<'_>, number: u64) {
        let mut lines = Vec::new();
        if self.captions {
            lines.push(format!("Answer: {number}"));
        }
        lines.extend(picture.lines(self.color));
        if let Some((decided, open)) = model.consequences {
            lines.push(format!("Consequences: [{decided};{}]", decided + open));
        }
        if !model.costs.is_empty() {
            let costs: Vec<String> = model.costs.iter().map(ToString::to_string).collect();
            lines.push(format!("Optimization: {}", costs.join(" ")));
        }
        self.has_marks |= !self.color && picture.has_marks();
        if self.level == Level::Last && !model.optimal {
            self.last = Some(lines);
            return;
        }
        self.last = None;
        self.put(out, lines);
    }

    fn put(&mut self, out: &mut Output, lines: Vec<String>) {
        let taken: usize = self.row.iter().map(|p| width(p) + GAP).sum();
        if !self.row.is_empty() && taken + width(&lines) > self.columns {
            self.flush_row(out);
        }
        self.row.push(lines);
        self.waiting_since = Some(Instant::now());
    }

    fn flush_row(&mut self, out: &mut Output) {
        self.waiting_since = None;
        if self.row.is_empty() {
            return;
        }
        out.push(&side_by_side(&self.row, GAP));
        self.row.clear();
        if self.has_marks && !std::mem::replace(&mut self.legend_printed, true) {
            out.push("(' marks what was given)\n");
        }
        if self.captions {
            out.push("\n");
        }
    }

    /// Prints what a terminal has waited for long enough.
    pub fn flush_if_waiting(&mut self, out: &mut Output, now: Instant) {
        if self.terminal && self.waiting_since.is_some_and(|since| now.duration_since(since) > PATIENCE) {
            self.flush_row(out);
        }
    }

    /// Prints what waits: the call or the run ends.
    pub fn flush(&mut self, out: &mut Output) {
        if let Some(last) = self.last.take() {
            self.put(out, last);
        }
        self.flush_row(out);
    }
}

/// Width of the page: as `COLUMNS` says, or the terminal, or the usual one.
fn columns() -> usize {
    let given = std::env::var("COLUMNS").ok().and_then(|c| c.parse::<usize>().ok());
    let asked = || {
        let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok()?;
        (size.ws_col > 0).then_some(usize::from(size.ws_col))
    };
    given.filter(|&c| c > 10).or_else(asked).unwrap_or(80)
}

/// All facts of a program, as far as they were kept.
fn facts<'a>(program: &'a Program, symbols: &'a Symbols) -> Vec<Atom<'a>> {
    let table = &program.facts;
    let atoms = table.ids().filter_map(|id| table.get(id));
    let atoms = atoms.filter(|(signature, _)| !signature.negative);
    let mut all: Vec<Atom<'a>> =
        atoms.map(|(signature, args)| Atom { name: symbols.str(signature.name), args }).collect();
    if table.is_empty() {
        // Ground programs have no facts of their own; what is always shown are facts too.
        let always = program.shows.iter().filter(|s| program.literals(s.condition).is_empty());
        all.extend(always.filter_map(|s| match s.item {
            ShowItem::Term(term) => atom_of(symbols, term),
            ShowItem::Atom(_) => None,
        }));
    }
    all
}

fn atom_of(symbols: &Symbols, term: Sym) -> Option<Atom<'_>> {
    match symbols.view(term) {
        SymView::Fun { name, args, negative: false } => Some(Atom { name: symbols.str(name), args }),
        _ => None,
    }
}

/// What is shown, what is rendered, and the wanted predicate even if it is hidden: all that may be, or what holds in a
/// model.
fn atoms_of<'a>(
    program: &'a Program,
    symbols: &'a Symbols,
    wanted: Option<&Wanted>,
    model: Option<&Model<'_>>,
) -> Vec<Atom<'a>> {
    let mut found = Vec::new();
    for (i, show) in program.shows.iter().enumerate() {
        let condition = program.literals(show.condition);
        let holds = model.is_none_or(|m| match m.shown.get(i) {
            Some(&shown) => shown,
            None => condition.iter().all(|&l| m.holds(l)),
        });
        if !holds {
            continue;
        }
        match show.item {
            ShowItem::Term(term) => found.extend(atom_of(symbols, term)),
            ShowItem::Atom(atom) => found.extend(
                program
                    .atoms
                    .get(atom)
                    .filter(|(signature, _)| !signature.negative)
                    .map(|(signature, args)| Atom { name: symbols.str(signature.name), args }),
            ),
        }
    }
    let shown = found.len();
    let mine =
        |name: &str| name.starts_with(vocabulary::PREFIX) || wanted.is_some_and(|wanted| wanted.name == name);
    for (table, facts) in [(&program.facts, true), (&program.atoms, false)] {
        let signatures: Vec<bool> = table.signatures().iter().map(|s| mine(symbols.str(s.name))).collect();
        if !signatures.contains(&true) {
            continue;
        }
        for id in table.ids() {
            let Some((signature, args)) = table.get(id) else { continue };
            let name = symbols.str(signature.name);
            if !signature.negative && mine(name) && (facts || model.is_none_or(|m| m.contains(id))) {
                found.push(Atom { name, args });
            }
        }
    }
    if found.len() > shown {
        let mut seen = crate::base::map::Set::default();
        found.retain(|atom| seen.insert((atom.name, atom.args)));
    }
    found
}
