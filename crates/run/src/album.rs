//! Pictures of the answer sets of a run: `--show-grid`, `--svg`, `--html`.
//!
//! Invariants: the layout of standard output depends only on the answer sets and the width, never on time, except that
//! a terminal does not wait long for the next picture; files are written once, completely, at the end of the run.

use std::time::{Duration, Instant};

use crate::terminal;
use asp_base::symbol::Symbols;
use asp_options::pictures::PictureOptions;
use asp_picture::html::{self, Figure};
use asp_picture::svg::bounds::{self, Bounds};
use asp_picture::{Atom, Painter, Picture, Plan, Scene, side_by_side, svg, vocabulary, width};
use asp_program::Program;
use asp_questions::atoms::{as_atoms, atoms_of, facts, values_of};
use asp_report::output::Output;
use asp_report::{Format, Level, Style};
use asp_solve::Model;

/// How long a terminal waits for another picture to put next to one.
const FLUSH_AFTER: Duration = Duration::from_millis(500);
/// The greatest number of pictures in a file.
const MAX_KEPT: usize = 500;
/// Replaced by the number of a step in the name of a file.
const STEP: &str = "%t";
/// Blanks between pictures.
const GAP: usize = 4;

/// How an answer set is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Shown {
    /// It is printed as a picture, now or later, after this message.
    AsPicture(Option<String>),
    /// Its atoms are to be printed as usual, after this message.
    AsAtoms(Option<String>),
}

/// The pictures of a run.
pub(crate) struct Album {
    wanted: PictureOptions,
    level: Level,
    painter: Option<Painter>,
    /// How the steps are drawn, if the answer sets are plans.
    plan: Option<Plan>,
    /// Whether there is nothing to draw in this call.
    failed: bool,
    /// The painter's note, if it has not been printed.
    told: Option<String>,
    strip: Strip,
    figures: Figures,
    /// The bounds of each level of an objective over time, for files.
    bounds: Vec<Bounds>,
}

/// Pictures on their way to standard output.
struct Strip {
    captions: bool,
    /// Pictures that wait for others to be put next to them.
    row: Vec<Vec<String>>,
    waiting_since: Option<Instant>,
    /// The last picture, if only that one is wanted.
    last: Option<Vec<String>>,
    has_marks: bool,
    legend_printed: bool,
    columns: usize,
    color: bool,
    terminal: bool,
}

/// Pictures for files.
#[derive(Default)]
struct Figures {
    kept: Vec<Figure>,
    /// Whether these are of proven optima.
    are_optimal: bool,
    /// Whether more were found than are kept.
    overfull: bool,
}

impl Album {
    /// An empty album, if anything is to be drawn.
    pub(crate) fn new(wanted: &PictureOptions, style: &Style) -> Option<Self> {
        if !wanted.is_any() {
            return None;
        }
        Some(Self {
            wanted: wanted.clone(),
            level: style.quiet.models,
            painter: None,
            plan: None,
            failed: false,
            told: None,
            strip: Strip {
                captions: style.verbosity > 0 && style.format == Format::Text,
                row: Vec::new(),
                waiting_since: None,
                last: None,
                has_marks: false,
                legend_printed: false,
                columns: terminal::page_width(),
                color: terminal::colors_results(),
                terminal: terminal::shows_results(),
            },
            figures: Figures::default(),
            bounds: Vec::new(),
        })
    }

    /// A solve call starts: its program may show other things than the previous one.
    pub(crate) fn start(&mut self) {
        (self.painter, self.plan) = (None, None);
        self.failed = false;
        self.bounds.clear();
    }

