//! Theories: propagators that last from call to call. Random nogoods done by one are the same as constraints; what a
//! theory is told and told to be undone is the assignment.

use std::sync::{Arc, Mutex};

use asp::backend::{AtomId, Literal};
use asp::propagator::{Assignment, CheckMode, Failure, Init, Lifetime, Misuse, Search, SumKind, Theory};
use asp::{Control, Error};
use asp_base::rng::Rng;

use crate::propagator::answer_sets as solve;

const ATOMS: usize = 7;

/// How nogoods are found to be violated.
#[derive(Clone, Copy, Debug)]
enum When {
    /// When watched literals become true.
    Changes,
    /// At fixpoints.
    Fixpoints,
    /// On total assignments.
    Total,
}

/// Nogoods over `p(1..n)`, and a mirror of what the theory is told.
struct Nogoods {
    /// Sets of literals: atoms from 1, negative ones for atoms that do not hold.
    nogoods: Vec<Vec<i32>>,
    when: When,
    lifetime: Lifetime,
    /// By atom, from 0.
    literals: Vec<i32>,
    /// What was told and is true.
    mirror: Vec<i32>,
    /// Literals that are decided first.
    favourites: Vec<i32>,
    calls: u64,
}

impl Nogoods {
    fn new(rng: &mut Rng) -> Self {
        let literal = |rng: &mut Rng| {
            let atom = 1 + rng.below(ATOMS as u64) as i32;
            if rng.chance(0.4) { -atom } else { atom }
        };
        let count = 1 + rng.below(8);
        let nogoods = (0..count).map(|_| (0..1 + rng.below(3)).map(|_| literal(rng)).collect()).collect();
        let favourites = (0..rng.below(3)).map(|_| literal(rng)).collect();
        let when = [When::Changes, When::Fixpoints, When::Total][rng.below(3) as usize];
        let lifetime = Lifetime { kept: rng.chance(0.5), volatile: rng.chance(0.5) };
        Self { nogoods, when, lifetime, literals: Vec::new(), mirror: Vec::new(), favourites, calls: 0 }
    }
    fn constraints(&self) -> String {
        let literal = |l: &i32| if *l > 0 { format!("p({l})") } else { format!("not p({})", -l) };
        let line = |n: &Vec<i32>| format!(":- {}.", n.iter().map(literal).collect::<Vec<_>>().join(", "));
        self.nogoods.iter().map(line).collect::<Vec<_>>().join("\n")
    }
    fn solver_literal(&self, literal: i32) -> i32 {
        self.literals[literal.unsigned_abs() as usize - 1] * literal.signum()
    }
    /// Adds clauses for the nogoods that are violated or about to be.
    fn look(&mut self, search: &mut Search<'_, '_>) -> Result<(), Failure> {
        for nogood in &self.nogoods {
            let clause: Vec<i32> = nogood.iter().map(|&l| -self.solver_literal(l)).collect();
            let assignment = search.assignment();
            let mut open = 0;
            let mut holds = false;
            for &l in &clause {
                open += usize::from(assignment.value(l)?.is_none());
                holds |= assignment.is_true(l)?;
            }
            if !holds && open < 2 && !(search.add_clause(&clause, self.lifetime)? && search.propagate()) {
                return Ok(());
            }
        }
        Ok(())
    }
    fn compare(&self, assignment: Assignment<'_>) {
        for &literal in &self.mirror {
            assert!(assignment.is_true(literal).unwrap(), "{literal} was told");
        }
        for literal in assignment.trail() {
            assert!(assignment.is_true(literal).unwrap() && assignment.is_false(-literal).unwrap());
            let level = assignment.level(literal).unwrap().unwrap();
            let place = assignment.trail().position(|l| l == literal).unwrap() as u32;
            assert!(
                assignment.trail_begin(level).unwrap() <= place
                    && place < assignment.trail_end(level).unwrap()
            );
        }
        for level in 1..=assignment.decision_level() {
            assert_eq!(assignment.trail_end(level - 1), assignment.trail_begin(level));
        }
        assert!(assignment.decision(assignment.decision_level() + 1).is_err());
    }
}

/// A theory that is looked into from outside.
struct Shared(Arc<Mutex<Nogoods>>);

