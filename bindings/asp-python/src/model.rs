//! Models: what an answer set showed when it was found.

use std::hash::BuildHasher as _;
use std::sync::Arc;

use asp::message::slip;
use asp::symbol::Symbols;
use asp::{Answer, Control, Symbol};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple, PyType};
use rustc_hash::FxBuildHasher;

use crate::shown::{Predicate, Table};
use crate::{code, convert};

/// What an answer set shows, as it was when it was found: it stays right whatever becomes of its control.
///
/// It is a collection of terms: `len(model)`, `for term in model`, `term in model`; `model["cell"]` are the arguments of one
/// predicate as tuples.
#[pyclass(frozen, module = "asp", mapping)]
pub(crate) struct Model {
    pub(crate) table: Arc<Table>,
    pub(crate) bits: Box<[u64]>,
    pub(crate) number: u64,
    pub(crate) costs: Box<[i64]>,
    optimal: bool,
    /// The integer variables, as terms, with their values.
    integers: Box<[(Box<[u8]>, i64)]>,
}

fn named(name: Symbol, value: i64, symbols: &Symbols) -> (Box<[u8]>, i64) {
    let mut bytes = Vec::new();
    code::encode(symbols, name, &mut bytes);
    (bytes.into(), value)
}

impl Model {
    /// A copy of an answer set.
    pub(crate) fn new(answer: &Answer<'_>, table: &Arc<Table>) -> Self {
        let (model, program) = (answer.model(), answer.program());
        let bits = table.bits(|entry| model.shows(entry, program.literals(program.shows[entry].condition)));
        let value =
            |(name, value): (asp::Term<'_>, i64)| Some(named(name.symbol()?, value, answer.symbols()));
        Self {
            table: table.clone(),
            bits,
            number: answer.number(),
            costs: answer.costs().into(),
            optimal: answer.is_optimal(),
            integers: answer.values().filter_map(value).collect(),
        }
    }

    /// What an answer set that is given by show entry shows; its integers, if the control is given.
    pub(crate) fn from_entries(
        number: u64,
        shown: &[bool],
        table: &Arc<Table>,
        control: Option<&Control>,
    ) -> Self {
        let values = |control: &Control| {
            let values = control.program().values_of(shown, control.symbols());
            values.into_iter().map(|(name, value)| named(name, value, control.symbols())).collect()
        };
        let bits = table.bits(|entry| shown.get(entry).copied().unwrap_or(false));
        Self {
            table: table.clone(),
            bits,
            number,
            costs: Box::default(),
            optimal: false,
            integers: control.map(values).unwrap_or_default(),
        }
    }

    /// The integer variables, as terms, with their values.
    pub(crate) fn values(&self) -> &[(Box<[u8]>, i64)] {
        &self.integers
    }

    pub(crate) fn holding(&self) -> impl Iterator<Item = u32> + '_ {
        self.table.holding(&self.bits)
    }

    /// The predicates that a key names: `name`, `-name`, `name/arity` or a pair of these.
    pub(crate) fn named(&self, key: &Bound<'_, PyAny>) -> PyResult<Vec<(u32, Predicate)>> {
        let (text, mut arity): (String, Option<usize>) = match key.cast::<PyTuple>() {
            Ok(pair) => pair.extract()?,
            Err(_) => (key.cast::<PyString>()?.extract()?, None),
        };
        let mut name = text.as_str();
        if let Some((front, number)) = text.rsplit_once('/') {
            let wrong =
                |_| PyValueError::new_err(format!("`{text}` names no predicate; write name or name/arity"));
            (name, arity) = (front, Some(number.parse().map_err(wrong)?));
        }
        let (name, negative) = match name.strip_prefix('-') {
            Some(name) => (name, true),
            None => (name, false),
        };
        let fits = |p: &Predicate| {
            p.name == name && p.negative == negative && arity.is_none_or(|arity| arity == p.arity)
        };
        let all = self.table.predicates().filter(|(_, p)| fits(p));
        let all: Vec<(u32, Predicate)> = all.map(|(number, p)| (number, p.clone())).collect();
        let known = self.table.known();
        if all.is_empty() && !known.iter().any(fits) {
            // A slip would give no rows in silence; what is like nothing in the program may belong to another.
            let near = known.iter().filter_map(|p| Some((slip(name, &p.name)?, p)));
            if let Some((_, near)) = near.min_by_key(|(distance, p)| (*distance, p.negative != negative)) {
                let sign = if near.negative { "-" } else { "" };
                let text = format!(
                    "the program has no predicate `{text}`; did you mean `{sign}{}/{}`?",
                    near.name, near.arity
                );
                return Err(crate::error::usage(key.py(), &text));
            }
        }
        Ok(all)
    }

    fn tuples<'py>(&self, py: Python<'py>, predicate: u32, into: &Bound<'py, PyList>) -> PyResult<()> {
        for entry in self.table.of(predicate, &self.bits) {
            let values = self.table.arguments(entry).iter().map(|&cell| self.table.value(py, cell));
            into.append(PyTuple::new(py, values.collect::<PyResult<Vec<_>>>()?)?)?;
        }
        Ok(())
    }
}

#[pymethods]
impl Model {
    /// Its number in the call, from 1.
    #[getter]
    fn number(&self) -> u64 {
        self.number
    }

