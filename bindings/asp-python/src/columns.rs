//! Facts in and answers out by column.
//!
//! Invariant: a column of numbers is never taken apart into objects of Python.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, StringArray};
use asp::Symbol;
use asp::symbol::Symbols;
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict, PyFloat, PyList, PyString, PyTuple, PyType};

use crate::code::{self, Head};
use crate::convert;
use crate::error;
use crate::model::Model;
use crate::shown::{Cell, Table};

/// Which columns have constants instead of strings.
#[derive(FromPyObject)]
pub(crate) enum Constants {
    All(bool),
    These(Vec<Place>),
}

/// A column, by its number or name.
#[derive(FromPyObject)]
pub(crate) enum Place {
    Number(usize),
    Name(String),
}

impl Constants {
    /// Whether a column is one of them.
    pub(crate) fn takes(&self, number: usize, name: Option<&str>) -> bool {
        let is = |place: &Place| match place {
            Place::Number(own) => *own == number,
            Place::Name(own) => Some(own.as_str()) == name,
        };
        match self {
            Self::All(all) => *all,
            Self::These(places) => places.iter().any(is),
        }
    }
}

/// A text as a term: a string, or a constant if all texts are to be constants.
pub(crate) fn text(text: &str, constants: bool, symbols: &mut Symbols) -> Result<Symbol, String> {
    if !constants {
        return Ok(symbols.string(text));
    }
    if !convert::is_name(text) {
        return Err(format!("`{text}` is no name of a constant; without constants=True it is a string"));
    }
    let name = symbols.intern(text);
    Ok(symbols.constant(name))
}

/// A number that pandas keeps as a float, since rows were missing or came from a spreadsheet.
pub(crate) fn whole(number: f64) -> Result<i64, String> {
    if number.is_nan() {
        return Err("a missing value is not a term; leave these rows out first".into());
    }
    // Beyond this, floats do not tell whole numbers apart.
    if number.fract() != 0.0 || number.abs() > 9_007_199_254_740_992.0 {
        return Err(format!(
            "{number} is no whole number; round or scale it first, as in (100 * column).round()"
        ));
    }
    Ok(number as i64)
}

/// An error of a value, with the row that it stands in.
fn located(py: Python<'_>, error: PyErr, row: usize) -> PyErr {
    PyErr::from_type(error.get_type(py), format!("row {row}: {}", error.value(py)))
}

/// A column of values as terms: a buffer of 64-bit numbers, or a sequence.
pub(crate) fn read(
    column: &Bound<'_, PyAny>,
    constants: bool,
    symbols: &mut Symbols,
) -> PyResult<Vec<Symbol>> {
    let py = column.py();
    if let Ok(buffer) = PyBuffer::<i64>::get(column) {
        let numbers = buffer.to_vec(py)?;
        return Ok(py.detach(|| numbers.into_iter().map(|n| symbols.num(n)).collect()));
    }
    let mut bytes = Vec::new();
    let mut found = Vec::with_capacity(column.len().unwrap_or(0));
    for (row, value) in column.try_iter()?.enumerate() {
        let value = value?;
        let of_row = |message: String| format!("row {row}: {message}");
        let term = if let Some(text) = value.cast_exact::<PyString>().ok().filter(|_| constants) {
            let term = self::text(&text.to_cow()?, true, symbols);
            term.map_err(|message| error::usage(py, &of_row(message)))?
        } else if let Ok(text) = value.cast_exact::<PyString>() {
            symbols.string(&text.to_cow()?)
        } else if let Ok(number) = value.cast::<PyFloat>() {
            let number = whole(number.value()).map_err(|message| PyTypeError::new_err(of_row(message)))?;
            symbols.num(number)
        } else {
            bytes.clear();
            convert::encode(&value, &mut bytes).map_err(|error| located(py, error, row))?;
            code::decode(&bytes, symbols).ok_or_else(|| error::usage(py, "no term"))?
        };
        found.push(term);
    }
    Ok(found)
}

/// Atoms of a predicate from their arguments by column.
pub(crate) fn atoms(
    name: &str,
    negative: bool,
    columns: &[Vec<Symbol>],
    symbols: &mut Symbols,
) -> Result<Vec<Symbol>, String> {
    let rows = columns.first().map_or(0, Vec::len);
    if columns.iter().any(|column| column.len() != rows) {
        let lengths: Vec<String> = columns.iter().map(|column| column.len().to_string()).collect();
        return Err(format!("the columns are of different lengths: {}", lengths.join(", ")));
    }
    let name = symbols.intern(name);
    let mut arguments = Vec::with_capacity(columns.len());
    let row = |row: usize| {
        arguments.clear();
        arguments.extend(columns.iter().map(|column| column[row]));
        symbols.fun(name, &arguments, negative)
    };
    Ok((0..rows).map(row).collect())
}