    /// Takes the costs of the best answer set, and proven lower bounds of them by level.
    pub(crate) fn note_bounds(&mut self, best: Option<&[i64]>, lower: &[i64], seconds: f64) {
        if !self.wanted.has_files() {
            return;
        }
        let levels = best.map_or(0, <[i64]>::len).max(lower.len());
        self.bounds.resize_with(self.bounds.len().max(levels), Bounds::default);
        for (level, bounds) in self.bounds.iter_mut().enumerate() {
            if let Some(&cost) = best.and_then(|best| best.get(level)) {
                Bounds::note(&mut bounds.best, seconds, cost);
            }
            if let Some(&cost) = lower.get(level) {
                Bounds::note(&mut bounds.lower, seconds, cost);
            }
        }
    }

    /// The charts of bounds, at the end of a run.
    fn charts(&mut self, seconds: f64) -> Vec<Figure> {
        let levels = self.bounds.len();
        let charts = std::mem::take(&mut self.bounds).into_iter().enumerate();
        let charts = charts.filter(|(_, bounds)| !bounds.is_empty()).map(|(level, mut bounds)| {
            bounds.end = seconds;
            let caption = if levels > 1 { format!("Bounds of level {}", level + 1) } else { "Bounds".into() };
            Figure { caption, drawing: Some(bounds::draw(&bounds)), steps: Vec::new(), atoms: String::new() }
        });
        charts.collect()
    }

    /// Takes an answer set.
    pub(crate) fn found(
        &mut self,
        out: &mut Output,
        model: &Model<'_>,
        number: u64,
        optimising: bool,
        program: &Program,
        symbols: &Symbols,
    ) -> Shown {
        let as_text = self.wanted.text && self.level != Level::Nothing;
        if self.failed && self.wanted.html.is_none() || !(as_text || self.wanted.has_files()) {
            return Shown::AsAtoms(None);
        }
        let values = values_of(program, symbols, Some(model));
        let mut holds = atoms_of(program, symbols, self.wanted.predicate.as_ref(), Some(model));
        holds.extend(as_atoms(&values, symbols));
        if self.failed {
            self.keep(None, &holds, model, number, optimising, symbols);
            return Shown::AsAtoms(None);
        }
        if self.painter.is_none() {
            let values = values_of(program, symbols, None);
            let mut possible = atoms_of(program, symbols, self.wanted.predicate.as_ref(), None);
            possible.extend(as_atoms(&values, symbols));
            let scene = Scene { facts: facts(program, symbols), possible };
            let several = model.consequences.is_some();
            if self.wanted.has_files() && !several {
                let asked = self.wanted.svg.as_deref().is_some_and(|file| file.contains(STEP));
                self.plan = Plan::new(symbols, &scene, &holds, asked);
            }
            match Painter::new(symbols, &scene, &holds, self.wanted.predicate.as_ref(), several) {
                Ok(painter) => {
                    let told = painter.told().map(|told| format!("*** Info : (asp): {told}"));
                    self.told = told;
                    self.painter = Some(painter);
                }
                Err(message) => {
                    self.failed = true;
                    if self.wanted.html.is_some() {
                        self.keep(None, &holds, model, number, optimising, symbols);
                    }
                    return Shown::AsAtoms(Some(format!("*** Info : (asp): {message}")));
                }
            }
        }
        let Some(painter) = &self.painter else { return Shown::AsAtoms(None) };
        let picture = painter.paint(symbols, &holds);
        if self.wanted.has_files() {
            self.keep(Some(&picture), &holds, model, number, optimising, symbols);
        }
        if !as_text {
            return Shown::AsAtoms(self.told.take());
        }
        let waits = self.level == Level::Last && !model.optimal;
        self.strip.print(out, &picture, model, number, waits);
        Shown::AsPicture(self.told.take())
    }