    /// Its costs, most important level first; empty without an objective.
    #[getter]
    fn costs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.costs.iter())
    }

    /// Whether its costs are known to be optimal already, as when all optimal answer sets are enumerated.
    #[getter]
    fn optimal(&self) -> bool {
        self.optimal
    }

    /// The integer variables of constraints over integers, as terms, with their values.
    #[getter]
    fn integers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, value) in &self.integers {
            dict.set_item(convert::decode(py, name)?, value)?;
        }
        Ok(dict)
    }

    /// What it shows, as terms.
    #[getter]
    fn terms<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let terms: PyResult<Vec<_>> = self.holding().map(|entry| self.table.term(py, entry)).collect();
        PyList::new(py, terms?)
    }

    /// The names of the predicates of which it shows atoms, in the order of appearance.
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let mut names: Vec<String> = Vec::new();
        for (number, predicate) in self.table.predicates() {
            let name = format!("{}{}", if predicate.negative { "-" } else { "" }, predicate.name);
            if !names.contains(&name) && self.table.of(number, &self.bits).next().is_some() {
                names.push(name);
            }
        }
        PyList::new(py, names)
    }

    /// All of it by predicate: names to lists of tuples.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for name in self.keys(py)?.iter() {
            dict.set_item(&name, self.__getitem__(py, &name)?)?;
        }
        Ok(dict)
    }

    /// The arguments of the atoms of a predicate as tuples: `model["cell"]`, `model["cell/3"]`, `model["-cell"]`. Empty if it
    /// shows none.
    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for (predicate, _) in self.named(key)? {
            self.tuples(py, predicate, &list)?;
        }
        Ok(list)
    }

    /// The instances of a class made by `@asp.predicate` that it shows.
    fn of<'py>(slf: &Bound<'py, Self>, class: &Bound<'py, PyType>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("asp._predicates")?.getattr("instances")?.call1((slf, class))
    }

    /// The atoms of a predicate by column, with names for the columns.
    #[pyo3(signature = (predicate, names=None))]
    fn table<'py>(
        slf: &Bound<'py, Self>,
        predicate: &Bound<'py, PyAny>,
        names: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("asp._tables")?.getattr("of_model")?.call1((slf, predicate, names))
    }

    /// A picture of it as lines of text, as the command line draws it; None if there is nothing to draw.
    fn picture(&self) -> Option<String> {
        crate::portrait::of(self, |portrait| Some(portrait.text().ok()?.trim_end().to_string()))
    }

    /// A picture of it as SVG; None if there is nothing to draw.
    fn svg(&self) -> Option<String> {
        crate::portrait::of(self, |portrait| portrait.svg().ok())
    }

    fn _repr_svg_(&self) -> Option<String> {
        self.svg()
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("asp._pages")?.getattr("of_model")?.call1((slf,))
    }

    fn __len__(&self) -> usize {
        self.holding().count()
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __contains__(&self, term: &Bound<'_, PyAny>) -> PyResult<bool> {
        let bytes = convert::atom(term)?;
        Ok(self.table.find(&bytes).is_some_and(|entry| self.table.holds(entry, &self.bits)))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.terms(py)?.try_iter()?.into_any())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<Model>() else { return false };
        let set = |model: &Model| {
            let texts = model.holding().map(|entry| {
                let mut bytes = Vec::new();
                model.table.encode(entry, &mut bytes);
                bytes
            });
            let mut texts: Vec<_> = texts.collect();
            texts.sort();
            texts
        };
        let other = other.get();
        // Variables with many values are not among the bits.
        if self.integers != other.integers {
            return false;
        }
        if Arc::ptr_eq(&self.table, &other.table) { self.bits == other.bits } else { set(self) == set(other) }
    }

    fn __hash__(&self) -> u64 {
        // Equal ones of different tables need not have equal bits, nor the same order.
        let mut bytes = Vec::new();
        let hash = |entry| {
            bytes.clear();
            self.table.encode(entry, &mut bytes);
            FxBuildHasher.hash_one(&bytes)
        };
        self.holding().map(hash).fold(0, u64::wrapping_add)
    }

    /// As the command line prints it, values of integers last.
    fn __str__(&self) -> String {
        // Of several answer sets, values are terms.
        let are_terms = self.integers.is_empty();
        let terms = self.holding().filter(|&entry| are_terms || !self.table.is_integer(entry));
        let mut texts: Vec<String> = terms.map(|entry| self.table.text(entry)).collect();
        texts.extend(self.integers.iter().map(|(name, value)| format!("{}={value}", code::text(name))));
        texts.join(" ")
    }

    fn __repr__(&self) -> String {
        let costs = match &*self.costs {
            [] => String::new(),
            costs => {
                format!(", cost {}", costs.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
            }
        };
        format!("<Model {}{costs}: {}>", self.number, self.__str__())
    }

    fn __copy__(slf: &Bound<'_, Self>) -> Py<Self> {
        slf.clone().unbind()
    }

    fn __deepcopy__(slf: &Bound<'_, Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf.clone().unbind()
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(pyo3::exceptions::PyTypeError::new_err(
            "a model cannot be pickled; model.terms or model.to_dict() can",
        ))
    }
}