impl Theory for Shared {
    fn init(&mut self, init: &mut Init<'_, '_>) -> Result<(), Failure> {
        let mut this = self.0.lock().unwrap();
        this.calls += 1;
        let first = this.literals.is_empty();
        let mut literals = vec![0; ATOMS];
        for (args, literal) in init.atoms("p", 1) {
            let number: usize = init.ground().symbols().display(args[0]).parse()?;
            literals[number - 1] = literal;
            init.add_watch(literal)?;
            init.add_watch(-literal)?;
        }
        assert!(first || literals == this.literals, "numbers change");
        this.literals = literals;
        *init.check_mode() = CheckMode { fixpoints: matches!(this.when, When::Fixpoints), total: true };
        Ok(())
    }
    fn propagate(&mut self, search: &mut Search<'_, '_>, changes: &[i32]) -> Result<(), Failure> {
        let mut this = self.0.lock().unwrap();
        this.mirror.extend_from_slice(changes);
        this.compare(search.assignment());
        if matches!(this.when, When::Changes) { this.look(search) } else { Ok(()) }
    }
    fn undo(&mut self, assignment: Assignment<'_>, changes: &[i32]) {
        let mut this = self.0.lock().unwrap();
        for _ in changes {
            this.mirror.pop();
        }
        assert!(changes.iter().all(|&l| assignment.value(l) == Ok(None) && !this.mirror.contains(&l)));
        this.compare(assignment);
    }
    fn check(&mut self, search: &mut Search<'_, '_>) -> Result<(), Failure> {
        let mut this = self.0.lock().unwrap();
        this.compare(search.assignment());
        if search.assignment().is_total() {
            for &literal in &this.literals {
                assert!(this.mirror.contains(&literal) != this.mirror.contains(&-literal));
            }
        }
        this.look(search)
    }
    fn decide(&mut self, assignment: Assignment<'_>, _: i32) -> Result<i32, Failure> {
        let this = self.0.lock().unwrap();
        let literals = this.favourites.iter().map(|&f| this.solver_literal(f));
        let mut free = literals.filter(|&l| assignment.value(l) == Ok(None));
        Ok(free.next().unwrap_or(0))
    }
    fn decides(&self) -> bool {
        true
    }
}

#[test]
fn random_nogoods_are_those_of_constraints() {
    let base = format!(
        "{{ p(1..{ATOMS}) }}. q(X) :- p(X), not r(X). r(X) :- p(X), not q(X), X < 3.\n#external e. :- not e, p(1), p(2). s :- p(1), not p(3). s :- p(4). :- p(5), not s."
    );
    for seed in 0..120 {
        let mut rng = Rng::new(seed);
        let nogoods = Nogoods::new(&mut rng);
        let what =
            format!("seed {seed}: {:?} {:?}\n{}", nogoods.when, nogoods.lifetime, nogoods.constraints());
        let mut by_rules = Control::new();
        by_rules.add(&format!("{base}\n{}", nogoods.constraints()));
        let mut by_theory = Control::new();
        by_theory.add(&base);
        let shared = Arc::new(Mutex::new(nogoods));
        by_theory.add_theory(Shared(shared.clone()));
        for step in 0..3 {
            assert_eq!(solve(&mut by_theory), solve(&mut by_rules), "{what}\nstep {step}");
            assert!(shared.lock().unwrap().calls <= step + 1);
            match rng.below(4) {
                0 => {
                    for control in [&mut by_rules, &mut by_theory] {
                        let term = control.parse_term("e").unwrap();
                        control.assign_external(term, step % 2 == 0).unwrap();
                    }
                }
                1 => {
                    for control in [&mut by_rules, &mut by_theory] {
                        control.settings.solve.solver.seed += 1;
                    }
                }
                2 => {
                    for control in [&mut by_rules, &mut by_theory] {
                        control.add_part("more", &["k"], "{ t(k) }. :- t(k), p(k).").unwrap();
                        let k = control.number(step as i64 + 1);
                        control.ground_parts(&[("more", vec![k])]).unwrap();
                    }
                }
                _ => {}
            }
        }
    }
}

/// What a theory adds before calls.
struct Additions(u32);

impl Theory for Additions {
    fn init(&mut self, init: &mut Init<'_, '_>) -> Result<(), Failure> {
        self.0 += 1;
        let p: Vec<i32> = init.atoms("p", 1).iter().map(|a| a.1).collect();
        if self.0 == 1 {
            let own = init.add_literal();
            // own if and only if p(1) + 2 p(2) + 3 p(3) = 3, and own or p(1).
            let terms = [(p[0], 1), (p[1], 2), (p[2], 3)];
            assert!(init.add_sum(own, &terms, 3, SumKind::Equivalence, true)?);
            assert!(init.add_clause(&[own, p[0]])?);
            init.add_cost(own, 5, 1)?;
            init.add_cost(p[3], -1, 0)?;
            assert!(init.propagate());
            assert!(init.add_clause(&[99]).is_err() && init.assignment().level(99).is_err());
        }
        Ok(())
    }
}

