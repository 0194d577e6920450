//! New instances of a puzzle: a solution is drawn, and what its comments call clues is taken away as far as it is not
//! needed.
//!
//! [`prepare`] tells the puzzle from its layout, [`recipe`] reads the comments, [`draw`] draws solutions, [`reduce`] takes clues away. A solution whose clues leave
//! several answer sets is dropped and another one drawn. Invariant: an instance that is handed out has exactly one
//! answer set, as a solver of its own has found from the text of the instance.

mod difficulty;
mod draw;
mod layout;
mod mirror;
mod prepare;
mod recipe;
pub(crate) mod reduce;

use crate::count;
use crate::hint;
use crate::infer::Inference;
use crate::inquiry::Inquiry;
use crate::inquiry::relaxed_facts::Which;
use asp_base::rng::Rng;
use asp_base::symbol::Sym;
use asp_control::{Control, Error, Source};
pub use difficulty::Difficulty;
use draw::Drawer;
pub use prepare::Unfit;
pub use recipe::Unreadable;
use recipe::{Recipe, Role};
use reduce::{Reduced, Reducer, Taste};

/// The predicate of the switches of clues, and of what templates say.
const OWN: &str = "clue'";

/// Makes an empty control with the right settings.
pub type MakesControl<'p> = &'p dyn Fn() -> Control;

/// A puzzle of which instances are made.
pub struct Puzzle<'p> {
    /// The program, then the layout that all instances share.
    pub texts: Vec<Source>,
    /// The constants that are set for the program.
    pub constants: Vec<Source>,
    /// The same for drawing: constants of `%@draw` comments among them.
    drawing_constants: Vec<Source>,
    recipe: Recipe,
    empty: MakesControl<'p>,
}

/// What is wanted of an instance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wish {
    /// Where the random numbers begin.
    pub seed: u64,
    /// Whether a half turn maps the places of the clues to each other.
    pub symmetric: bool,
    /// How hard it is.
    pub difficulty: Option<Difficulty>,
    /// How many solutions are drawn at most.
    pub draws: u64,
}

pub struct Instance {
    /// Its facts, those that stay in any case first; by kind, in the order of terms.
    pub facts: Vec<Vec<String>>,
    /// How many of the facts are clues.
    pub clues: usize,
    /// How hard it is; `None` if that is not known.
    pub difficulty: Option<Difficulty>,
    /// Whether no clue (with `symmetric`, no pair of them) can be left out.
    pub minimal: bool,
    /// The program with it, solved.
    pub control: Control,
    /// What its answer set shows, by show entry.
    pub solution: Vec<bool>,
}

/// How making an instance ended.
pub enum Made {
    Instance(Box<Instance>),
    /// The program has no answer set while a solution is drawn.
    NoSolution,
    /// The comments make no fact of a solution.
    NoFacts,
    /// The clues of a solution and the program contradict each other.
    Contradiction,
    /// The clues have no places in a grid.
    NoPlaces,
    /// No solution that was drawn would do.
    NoneFits,
}

/// Why there is no instance: the error, and the control whose texts its messages point into.
pub(crate) type Failure = Box<(Error, Control)>;

/// A fact of an instance and the number of its template.
type Fact = (usize, Sym);

