//! Replies to "what is decided already", hint by hint, in the words of the picture if answer sets are drawn as a grid.

use serde_json::{Value, json};

use super::atoms;
use super::listing;
use super::phrases::tree_text;
use asp_base::map::{Map, Set};
use asp_base::symbol::SymView;
use asp_explain::hint::{Hint, Left, Level};
use asp_explain::inquiry::Inquiry;
use asp_explain::renderer::Renderer;
use asp_explain::tree::Section;
use asp_picture::{Atom, Painter, Saying, Scene};
use asp_program::AtomId;
use asp_program::rule::{Body, Head};

/// Lets explanations speak of cells, `R2C3 is 4`, instead of the atoms that the picture draws there: by their shape, or by rules
/// for `render_cell` that such an atom alone decides.
pub fn speak(inquiry: &mut Inquiry) {
    let cells = sayings(inquiry);
    inquiry.sayings.extend(cells);
}

fn sayings(inquiry: &Inquiry) -> Map<AtomId, Saying> {
    let (program, symbols) = (inquiry.program(), inquiry.symbols());
    let given: Set<AtomId> = inquiry.facts.iter().map(|fact| fact.0).collect();
    let named = |atom: AtomId| {
        let (signature, args) = program.atoms.get(atom).filter(|(signature, _)| !signature.negative)?;
        Some(Atom { name: symbols.str(signature.name), args })
    };
    let mut sayings: Map<AtomId, Saying> = Map::default();
    let mut facts = atoms::facts(program, symbols);
    facts.extend(inquiry.facts.iter().filter_map(|fact| named(fact.0)));
    let possible = listing::atoms(&inquiry.control, &vec![true; program.shows.len()]);
    let shown: Set<&str> = possible.iter().map(|atom| atom.name).collect();
    let scene = Scene { facts, possible: possible.clone() };
    if let Ok(painter) = Painter::new(symbols, &scene, &possible, None, true) {
        let is_shown = |atom: &Atom<'_>| shown.contains(atom.name);
        let drawn = program.atoms.ids().filter(|atom| !given.contains(atom));
        let drawn = drawn.filter_map(|id| Some((id, named(id).filter(is_shown)?)));
        sayings.extend(drawn.filter_map(|(id, atom)| Some((id, painter.says(symbols, &atom)?))));
    }
    let stated = program.rules.iter().filter_map(|rule| {
        let (Head::Disjunction(&[head]), Body::Normal(body)) = (rule.head, rule.body) else { return None };
        let Atom { name: "render_cell", args: &[row, column, text] } = named(head)? else { return None };
        let mut decides = body.iter().filter(|literal| !given.contains(&literal.atom()));
        let (Some(&literal), None) = (decides.next(), decides.next()) else { return None };
        let place = (symbols.as_num(row)?, symbols.as_num(column)?);
        let text = match symbols.view(text) {
            SymView::Str(text) => symbols.str(text).to_string(),
            _ => symbols.display(text),
        };
        (!literal.is_neg() && named(literal.atom()).is_some())
            .then(|| (literal.atom(), Saying::value(place, &text)))
    });
    for (atom, saying) in stated {
        sayings.entry(atom).or_insert(saying);
    }
    sayings
}

/// A hint as text, with its number.
pub fn text(number: usize, hint: &Hint, full: bool) -> String {
    let steps = if hint.steps == 1 { "1 step".into() } else { format!("{} steps", hint.steps) };
    let how = match hint.level {
        Level::Inference => steps,
        Level::Trial => format!("{steps}, by trying"),
        Level::Search => "by search".into(),
    };
    format!("Hint {number} ({how})\n{}\n", tree_text(&hint.why, full))
}

/// A hint as JSON.
pub fn json(hint: &Hint, renderer: &Renderer<'_>) -> Value {
    json!({
        "atom": hint.what.text(renderer),
        "holds": hint.what.holds(),
        "says": hint.what.says(renderer),
        "level": format!("{:?}", hint.level).to_lowercase(),
        "steps": hint.steps,
        "why": hint.why.to_json(),
    })
}

/// A hint as a section of a page.
pub fn section(number: usize, hint: &Hint, renderer: &Renderer<'_>) -> Section {
    let heading = format!("{number}. {}", hint.what.says(renderer));
    Section { heading, trees: vec![hint.why.clone()], ..Section::default() }
}

/// All hints as JSON; after the last one, the numbers of open atoms, of atoms that cannot hold, of integers with several values,
/// and of terms not covered, if there are any.
pub fn summary(hints: Vec<Value>, left: Option<Left>) -> Value {
    let mut all = json!({ "hints": hints, "open": left.map(|left| left.open) });
    if let Some(left) = left {
        all["never"] = left.never.into();
        for (name, number) in [("varying", left.varying), ("terms", left.terms)] {
            if number > 0 {
                all[name] = number.into();
            }
        }
    }
    all
}

/// The text after the last hint.
pub fn rest(left: Left, none: bool) -> String {
    let Left { open, never, varying, terms } = left;
    let never = match never {
        0 => String::new(),
        1 => "; one other cannot hold".into(),
        n => format!("; {n} others cannot hold"),
    };
    let atoms = match open {
        0 if varying + terms > 0 => "",
        0 if none => {
            "Nothing is left to decide: what is shown is given, follows from facts, or cannot hold.\n"
        }
        0 => "Everything is decided.\n",
        1 => &format!("One atom is open: it holds in some answer sets{never}.\n"),
        n => &format!("{n} atoms are open: they hold in some answer sets{never}.\n"),
    };
    let values = match varying {
        0 => "",
        1 => "One integer variable has several values.\n",
        n => &format!("{n} integer variables have several values.\n"),
    };
    let terms = match terms {
        0 => "",
        1 => "One shown term looks like an atom of the program; nothing is said of it.\n",
        n => &format!("{n} shown terms look like atoms of the program; nothing is said of them.\n"),
    };
    format!("{atoms}{values}{terms}")
}
