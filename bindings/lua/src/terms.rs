//! Terms as values of Lua.
//!
//! Invariants: the terms of a run's scripts live in a table of their own, which only grows, so they outlive every search; of
//! what crosses the border, both sides are remembered, since the run has one control, whose table only grows, too.

use std::cmp::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mlua::{
    AnyUserData, Error, Lua, MetaMethod, Result, Table, UserData, UserDataFields, UserDataMethods, Value,
};

use asp_base::map::Map;
use asp_base::symbol::{StrId, Sym, SymView, Symbols};
use asp_control::{Control, Ground, KnownAtom};
use asp_program::scan;

/// The terms of a run's scripts.
#[derive(Clone, Default)]
pub struct Terms(Arc<Mutex<Crossing>>);

/// Terms of scripts, and those of the control that have crossed the border.
#[derive(Default)]
struct Crossing {
    own: Symbols,
    /// From the control's to the scripts'.
    outward: Map<Sym, Sym>,
    /// From the scripts' to the control's.
    inward: Map<Sym, Sym>,
}

/// A term as Lua has it.
struct Term {
    sym: Sym,
    terms: Terms,
}

/// What a copy of a term is made of: its arguments are copied before it.
enum Part<'a> {
    Number(i64),
    String(&'a str),
    Function(&'a str, &'a [Sym], bool),
    Tuple(&'a [Sym]),
}

/// Makes a part in a table.
fn make(to: &mut Symbols, part: &Part<'_>) -> Option<Sym> {
    Some(match *part {
        Part::Number(n) => to.num(n),
        Part::String(text) => to.string(text),
        Part::Function(name, args, negative) => {
            let name = to.intern(name);
            to.fun(name, args, negative)
        }
        Part::Tuple(args) => to.tuple(args),
    })
}

/// Looks for a part in a table.
fn find(to: &Symbols, part: &Part<'_>) -> Option<Sym> {
    match *part {
        Part::Number(n) => to.find_num(n),
        Part::String(text) => to.find_string(to.find_name(text)?),
        Part::Function(name, args, negative) => to.find_fun(to.find_name(name)?, args, negative),
        Part::Tuple(args) => to.find_tuple(args),
    }
}

/// The term of another table for one of a table; `None` as soon as `put` has no term for a part. What is known is added to
/// `done`.
fn copy(
    from: &Symbols,
    sym: Sym,
    done: &mut Map<Sym, Sym>,
    mut put: impl FnMut(&Part<'_>) -> Option<Sym>,
) -> Option<Sym> {
    let is_same = |sym: Sym| sym.as_small().is_some() || sym == Sym::INF || sym == Sym::SUP;
    let mut todo = vec![sym];
    while let Some(&next) = todo.last() {
        if is_same(next) || done.contains_key(&next) {
            todo.pop();
            continue;
        }
        let view = from.view(next);
        let args: &[Sym] = match view {
            SymView::Fun { args, .. } | SymView::Tuple(args) => args,
            _ => &[],
        };
        let waiting = todo.len();
        todo.extend(args.iter().filter(|a| !is_same(**a) && !done.contains_key(*a)));
        if todo.len() > waiting {
            continue;
        }
        let args: Vec<Sym> = args.iter().map(|a| done.get(a).copied().unwrap_or(*a)).collect();
        let part = match view {
            SymView::Num(n) => Part::Number(n),
            SymView::Str(text) => Part::String(from.str(text)),
            SymView::Fun { name, negative, .. } => Part::Function(from.str(name), &args, negative),
            _ => Part::Tuple(&args),
        };
        done.insert(next, put(&part)?);
        todo.pop();
    }
    Some(done.get(&sym).copied().unwrap_or(sym))
}

impl Crossing {
    /// The term of scripts for one of the control.
    fn take_out(&mut self, from: &Symbols, sym: Sym) -> Sym {
        let Self { own, outward, .. } = self;
        copy(from, sym, outward, |part| make(own, part)).unwrap_or(Sym::INF)
    }
}

impl Terms {
    fn lock(&self) -> MutexGuard<'_, Crossing> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a term prints as.
    pub fn text(&self, sym: Sym) -> String {
        self.lock().own.display(sym)
    }

    fn term(&self, sym: Sym) -> Term {
        Term { sym, terms: self.clone() }
    }

    /// The value of Lua for a term of another table.
    pub fn to_lua(&self, lua: &Lua, from: &Symbols, sym: Sym) -> Result<Value> {
        let own = self.lock().take_out(from, sym);
        self.value(lua, own)
    }

    /// The value of Lua for an atom of another table, which need not have it as a term.
    pub fn atom(
        &self,
        lua: &Lua,
        from: &Symbols,
        name: StrId,
        args: &[Sym],
        negative: bool,
    ) -> Result<Value> {
        let sym = {
            let mut terms = self.lock();
            let args: Vec<Sym> = args.iter().map(|&arg| terms.take_out(from, arg)).collect();
            let name = terms.own.intern(from.str(name));
            terms.own.fun(name, &args, negative)
        };
        self.value(lua, sym)
    }

    fn value(&self, lua: &Lua, sym: Sym) -> Result<Value> {
        Ok(Value::UserData(lua.create_userdata(self.term(sym))?))
    }

    /// The term that a value of Lua is: a term, an integer or a string.
    pub fn read(&self, value: &Value) -> Result<Sym> {
        match value {
            Value::Integer(n) => Ok(self.lock().own.num(*n)),
            Value::String(text) => Ok(self.lock().own.string(&text.to_str()?)),
            Value::UserData(data) if data.is::<Term>() => Ok(data.borrow::<Term>()?.sym),
            Value::Number(n) if n.fract() == 0.0 && n.abs() < 9e15 => Ok(self.lock().own.num(*n as i64)),
            Value::Number(n) => Err(Error::runtime(format!("{n} is no term: numbers are integers"))),
            other => Err(Error::runtime(format!(
                "a value of type {} is no term: terms are integers, strings and what clingo.Function, clingo.Tuple, ... make",
                other.type_name()
            ))),
        }
    }

    /// The term of another table that a value of Lua is.
    pub fn read_into(&self, value: &Value, to: &mut Symbols) -> Result<Sym> {
        let sym = self.read(value)?;
        let Crossing { own, inward, .. } = &mut *self.lock();
        Ok(copy(own, sym, inward, |part| make(to, part)).unwrap_or(Sym::INF))
    }

    /// The atom that a value of Lua names, if grounding has found that it may hold.
    pub fn find<'a>(&self, value: &Value, ground: Ground<'a>) -> Result<Option<KnownAtom<'a>>> {
        let sym = self.read(value)?;
        let Crossing { own, inward, .. } = &mut *self.lock();
        let symbols = ground.symbols();
        let SymView::Fun { name, args, negative } = own.view(sym) else { return Ok(None) };
        let args = args.iter().map(|&arg| copy(own, arg, inward, |part| find(symbols, part)));
        let place =
            || ground.find(symbols.find_name(own.str(name))?, &args.collect::<Option<Vec<Sym>>>()?, negative);
        Ok(place().and_then(|place| ground.atom(place)))
    }

    fn read_all(&self, values: Option<Table>) -> Result<Vec<Sym>> {
        let Some(values) = values else { return Ok(Vec::new()) };
        values.sequence_values::<Value>().map(|value| self.read(&value?)).collect()
    }

    /// What makes terms, for the module.
    pub(crate) fn register(&self, lua: &Lua, module: &Table) -> Result<()> {
        let own = self.clone();
        let function =
            lua.create_function(move |_, (name, args, positive): (String, Option<Table>, Option<bool>)| {
                let args = own.read_all(args)?;
                let negative = positive == Some(false);
                let table = &mut own.lock().own;
                let sym = if name.is_empty() && !negative {
                    table.tuple(&args)
                } else {
                    let name = table.intern(&name);
                    table.fun(name, &args, negative)
                };
                Ok(own.term(sym))
            })?;
        module.set("Function", function)?;
        let own = self.clone();
        let tuple = lua.create_function(move |_, args: Option<Table>| {
            let args = own.read_all(args)?;
            let sym = own.lock().own.tuple(&args);
            Ok(own.term(sym))
        })?;
        module.set("Tuple", tuple)?;
        let own = self.clone();
        let number = lua.create_function(move |_, n: i64| Ok(own.term(own.lock().own.num(n))))?;
        module.set("Number", number)?;
        let own = self.clone();
        let string =
            lua.create_function(move |_, text: String| Ok(own.term(own.lock().own.string(&text))))?;
        module.set("String", string)?;
        module.set("Infimum", self.term(Sym::INF))?;
        module.set("Supremum", self.term(Sym::SUP))?;
        let own = self.clone();
        let parse = lua.create_function(move |_, text: String| {
            if let Some(sym) = scan::parse_term(&text, &mut own.lock().own) {
                return Ok(own.term(sym));
            }
            let mut control = Control::new();
            let sym = control.evaluate_term(&text).map_err(|error| Error::runtime(error.to_string()))?;
            let sym =
                copy(control.symbols(), sym, &mut Map::default(), |part| make(&mut own.lock().own, part));
            Ok(own.term(sym.unwrap_or(Sym::INF)))
        })?;
        module.set("parse_term", parse)?;
        let kinds = lua.create_table()?;
        for name in ["Infimum", "Number", "String", "Function", "Supremum"] {
            kinds.set(name, Word(name))?;
        }
        lua.set_named_registry_value("asp.SymbolType", &kinds)?;
        module.set("SymbolType", kinds)
    }
}