#[test]
fn additions_before_calls_stay() {
    let mut control = Control::new();
    control.add("{ p(1..4) }.");
    control.add_theory(Additions(0));
    control.settings.solve.opt_mode = asp::options::OptMode::Ignore;
    // Without own: p(1), and not p(3) alone or p(1), p(2) alone. With own: p(3) alone, or p(1), p(2).
    let expected = 2 * (2 + 1 + 1 + 1);
    for step in 0..3 {
        assert_eq!(solve(&mut control).len(), expected, "step {step}");
        control.settings.solve.solver.seed += 1;
    }
    control.settings.solve.opt_mode = asp::options::OptMode::Opt;
    let mut costs = Vec::new();
    control.answers().start().unwrap();
    control
        .solve(0, |answer| {
            costs = answer.costs().to_vec();
            true
        })
        .unwrap();
    assert_eq!(costs, [0, -1]);
}

/// Literals of a call: `p(1)` and `p(2)` are equal by a literal that is made when it is needed, and clauses, some of which are
/// still to be added.
#[derive(Default)]
struct Lazy(Vec<i32>, Vec<([i32; 2], bool)>);

impl Theory for Lazy {
    fn init(&mut self, init: &mut Init<'_, '_>) -> Result<(), Failure> {
        self.0 = init.atoms("p", 1).iter().map(|a| a.1).collect();
        self.1.clear();
        Ok(())
    }
    fn check(&mut self, search: &mut Search<'_, '_>) -> Result<(), Failure> {
        if self.0.len() == 2 {
            let own = search.add_literal()?;
            assert!(!search.has_watch(own));
            search.add_watch(own)?;
            assert!(search.has_watch(own) && !search.has_watch(-own));
            self.1 = self.0.iter().flat_map(|&p| [([-own, p], false), ([own, -p], true)]).collect();
            self.0.push(own);
        }
        while let Some((clause, kept)) = self.1.pop() {
            if !search.add_clause(&clause, Lifetime { kept, volatile: false })? {
                break;
            }
        }
        Ok(())
    }
}

#[test]
fn literals_of_a_call_end_with_it() {
    let mut control = Control::new();
    control.add("{ p(1..2) }.");
    control.add_theory(Lazy::default());
    for _ in 0..3 {
        assert_eq!(solve(&mut control), ["", "p(1) p(2)"]);
    }
}

