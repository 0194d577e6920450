//! Models in Lua, while the search stands at them.

use std::sync::Arc;

use mlua::{Error, Lua, MetaMethod, Result, Table, UserData, UserDataFields, UserDataMethods, Value};

use super::session::{Phase, Session};
use asp_base::map::Set;
use asp_base::signature::Signature;
use asp_base::symbol::Sym;
use asp_control::{Answer, Ground, Place};
use asp_program::Literal;
use asp_program::ground_program::ShowItem;

/// A model by its call and number.
#[derive(Clone)]
pub(super) struct Model {
    session: Arc<Session>,
    call: u64,
    number: u64,
}

/// The `context` of a [`Model`].
struct Context(Model);

impl Model {
    pub(super) fn of(session: &Arc<Session>, call: u64, number: u64) -> Self {
        Self { session: Arc::clone(session), call, number }
    }

    fn read<T>(&self, read: impl FnOnce(&Answer<'_>, Ground<'_>) -> Result<T>) -> Result<T> {
        let state = self.session.lock();
        let gone = || Error::runtime("this model is gone: the search went on");
        match &state.phase {
            Phase::Searching(search) if state.calls == self.call => {
                search.at(
                    |answer, ground| {
                        if answer.number() == self.number { read(answer, ground) } else { Err(gone()) }
                    },
                )
            }
            _ => Err(gone()),
        }
    }

    fn symbols(&self, lua: &Lua, wanted: &Table) -> Result<Vec<Value>> {
        let wants = |name: &str| Ok::<_, Error>(wanted.get::<Option<bool>>(name)?.unwrap_or(false));
        let (shown, atoms, terms) = (wants("shown")?, wants("atoms")?, wants("terms")?);
        let complement = wants("complement")?;
        let own = &self.session.host.terms;
        self.read(|answer, ground| {
            let mut found = Vec::new();
            let symbols = answer.symbols();
            let to_lua = |signature: Signature, arguments: &[Sym]| {
                own.atom(lua, symbols, signature.name, arguments, signature.negative)
            };
            if atoms {
                for predicate in 0..ground.predicates() {
                    let rows = ground.predicate(predicate).map_or(0, |p| p.1);
                    for known in (0..rows).filter_map(|row| ground.atom(Place { predicate, row })) {
                        let holds =
                            known.is_fact || known.atom.is_some_and(|atom| answer.model().contains(atom));
                        if holds != complement {
                            found.push(to_lua(known.signature, known.arguments)?);
                        }
                    }
                }
            }
            let (program, model) = (answer.program(), answer.model());
            let mut seen: Set<Sym> = Set::default();
            for (entry, item, condition) in program.shown() {
                let is_term = item.plain_term().is_some();
                // Atoms that are shown are among all atoms.
                if matches!(item, ShowItem::Digit(_)) || !(shown && (is_term || !atoms) || terms && is_term) {
                    continue;
                }
                if model.shows(entry, condition) == complement {
                    continue;
                }
                match item {
                    ShowItem::Fact(term) | ShowItem::Term(term) | ShowItem::Value(term) => {
                        if seen.insert(term) {
                            found.push(own.to_lua(lua, symbols, term)?);
                        }
                    }
                    ShowItem::Digit(_) => {}
                    ShowItem::Atom(atom) => {
                        if let Some((signature, arguments)) = program.atoms.get(atom) {
                            found.push(to_lua(signature, arguments)?);
                        }
                    }
                }
            }
            if let Some(name) = program.integers.csp.filter(|_| (shown || terms) && !complement) {
                for pair in answer.values_without_terms() {
                    found.push(own.atom(lua, symbols, name, pair, false)?);
                }
            }
            Ok(found)
        })
    }

    fn add_clause(&self, elements: Option<Table>, flip: bool) -> Result<()> {
        let mut clause = Vec::new();
        for (atom, holds) in pairs(elements)? {
            let holds = holds != flip;
            let known = self.read(|_, ground| {
                let known = self.session.host.terms.find(&atom, ground)?;
                Ok(known.map(|known| (known.is_fact, known.atom)))
            })?;
            match known {
                Some((false, Some(atom))) => clause.push(Literal::new(atom, !holds)),
                Some((true, _)) if holds => return Ok(()),
                Some((true, _)) => {}
                _ if holds => {}
                _ => return Ok(()),
            }
        }
        let mut state = self.session.lock();
        let Phase::Searching(search) = &mut state.phase else { return Ok(()) };
        if search.add_clause(&clause) {
            Ok(())
        } else {
            Err(Error::runtime("clauses cannot be added to a call that several threads run"))
        }
    }
}

impl UserData for Model {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_meta_field("__name", "clingo.Model");
        fields.add_field_method_get("number", |_, this| Ok(this.number));
        fields.add_field_method_get("cost", |_, this| this.read(|answer, _| Ok(answer.costs().to_vec())));
        fields.add_field_method_get("optimality_proven", |_, this| {
            this.read(|answer, _| Ok(answer.is_optimal()))
        });
        fields.add_field_method_get("thread_id", |_, _| Ok(1));
        fields.add_field_method_get("context", |_, this| Ok(Context(this.clone())));
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("symbols", |lua, this, wanted: Table| this.symbols(lua, &wanted));
        methods.add_method("contains", |_, this, atom: Value| {
            this.read(|answer, ground| {
                let known = this.session.host.terms.find(&atom, ground)?;
                let holds = |atom| answer.model().contains(atom);
                Ok(known.is_some_and(|known| known.is_fact || known.atom.is_some_and(holds)))
            })
        });
        methods.add_method("extend", |_, this, terms: Vec<Value>| {
            let own = &this.session.host.terms;
            let texts = terms.iter().map(|term| own.read(term).map(|term| own.text(term)));
            let texts: Vec<String> = texts.collect::<Result<_>>()?;
            if let Some(open) = this.session.lock().call.as_mut() {
                this.session.run.add_terms(open, &texts);
            }
            Ok(())
        });
        methods.add_meta_method(MetaMethod::ToString, |_, this, ()| {
            this.read(|answer, _| Ok(answer.to_string()))
        });
        methods.add_meta_method(MetaMethod::Index, |_, _, name: String| -> Result<Value> {
            Err(Error::runtime(format!("`{name}` of models is not supported in Lua; see docs/clingo-api.md")))
        });
    }
}

impl UserData for Context {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods
            .add_method("add_clause", |_, this, elements: Option<Table>| this.0.add_clause(elements, false));
        methods
            .add_method("add_nogood", |_, this, elements: Option<Table>| this.0.add_clause(elements, true));
    }
}

/// Assumptions: pairs of an atom and whether it holds.
pub(super) fn pairs(list: Option<Table>) -> Result<Vec<(Value, bool)>> {
    let Some(list) = list else { return Ok(Vec::new()) };
    let pair = |pair: Result<Value>| match pair? {
        Value::Table(pair) => Ok((pair.get::<Value>(1)?, pair.get::<Option<bool>>(2)?.unwrap_or(true))),
        atom => {
            Err(Error::runtime(format!("an atom and a truth value are wanted, not a {}", atom.type_name())))
        }
    };
    list.sequence_values::<Value>().map(pair).collect()
}