    /// Keeps a picture for the files: the best ones of an optimisation, the last estimate of consequences.
    fn keep(
        &mut self,
        picture: Option<&Picture>,
        holds: &[Atom<'_>],
        model: &Model<'_>,
        number: u64,
        optimising: bool,
        symbols: &Symbols,
    ) {
        let replaced = (optimising && (!model.optimal || !self.figures.are_optimal))
            || model.consequences.is_some()
            || (self.level == Level::Last && !model.optimal);
        if replaced {
            self.figures.kept.clear();
        }
        self.figures.are_optimal = model.optimal;
        if self.figures.kept.len() >= MAX_KEPT {
            self.figures.overfull = true;
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
        let steps = self.plan.iter().flat_map(|plan| plan.paint(symbols, holds));
        let steps = steps.map(|(step, picture)| (step, svg::draw(&picture))).collect();
        self.figures.kept.push(Figure {
            caption,
            drawing: picture.map(svg::draw),
            steps,
            atoms: atoms.join(" "),
        });
    }

    /// Writes the files, `seconds` after the start of the run; returns notes, the error says what could not be written.
    pub(crate) fn write_files(&mut self, seconds: f64) -> Result<Vec<String>, String> {
        let charts = self.charts(seconds);
        let Figures { kept: mut figures, overfull, .. } = std::mem::take(&mut self.figures);
        let (count, steps) =
            (figures.len(), figures.last().map_or(Vec::new(), |figure| figure.steps.clone()));
        figures.extend(charts);
        let files = [(self.wanted.svg.take(), true), (self.wanted.html.take(), false)];
        let mut notes = Vec::new();
        for (file, is_svg) in files {
            let Some(file) = file else { continue };
            if is_svg && file.contains(STEP) {
                if steps.is_empty() {
                    let why = "what is shown has no steps: a last argument that is a number";
                    notes.push(format!("{file} is not written: {why}"));
                }
                for (step, drawing) in &steps {
                    let name = file.replace(STEP, &step.to_string());
                    let text = svg::file(&[(String::new(), drawing.clone())]);
                    std::fs::write(&name, text)
                        .map_err(|error| format!("file could not be written: {name} ({error})"))?;
                }
                continue;
            }
            let text = if is_svg {
                let drawings: Vec<_> =
                    figures.iter().filter_map(|f| Some((f.caption.clone(), f.drawing.clone()?))).collect();
                if drawings.is_empty() {
                    notes.push(format!("{file} is not written: there is no picture"));
                    continue;
                }
                svg::file(&drawings)
            } else {
                let n = count;
                let more = if overfull { "the first " } else { "" };
                let about = match n {
                    0 => "no answer set was found".to_string(),
                    1 => format!("{more}1 answer set"),
                    n => format!("{more}{n} answer sets"),
                };
                html::page(&self.wanted.title, &about, &figures)
            };
            std::fs::write(&file, text)
                .map_err(|error| format!("file could not be written: {file} ({error})"))?;
            if overfull {
                notes.push(format!("{file} shows the first {MAX_KEPT} answer sets only"));
            }
        }
        Ok(notes)
    }

    /// Prints pictures that a terminal has waited for long enough.
    pub(crate) fn flush_if_waiting(&mut self, out: &mut Output, now: Instant) {
        self.strip.flush_if_waiting(out, now);
    }

    /// Prints waiting pictures, at the end of a call or run.
    pub(crate) fn flush(&mut self, out: &mut Output) {
        self.strip.flush(out);
    }
}

impl Strip {
    /// Prints a picture, or keeps it if it `waits` for being the last one.
    fn print(&mut self, out: &mut Output, picture: &Picture, model: &Model<'_>, number: u64, waits: bool) {
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
        if waits {
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
        out.push_coloured(&side_by_side(&self.row, GAP));
        self.row.clear();
        if self.has_marks && !std::mem::replace(&mut self.legend_printed, true) {
            out.push("(' marks what was given)\n");
        }
        if self.captions {
            out.push("\n");
        }
    }

    fn flush_if_waiting(&mut self, out: &mut Output, now: Instant) {
        if self.terminal && self.waiting_since.is_some_and(|since| now.duration_since(since) > FLUSH_AFTER) {
            self.flush_row(out);
        }
    }

    fn flush(&mut self, out: &mut Output) {
        if let Some(last) = self.last.take() {
            self.put(out, last);
        }
        self.flush_row(out);
    }
}
