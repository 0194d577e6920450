//! Pictures of the answer sets of a run: `--show-grid`, `--svg`, `--html`.
//!
//! Invariants: what stands on standard output is laid out by the answer sets and the width alone, never by time, unless
//! a terminal waits for the next one; files are written once, at the end of the run, whole.

use std::io::IsTerminal as _;
use std::path::Path;
use std::time::{Duration, Instant};

use super::args::Args;
use crate::base::symbol::{Sym, SymView, Symbols};
use crate::picture::html::{self, Figure};
use crate::picture::{Atom, Painter, Picture, Scene, Wanted, side_by_side, svg, vocabulary, width};
use crate::program::Program;
use crate::program::ground_program::ShowItem;
use crate::report::output::Output;
use crate::report::{Format, Level, Style};
use crate::solve::Model;

/// How long a terminal waits for another picture to put beside one.
const PATIENCE: Duration = Duration::from_millis(500);
/// The most pictures in a file.
const MOST_KEPT: usize = 500;
/// Blanks between pictures.
const GAP: usize = 4;

/// What is asked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wish {
    /// Print pictures instead of atoms.
    pub text: bool,
    /// The predicate to draw.
    pub predicate: Option<Wanted>,
    /// The SVG file to write.
    pub svg: Option<String>,
    /// The page to write.
    pub html: Option<String>,
    /// What the page is about: the files of the run.
    pub title: String,
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
        for (long, file) in [("svg", &mut wish.svg), ("html", &mut wish.html)] {
            let Some(name) = args.get(long).and_then(|g| g.value) else { continue };
            let folder = Path::new(name).parent().filter(|f| !f.as_os_str().is_empty());
            if let Some(missing) = folder.filter(|f| !f.is_dir()) {
                let missing = missing.display();
                return Err(format!(
                    "In context '<asp>': '{name}' invalid value for: '{long}'; no folder {missing}"
                ));
            }
            *file = Some(name.to_string());
        }
        wish.title = if args.files.is_empty() { "stdin".into() } else { args.files.join(" ") };
        Ok(wish)
    }

    /// Whether there is anything to draw.
    pub fn is_any(&self) -> bool {
        self.text || self.has_files()
    }

    fn has_files(&self) -> bool {
        self.svg.is_some() || self.html.is_some()
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
    /// Pictures for files.
    kept: Vec<Figure>,
    /// Whether the kept pictures are of proven optima.
    kept_optimal: bool,
    /// Whether more pictures were found than are kept.
    overfull: bool,
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
            kept: Vec::new(),
            kept_optimal: false,
            overfull: false,
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
        optimising: bool,
        program: &Program,
        symbols: &Symbols,
    ) -> Shown {
        let as_text = self.wish.text && self.level != Level::Nothing;
        if self.failed || !(as_text || self.wish.has_files()) {
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
        if self.wish.has_files() {
            self.keep(&picture, &holds, model, number, optimising, symbols);
        }
        if !as_text {
            return Shown::AsAtoms(None);
        }
        self.print(out, &picture, model, number);
        Shown::AsPicture
    }

    /// Keeps a picture for the files: of an optimisation the best ones, of consequences the last estimate.
    fn keep(
        &mut self,
        picture: &Picture,
        holds: &[Atom<'_>],
        model: &Model<'_>,
        number: u64,
        optimising: bool,
        symbols: &Symbols,
    ) {
        let replaced = (optimising && (!model.optimal || !self.kept_optimal))
            || model.consequences.is_some()
            || (self.level == Level::Last && !model.optimal);
        if replaced {
            self.kept.clear();
        }
        self.kept_optimal = model.optimal;
        if self.kept.len() >= MOST_KEPT {
            self.overfull = true;
            return;
        }
        let mut caption = format!("Answer {number}");
        if !model.costs.is_empty() {
            let costs: Vec<String> = model.costs.iter().map(ToString::to_string).collect();
            caption.push_str(&format!(", cost {}", costs.join(" ")));
        }
        let atoms: Vec<String> = holds
            .iter()
            .filter(|a| !a.name.starts_with(vocabulary::PREFIX))
            .map(|atom| {
                let args: Vec<String> = atom.args.iter().map(|&t| symbols.display(t)).collect();
                if args.is_empty() {
                    atom.name.to_string()
                } else {
                    format!("{}({})", atom.name, args.join(","))
                }
            })
            .collect();
        self.kept.push(Figure { caption, drawing: svg::draw(picture), atoms: atoms.join(" ") });
    }

    /// Writes the files; the error says what could not be written, the rest is worth a note.
    pub fn write_files(&mut self) -> Result<Vec<String>, String> {
        let figures = std::mem::take(&mut self.kept);
        let files = [(self.wish.svg.take(), true), (self.wish.html.take(), false)];
        let mut notes = Vec::new();
        for (file, is_svg) in files {
            let Some(file) = file else { continue };
            if figures.is_empty() {
                notes.push(format!("{file} is not written: there is no picture"));
                continue;
            }
            let text = if is_svg {
                let drawings: Vec<_> =
                    figures.iter().map(|f| (f.caption.clone(), f.drawing.clone())).collect();
                svg::file(&drawings)
            } else {
                let n = figures.len();
                let more = if self.overfull { "the first " } else { "" };
                let about = format!("{more}{n} answer set{}", if n == 1 { "" } else { "s" });
                html::page(&self.wish.title, &about, &figures)
            };
            std::fs::write(&file, text)
                .map_err(|error| format!("file could not be written: {file} ({error})"))?;
            if self.overfull {
                notes.push(format!("{file} shows the first {MOST_KEPT} answer sets only"));
            }
        }
        Ok(notes)
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
pub(super) fn facts<'a>(program: &'a Program, symbols: &'a Symbols) -> Vec<Atom<'a>> {
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
