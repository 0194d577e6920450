//! The library's propagator interface, by a worked example: all-different over integer-valued atoms, with the matching
//! argument of Régin, *A filtering algorithm for constraints of difference in CSPs*, AAAI 1994; and a budget that
//! counts as literals become true and are undone.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use asp::Control;
use asp::propagator::AtomLits;
use asp_engine::propagator::{Conflict, Context, Keep, Propagator, View};
use asp_engine::store::literal::Lit;

/// `q(X,V)`: the variable `X` has the value `V`. Variables have different values.
///
/// Invariant: after a call, no variable has a value left whose choice would leave the others without a matching.
struct AllDifferent {
    /// By variable: value, literal.
    domains: Vec<Vec<(usize, Lit)>>,
    values: usize,
    /// By value: the variable that has it in the last matching.
    owner: Vec<Option<usize>>,
    /// Explanations by number: true literals.
    reasons: Vec<Vec<Lit>>,
}

impl AllDifferent {
    /// Over the atoms of a predicate of two arguments.
    fn new(atoms: &AtomLits<'_>, name: &str) -> Self {
        let (mut keys, mut numbers) = (Vec::new(), Vec::new());
        let mut domains: Vec<Vec<(usize, Lit)>> = Vec::new();
        for (args, lit) in atoms.of(name, 2) {
            let value = atoms.integer(args[1]).expect("integer values");
            let x = keys.iter().position(|&k| k == args[0]).unwrap_or_else(|| {
                keys.push(args[0]);
                domains.push(Vec::new());
                keys.len() - 1
            });
            let v = numbers.iter().position(|&n| n == value).unwrap_or_else(|| {
                numbers.push(value);
                numbers.len() - 1
            });
            domains[x].push((v, lit));
        }
        let values = numbers.len();
        Self { domains, values, owner: vec![None; values], reasons: Vec::new() }
    }

    /// Searches for a value for a variable by an augmenting path; marks what it visits.
    fn augment(&mut self, view: View<'_>, x: usize, seen: &mut [bool]) -> bool {
        for i in 0..self.domains[x].len() {
            let (v, lit) = self.domains[x][i];
            if view.is_false(lit) || std::mem::replace(&mut seen[v], true) {
                continue;
            }
            if self.owner[v].is_none_or(|y| self.augment(view, y, seen)) {
                self.owner[v] = Some(x);
                return true;
            }
        }
        false
    }

    /// Why some variables have no values outside a set: the literals that are false.
    fn confined(&self, variables: &[usize], inside: &[bool]) -> Vec<Lit> {
        let domains = variables.iter().flat_map(|&x| &self.domains[x]);
        domains.filter(|(v, _)| !inside[*v]).map(|&(_, lit)| !lit).collect()
    }

    /// From a value: its owner, the owner's values, their owners and so on. `None` if a free value is among them.
    fn hall_set(&self, view: View<'_>, from: usize) -> Option<(Vec<usize>, Vec<bool>)> {
        let mut inside = vec![false; self.values];
        let (mut variables, mut open) = (Vec::new(), vec![from]);
        inside[from] = true;
        while let Some(v) = open.pop() {
            let x = self.owner[v]?;
            variables.push(x);
            for &(w, lit) in &self.domains[x] {
                if !view.is_false(lit) && !std::mem::replace(&mut inside[w], true) {
                    open.push(w);
                }
            }
        }
        Some((variables, inside))
    }
}

impl Propagator for AllDifferent {
    fn attach(&mut self, context: &mut Context<'_>) {
        for &(_, lit) in self.domains.iter().flatten() {
            context.watch(!lit);
        }
    }

