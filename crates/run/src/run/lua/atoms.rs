//! The symbolic atoms of a control in Lua.

use std::sync::Arc;

use mlua::{Function, Lua, MetaMethod, Result, Table, UserData, UserDataFields, UserDataMethods, Value};

use super::session::{Phase, Session};
use asp_base::map::Set;
use asp_control::{Ground, KnownAtom, Place};
use asp_lua::Terms;

/// The atoms of a control.
pub(super) struct Atoms(Arc<Session>);

/// An atom of Lua: a table with its term and what is known about it.
fn entry(
    lua: &Lua,
    terms: &Terms,
    ground: Ground<'_>,
    known: &KnownAtom<'_>,
    is_external: bool,
) -> Result<Table> {
    let (signature, arguments) = (known.signature, known.arguments);
    let atom = lua.create_table()?;
    atom.set("symbol", terms.atom(lua, ground.symbols(), signature.name, arguments, signature.negative)?)?;
    atom.set("is_fact", known.is_fact)?;
    atom.set("is_external", is_external)?;
    Ok(atom)
}

impl Atoms {
    pub(super) fn of(session: &Arc<Session>) -> Self {
        Self(Arc::clone(session))
    }

    fn read<T>(&self, read: impl FnOnce(Ground<'_>) -> Result<T>) -> Result<T> {
        if let Phase::Searching(search) = &self.0.lock().phase {
            return search.ground(read);
        }
        self.0.take("used", |control| read(control.as_ground()))
    }

    /// The atoms that fit, as a function that gives them one by one.
    fn each(&self, lua: &Lua, wanted: Option<(String, u32, bool)>) -> Result<Function> {
        let terms = &self.0.host.terms;
        let atoms = self.read(|ground| {
            let externals: Set<_> = ground.externals().into_iter().collect();
            let mut found = Vec::new();
            for predicate in 0..ground.predicates() {
                let Some((signature, rows)) = ground.predicate(predicate) else { continue };
                let fits = wanted.as_ref().is_none_or(|(name, arity, positive)| {
                    ground.symbols().str(signature.name) == name
                        && signature.arity == *arity
                        && signature.negative != *positive
                });
                for known in
                    (0..rows).filter(|_| fits).filter_map(|row| ground.atom(Place { predicate, row }))
                {
                    let is_external = known.atom.is_some_and(|atom| externals.contains(&atom));
                    found.push(entry(lua, terms, ground, &known, is_external)?);
                }
            }
            Ok(found)
        })?;
        let mut atoms = atoms.into_iter();
        lua.create_function_mut(move |_, ()| Ok(atoms.next()))
    }

    fn lookup(&self, lua: &Lua, atom: &Value) -> Result<Option<Table>> {
        let terms = &self.0.host.terms;
        self.read(|ground| {
            let Some(known) = terms.find(atom, ground)? else { return Ok(None) };
            let is_external = known.atom.is_some_and(|atom| ground.externals().contains(&atom));
            entry(lua, terms, ground, &known, is_external).map(Some)
        })
    }
}

impl UserData for Atoms {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_field_method_get("signatures", |lua, this| {
            this.read(|ground| {
                let all = (0..ground.predicates()).filter_map(|p| ground.predicate(p)).filter(|p| p.1 > 0);
                let one = |(signature, _): (asp_base::signature::Signature, u32)| {
                    let one = lua.create_table()?;
                    one.push(ground.symbols().str(signature.name))?;
                    one.push(signature.arity)?;
                    one.push(!signature.negative)?;
                    Ok(one)
                };
                all.map(one).collect::<Result<Vec<Table>>>()
            })
        });
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("iter", |lua, this, ()| this.each(lua, None));
        methods.add_method(
            "by_signature",
            |lua, this, (name, arity, positive): (String, u32, Option<bool>)| {
                this.each(lua, Some((name, arity, positive.unwrap_or(true))))
            },
        );
        methods.add_method("lookup", |lua, this, atom: Value| this.lookup(lua, &atom));
        methods.add_meta_method(MetaMethod::Len, |_, this, ()| {
            this.read(|ground| {
                let predicates =
                    (0..ground.predicates()).filter_map(|p| ground.predicate(p).map(|(_, rows)| (p, rows)));
                let places = predicates
                    .flat_map(|(predicate, rows)| (0..rows).map(move |row| Place { predicate, row }));
                Ok(places.filter(|&place| ground.atom(place).is_some()).count())
            })
        });
    }
}
