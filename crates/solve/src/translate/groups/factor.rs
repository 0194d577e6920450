//! Atoms with many bodies of two literals: common literals are factored out.
//!
//! An atom that holds if `x, y1`, or `x, y2`, or `x, y3` (hidden if there is a greater one before) needs no variable for each
//! body: it holds if `x` does and one of the others. So there is one new variable for "one of the others", or none if they are
//! those of another `x` and some more: then each is defined by the next smaller one, as maxima are in an order encoding. Learned
//! clauses express "one of these" in one literal.
//!
//! Invariant: removed bodies are used by one atom alone, which is in no positive cycle; the values of the literals determine all
//! new variables. Source: Manthey, Heule and Biere, *Automated reencoding of Boolean formulas*, HVC 2012 (bounded variable
//! addition).

use crate::translate::body_table::{BodyId, Node, Value};
use crate::translate::completion::Variables;
use crate::translate::dependency::Components;
use crate::translate::prepared::Prepared;
use asp_base::index_vec::Idx;
use asp_base::map::Map;
use asp_engine::Engine;
use asp_engine::store::literal::Lit;
use asp_program::Literal;

/// Fewer bodies are left as they are, and bodies with more than a part of as many different first literals.
const MIN_BODIES: usize = 6;
const MIN_SHARE: usize = 2;

/// An atom with its bodies: a literal that several have, and the others of these.
#[derive(Debug)]
pub(crate) struct Factored {
    pub(crate) atom: usize,
    parts: Vec<(Literal, Vec<Literal>)>,
}

/// The factored bodies.
#[derive(Debug, Default)]
pub(crate) struct Factors {
    /// By atom, in order.
    pub(crate) atoms: Vec<Factored>,
    /// By body: whether it is part of one of them.
    is_part: Vec<bool>,
}

impl Factors {
    /// Whether a body is only a part of an atom that was found.
    pub(crate) fn has(&self, body: BodyId) -> bool {
        self.is_part.get(body.index()).is_some_and(|&b| b)
    }
    /// The parts of an atom.
    pub(crate) fn of(&self, atom: usize) -> Option<&Factored> {
        self.atoms.binary_search_by_key(&atom, |f| f.atom).ok().map(|i| &self.atoms[i])
    }
}

/// The body of two literals that a support stands for.
fn pair(p: &Prepared, node: Node) -> Option<(BodyId, Literal, Literal)> {
    let rep = p.classes.find_const(node);
    if rep.is_constant() || rep.is_neg() || rep.index() < p.atoms {
        return None;
    }
    let body = p.bodies.body_of(rep);
    match (p.bodies.literals(body), p.bodies.weights(body)) {
        (&[a, b], None) => Some((body, a, b)),
        _ => None,
    }
}

/// Finds atoms with many such bodies. `from`: atoms before it were translated earlier.
pub(crate) fn find(p: &Prepared, components: &Components, from: usize) -> Factors {
    let mut out = Factors::default();
    if !p.disjunctions.is_empty() {
        return out;
    }
    // By body: how many supports it is.
    let mut uses = vec![0u8; p.bodies.len()];
    for a in 0..p.atoms {
        for s in p.supports(a) {
            let rep = p.classes.find_const(s.node());
            if !rep.is_constant() && rep.index() >= p.atoms {
                let n = &mut uses[p.bodies.body_of(rep).index()];
                *n = n.saturating_add(1);
            }
        }
    }
    out.is_part = vec![false; p.bodies.len()];
    for a in from..p.atoms {
        let node = Node::at(a);
        if p.values[a] != Value::Unknown
            || components.of(a) != 0
            || p.supports(a).len() < MIN_BODIES
            || p.classes.find_const(node) != node
        {
            continue;
        }
        let mut bodies: Vec<(BodyId, Literal, Literal)> = Vec::new();
        for s in p.supports(a).iter().filter(|s| !s.is_choice()) {
            bodies.extend(pair(p, s.node()).filter(|t| uses[t.0.index()] == 1));
        }
        if bodies.len() < MIN_BODIES {
            continue;
        }
        let Some(parts) = split(&bodies) else { continue };
        bodies.iter().for_each(|t| out.is_part[t.0.index()] = true);
        out.atoms.push(Factored { atom: a, parts });
    }
    out
}

