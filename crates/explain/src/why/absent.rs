//! Why an atom does not hold in an answer set in which it may be left out.

use crate::inquiry::Inquiry;
use crate::inquiry::formula;
use crate::renderer::{Renderer, and};
use crate::tree::{self, Node};
use crate::unsat_core::CoreFinder;
use asp_base::map::Set;
use asp_program::rule::Head;
use asp_program::{AtomId, Literal};

/// Why an atom does not hold in an answer set: for each of its rules, what keeps it from deriving the atom.
pub(crate) fn absent(inquiry: &Inquiry, atom: AtomId, model: &[bool]) -> Node {
    let (renderer, items) = (Renderer::new(inquiry), inquiry.items());
    let values: Vec<Option<bool>> = model.iter().map(|&m| Some(m)).collect();
    let mut node = Node::new(format!("not {}", renderer.atom(atom)));
    let supports = &items.supports[atom.0 as usize];
    let mut tried = false;
    node.reason = match supports.len() {
        0 => "no rule derives it".into(),
        _ => "none of these derives it".into(),
    };
    for support in supports {
        let holds = support.applies().truth(&values, inquiry.symbols()) == Some(true);
        let text = if holds {
            "it could be chosen here, but is not".to_string()
        } else {
            let mut missing: Vec<Literal> = Vec::new();
            support.applies().for_each(&mut |l| {
                if formula::value(l, &values) == Some(false) && !missing.contains(&l) {
                    missing.push(l);
                }
            });
            let told = |negative: bool, verbs: [&str; 2]| {
                let of = missing.iter().filter(|l| l.is_neg() == negative);
                let atoms: Vec<String> = of.map(|l| renderer.atom_in(l.atom(), model)).collect();
                let verb = verbs[usize::from(atoms.len() > 1)];
                (!atoms.is_empty()).then(|| format!("{} {verb}", and(&atoms)))
            };
            let parts = [told(false, ["does not hold", "do not hold"]), told(true, ["holds", "hold"])];
            let parts: Vec<String> = parts.into_iter().flatten().collect();
            if parts.is_empty() { "its body does not hold".to_string() } else { parts.join(", and ") }
        };
        let mut child = Node { place: renderer.place(support.origin), ..Node::new(text) };
        if holds && !tried {
            tried = true;
            if let Some(denied) = if_chosen(inquiry, atom, model) {
                child.text = "it could be chosen here, but with the other choices as they are, these deny it"
                    .to_string();
                child.children = denied;
            }
        }
        node.children.push(child);
    }
    node.children = tree::merged(node.children);
    node
}

/// What denies an atom that could be chosen if all other choices stay as they are in an answer set, but for those that share its bounds.
fn if_chosen(inquiry: &Inquiry, atom: AtomId, model: &[bool]) -> Option<Vec<Node>> {
    let program = inquiry.program();
    let mut free: Set<AtomId> = Set::default();
    let mut chosen: Vec<AtomId> = Vec::new();
    for rule in program.rules.iter() {
        if let Head::Choice(heads) = rule.head {
            chosen.extend(heads);
        }
    }
    for rule in &program.head_aggregates {
        let atoms = || rule.elements.iter().filter_map(|e| e.atom);
        chosen.extend(atoms());
        if atoms().any(|a| a == atom) {
            free.extend(atoms());
        }
    }
    free.insert(atom);
    free.extend(inquiry.facts.iter().map(|fact| fact.0));
    // Values of integer variables follow from what is chosen.
    chosen.retain(|&a| !free.contains(&a) && program.atoms.get(a).is_some());
    chosen.sort_unstable();
    chosen.dedup();
    let known: Vec<Literal> = chosen.into_iter().map(|a| Literal::new(a, !model[a.0 as usize])).collect();
    let mut denied = CoreFinder::new(inquiry).ok()?.why(Literal::neg(atom), &known).ok()?.node.children;
    denied
        .iter_mut()
        .filter(|part| part.reason == "known")
        .for_each(|part| part.reason = "as it is here".into());
    (!denied.is_empty()).then_some(denied)
}