/// A column of an answer.
#[derive(Clone)]
enum Column {
    Numbers(Vec<i64>),
    /// Terms of some answers' tables.
    Cells(Vec<(u32, Cell)>),
}

/// The atoms of a predicate by column: rows are atoms, columns their arguments.
///
/// It is read by whatever reads Arrow's tables: `pyarrow.table(columns)`, `polars.DataFrame(columns)`.
#[pyclass(frozen, module = "asp")]
pub(crate) struct Columns {
    names: Vec<String>,
    rows: usize,
    columns: Vec<Column>,
    tables: Vec<Arc<Table>>,
}

impl Columns {
    fn value<'py>(&self, py: Python<'py>, table: u32, cell: Cell) -> PyResult<Bound<'py, PyAny>> {
        self.tables[table as usize].value(py, cell)
    }

    fn list<'py>(&self, py: Python<'py>, column: &Column) -> PyResult<Bound<'py, PyList>> {
        match column {
            Column::Numbers(numbers) => PyList::new(py, numbers),
            Column::Cells(cells) => {
                let values: PyResult<Vec<_>> =
                    cells.iter().map(|&(table, cell)| self.value(py, table, cell)).collect();
                PyList::new(py, values?)
            }
        }
    }

    /// The columns as Arrow has them: numbers, or texts.
    pub(crate) fn arrays(&self) -> Vec<(String, ArrayRef)> {
        let text = |&(table, cell): &(u32, Cell)| match cell {
            Cell::Number(n) => n.to_string(),
            Cell::Object(object) => {
                let bytes = self.tables[table as usize].object(object);
                match code::split(bytes) {
                    Some((Head::String(text), _)) => text.to_string(),
                    _ => code::text(bytes),
                }
            }
        };
        let array = |column: &Column| -> ArrayRef {
            match column {
                Column::Numbers(numbers) => Arc::new(Int64Array::from(numbers.clone())),
                Column::Cells(cells) => Arc::new(StringArray::from_iter_values(cells.iter().map(text))),
            }
        };
        self.names.iter().cloned().zip(self.columns.iter().map(array)).collect()
    }
}

#[pymethods]
impl Columns {
    /// The atoms of a predicate in some models.
    #[classmethod]
    #[pyo3(signature = (models, key, names, numbered))]
    fn _of(
        class: &Bound<'_, PyType>,
        models: Vec<Bound<'_, Model>>,
        key: &Bound<'_, PyAny>,
        names: Option<Vec<String>>,
        numbered: bool,
    ) -> PyResult<Self> {
        let mut arity = names.as_ref().map(Vec::len);
        let mut tables: Vec<Arc<Table>> = Vec::new();
        let (mut numbers, mut columns, mut rows) = (Vec::new(), Vec::new(), 0);
        // Whether there are atoms with as many columns as names, and how many others have.
        let (mut found, mut other) = (false, None);
        let (mut is_known, mut unknown) = (models.is_empty(), None);
        for model in &models {
            let model = model.get();
            if tables.last().is_none_or(|last| !Arc::ptr_eq(last, &model.table)) {
                tables.push(model.table.clone());
            }
            let table = tables.len() as u32 - 1;
            // Models may be of several programs.
            let named = match model.named(key) {
                Ok(named) => named,
                Err(wrong) => {
                    unknown.get_or_insert(wrong);
                    continue;
                }
            };
            is_known = true;
            for (number, predicate) in named {
                if arity.is_some_and(|arity| arity != predicate.arity) {
                    let message = match names.is_none() {
                        true => format!("there is {key} of several arities; write {key}/arity"),
                        false => {
                            other = Some(predicate.arity);
                            continue;
                        }
                    };
                    return Err(PyValueError::new_err(message));
                }
                found = true;
                arity = Some(predicate.arity);
                columns.resize_with(predicate.arity, || Column::Numbers(Vec::new()));
                let before = rows;
                rows += model.take(number, table, &mut columns);
                numbers.resize(numbers.len() + rows - before, model.number as i64);
            }
        }
        if let Some(wrong) = unknown.filter(|_| !is_known) {
            return Err(wrong);
        }
        if let (Some(other), Some(wanted), false) = (other, arity, found) {
            let message = format!("`{key}` has {other} columns, and names were given for {wanted}");
            return Err(error::usage(class.py(), &message));
        }
        let arity = arity.unwrap_or(0);
        columns.resize_with(arity, || Column::Numbers(Vec::new()));
        let mut names = names.unwrap_or_else(|| (1..=arity).map(|i| format!("arg{i}")).collect());
        if numbered {
            names.insert(0, "model".into());
            columns.insert(0, Column::Numbers(numbers));
        }
        if let Some(name) = names.iter().enumerate().find(|(i, name)| names[..*i].contains(name)) {
            return Err(error::usage(class.py(), &format!("two columns are called `{}`", name.1)));
        }
        Ok(Self { names, rows, columns, tables })
    }