/// Splits pairs at one literal each, so that there are few of these; `None` if that is impossible.
fn split(bodies: &[(BodyId, Literal, Literal)]) -> Option<Vec<(Literal, Vec<Literal>)>> {
    // The pairs as edges: two colours so that each has both, if that is possible.
    let mut numbers: Map<Literal, usize> = Map::default();
    let mut names: Vec<Literal> = Vec::new();
    let mut edges: Vec<Vec<usize>> = Vec::new();
    for &(_, a, b) in bodies {
        let [a, b] = [a, b].map(|l| {
            *numbers.entry(l).or_insert_with(|| {
                names.push(l);
                edges.push(Vec::new());
                names.len() - 1
            })
        });
        edges[a].push(b);
        edges[b].push(a);
    }
    let mut colour: Vec<Option<bool>> = vec![None; names.len()];
    let mut open: Vec<usize> = Vec::new();
    for start in 0..names.len() {
        if colour[start].is_some() {
            continue;
        }
        let mut part = vec![start];
        colour[start] = Some(true);
        open.push(start);
        while let Some(at) = open.pop() {
            for &next in &edges[at] {
                let other = colour[at].map(|c| !c);
                if colour[next].is_none() {
                    colour[next] = other;
                    part.push(next);
                    open.push(next);
                } else if colour[next] != other {
                    return None;
                }
            }
        }
        // The smaller side of each component has the colour "true".
        let yes = part.iter().filter(|&&i| colour[i] == Some(true)).count();
        if 2 * yes > part.len() {
            part.iter().for_each(|&i| colour[i] = colour[i].map(|c| !c));
        }
    }
    let mut parts: Vec<(Literal, Vec<Literal>)> = Vec::new();
    for (i, &name) in names.iter().enumerate().filter(|(i, _)| colour[*i] == Some(true)) {
        let mut others: Vec<Literal> = edges[i].iter().map(|&j| names[j]).collect();
        others.sort_unstable();
        others.dedup();
        parts.push((name, others));
    }
    if MIN_SHARE * parts.len() > bodies.len() {
        return None;
    }
    // Smaller ones first, so that the next may contain the one before.
    parts.sort_by_key(|part| (part.1.len(), part.0));
    Some(parts)
}

impl Factored {
    /// Adds the parts as clauses; the literals of which one must hold if the atom does are added to its support. `false`:
    /// there is no model.
    pub(crate) fn add(
        &self,
        p: &Prepared,
        vars: &Variables,
        engine: &mut Engine,
        support: &mut Vec<Lit>,
    ) -> bool {
        let own = vars.get(p, Node::at(self.atom));
        let mut ok = true;
        let mut last: Option<(&[Literal], Lit)> = None;
        for (first, others) in &self.parts {
            let first = vars.of(p, *first);
            let mut any: Vec<Lit> = Vec::new();
            match last {
                Some((before, one)) if before.iter().all(|l| others.binary_search(l).is_ok()) => {
                    any.push(one);
                    let new = others.iter().filter(|l| before.binary_search(l).is_err());
                    any.extend(new.map(|&l| vars.of(p, l)));
                }
                _ => any.extend(others.iter().map(|&l| vars.of(p, l))),
            }
            let one = match any.as_slice() {
                &[l] => l,
                _ => {
                    let one = fresh(engine);
                    for &l in &any {
                        ok = ok && engine.add_clause(&[one, !l]);
                    }
                    any.push(!one);
                    ok = ok && engine.add_clause(&any);
                    one
                }
            };
            last = Some((others, one));
            let both = fresh(engine);
            ok = ok
                && engine.add_clause(&[!both, first])
                && engine.add_clause(&[!both, one])
                && engine.add_clause(&[both, !first, !one])
                && engine.add_clause(&[own, !both]);
            support.push(both);
        }
        ok
    }
}

fn fresh(engine: &mut Engine) -> Lit {
    let var = engine.new_var();
    engine.suggest_phase(var, true);
    Lit::pos(var)
}
