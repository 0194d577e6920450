//! Tables in and out by Arrow's C interface.
//!
//! This is the only place with `unsafe`: what a capsule of that interface points to is taken over, as its protocol says.

#![allow(unsafe_code)]

use std::ffi::CStr;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::ffi_stream::{ArrowArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow_array::{Array, RecordBatch, RecordBatchIterator, StructArray};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use asp::Symbol;
use asp::symbol::Symbols;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

use crate::columns::{self, Columns, Constants};
use crate::error;

const STREAM: &CStr = c"arrow_array_stream";
const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";

fn failed(py: Python<'_>, error: &ArrowError) -> PyErr {
    error::usage(py, &format!("Arrow: {error}"))
}

fn batch(columns: &Columns) -> Result<RecordBatch, ArrowError> {
    RecordBatch::try_from_iter(columns.arrays())
}

/// A stream of one batch.
pub(crate) fn stream<'py>(py: Python<'py>, columns: &Columns) -> PyResult<Bound<'py, PyAny>> {
    let batch = batch(columns).map_err(|e| failed(py, &e))?;
    let schema = batch.schema();
    let reader = RecordBatchIterator::new([Ok(batch)], schema);
    let stream = FFI_ArrowArrayStream::new(Box::new(reader));
    Ok(PyCapsule::new_with_value(py, stream, STREAM)?.into_any())
}

/// An array of structs.
pub(crate) fn array<'py>(
    py: Python<'py>,
    columns: &Columns,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let made = batch(columns).and_then(|batch| to_ffi(&StructArray::from(batch).into_data()));
    let (array, schema) = made.map_err(|e| failed(py, &e))?;
    let schema = PyCapsule::new_with_value(py, schema, SCHEMA)?.into_any();
    Ok((schema, PyCapsule::new_with_value(py, array, ARRAY)?.into_any()))
}

/// What an object offers by Arrow's C interface; `None` if it offers nothing.
pub(crate) fn batches(object: &Bound<'_, PyAny>) -> PyResult<Option<Vec<RecordBatch>>> {
    let py = object.py();
    let mut found = Vec::new();
    if object.hasattr("__arrow_c_stream__")? {
        let capsule = object.call_method0("__arrow_c_stream__")?;
        let pointer = capsule.cast::<PyCapsule>()?.pointer_checked(Some(STREAM))?;
        // SAFETY: a capsule of this name holds a stream, which may be moved out once; the capsule's own destructor then
        // finds it released.
        let reader = unsafe { ArrowArrayStreamReader::from_raw(pointer.cast().as_ptr()) };
        let reader = reader.map_err(|e| failed(py, &e))?;
        for batch in reader {
            found.push(batch.map_err(|e| failed(py, &e))?);
        }
        if found.is_empty() {
            found.push(RecordBatch::new_empty(Arc::new(Schema::empty())));
        }
    } else if object.hasattr("__arrow_c_array__")? {
        let capsules = object.call_method0("__arrow_c_array__")?;
        let capsules = capsules.cast::<PyTuple>()?;
        let (schema, array) = (capsules.get_item(0)?, capsules.get_item(1)?);
        let schema = schema.cast::<PyCapsule>()?.pointer_checked(Some(SCHEMA))?;
        let array = array.cast::<PyCapsule>()?.pointer_checked(Some(ARRAY))?;
        // SAFETY: capsules of these names hold a schema, which is only read while its capsule lives, and an array that fits
        // it, which may be moved out once.
        let data = unsafe {
            let array = FFI_ArrowArray::from_raw(array.cast().as_ptr());
            from_ffi(array, schema.cast::<FFI_ArrowSchema>().as_ref())
        };
        let data = data.map_err(|e| failed(py, &e))?;
        if !matches!(data.data_type(), DataType::Struct(_)) {
            return Err(error::usage(py, "this array of Arrow has no columns; make a table of it"));
        }
        found.push(RecordBatch::from(StructArray::from(data)));
    } else {
        return Ok(None);
    }
    Ok(Some(found))
}

/// The columns of batches as terms.
pub(crate) fn read(
    batches: &[RecordBatch],
    wanted: Option<&[String]>,
    constants: &Constants,
    symbols: &mut Symbols,
) -> Result<Vec<Vec<Symbol>>, String> {
    let mut columns: Vec<Vec<Symbol>> = Vec::new();
    for batch in batches {
        let schema = batch.schema();
        let all: Vec<usize> = match wanted {
            None => (0..batch.num_columns()).collect(),
            Some(names) => {
                let place = |name: &String| {
                    schema.index_of(name).map_err(|_| format!("the table has no column `{name}`"))
                };
                names.iter().map(place).collect::<Result<_, _>>()?
            }
        };
        columns.resize_with(all.len(), Vec::new);
        for (i, (into, place)) in columns.iter_mut().zip(all).enumerate() {
            let field = schema.field(place);
            let constants = constants.takes(i, Some(field.name()));
            column(field, batch.column(place), constants, symbols, into)
                .map_err(|message| format!("column `{}`: {message}", field.name()))?;
        }
    }
    Ok(columns)
}

fn column(
    field: &Field,
    array: &dyn Array,
    constants: bool,
    symbols: &mut Symbols,
    into: &mut Vec<Symbol>,
) -> Result<(), String> {
    if array.logical_null_count() > 0 {
        return Err("a missing value is not a term; leave these rows out first".into());
    }
    macro_rules! numbers {
        ($type:ty) => {
            for &number in array.as_primitive::<$type>().values() {
                let number = i64::try_from(number).map_err(|_| format!("{number} does not fit 64 bits"))?;
                into.push(symbols.num(number));
            }
        };
    }
    macro_rules! texts {
        ($texts:expr) => {
            for text in $texts.iter().flatten() {
                into.push(columns::text(text, constants, symbols)?);
            }
        };
    }
    match field.data_type() {
        DataType::Int8 => numbers!(Int8Type),
        DataType::Int16 => numbers!(Int16Type),
        DataType::Int32 => numbers!(Int32Type),
        DataType::Int64 => numbers!(Int64Type),
        DataType::UInt8 => numbers!(UInt8Type),
        DataType::UInt16 => numbers!(UInt16Type),
        DataType::UInt32 => numbers!(UInt32Type),
        DataType::UInt64 => numbers!(UInt64Type),
        DataType::Float64 => {
            for &number in array.as_primitive::<Float64Type>().values() {
                into.push(symbols.num(columns::whole(number)?));
            }
        }
        DataType::Float32 => {
            for &number in array.as_primitive::<Float32Type>().values() {
                into.push(symbols.num(columns::whole(f64::from(number))?));
            }
        }
        DataType::Utf8 => texts!(array.as_string::<i32>()),
        DataType::LargeUtf8 => texts!(array.as_string::<i64>()),
        DataType::Utf8View => texts!(array.as_string_view()),
        DataType::Dictionary(_, kind) => {
            let array = array.as_any_dictionary();
            let values = Field::new(field.name(), (**kind).clone(), true);
            let mut terms = Vec::new();
            column(&values, array.values().as_ref(), constants, symbols, &mut terms)?;
            if !terms.is_empty() {
                into.extend(array.normalized_keys().into_iter().map(|key| terms[key]));
            }
        }
        kind => return Err(format!("values of type {kind} are no terms; terms are whole numbers and texts")),
    }
    Ok(())
}