/// A value that stands for itself.
struct Word(&'static str);

impl UserData for Word {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_meta_method(MetaMethod::ToString, |_, this, ()| Ok(this.0));
    }
}

fn compare(a: &AnyUserData, b: &AnyUserData) -> Result<Ordering> {
    let (a, b) = (a.borrow::<Term>()?, b.borrow::<Term>()?);
    Ok(a.terms.lock().own.cmp(a.sym, b.sym))
}

impl Term {
    fn is_function(&self) -> Option<bool> {
        match self.terms.lock().own.view(self.sym) {
            SymView::Fun { negative, .. } => Some(negative),
            SymView::Tuple(_) => Some(false),
            _ => None,
        }
    }
}

impl UserData for Term {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_meta_field("__name", "clingo.Symbol");
        fields.add_field_method_get("number", |_, this| Ok(this.terms.lock().own.as_num(this.sym)));
        fields.add_field_method_get("string", |_, this| {
            let table = &this.terms.lock().own;
            Ok(match table.view(this.sym) {
                SymView::Str(text) => Some(table.str(text).to_string()),
                _ => None,
            })
        });
        fields.add_field_method_get("name", |_, this| {
            let table = &this.terms.lock().own;
            Ok(match table.view(this.sym) {
                SymView::Fun { name, .. } => Some(table.str(name).to_string()),
                SymView::Tuple(_) => Some(String::new()),
                _ => None,
            })
        });
        fields.add_field_method_get("arguments", |lua, this| {
            let args = match this.terms.lock().own.view(this.sym) {
                SymView::Fun { args, .. } | SymView::Tuple(args) => args.to_vec(),
                _ => return Ok(None),
            };
            lua.create_sequence_from(args.into_iter().map(|arg| this.terms.term(arg))).map(Some)
        });
        fields.add_field_method_get("positive", |_, this| Ok(this.is_function().map(|negative| !negative)));
        fields.add_field_method_get("negative", |_, this| Ok(this.is_function()));
        fields.add_field_method_get("type", |lua, this| {
            let kind = match this.terms.lock().own.view(this.sym) {
                SymView::Inf => "Infimum",
                SymView::Num(_) => "Number",
                SymView::Str(_) => "String",
                SymView::Fun { .. } | SymView::Tuple(_) => "Function",
                SymView::Sup => "Supremum",
            };
            lua.named_registry_value::<Table>("asp.SymbolType")?.get::<Value>(kind)
        });
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_meta_method(MetaMethod::ToString, |_, this, ()| Ok(this.terms.text(this.sym)));
        methods.add_meta_function(MetaMethod::Eq, |_, (a, b): (Value, Value)| match (&a, &b) {
            (Value::UserData(a), Value::UserData(b)) if a.is::<Self>() && b.is::<Self>() => {
                Ok(compare(a, b)?.is_eq())
            }
            _ => Ok(false),
        });
        methods.add_meta_function(MetaMethod::Lt, |_, (a, b): (AnyUserData, AnyUserData)| {
            Ok(compare(&a, &b)?.is_lt())
        });
        methods.add_meta_function(MetaMethod::Le, |_, (a, b): (AnyUserData, AnyUserData)| {
            Ok(compare(&a, &b)?.is_le())
        });
    }
}