    fn propagate(&mut self, context: &mut Context<'_>, _: &[Lit]) -> Result<(), Conflict> {
        self.owner.fill(None);
        for x in 0..self.domains.len() {
            let mut seen = vec![false; self.values];
            if !self.augment(context.view(), x, &mut seen) {
                // The variables on the failed paths have fewer values than there are variables.
                let mut short: Vec<usize> =
                    (0..self.values).filter(|&v| seen[v]).filter_map(|v| self.owner[v]).collect();
                short.push(x);
                return Err(context.conflict(&self.confined(&short, &seen)));
            }
        }
        for v in 0..self.values {
            let Some((variables, inside)) = self.hall_set(context.view(), v) else { continue };
            let because = self.confined(&variables, &inside);
            let number = self.reasons.len() as u32;
            let others: Vec<usize> = (0..self.domains.len()).filter(|x| !variables.contains(x)).collect();
            for x in others {
                for i in 0..self.domains[x].len() {
                    let (w, lit) = self.domains[x][i];
                    if inside[w] && context.value(lit) != Some(false) {
                        if self.reasons.len() as u32 == number {
                            self.reasons.push(because.clone());
                        }
                        context.enqueue(!lit, number)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn explain(&mut self, _: View<'_>, _: Lit, data: u32, because: &mut Vec<Lit>) {
        because.extend_from_slice(&self.reasons[data as usize]);
    }

    fn priority(&self) -> u32 {
        10
    }
}

/// Answer sets, sorted, each as one line of sorted atoms.
pub(super) fn answer_sets(control: &mut Control) -> Vec<String> {
    let mut found = Vec::new();
    control
        .solve(0, |answer| {
            let text = answer.to_string();
            let mut atoms: Vec<&str> = text.split(' ').collect();
            atoms.sort_unstable();
            found.push(atoms.join(" "));
            true
        })
        .unwrap();
    found.sort();
    found
}

/// Answer sets and conflicts of a program, with the propagator over `q/2` or without.
fn solve(program: &str, different: bool) -> (Vec<String>, u64) {
    let mut control = Control::new();
    control.add(program);
    if different {
        control.add_propagator(|atoms: &AtomLits<'_>| Box::new(AllDifferent::new(atoms, "q")));
    }
    let found = answer_sets(&mut control);
    (found, control.statistics().search.conflicts)
}

#[test]
fn the_same_answers_as_pairwise_constraints() {
    let shapes = [
        "x(1..3). dom(X,V) :- x(X), V = 1..4.",
        "x(1..4). dom(X,V) :- x(X), V = X..X+2, V != 4.",
        "x(a;b;c;d). dom(a,1..2). dom(b,1..2). dom(c,1..3). dom(d,2..5).",
        "x(1..4). dom(X,V) :- x(X), V = 1..3.",
        "x(1..5). dom(X,V) :- x(X), V = (X*X \\ 7; 2*X; 3).",
    ];
    for shape in shapes {
        let choice = format!("{shape} 1 {{ q(X,V) : dom(X,V) }} 1 :- x(X). #show q/2.");
        let pairs = format!("{choice} :- q(X,V), q(Y,V), X < Y.");
        assert_eq!(solve(&choice, true).0, solve(&pairs, false).0, "{shape}");
    }
}

#[test]
fn pigeons_are_counted_without_search() {
    let program = "x(1..9). 1 { q(X,1..8) } 1 :- x(X). #show q/2.";
    assert_eq!(solve(program, true), (Vec::new(), 1));
}

#[test]
fn propagators_follow_a_program_that_grows() {
    let mut control = Control::new();
    control.add("#program step(t). 1 { q(t,1..3) } 1. #show q/2.");
    control.add_propagator(|atoms: &AtomLits<'_>| Box::new(AllDifferent::new(atoms, "q")));
    for (t, count) in [(1, 3), (2, 6), (3, 6), (4, 0)] {
        let step = control.number(t);
        control.ground_parts(&[("step", vec![step])]).unwrap();
        assert_eq!(control.solve(0, |_| true).unwrap().models, count, "step {t}");
    }
}

/// The weights of true atoms `in(X)` are at most a budget: counted in `propagate`, uncounted in `undo`, and compared
/// with the model at the end.
struct Budget {
    terms: Vec<(Lit, i64)>,
    budget: i64,
    spent: i64,
    checked: Arc<AtomicI64>,
}

impl Propagator for Budget {
    fn attach(&mut self, context: &mut Context<'_>) {
        self.terms.iter().for_each(|t| context.watch(t.0));
    }
    fn propagate(&mut self, context: &mut Context<'_>, changed: &[Lit]) -> Result<(), Conflict> {
        let weight = |lit: &Lit| self.terms.iter().filter(|t| t.0 == *lit).map(|t| t.1).sum::<i64>();
        self.spent += changed.iter().map(weight).sum::<i64>();
        let left = self.budget - self.spent;
        let spent: Vec<Lit> = self.terms.iter().map(|t| t.0).filter(|&l| context.is_true(l)).collect();
        if left < 0 {
            return context.add_nogood(&spent, Keep::WhileUseful);
        }
        for &(lit, _) in self.terms.iter().filter(|t| t.1 > left) {
            if context.value(lit).is_none() {
                let mut together = spent.clone();
                together.push(lit);
                context.add_nogood(&together, Keep::WhileUseful)?;
            }
        }
        Ok(())
    }
    fn explain(&mut self, _: View<'_>, _: Lit, _: u32, _: &mut Vec<Lit>) {}
    fn undo(&mut self, _: u32, undone: &[Lit]) {
        let weight = |lit: &Lit| self.terms.iter().filter(|t| t.0 == *lit).map(|t| t.1).sum::<i64>();
        self.spent -= undone.iter().map(weight).sum::<i64>();
    }
    fn check_model(&mut self, context: &mut Context<'_>) -> Result<(), Conflict> {
        let spent: i64 = self.terms.iter().filter(|t| context.is_true(t.0)).map(|t| t.1).sum();
        assert_eq!(spent, self.spent, "counted and uncounted");
        self.checked.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

#[test]
fn a_budget_counts_what_comes_and_goes() {
    let items = "{ in(1..9) }. :- in(X), in(X+1), in(X+2). two :- 2 { in(1..9) }. :- not two. #show in/1.";
    let mut control = Control::new();
    control.add(items);
    let checked = Arc::new(AtomicI64::new(0));
    let count = checked.clone();
    control.add_propagator(move |atoms: &AtomLits<'_>| {
        let terms =
            atoms.of("in", 1).iter().map(|(args, lit)| (*lit, atoms.integer(args[0]).unwrap())).collect();
        Box::new(Budget { terms, budget: 14, spent: 0, checked: count.clone() })
    });
    let models = control.solve(0, |_| true).unwrap().models;
    let by_rule = solve(&format!("{items} :- #sum {{ X : in(X) }} > 14."), false).0.len() as u64;
    assert_eq!(models, by_rule);
    assert!(checked.load(Ordering::Relaxed) >= models as i64);
}