/// Fails somewhere.
struct Fails(&'static str, bool);

impl Fails {
    fn at(&self, place: &str) -> Result<(), Failure> {
        if self.0 == place && self.1 { Err(format!("no {place}").into()) } else { Ok(()) }
    }
}

impl Theory for Fails {
    fn init(&mut self, init: &mut Init<'_, '_>) -> Result<(), Failure> {
        for (_, literal) in init.atoms("p", 1) {
            init.add_watch(literal)?;
            init.add_watch(-literal)?;
        }
        self.at("init")
    }
    fn propagate(&mut self, _: &mut Search<'_, '_>, _: &[i32]) -> Result<(), Failure> {
        self.at("propagate")
    }
    fn check(&mut self, _: &mut Search<'_, '_>) -> Result<(), Failure> {
        self.at("check")
    }
    fn decide(&mut self, _: Assignment<'_>, _: i32) -> Result<i32, Failure> {
        self.at("decide").map(|()| 0)
    }
    fn decides(&self) -> bool {
        true
    }
}

#[test]
fn failures_end_the_call() {
    for place in ["init", "propagate", "check", "decide"] {
        let mut control = Control::new();
        control.add("{ p(1..3) }.");
        control.add_theory(Fails(place, true));
        for _ in 0..2 {
            let error = control.solve(0, |_| true).unwrap_err();
            assert!(
                matches!(&error, Error::Theory(_)) && error.to_string() == format!("no {place}"),
                "{error}"
            );
        }
        let mut control = Control::new();
        control.add("{ p(1..3) }.");
        control.add_theory(Fails(place, false));
        assert_eq!(solve(&mut control).len(), 8);
    }
}

const THEORY: &str = "#theory t { x { - : 1, unary }; &a/1 : x, any }. ";

/// The theory atoms of the present step.
fn present(control: &Control) -> Vec<AtomId> {
    control.as_ground().program().theory.present().iter().filter_map(|a| a.atom).collect()
}

#[test]
fn theory_atoms_are_free_until_something_defines_them() {
    for later in [false, true] {
        let mut control = Control::new();
        control.add(THEORY);
        control.add("{ q }. p :- &a(1) { }.");
        control.ground().unwrap();
        let atom = present(&control)[0];
        if later {
            assert_eq!(solve(&mut control), ["", "p", "p q", "q"]);
        }
        let q = control.evaluate_term("q").unwrap();
        let mut backend = control.backend();
        let q = backend.atom(q).unwrap();
        backend.rule(false, &[atom], &[Literal::pos(q)]);
        assert_eq!(solve(&mut control), ["", "p q"]);
    }
    // A rule that never applies defines its atom, too.
    for (rule, answers) in [("&a(1) { } :- q, not q.", 2), ("&a(1) { } :- &a(1) { }.", 2), ("", 4)] {
        let mut control = Control::new();
        control.add(THEORY);
        control.add("{ q }. p :- &a(1) { }.");
        control.add(rule);
        assert_eq!(solve(&mut control).len(), answers, "{rule}");
    }
}

#[test]
fn theory_atoms_of_the_backend_are_free_and_belong_to_their_step() {
    let mut control = Control::new();
    control.add("{ q }.");
    control.ground().unwrap();
    for step in 1..4 {
        let name = control.evaluate_term(&format!("n({step})")).unwrap();
        let mut backend = control.backend();
        let term = backend.theory_symbol("a");
        let own = backend.auxiliary();
        let atom = backend.theory_atom(Some(own), term, &[], None).unwrap();
        let other = backend.auxiliary();
        assert_eq!(backend.theory_atom(Some(other), term, &[], None), Some(atom));
        let name = backend.atom(name).unwrap();
        backend.rule(false, &[name], &[Literal::pos(atom)]);
        assert_eq!(present(&control), [atom]);
        assert_eq!(solve(&mut control).len(), 1 << (step + 1));
        assert_eq!(present(&control), []);
    }
}

/// Adds a clause that is unit at the first level when all but one literal have values.
#[derive(Default)]
struct Jumps {
    literals: Vec<i32>,
    wanted: Option<i32>,
    /// The level at which it is called next.
    next: Arc<Mutex<Option<u32>>>,
}

impl Theory for Jumps {
    fn init(&mut self, init: &mut Init<'_, '_>) -> Result<(), Failure> {
        self.literals = init.atoms("p", 1).iter().map(|atom| atom.1).collect();
        Ok(self.literals.iter().flat_map(|&l| [l, -l]).try_for_each(|l| init.add_watch(l))?)
    }
    fn propagate(&mut self, search: &mut Search<'_, '_>, _: &[i32]) -> Result<(), Failure> {
        let mut open = Vec::new();
        for &literal in &self.literals {
            open.extend(Some(literal).filter(|&l| search.assignment().value(l) == Ok(None)));
        }
        let base = search.assignment().root_level();
        if let Some(wanted) = self.wanted {
            assert_eq!(search.assignment().value(wanted), Ok(Some(true)));
            self.next.lock().unwrap().get_or_insert(search.assignment().decision_level() - base);
        } else if let ([open], 3..) = (&open[..], search.assignment().decision_level() - base) {
            self.wanted = Some(*open);
            let first = search.assignment().decision(base + 1)?;
            assert_eq!(search.add_clause(&[-first, *open], Lifetime::default()), Ok(false));
            assert_eq!(search.assignment().value(*open), Ok(None));
            assert_eq!(search.add_clause(&[first, *open], Lifetime::default()), Err(Misuse::Jumping));
        }
        Ok(())
    }
}

#[test]
fn the_search_goes_back_to_where_a_clause_is_unit() {
    let mut control = Control::new();
    control.add("{ p(1..6) }.");
    let jumps = Jumps::default();
    let next = jumps.next.clone();
    control.add_theory(jumps);
    assert!(control.solve(1, |_| true).unwrap().satisfiable);
    assert_eq!(*next.lock().unwrap(), Some(1));
}

/// Neighbours have different colours, in several threads: by clauses of any lifetime, some over literals made for them.
struct Colours {
    edges: Arc<Vec<[usize; 2]>>,
    lifetime: Lifetime,
    /// By node: its literals.
    literals: Arc<Mutex<Vec<[i32; 3]>>>,
    /// What this thread was told and is true.
    mirror: Vec<i32>,
    /// The threads that were called.
    threads: Arc<Mutex<[u64; 3]>>,
}

impl Theory for Colours {
    fn init(&mut self, init: &mut Init<'_, '_>) -> Result<(), Failure> {
        let at: Vec<i32> = init.atoms("at", 2).iter().map(|a| a.1).collect();
        at.iter().try_for_each(|&literal| init.add_watch(literal))?;
        *self.literals.lock().unwrap() = at.chunks(3).map(|c| [c[0], c[1], c[2]]).collect();
        Ok(())
    }
    fn propagate(&mut self, search: &mut Search<'_, '_>, changes: &[i32]) -> Result<(), Failure> {
        self.threads.lock().unwrap()[search.thread() as usize] += 1;
        let literals = self.literals.lock().unwrap().clone();
        for &literal in changes {
            assert!(!self.mirror.contains(&literal) && search.assignment().is_true(literal)?);
            self.mirror.push(literal);
        }
        for &literal in changes {
            let node = literals.iter().position(|own| own.contains(&literal)).unwrap();
            let colour = literals[node].iter().position(|&l| l == literal).unwrap();
            for &[a, b] in self.edges.iter().filter(|edge| edge.contains(&node)) {
                let other = literals[a + b - node][colour];
                let mut clauses = vec![[-literal, -other]];
                if self.mirror.len().is_multiple_of(5) {
                    let made = search.add_literal()?;
                    clauses = vec![[-literal, made], [-made, -other]];
                }
                for clause in clauses {
                    if !search.add_clause(&clause, self.lifetime)? {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }
    fn undo(&mut self, _: Assignment<'_>, changes: &[i32]) {
        assert!(changes.iter().all(|change| self.mirror.contains(change)));
        self.mirror.retain(|literal| !changes.contains(literal));
    }
    fn check(&mut self, search: &mut Search<'_, '_>) -> Result<(), Failure> {
        for literal in self.literals.lock().unwrap().iter().flatten() {
            assert_eq!(search.assignment().is_true(*literal)?, self.mirror.contains(literal));
        }
        Ok(())
    }
    fn fork(&self, _: u32) -> Option<Box<dyn Theory>> {
        let (edges, literals, threads) = (self.edges.clone(), self.literals.clone(), self.threads.clone());
        Some(Box::new(Self { edges, lifetime: self.lifetime, literals, mirror: Vec::new(), threads }))
    }
}

#[test]
fn several_threads_find_what_one_finds() {
    let (mut outcomes, mut helped) = ([0; 2], [0; 3]);
    for seed in 0..12 {
        let mut rng = Rng::new(seed);
        let nodes = 120;
        let mut edges = Vec::new();
        while edges.len() < nodes * 232 / 100 {
            let (a, b) = (rng.below(nodes as u64) as usize, rng.below(nodes as u64) as usize);
            if a != b && !edges.contains(&[a, b]) && !edges.contains(&[b, a]) {
                edges.push([a, b]);
            }
        }
        let program = format!("1 {{ at(N,0..2) }} 1 :- N = 0..{}.", nodes - 1);
        let constraints = edges.iter().map(|[a, b]| format!(":- at({a},C), at({b},C).\n"));
        let mut plain = Control::new();
        plain.add(&(program.clone() + &constraints.collect::<String>()));
        let expected = plain.solve(1, |_| true).unwrap().satisfiable;
        outcomes[usize::from(expected)] += 1;
        let lifetime = Lifetime { kept: rng.chance(0.5), volatile: rng.chance(0.5) };
        let threads = Arc::new(Mutex::new([0; 3]));
        let mut control = Control::new();
        control.add(&program);
        control.settings.solve.threads = 2 + seed as u32 % 2;
        let (edges, literals) = (Arc::new(edges), Arc::default());
        control.add_theory(Colours {
            edges: edges.clone(),
            lifetime,
            literals,
            mirror: Vec::new(),
            threads: threads.clone(),
        });
        for call in 0..3 {
            let mut colours = vec![None; nodes];
            let result = control.solve(1, |answer| {
                for atom in answer.to_string().split(' ').filter_map(|atom| atom.strip_prefix("at(")) {
                    let (node, colour) = atom.trim_end_matches(')').split_once(',').unwrap();
                    colours[node.parse::<usize>().unwrap()] = Some(colour.to_string());
                }
                true
            });
            assert_eq!(result.unwrap().satisfiable, expected, "seed {seed}, call {call}");
            assert!(
                !expected || edges.iter().all(|&[a, b]| colours[a].is_some() && colours[a] != colours[b])
            );
            control.settings.solve.solver.seed += 1;
        }
        threads.lock().unwrap().iter().zip(&mut helped).for_each(|(n, sum)| *sum += n);
    }
    assert!(outcomes.iter().all(|&n| n > 0), "{outcomes:?}");
    assert!(helped.iter().all(|&n| n > 0), "{helped:?}");
}