    /// The names of the columns.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    fn __len__(&self) -> usize {
        self.rows
    }

    fn __bool__(&self) -> bool {
        true
    }

    /// A column, by its name or number, as a list.
    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let found = match key.cast::<PyString>() {
            Ok(name) => {
                let name = name.to_cow()?;
                self.names.iter().position(|own| *own == name)
            }
            Err(_) => Some(key.extract()?),
        };
        match found.and_then(|i: usize| self.columns.get(i)) {
            Some(column) => self.list(py, column),
            None => Err(pyo3::exceptions::PyKeyError::new_err(key.clone().unbind())),
        }
    }

    /// The columns as lists.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, column) in self.names.iter().zip(&self.columns) {
            dict.set_item(name, self.list(py, column)?)?;
        }
        Ok(dict)
    }

    /// The rows as tuples.
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rows = PyList::empty(py);
        for row in 0..self.rows {
            let value = |column: &Column| match column {
                Column::Numbers(numbers) => Ok(numbers[row].into_pyobject(py)?.into_any()),
                Column::Cells(cells) => self.value(py, cells[row].0, cells[row].1),
            };
            rows.append(PyTuple::new(py, self.columns.iter().map(value).collect::<PyResult<Vec<_>>>()?)?)?;
        }
        Ok(rows)
    }

    /// A column as the bytes of 64-bit numbers, None if it is none of numbers.
    fn _numbers<'py>(&self, py: Python<'py>, column: usize) -> Option<Bound<'py, PyByteArray>> {
        match self.columns.get(column)? {
            Column::Numbers(numbers) => {
                let bytes = numbers.len() * 8;
                let fill = |into: &mut [u8]| {
                    for (to, number) in into.chunks_exact_mut(8).zip(numbers) {
                        to.copy_from_slice(&number.to_ne_bytes());
                    }
                    Ok(())
                };
                PyByteArray::new_with(py, bytes, fill).ok()
            }
            Column::Cells(_) => None,
        }
    }

    /// The columns as arrays of numpy, by name: of numbers, or of objects.
    fn to_numpy<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("asp._tables")?.getattr("to_numpy")?.call1((slf,))
    }

    /// The columns as a table of pandas.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("asp._tables")?.getattr("to_pandas")?.call1((slf,))
    }

    /// The columns as a table of pyarrow.
    fn to_arrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyarrow")?.getattr("table")?.call1((slf,))
    }

    /// The columns as a stream of Arrow's C interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let _ = requested_schema;
        crate::arrow::stream(py, self)
    }

    /// The columns as an array of Arrow's C interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let _ = requested_schema;
        crate::arrow::array(py, self)
    }

    fn __repr__(&self) -> String {
        format!("<Columns {}: {} rows>", self.names.join(", "), self.rows)
    }
}

impl Model {
    /// Appends the arguments of the atoms of a predicate to columns; how many there are.
    fn take(&self, predicate: u32, table: u32, columns: &mut [Column]) -> usize {
        let mut rows = 0;
        for entry in self.table.of(predicate, &self.bits) {
            rows += 1;
            for (column, &cell) in columns.iter_mut().zip(self.table.arguments(entry)) {
                match (&mut *column, cell) {
                    (Column::Numbers(numbers), Cell::Number(n)) => numbers.push(n),
                    (Column::Numbers(numbers), cell) => {
                        let mut cells: Vec<_> = numbers.iter().map(|&n| (table, Cell::Number(n))).collect();
                        cells.push((table, cell));
                        *column = Column::Cells(cells);
                    }
                    (Column::Cells(cells), cell) => cells.push((table, cell)),
                }
            }
        }
        rows
    }
}