impl Puzzle<'_> {
    /// Makes an instance.
    pub fn make(&self, wish: Wish) -> Result<Made, Failure> {
        let mut rng = Rng::new(wish.seed);
        let texts = [&self.drawing_constants, &self.texts, &self.recipe.drawing];
        let mut drawer = Drawer::new(self.grounded(&texts, false)?, &mut rng)?;
        for _ in 0..wish.draws {
            let drawn = drawer.draw(&mut rng).map_err(|error| self.failed(error))?;
            let Some(drawn) = drawn else { return Ok(Made::NoSolution) };
            let (symbols, facts) = self.facts_of(&drawn, &drawer)?;
            if facts.is_empty() {
                return Ok(Made::NoFacts);
            }
            match self.reduced(&symbols, facts, wish, &mut rng)? {
                Made::NoneFits => {}
                made => return Ok(made),
            }
        }
        Ok(Made::NoneFits)
    }

    fn failed(&self, error: Error) -> Failure {
        Box::new((error, (self.empty)()))
    }

    fn grounded(&self, texts: &[&Vec<Source>], keep_facts: bool) -> Result<Control, Failure> {
        let mut control = (self.empty)();
        control.settings.ground.keep_facts = keep_facts;
        control.settings.integers.tell_values();
        texts.iter().flat_map(|t| t.iter()).for_each(|text| control.add_source(text.clone()));
        match control.ground() {
            Ok(()) => Ok(control),
            Err(error) => Err(Box::new((error, control))),
        }
    }

    /// What the templates make of a solution: facts, and the control that knows their terms.
    fn facts_of(&self, drawn: &str, drawer: &Drawer) -> Result<(Control, Vec<Fact>), Failure> {
        let constants: String =
            drawer.constants().iter().map(|(name, value)| format!("#const {name} = {value}.\n")).collect();
        // Each file with its comments as rules, at the lines where they stand.
        let mut rules: Vec<(usize, String)> = Vec::new();
        for (number, t) in self.recipe.templates.iter().enumerate() {
            if rules.last().is_none_or(|(text, _)| *text != t.text) {
                rules.push((t.text, String::new()));
            }
            if let Some((_, text)) = rules.last_mut() {
                let lines = text.matches('\n').count();
                text.push_str(&"\n".repeat((t.line - 1).saturating_sub(lines)));
                text.push_str(&format!("{OWN}({number},{}) :- {}.\n", t.atom, t.body));
            }
        }
        let mut texts = vec![Source::new("<constants>", constants), Source::new("<solution>", drawn)];
        let name = |text: usize| {
            self.texts.get(text).map_or(String::new(), |t| format!("{} (%@clue, %@keep)", t.name))
        };
        texts.extend(rules.into_iter().map(|(text, rules)| Source::new(name(text), rules)));
        let control = self.grounded(&[&texts], false)?;
        let mut facts: Vec<Fact> = Vec::new();
        for atom in control.atoms(OWN, 2) {
            let arguments = atom.term().arguments().symbols();
            if let &[number, fact] = arguments {
                let number = control.symbols().as_num(number).and_then(|n| usize::try_from(n).ok());
                facts.extend(number.map(|number| (number, fact)));
            }
        }
        let symbols = control.symbols();
        facts.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| symbols.cmp(a.1, b.1)));
        Ok((control, facts))
    }

    /// Takes away clues, and checks what is left.
    fn reduced(&self, known: &Control, facts: Vec<Fact>, wish: Wish, rng: &mut Rng) -> Result<Made, Failure> {
        let symbols = known.symbols();
        let role = |f: &Fact| self.recipe.templates[f.0].role;
        let (kept, clues): (Vec<Fact>, Vec<Fact>) = facts.into_iter().partition(|f| role(f) == Role::Kept);
        let line = |f: &Fact| format!("{}.\n", symbols.display(f.1));
        let layout: String = kept.iter().map(line).collect();
        let switched = |(i, f): (usize, &Fact)| format!("{} :- {OWN}({i}).\n", symbols.display(f.1));
        let mut switched: String = clues.iter().enumerate().map(switched).collect();
        if !clues.is_empty() {
            switched.push_str(&format!("{{ {OWN}(0..{}) }}.\n", clues.len() - 1));
        }
        let own = [Source::new("<instance>", layout.clone()), Source::new("<clues>", switched)];
        let nothing = Which { files: Some(Vec::new()), ..Which::default() };
        let texts = [&self.constants[..], &self.texts[..], &own[..]].concat();
        let mut inquiry = Inquiry::open(&texts, self.empty, &Control::ground, &nothing)?;
        let switches = (0..clues.len()).map(|i| {
            let number = inquiry.control.number(i as i64);
            let atom = inquiry.control.function(OWN, &[number]);
            inquiry.control.find_atom(atom)
        });
        let Some(switches) = switches.collect::<Option<Vec<_>>>() else { return Ok(Made::Contradiction) };
        // The terms of the clues as this program knows them.
        let terms = clues.iter().map(|f| {
            Ok((self.recipe.templates[f.0].rank, inquiry.control.parse_term(&symbols.display(f.1))?))
        });
        let own: Vec<Fact> = terms.collect::<Result<_, _>>().map_err(|error| self.failed(error))?;
        let taste = Taste { symmetric: wish.symmetric, most: wish.difficulty.unwrap_or(Difficulty::Expert) };
        let reduced = Reducer::new(&inquiry, &own, switches).and_then(|r| r.run(taste, rng));
        let left = match reduced.map_err(|error| self.failed(error))? {
            Reduced::To(left) => left,
            Reduced::Unfit => return Ok(Made::NoneFits),
            Reduced::Contradiction => return Ok(Made::Contradiction),
            Reduced::NoPlaces => return Ok(Made::NoPlaces),
        };
        let left: Vec<Fact> = clues.into_iter().zip(left).filter_map(|(f, l)| l.then_some(f)).collect();
        let clues = left.len();
        let mut groups: Vec<Vec<String>> = Vec::new();
        let mut last = None;
        for fact in kept.iter().chain(&left) {
            let text = symbols.display(fact.1);
            if last.replace(fact.0) != Some(fact.0) {
                groups.push(Vec::new());
            }
            if let Some(group) = groups.last_mut().filter(|g| !g.contains(&text)) {
                group.push(text);
            }
        }
        self.checked(groups, clues, wish)
    }

    /// The instance of some facts, if its text has exactly one answer set and is as hard as wanted.
    fn checked(&self, facts: Vec<Vec<String>>, clues: usize, wish: Wish) -> Result<Made, Failure> {
        let text: String = facts.iter().flatten().map(|fact| format!("{fact}.\n")).collect();
        let instance = vec![Source::new("<instance>", text)];
        let texts = [&self.constants[..], &self.texts[..], &instance[..]].concat();
        let inquiry = Inquiry::open(&texts, self.empty, &Control::ground, &Which::default())?;
        let inference = Inference::new(inquiry.items(), inquiry.symbols());
        let (targets, interrupt) = (hint::targets(&inquiry), inquiry.control.interrupt());
        let start = inference.start(&inquiry.assumptions()).without_reasons();
        let difficulty = difficulty::rate(&inference, start, &targets, &interrupt);
        if let Some(reason) = interrupt.poll() {
            return Err(self.failed(Error::Stopped(reason)));
        }
        if wish.difficulty.is_some() && difficulty != wish.difficulty {
            return Ok(Made::NoneFits);
        }
        let mut control = self.grounded(&[&self.constants, &self.texts, &instance], true)?;
        if let Err(error) = control.lower() {
            return Err(Box::new((error, control)));
        }
        let found = count::first(&mut control, 2, true);
        let (mut sets, all) = found.map_err(|reason| self.failed(Error::Stopped(reason)))?;
        match (sets.pop(), sets.is_empty() && all) {
            (Some(solution), true) => {
                let minimal = matches!(wish.difficulty, None | Some(Difficulty::Expert));
                let made = Instance { facts, clues, difficulty, minimal, control, solution };
                Ok(Made::Instance(Box::new(made)))
            }
            _ => Ok(Made::NoneFits),
        }
    }
}
